"""RS311: an empty or bogus `.git` inside a repository.

For Codex any entry of that name makes its directory the root of a project, so that the instruction files
above it are silently gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Session

RULE = Rule(
    code="RS311",
    name="nested-root",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="A .git that is no repository makes a directory the project root and hides the files above it.",
    advice="Remove the .git entry.",
)


def check(session: Session) -> Iterator[tuple[str, Hit]]:
    """Yield path and hit if the session's root lies inside the repository and its `.git` is bogus."""
    if session.is_nested and session.git_is_bogus:
        yield (
            session.git_path,
            Hit("this is no repository, but it hides the instruction files above it", "nested"),
        )
