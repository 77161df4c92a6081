"""What is read of git's own directory, for the answer to one question each: its index, its three landmarks.

Walks refuse these files as documents; no text of them gets out.
"""

from __future__ import annotations

import stat

from refseal.system import os

from . import descriptors
from .descriptors import FILE_FLAGS, close, encode
from .git_metadata import holds_entry, holds_objects_and_refs
from .gitfile import read_pointer, target_of_gitfile
from .refusals import Refusal, refusal_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .root import Root

CHUNK_BYTES = 1 << 20
"""How much of an index is asked for at once."""


def read_git_file(root: Root, name: str, limit: int) -> bytes | None:
    """Read a file of git's own directory for the work tree ``root``: its index, of which no text gets out.

    Walks refuse such files as documents; here the bytes answer one question.  ``.git`` may be a directory, a
    link to one, or a file that names one.  None: there is no such file.  Refusal: ``missing`` (``root`` has
    no git metadata), ``too-long`` (the file is longer than ``limit``), ``foreign-owner``, ``not-regular``,
    ``unreadable``.
    """
    try:
        directory = _open_git_directory(root)
    except OSError as error:
        raise refusal_for(error, ".git") from None
    try:
        descriptor = os.open(encode(name), FILE_FLAGS, dir_fd=directory)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise refusal_for(error, name) from None
    finally:
        close(directory)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Refusal("not-regular", name)
        if not root.owners.trusts(status.st_uid):
            raise Refusal("foreign-owner", name)
        return _read_whole(descriptor, name, limit)
    except OSError as error:
        raise refusal_for(error, name) from None
    finally:
        close(descriptor)


def is_repository(root: Root) -> bool:
    """Tell whether ``root``'s ``.git`` has what git asks of a repository: ``HEAD``, ``objects`` and ``refs``.

    Nothing is read.  Whoever builds a real repository there passes; an empty or half-made one does not.
    """
    try:
        directory = _open_git_directory(root)
    except (OSError, Refusal):
        return False
    try:
        return holds_entry(directory, b"HEAD") and holds_objects_and_refs(directory)
    finally:
        close(directory)


def _open_git_directory(root: Root) -> int:
    pointer = read_pointer(root.descriptor, b".git")
    target: bytes | None = b".git"
    if pointer is not None:
        if not root.owners.trusts(pointer.status.st_uid):
            raise Refusal("foreign-owner", ".git")
        target = target_of_gitfile(pointer.data)
    if target is None:
        raise Refusal("unreadable", ".git")
    return os.open(target, descriptors.SEARCH_FLAGS & ~os.O_NOFOLLOW, dir_fd=root.descriptor)


def _read_whole(descriptor: int, name: str, limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        part = os.read(descriptor, CHUNK_BYTES)
        if not part:
            return b"".join(parts)
        size += len(part)
        if size > limit:
            raise Refusal("too-long", name)
        parts.append(part)
