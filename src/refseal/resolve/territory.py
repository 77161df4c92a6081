"""The roots of a scope, and what each is to policy.

A file belongs to the innermost territory that holds it, by the canonical path; that alone decides its tier
and its reach.  So no territory may be entered from an outer one on the way: all of their identities are
`excluded` from every walk.
"""

from __future__ import annotations

from refseal.pathguard import Place, root_at
from refseal.pathguard.reach import absolute_components

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from refseal.pathguard import Reach, Root

    Kind = Literal["project", "main", "strand", "cwd", "home", "extra", "ancestor", "anywhere"]
    Tier = Literal["user", "project"]

USER_KINDS = frozenset({"home", "extra", "ancestor"})


class Territory:
    """A root with its meaning.

    ``kind``      "project" (the project root), "main" (the verified main root), "strand" (a directory of the
                  lexical chain that a link has put outside the project root), "cwd" (inside an unsafe root),
                  "home" (Codex home, and the real directory of an instruction file linked from there),
                  "extra", "ancestor" (a directory above the main root with an instruction file in it),
                  "anywhere" (the whole disk, by REFSEAL_ALLOW_OUTSIDE_ROOT)
    ``confined``  the root is too wide: each document in it may reach its own directory, and no more
    ``barred``    the directory is no root at all: its documents may reach nothing
    """

    __slots__ = ("barred", "confined", "kind", "root")

    def __init__(self, root: Root, kind: Kind, *, confined: bool = False, barred: bool = False) -> None:
        self.root = root
        self.kind = kind
        self.confined = confined
        self.barred = barred

    @property
    def tier(self) -> Tier:
        """Whose files these are: the user's own, or the project's."""
        return "user" if self.kind in USER_KINDS else "project"


class Territories:
    """Every territory of a scope; it owns their roots.

    ``excluded``    the identities of all: none is entered from another
    ``changes``     how often the set has changed: what was computed from it before does not hold any more
    """

    __slots__ = ("_all", "_by_root", "_own", "changes", "excluded")

    def __init__(self) -> None:
        self._all: list[Territory] = []
        self._by_root: dict[int, Territory] = {}
        self._own: dict[str, Root] = {}
        self.excluded: frozenset[tuple[int, int]] = frozenset()
        self.changes = 0

    def add(self, territory: Territory) -> None:
        """Take over a territory and its root.  "anywhere" holds what no other does, and excludes nothing."""
        self._by_root[id(territory.root)] = territory
        self._all.append(territory)
        self.changes += 1
        if territory.kind != "anywhere":
            self.excluded |= {territory.root.identity}

    def remove(self, territory: Territory) -> None:
        """Give up a territory in which nothing was found."""
        self._all.remove(territory)
        del self._by_root[id(territory.root)]
        self.changes += 1
        self.excluded = frozenset(kept.root.identity for kept in self._all if kept.kind != "anywhere")
        territory.root.close()

    def of_kind(self, *kinds: Kind) -> list[Territory]:
        """Return those of the kinds, in the order in which they were added."""
        return [territory for territory in self._all if territory.kind in kinds]

    def holding(self, root: Root) -> Territory:
        """Return the territory of a root, or of an own directory within one."""
        return self._by_root[id(root)]

    def find(self, root: Root) -> Territory | None:
        """Return the territory that is this very directory already."""
        for territory in self._all:
            if territory.root.identity == root.identity and territory.kind != "anywhere":
                return territory
        return None

    def place_of(self, path: str) -> Place | None:
        """Return the place of a canonical directory path in the innermost territory that holds it."""
        found: Territory | None = None
        for territory in self._all:
            if territory.kind == "anywhere" or not is_beneath(path, territory.root.path):
                continue
            if found is None or len(territory.root.path) > len(found.root.path):
                found = territory
        if found is None:
            return None
        return Place(found.root, components_beneath(path, found.root.path))

    def narrow(self, place: Place, reach: Reach) -> Place:
        """Return the place with the root that its documents have: in a confined territory, their directory.

        Raises Refusal if the directory is no longer there.
        """
        territory = self.holding(place.root)
        if not territory.confined or not place.components:
            # A confined root is its own directory's root, too.
            return place
        root = self._own.get(place.path)
        if root is None:
            root = root_at(place, reach)
            self._own[place.path] = root
            self._by_root[id(root)] = territory
        return Place(root)

    def close(self) -> None:
        """Give up every root."""
        for territory in self._all:
            territory.root.close()
        for root in self._own.values():
            root.close()


def components_beneath(path: str, directory: str) -> list[str]:
    """Return what leads from a directory to a path beneath it; both are absolute, and none has a `..`."""
    return absolute_components(path)[len(absolute_components(directory)) :]


def directory_of(path: str) -> str:
    """Return the directory that an absolute path lies in; the root lies in itself."""
    return path.rpartition("/")[0] or "/"


def is_beneath(path: str, directory: str) -> bool:
    """Tell whether a path is the directory or below it; both are canonical."""
    return path == directory or path.startswith(directory.rstrip("/") + "/")
