"""RS303: an instruction file that belongs to another user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import File

RULE = Rule(
    code="RS303",
    name="foreign-file",
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    summary="An instruction file, or a directory above it, belongs to another user, who can change it.",
    advice="Take ownership of it (chown), or remove it.",
)


def check(file: File) -> Iterator[Hit]:
    """Yield one hit if the guard refused the file for its owner."""
    if file.refusal == "foreign-owner":
        what = f" ({quoted(file.where)})" if file.where else ""
        yield Hit(f"this file or a directory above it belongs to another user{what}", "owner")
