"""Two questions about a repository that are asked before, or beside, every walk through it."""

from __future__ import annotations

import stat

from refseal.system import os

from . import descriptors
from .descriptors import FILE_FLAGS, close, encode
from .git_metadata import holds_entry, holds_objects_and_refs
from .names import MAX_NAME_BYTES
from .refusals import Refusal, refusal_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .root import Root

CHUNK_BYTES = 1 << 20
"""How much of an index is asked for at once."""


def nearest_holding(path: str, names: Sequence[str]) -> str | None:
    """Return the nearest directory, ``path`` or lexically above it, that holds an entry of one of the names.

    ``path`` is absolute, without `.` and `..`; none that is longer than the kernel takes is held by anything.
    Links are followed, a broken one is no entry; what cannot be looked at is none either.  Nothing is read:
    the answer says how far a project reaches, by the host's rule.
    """
    if len(path) > MAX_NAME_BYTES:
        return None
    while True:
        for name in names:
            try:
                os.stat(encode(path.rstrip("/") + "/" + name))
            except (OSError, ValueError):
                continue
            return path
        if path == "/":
            return None
        path = path.rpartition("/")[0] or "/"


def nearest_configured(path: str, markers: Sequence[str]) -> str | None:
    """Return the nearest directory that Codex calls a root when it looks for configuration and for trust.

    Like `nearest_holding`, but a directory named ``.git`` counts only if it holds ``HEAD`` (measured on Codex
    0.171, which takes any ``.git`` where it looks for documents).
    """
    while (found := nearest_holding(path, markers)) is not None:
        for name in markers:
            try:
                os.stat(encode(found.rstrip("/") + "/" + name + ("/HEAD" if name == ".git" else "")))
            except NotADirectoryError:
                return found
            except (OSError, ValueError):
                continue
            return found
        if found == "/":
            return None
        path = found.rpartition("/")[0] or "/"
    return None


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
    from .gitfile import read_pointer, target_of_gitfile  # noqa: PLC0415 - few sessions ask for an index

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
