"""RS307: an overlay that git tracks.

`AGENTS.local.md` is somebody's own, and may refer to files outside the repository.  One that came with the
repository is nobody's own; refseal gives it no more rights than any file of the project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import File

RULE = Rule(
    code="RS307",
    name="tracked-overlay",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="An overlay, which should be local to one machine, is tracked by git.",
    advice="git rm --cached it and ignore it (`refseal init` does so), or rename it to AGENTS.md.",
)


def check(file: File) -> Iterator[Hit]:
    """Yield one hit if the overlay is in the index."""
    if file.is_overlay and file.tracked:
        yield Hit("this overlay is in git's index, so everybody who clones the repository gets it", "tracked")
