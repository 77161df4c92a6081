"""A session as a tree for people: who pulls in what, how large it is, what was left out and why."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from refseal.audit.quoting import for_people
from refseal.resolve.reasons import REASONS
from refseal.seal import escape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.cli.output import Line
    from refseal.codex.session import Session
    from refseal.resolve.resolution import Resolution, Source

MAXIMUM = 4_096
"""Characters of a name: no path that the guard opens is longer, so none is cut."""

GUIDES = ("├── ", "└── ", "│   ", "    ")
ASCII_GUIDES = ("|-- ", "`-- ", "|   ", "    ")
"""Before a branch, the last branch, what hangs below either."""


class Branch:
    """One line of a tree, and the branches below it."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.branches: list[Branch] = []

    def add(self, line: Line) -> Branch:
        """Hang a new branch below this one, after the others."""
        branch = Branch(line)
        self.branches.append(branch)
        return branch

    def lines(self, guides: tuple[str, str, str, str]) -> Iterator[Line]:
        """Yield this line and all below it; no recursion, for references can be a hundred deep."""
        yield self.line
        waiting = [(branch, "", number == 0) for number, branch in enumerate(reversed(self.branches))]
        while waiting:
            branch, before, is_last = waiting.pop()
            yield [(before + guides[is_last], "dim"), *branch.line]
            below = before + guides[2 + is_last]
            waiting += [(one, below, number == 0) for number, one in enumerate(reversed(branch.branches))]


def tokens_of(text: str) -> int:
    """Return the size of ``text`` as Codex counts it: four UTF-8 bytes a token, rounded up."""
    return -(-len(text.encode("utf-8", "surrogateescape")) // 4)


def tokens_shown(tokens: int) -> str:
    """Return `1 token` or `1,234 tokens`."""
    return "1 token" if tokens == 1 else f"{tokens:,} tokens"


def tree_of(directory: str, session: Session, limit: int) -> Iterator[Line]:
    """Yield the lines of the tree for a session in ``directory``, and below it what each reason means."""
    used = 0 if session.block is None else tokens_of(session.block)
    root = Branch([(_shown(directory), "path"), (f"  {used:,} of {tokens_shown(limit)}", "plain")])
    reasons: dict[str, None] = {}
    if session.resolution is not None:
        _grow(root, session.resolution, session, reasons)
    yield from root.lines(_guides())
    linkage = None if session.scope is None else session.scope.linkage
    if linkage is not None and linkage.status != "none":
        main = "" if linkage.main_root is None else f"  main worktree: {_shown(linkage.main_root)}"
        detail = "" if linkage.detail is None else f" ({linkage.detail})"
        yield []
        yield [("worktree  ", "dim"), (f"{linkage.status}{detail}{main}", "plain")]
        reasons[linkage.status] = None
    if reasons:
        yield []
        width = max(map(len, reasons)) + 2
        for reason in reasons:
            yield [(f"{reason:<{width}}", "dim"), (REASONS[reason][1], "plain")]


def _grow(root: Branch, resolution: Resolution, session: Session, reasons: dict[str, None]) -> None:
    """Hang every document below who pulled it in, and below it its references that were not included."""
    branches: dict[str, Branch] = {}
    cut = set() if resolution.block is None else {document.path for document in resolution.block.cut}
    in_block = {source.path for source in resolution.documents}
    for source in resolution.sources:
        parent = root if len(source.chain) < 2 else branches.get(source.chain[-2], root)
        kind = _kind(source, is_in_block=source.path in in_block, is_cut=source.path in cut)
        branches[source.path] = parent.add([(_name(source.path, session), "path"), *kind])
    for entry in () if session.view is None else session.view.loaded:
        path = entry.instruction.path
        if path not in branches:
            branches[path] = root.add([(_name(path, session), "path"), ("  native", "dim")])
    for resolved in resolution.references:
        if resolved.reason != "included":
            reasons[resolved.reason] = None
            reference = resolved.reference
            branches[resolved.source.path].add(
                [
                    (f"{reference.line}:{reference.column} ", "dim"),
                    ("@" + _shown(reference.path), "plain"),
                    (f"  {resolved.verdict}: {resolved.reason}", resolved.verdict),
                ]
            )
    for left_out in resolution.left_out:
        if left_out.source is None:  # an instruction file; references were met above
            reasons[left_out.reason] = None
            root.add(
                [(_name(left_out.target, session), "path"), (f"  not included: {left_out.reason}", "blocked")]
            )
    for notice in resolution.notices:
        root.add([(_shown(notice), "skipped")])


def _kind(source: Source, *, is_in_block: bool, is_cut: bool) -> Line:
    size = tokens_shown(tokens_of(source.text))
    if not is_in_block:
        return [(f"  native: Codex has loaded it, {size}", "dim")]
    kind = "restored" if source.section == "native" else source.section
    line = [(f"  {kind}, {size}", "included")]
    return [*line, (", cut", "skipped")] if is_cut else line


def _name(path: str, session: Session) -> str:
    """Return a path for people: from the project root on where it lies beneath it."""
    root = "" if session.scope is None else session.scope.project_root.rstrip("/") + "/"
    return _shown(path.removeprefix(root))


def _shown(text: str) -> str:
    return for_people(escape(text, MAXIMUM))


def _guides() -> tuple[str, str, str, str]:
    try:
        "".join(GUIDES).encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return ASCII_GUIDES
    return GUIDES
