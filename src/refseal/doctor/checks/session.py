"""What a new session in this directory would get."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.doctor.findings import Finding
from refseal.seal import escape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.codex.session import Session
    from refseal.doctor.surroundings import Surroundings

WHY = "refseal show --format tree says which, and why."


def check(surroundings: Surroundings) -> Iterator[Finding]:
    """Sum up what `refseal show` tells at length."""
    session = surroundings.session
    yield from _worktree(session)
    said = set(session.settings.problems) | set(session.scope.problems if session.scope is not None else ())
    for message in session.messages:
        if message not in said:
            yield Finding("note", _sentence(message), WHY)
    directory = escape(surroundings.directory, 4_096)
    if session.resolution is None or session.block is None:
        yield Finding(
            "ok",
            f"Nothing is to be added in {directory}: Codex loads by itself all that applies there.",
            "refseal init makes an overlay, AGENTS.local.md, that Codex does not load.",
        )
        return
    documents = len(session.resolution.documents)
    tokens = -(-len(session.block.encode("utf-8", "surrogateescape")) // 4)
    what = "1 document" if documents == 1 else f"{documents} documents"
    is_added = "is" if documents == 1 else "are"
    yield Finding(
        "ok", f"{what} in {tokens:,} of {surroundings.limit:,} tokens {is_added} added in {directory}."
    )
    out = len(session.resolution.left_out)
    if out:
        yield Finding(
            "note", f"{out} documents are not included." if out > 1 else "1 document is not included.", WHY
        )


def _worktree(session: Session) -> Iterator[Finding]:
    linkage = None if session.scope is None else session.scope.linkage
    if linkage is None or linkage.status in ("none", "submodule", "bare", "separate-git-dir"):
        return
    if linkage.status == "linked":
        yield Finding("ok", f"A linked worktree; {escape(linkage.main_root or '', 4_096)} is in scope too.")
    else:
        detail = "" if linkage.detail is None else f" ({linkage.detail})"
        yield Finding(
            "note",
            f"The linkage to a main worktree is {linkage.status}{detail}: nothing is inherited from there.",
            f"If the worktree was moved: git worktree repair.  More: refseal explain {linkage.status}",
        )


def _sentence(message: str) -> str:
    return message[:1].upper() + message[1:] + ("" if message.endswith(".") else ".")
