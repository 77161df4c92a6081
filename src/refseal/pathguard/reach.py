"""Where a reference starts, and how far the document that holds it may reach."""

from __future__ import annotations

from .names import bare
from .policy import refuse_by_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .descriptors import Identity
    from .root import Root


class Place:
    """The real directory that a reference is relative to: ``components`` beneath ``root``.

    Components are bare names, as in `File.components`; anything else is ``bad-name`` or ``too-long``.
    """

    __slots__ = ("components", "refusal", "root")

    def __init__(self, root: Root, components: Sequence[str] = ()) -> None:
        self.root = root
        self.components = tuple(map(bare, components))
        self.refusal = refuse_by_name(self.components, base_name(root.path), last_is_file=False)
        """What the policy says of reading anything here: a `Refusal`, or None."""

    @property
    def path(self) -> str:
        """Its absolute canonical path."""
        return join(self.root.path, self.components)


class Reach:
    """What one document may read.

    ``roots``              an absolute token is walked beneath the innermost of these that its spelling names
    ``link_roots``         where a link may restart that is absolute, or leaves the root it started in
    ``home``               the absolute path that ``~/`` means, or None: then it is refused
    ``excluded``           directories that may not be entered on the way (roots nested in others)
    ``git_directories``    directories that hold git's metadata under another name

    A root ``/`` among ``link_roots`` is the user's consent to read anywhere: a relative token that leaves
    its root restarts there too.
    """

    __slots__ = ("excluded", "git_directories", "home", "link_roots", "roots")

    def __init__(
        self,
        roots: Sequence[Root],
        *,
        link_roots: Sequence[Root] = (),
        home: str | None = None,
        excluded: frozenset[Identity] = frozenset(),
        git_directories: frozenset[Identity] = frozenset(),
    ) -> None:
        self.roots = tuple(roots)
        self.link_roots = tuple(link_roots)
        self.home = home
        self.excluded = excluded
        self.git_directories = git_directories


def base_name(path: str) -> str:
    """Return the last component of a root's path; empty for ``/``."""
    return path.rpartition("/")[2]


def join(directory: str, components: Sequence[str]) -> str:
    """Return the path of ``components`` beneath a directory, whose absolute path has no slash behind it."""
    return "/".join(("" if directory == "/" else directory, *components)) or "/"


def absolute_components(path: str) -> list[str]:
    """Take an absolute path apart."""
    return [part for part in path.split("/") if part and part != "."]


def beneath(components: Sequence[str], roots: Sequence[Root]) -> tuple[Root, list[str]] | None:
    """Find the innermost of ``roots`` that the absolute ``components`` lie beneath, and what is left of them.

    A root is known by its given and by its canonical spelling.  Only whole components count (`/srv/x-evil`
    is not beneath `/srv/x`), and only those before the first ``..``: what follows is for the walk to judge.
    """
    found: Root | None = None
    longest = -1
    for root in roots:
        for spelling in (root.path, root.spelling):
            prefix = absolute_components(spelling)
            size = len(prefix)
            if size > longest and ".." not in prefix and list(components[:size]) == prefix:
                found, longest = root, size
            if root.path == root.spelling:
                break
    if found is None:
        return None
    return found, list(components[longest:])
