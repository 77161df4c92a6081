"""RS304: an instruction file that everybody on the machine may write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import File

RULE = Rule(
    code="RS304",
    name="world-writable",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="An instruction file may be written by every user of the machine.",
    advice="Take the right away: chmod o-w.",
)


def check(file: File) -> Iterator[Hit]:
    """Yield one hit if others may write the file."""
    if file.mode & 0o002:
        yield Hit(f"everybody may write this file (mode {file.mode & 0o7777:04o})", "mode")
