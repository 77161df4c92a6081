"""RS302: an instruction file with more than one name.

Nothing tells a hard link from a file, so the other name may belong to somebody else, or be a private file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import File

RULE = Rule(
    code="RS302",
    name="hard-link",
    severity=Severity.MEDIUM,
    confidence=Confidence.MEDIUM,
    summary="An instruction file is a hard link: the same file has another name somewhere.",
    advice="Copy it onto itself (cp AGENTS.md x && mv x AGENTS.md) unless you know the other name.",
)


def check(file: File) -> Iterator[Hit]:
    """Yield one hit if the file has several names."""
    if file.names > 1:
        yield Hit(f"this file has {file.names} names; the others may be anywhere on the disk", "hard link")
