"""Files read through the guard, whole up to a limit.  `handle` holds one open."""

from __future__ import annotations

from refseal.system import os

from . import descriptors
from .descriptors import close, identity_of
from .reach import Place, join
from .refusals import Refusal, refusal_for
from .root import Root
from .walk import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .descriptors import Identity
    from .reach import Reach

CHUNK_BYTES = 65536
"""How much is asked for at once: instruction files are smaller, and a large limit must not cost its size."""


class File:
    """A regular file as it was read.

    ``root``, ``components``   where it was found: the canonical name, without links
    ``path``                   the same, absolute
    ``data``, ``more``         its bytes up to the limit, and whether there are more
    ``identity``               device and inode
    ``owner``, ``mode``        user id, and permission bits with the type
    ``links``                  how many names it has: above 1 it is a hard link, maybe of a file elsewhere
    ``linked``                 whether a symbolic link was followed on the way
    """

    __slots__ = ("components", "data", "identity", "linked", "links", "mode", "more", "owner", "root")

    def __init__(self, walk: Walk, status: os.stat_result, data: bytes, *, more: bool) -> None:
        self.root: Root = walk.root
        self.components = tuple(walk.components)
        self.linked = walk.links > 0
        self.identity: Identity = identity_of(status)
        self.owner = status.st_uid
        self.mode = status.st_mode
        self.links = status.st_nlink
        self.data = data
        self.more = more

    @property
    def name(self) -> str:
        """Its last component."""
        return self.components[-1]

    @property
    def path(self) -> str:
        """Its absolute canonical path."""
        return join(self.root.path, self.components)

    @property
    def place(self) -> Place:
        """The directory that it lies in: what its own references are relative to."""
        return Place(self.root, self.components[:-1])


def is_same_document(one: File, other: File) -> bool:
    """Whether two files are one document under two names.

    The canonical name is the same, or the file is and its bytes are: the latter finds hard links, bind
    mounts, and the spellings that a case-insensitive disk takes for one.  Inode 0 means a file system that
    has no inodes.
    """
    if one.root.identity == other.root.identity and one.components == other.components:
        return True
    return one.identity == other.identity and one.identity[1] != 0 and one.data == other.data


def read(token: str, place: Place, reach: Reach, limit: int) -> File:
    """Read up to ``limit`` bytes of the file that ``token`` names at ``place``.

    The one exception is `Refusal`; no descriptor stays open.
    """
    walk = Walk(token, place, reach)
    descriptor, status = walk.open_file()
    try:
        data = _read_up_to(descriptor, limit + 1, max(status.st_size, 0) + 1, walk.components[-1])
    finally:
        close(descriptor)
    return File(walk, status, data[:limit], more=len(data) > limit)


def is_directory(token: str, place: Place, reach: Reach) -> bool:
    """Whether ``token`` names a directory that the guard would enter."""
    try:
        close(Walk(token, place, reach).open_directory(descriptors.SEARCH_FLAGS))
    except Refusal:
        return False
    return True


def root_at(place: Place, reach: Reach) -> Root:
    """Make a root of the directory ``place``: for a document that may reach no more than that."""
    walk = Walk(".", place, reach)
    descriptor = walk.open_directory(descriptors.SEARCH_FLAGS)
    return Root.adopt(descriptor, join(walk.root.path, walk.components), walk.root.owners)


def _read_up_to(descriptor: int, wanted: int, chunk: int, name: str) -> bytes:
    """Read to the end or to ``wanted`` bytes, whatever the system says of the size.

    That (``chunk``) is only how much is asked for at first.
    """
    parts: list[bytes] = []
    while wanted > 0:
        try:
            part = os.read(descriptor, min(wanted, chunk, CHUNK_BYTES))
        except OSError as error:
            raise refusal_for(error, name) from None
        if not part:
            break
        parts.append(part)
        wanted -= len(part)
        chunk = CHUNK_BYTES
    return parts[0] if len(parts) == 1 else b"".join(parts)
