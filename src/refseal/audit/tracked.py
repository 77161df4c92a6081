"""Which instruction files git tracks, and which of them as links: one pass over the index.

For reports alone.  Authority is decided by `resolve.tracking`, which doubts more; an index that is not
understood here only means that nothing is said about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.pathguard import Refusal
from refseal.pathguard.git_files import read_git_file
from refseal.resolve.git_index import (
    EXTENDED,
    HEADER,
    ID_SIZES,
    LONG_NAME,
    MAX_INDEX_BYTES,
    STAT,
    BadIndex,
    varint,
)

if TYPE_CHECKING:
    from refseal.pathguard import Root

_MODE_AT = 24
"""Where in an entry its mode stands; the rest of the layout is that of `git_index`."""

_LINK = 0o120000
_TYPE = 0o170000

_MAX_NAME = 4_096
"""Bytes of a path: longer ones cannot be checked out; bounds what version 4 can write out."""


def modes_of(root: Root, names: frozenset[str]) -> dict[str, int]:
    """Return mode by path, relative to ``root``, of the entries of its index that are named so."""
    try:
        index = read_git_file(root, "index", MAX_INDEX_BYTES)
    except Refusal:
        return {}
    if index is None or index[:4] != b"DIRC":
        return {}
    wanted = tuple(name.encode("utf-8", "surrogateescape") for name in names)
    for id_size in ID_SIZES:
        try:
            found = _read(index, wanted, id_size)
        except (BadIndex, IndexError):  # IndexError: it ends in the middle of an entry
            continue
        if found is not None:
            return found
    return {}


def is_link(mode: int) -> bool:
    """Tell whether a mode of the index is that of a symbolic link."""
    return mode & _TYPE == _LINK


def _read(index: bytes, wanted: tuple[bytes, ...], id_size: int) -> dict[str, int] | None:
    """Read all entries; None if the index does not parse with object ids of this size."""
    version, count = int.from_bytes(index[4:8], "big"), int.from_bytes(index[8:HEADER], "big")
    fixed = STAT + id_size + 2
    if version not in {2, 3, 4} or count * (fixed + 2) > len(index):
        return None
    found: dict[str, int] = {}
    offset, previous = HEADER, b""
    end = len(index) - id_size
    for _ in range(count):
        if offset + fixed + 2 > end:
            return None
        flags = index[offset + fixed - 2]
        name_at = offset + fixed + (2 if flags & EXTENDED else 0)
        if version == 4:
            dropped, name_at = varint(index, name_at)
            stop = index.find(b"\0", name_at)
            if stop < 0 or dropped > len(previous):
                return None
            name = previous = previous[: len(previous) - dropped] + index[name_at:stop]
            if len(name) > _MAX_NAME:
                return None
            after = stop + 1
        else:
            length = (flags & 0x0F) << 8 | index[offset + fixed - 1]
            stop = index.find(b"\0", name_at) if length == LONG_NAME else name_at + length
            if stop < 0 or stop >= end or index[stop] != 0:
                return None
            name = index[name_at:stop]
            after = offset + ((stop - offset + 8) & ~7)
        if name.endswith(wanted) and name.rpartition(b"/")[2] in wanted:
            mode = int.from_bytes(index[offset + _MODE_AT : offset + _MODE_AT + 4], "big")
            found[name.decode("utf-8", "surrogateescape")] = mode
        offset = after
    return found
