"""RS305: a pipe, a socket, a device or a directory under the name of an instruction file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Persona, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import File

RULE = Rule(
    code="RS305",
    name="irregular-file",
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    summary="A pipe, socket or device stands where an instruction file is expected; readers may hang at it.",
    advice="Remove it.",
)


def check(file: File) -> Iterator[Hit]:
    """Yield one hit if the name is not that of a regular file; a directory is only untidy."""
    if file.refusal == "not-regular":
        yield Hit("this is a pipe, a socket or a device", "irregular")
    elif file.refusal == "directory":
        yield Hit(
            "this is a directory; no agent reads it",
            "directory",
            severity=Severity.INFO,
            persona=Persona.PEDANTIC,
        )
