"""Which sessions are asked for, and which reuse the answer of one above them.

A repository with a thousand instruction files has a thousand places to start a session in, and nearly all
of those sessions get the same: what the files above refer to.  Asking for each would cost a hundred times
the walk.  A directory reuses the answer of the nearest one above if all that it adds is a plain `AGENTS.md`
without references; `Sessions.add_quiet` has the last word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from refseal.audit.sessions import Base, Sessions
    from refseal.audit.tree import Tree

PLAIN_NAME = "AGENTS.md"
"""The one name that can be quiet: an override hides something, an overlay enters the block."""


class Reuse:
    """Asks for the directories of one tree, the upper ones first.

    ``plain``  by directory, the size of its one plain file; directories that add more are not in it
    """

    def __init__(
        self, sessions: Sessions, spelling: str, tree: Tree, plain: dict[tuple[str, ...], int]
    ) -> None:
        self._sessions = sessions
        self._spelling = spelling.rstrip("/")
        self._plain = {} if tree.near else plain
        self._open_to_all = tree.open_to_all
        self._own_roots = {components for components, _ in tree.git_entries}
        self._bases: dict[tuple[str, ...], Base] = {}

    def ask(self, components: tuple[str, ...]) -> None:
        """Take in what a session in a directory gets."""
        if not self._reuse(components):
            base = self._sessions.add(self._path(components))
            if base is not None:
                self._bases[components] = base

    def _reuse(self, components: tuple[str, ...]) -> bool:
        size = self._plain.get(components)
        if size is None or not components or self._has_root_below(components):
            return False
        base = self._base(components)
        if base is None or (base.is_alone and components in self._open_to_all):
            return False
        relative = "/".join(components)
        quiet = self._sessions.add_quiet(relative, f"{relative}/{PLAIN_NAME}", size, base)
        if quiet is None:
            return False
        self._bases[components] = quiet
        return True

    def _base(self, components: tuple[str, ...]) -> Base | None:
        """Return the nearest answer above; the root's is asked for if there is none yet."""
        for depth in range(len(components) - 1, -1, -1):
            base = self._bases.get(components[:depth])
            if base is not None:
                return base
        base = self._sessions.add(self._path(()), listed=False)
        if base is not None:
            self._bases[()] = base
        return base

    def _has_root_below(self, components: tuple[str, ...]) -> bool:
        """Tell whether a `.git` between the root and the directory makes it another project."""
        return bool(self._own_roots) and any(
            components[:depth] in self._own_roots for depth in range(1, len(components) + 1)
        )

    def _path(self, components: tuple[str, ...]) -> str:
        return "/".join((self._spelling, *components)) or "/"
