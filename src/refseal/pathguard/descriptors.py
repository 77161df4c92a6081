"""How a descriptor is opened, closed and named here: the platform's part of the guard, in one place."""

from __future__ import annotations

import sys

from refseal.system import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Identity: TypeAlias = tuple[int, int]

SUPPORTED = (
    sys.platform != "win32"
    and hasattr(os, "O_NOFOLLOW")
    and hasattr(os, "O_DIRECTORY")
    and "HAVE_OPENAT" in getattr(os, "_have_functions", ())  # what `os.supports_dir_fd` is made of
)
"""Whether names can be opened relative to a held directory without following links.

Windows has neither; there every root is refused with ``unsupported-platform`` until it has its own guard.
"""

_UNTOUCHED = (
    getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a FIFO without a writer, a file under a lease: an answer, not a wait
    | getattr(os, "O_NOCTTY", 0)  # a terminal must not become ours
    | getattr(os, "O_CLOEXEC", 0)
)

FILE_FLAGS = os.O_RDONLY | _UNTOUCHED
"""The last component: opened as it stands, never through a link, and looked at before it is read."""

LISTING_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _UNTOUCHED
"""A directory whose entries are read."""

SEARCH_FLAGS = (
    getattr(os, "O_PATH", 0) | getattr(os, "O_DIRECTORY", 0) | _UNTOUCHED
    if sys.platform == "linux" and hasattr(os, "O_PATH")
    else LISTING_FLAGS
)
"""A directory to walk through.  Linux asks only for search permission (`O_PATH`); elsewhere, on macOS, a
directory is opened for reading, so one that may be searched but not read is ``unreadable`` there."""


def close(descriptor: int) -> None:
    """Close, whatever the disk thinks of it: there is nothing left to do about a failure."""
    try:
        os.close(descriptor)
    except OSError:
        pass


def identity_of(status: os.stat_result) -> Identity:
    """Device and inode: what stays the same of a file however it is spelled."""
    return status.st_dev, status.st_ino


def is_same(one: os.stat_result, other: os.stat_result) -> bool:
    """Whether two answers are about one file; inode 0 means a file system that cannot tell."""
    return one.st_ino == other.st_ino != 0 and one.st_dev == other.st_dev


def canonical_path(descriptor: int, spelling: str) -> str | None:
    """Name the directory behind ``descriptor`` absolutely and without links.

    The kernel is asked first, then `os.path.realpath`; either answer counts only if it leads to the very
    directory that is held.  None if neither does: it was renamed or deleted meanwhile.  The name is for
    people and for matching absolute tokens, never for opening.
    """
    for ask in (_ask_kernel, _ask_realpath):
        try:
            path = ask(descriptor, spelling)
            if path.startswith("/") and identity_of(os.stat(encode(path))) == identity_of(
                os.fstat(descriptor)
            ):
                return path
        except (OSError, ValueError):
            continue
    return None


def _ask_kernel(descriptor: int, _spelling: str) -> str:
    if sys.platform == "darwin":
        import fcntl  # noqa: PLC0415 - needed on macOS alone

        return decode(fcntl.fcntl(descriptor, fcntl.F_GETPATH, b"\0" * 1024).rstrip(b"\0"))
    return decode(os.readlink(b"/proc/self/fd/%d" % descriptor))


def _ask_realpath(_descriptor: int, spelling: str) -> str:
    from os.path import realpath  # noqa: PLC0415 - where the kernel did not answer

    return decode(realpath(encode(spelling)))


def encode(name: str) -> bytes:
    """Return a name as the kernel sees it: UTF-8 whatever the locale says, odd bytes as surrogates."""
    return name.encode("utf-8", "surrogateescape")


def decode(name: bytes) -> str:
    """Return the name for what the kernel says: `os.fsdecode` where the file system's encoding is UTF-8."""
    return name.decode("utf-8", "surrogateescape")
