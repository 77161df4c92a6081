"""Whether git tracks an overlay: the nearest repository's index, found on the disk."""

from __future__ import annotations

from refseal.pathguard import Refusal, Root
from refseal.pathguard.git_files import read_git_file
from refseal.pathguard.repository import nearest_holding

from .git_index import MAX_INDEX_BYTES, BadIndex, is_tracked
from .territory import components_beneath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from refseal.pathguard import Owners, Place

GIT: tuple[str, ...] = (".git",)


def is_untracked(place: Place, name: str, owners: Owners) -> bool:
    """Tell whether a file is in a git work tree and certainly not in its index.

    No work tree, an index that cannot be read or understood: False, the answer with less authority.  A work
    tree without an index tracks nothing yet.
    """
    top = nearest_holding(place.path, GIT)
    if top is None:
        return False
    path = "/".join((*components_beneath(place.path, top), name))
    try:
        with Root.open(top, owners) as root:
            index = read_git_file(root, "index", MAX_INDEX_BYTES)
            return index is None or not is_tracked(index, path, _Shared(root).read)
    except (Refusal, BadIndex):
        return False


class _Shared:
    """Where the other part of a split index is read from."""

    __slots__ = ("_root",)

    def __init__(self, root: Root) -> None:
        self._root = root

    def read(self, name: str) -> bytes:
        data = read_git_file(self._root, name, MAX_INDEX_BYTES)
        if data is None:
            raise BadIndex("its shared part is gone")
        return data
