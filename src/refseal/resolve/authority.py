"""What a document may reach.  It depends on where the document lies, and never on who referred to it.

==================================================  ====================================================
document                                            may reach
==================================================  ====================================================
Codex home's overlay, documents in Codex home       the real directory of that overlay, Codex home, extra
                                                    roots; `~/`
file in an extra root                               that root; `~/` within it
instruction file of an ancestor                     its own directory; `~/` within it
overlay in a project that git does not track        project root, main root, extra roots; `~/`
every other document of a project                   project root, main root
... if that root is unsafe                          its own directory, or cwd if cwd holds it
==================================================  ====================================================

A relative token never leaves the root that the document lies in; an absolute one is walked beneath a root of
the table.  No territory is entered from an outer one.  REFSEAL_ALLOW_OUTSIDE_ROOT lifts all of it.
"""

from __future__ import annotations

from refseal.pathguard import Reach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from refseal.pathguard import Root
    from refseal.pathguard.descriptors import Identity

    from .territory import Territories, Territory


class Authority:
    """The table, applied to one scope.

    ``git_directories``  where git keeps the metadata of the repository that holds cwd: no document is there
    """

    __slots__ = ("_cache", "_changes", "_home", "_territories", "git_directories")

    def __init__(self, territories: Territories, home: str | None) -> None:
        self._territories = territories
        self._home = home
        self._cache: dict[tuple[int, bool], Reach] = {}
        self._changes = 0
        self.git_directories: frozenset[Identity] = frozenset()  # set before the first reach is asked for

    def reach_of(self, root: Root, *, local: bool = False) -> Reach:
        """Return the reach of a document that lies beneath ``root``, one of the territories'.

        ``local``: it is an overlay that git does not track.
        """
        if self._changes != self._territories.changes:
            self._cache.clear()
            self._changes = self._territories.changes
        key = (id(root), local)
        reach = self._cache.get(key)
        if reach is None:
            reach = self._cache[key] = self._make(root, self._territories.holding(root), local=local)
        return reach

    def has_more_if_local(self, root: Root) -> bool:
        """Tell whether it makes a difference for this document if git tracks it."""
        territory = self._territories.holding(root)
        return territory.kind in ("project", "main", "strand") and not territory.confined

    def _make(self, root: Root, territory: Territory, *, local: bool) -> Reach:
        git = self.git_directories
        anywhere = [found.root for found in self._territories.of_kind("anywhere")]
        if anywhere:
            kinds = self._territories.of_kind("project", "main", "home", "extra")
            roots = [found.root for found in kinds]
            return Reach([root, *roots, *anywhere], link_roots=anywhere, home=self._home, git_directories=git)
        extra = [found.root for found in self._territories.of_kind("extra")]
        excluded = self._territories.excluded
        if territory.kind == "home":
            homes = [found.root for found in self._territories.of_kind("home")]
            return Reach(
                [*homes, *extra], link_roots=extra, home=self._home, excluded=excluded, git_directories=git
            )
        if territory.kind in ("extra", "ancestor"):
            return Reach([root], home=self._home, excluded=excluded, git_directories=git)
        if territory.confined or territory.kind == "cwd":
            return Reach([root], excluded=excluded, git_directories=git)
        own = [root] if territory.kind == "strand" else []
        roots = [found.root for found in self._territories.of_kind("project", "main") if not found.confined]
        if local:
            return Reach(
                [*own, *roots, *extra],
                link_roots=extra,
                home=self._home,
                excluded=excluded,
                git_directories=git,
            )
        return Reach([*own, *roots], excluded=excluded, git_directories=git)
