"""RS306: an instruction file that cannot be read.

For Codex any error but "not found" means: no project document at all, of any directory, and not a word
about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import File

RULE = Rule(
    code="RS306",
    name="unreadable-file",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="An instruction file cannot be read, and Codex then silently drops all project documents.",
    advice="Correct its permissions, or repair the link.",
)

_SAYS = {
    "unreadable": "the system does not let this file be read",
    "symlink-loop": "this link leads in a circle",
    "not-a-directory": "this link passes through a file as if it were a directory",
    "too-long": "the path of this file, or of what it links to, is too long",
    "bad-name": "this link leads to a name that no file can have",
}


def check(file: File) -> Iterator[Hit]:
    """Yield one hit if the file cannot be read; a link to nothing is passed over by Codex too."""
    says = _SAYS.get(file.refusal or "")
    if says is not None:
        yield Hit(f"{says}; Codex then loads no project document at all", file.refusal or "")
    elif file.refusal == "missing":
        yield Hit("this link leads nowhere", "missing", severity=Severity.LOW)
