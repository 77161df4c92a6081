"""RS310: a `.git` file that claims to be a linked worktree, and cannot prove it.

A moved or copied worktree looks exactly like a forged one, so nothing is inherited from where it points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Session

RULE = Rule(
    code="RS310",
    name="unverified-worktree",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="The link between a worktree and its main worktree is broken or forged, so nothing is inherited.",
    advice="If you moved or copied the worktree yourself: git worktree repair. Otherwise distrust it.",
)

_DETAILS = {
    "gitfile": "its .git file is not one that git writes",
    "layout": "what its .git file names is no worktree's directory",
    "commondir": "its commondir leads elsewhere",
    "backlink": "the repository does not link back to this directory",
    "repository": "what it leads to is no repository",
    "missing": "what its .git file names does not exist",
}


def check(session: Session) -> Iterator[tuple[str, Hit]]:
    """Yield path and hit if the linkage was refused."""
    if session.worktree_status == "unverified":
        says = _DETAILS.get(session.worktree_detail or "", "its linkage does not verify")
        yield session.git_path, Hit(f"this worktree inherits nothing: {says}", session.worktree_detail or "")
    elif session.worktree_status == "foreign-owner":
        yield (
            session.git_path,
            Hit("this worktree inherits nothing: its repository belongs to another user", "owner"),
        )
    elif session.worktree_status == "unsafe-root":
        yield (
            session.git_path,
            Hit("this worktree inherits nothing: its main worktree is too wide a root", "unsafe"),
        )
