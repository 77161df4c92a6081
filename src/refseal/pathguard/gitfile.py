"""The small files by which git points from one directory to another: ``.git``, ``commondir``, ``gitdir``.

They are read like any hostile file: never through a link, never waiting, never more than a bound.
"""

from __future__ import annotations

import stat

from refseal.system import os

from . import descriptors
from .descriptors import FILE_FLAGS, close, decode, encode, identity_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .descriptors import Identity
    from .root import Root

MAX_POINTER_BYTES = 8192
"""Twice PATH_MAX: a pointer is one path and a few bytes around it."""

PREFIX = b"gitdir: "
"""How a ``.git`` file begins, to the byte."""

_UNSEEN = frozenset(b"\0\n~")
"""What no pointer may hold: the end of a C string, a second line, and what a shell would expand."""


class Pointer:
    """What one of these files held, and the state of the very file that was read."""

    __slots__ = ("data", "status")

    def __init__(self, data: bytes, status: os.stat_result) -> None:
        self.data = data
        self.status = status


def read_pointer(directory: int, name: bytes, limit: int = MAX_POINTER_BYTES) -> Pointer | None:
    """Read ``name`` in the held ``directory``; None if it is no regular file of at most ``limit`` bytes."""
    try:
        descriptor = os.open(name, FILE_FLAGS, dir_fd=directory)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return None
        data = b""
        while len(data) <= limit:
            part = os.read(descriptor, limit + 1 - len(data))
            if not part:
                return Pointer(data, status)
            data += part
    except OSError:
        return None
    finally:
        close(descriptor)
    return None


def target_of_gitfile(data: bytes) -> bytes | None:
    """Return the path that a ``.git`` file holds; None if it is not one that git would have written."""
    if not data.startswith(PREFIX):
        return None
    return target_of_line(data[len(PREFIX) :].rstrip(b"\r\n"))


def target_of_line(line: bytes) -> bytes | None:
    """Return the path that a line without its end holds; None if it is empty or holds what none may."""
    return line if line and _UNSEEN.isdisjoint(line) else None


def claimed_main_root(root: Root) -> str | None:
    """Return where the main worktree lies if the ``.git`` file in ``root`` tells the truth; None without one.

    As text: nothing is looked up there, and nothing is proved.  It can be asked whom the user distrusts, and
    for nothing else.
    """
    pointer = read_pointer(root.descriptor, b".git")
    target = None if pointer is None else target_of_gitfile(pointer.data)
    if target is None:
        return None
    import posixpath as spelling  # noqa: PLC0415 - only where there is such a file

    path = spelling.normpath(spelling.join(root.path, decode(target)))
    common, name = spelling.split(spelling.dirname(path))
    return spelling.dirname(common) if name == "worktrees" else None


def git_directories_beneath(root: Root) -> frozenset[Identity]:
    """Find the directories beneath ``root`` that its own ``.git``, as a file or a link, points to.

    Of a worktree's directory also the common one above it.  Only what the text puts beneath the root is
    looked up, name by name and through no link, so that no path from a repository makes us touch the rest of
    the disk.  What a link hides from this is known by what it holds (`git_metadata.holds_repository`).
    """
    try:
        mode = os.stat(b".git", dir_fd=root.descriptor, follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            target: bytes | None = os.readlink(b".git", dir_fd=root.descriptor)
        elif stat.S_ISREG(mode):
            pointer = read_pointer(root.descriptor, b".git")
            target = None if pointer is None else target_of_gitfile(pointer.data)
        else:
            return frozenset()
    except OSError:
        return frozenset()
    if not target:
        return frozenset()
    base = root.path.rstrip("/") + "/"
    import posixpath as spelling  # noqa: PLC0415 - most repositories have no such file

    path = spelling.normpath(spelling.join(base, decode(target)))
    if not path.startswith(base):
        return frozenset()
    names = path.removeprefix(base).split("/")
    found = [_identity_beneath(root, names)]
    if names[-2:-1] == ["worktrees"]:
        found.append(_identity_beneath(root, names[:-2]))
    return frozenset(identity for identity in found if identity is not None)


def _identity_beneath(root: Root, names: list[str]) -> Identity | None:
    """Return the identity of the directory that ``names`` lead to from ``root``, if there is one."""
    held = root.descriptor
    try:
        for name in names:
            descriptor = os.open(encode(name), descriptors.SEARCH_FLAGS, dir_fd=held)
            if held != root.descriptor:
                close(held)
            held = descriptor
        return identity_of(os.fstat(held)) if names else None
    except (OSError, ValueError):
        return None
    finally:
        if held != root.descriptor:
            close(held)
