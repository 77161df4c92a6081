"""RS312: a project root that is too wide: `/`, the home directory, one that everybody may write.

A stray `~/.git`, or one that somebody planted in `/tmp`, makes all that lies below it one project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Session

RULE = Rule(
    code="RS312",
    name="unsafe-root",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="The project root is the file system's root, a home directory, or open to everybody.",
    advice="Remove the .git entry there, or take away everybody's right to write.",
)


def check(session: Session) -> Iterator[tuple[str, Hit]]:
    """Yield path and hit if documents of this root reach their own directory alone."""
    if session.unsafe:
        yield (
            session.root_path,
            Hit(
                "this root is too wide to be one project; its files may refer to their own directory alone",
                "unsafe",
            ),
        )
