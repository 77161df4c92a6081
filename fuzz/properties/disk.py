"""A tree on a real disk, decoded from choices; and the kernel's own answer to what a reference names.

BASE/root is what may be read.  Beside it lie BASE/root-sibling (a name that begins like the root's),
BASE/extra (which some documents may read) and BASE/home.  What may never be read says so in its bytes.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import stat
import tempfile
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fuzz.choices import Choices

FORBIDDEN: Final = b"FORBIDDEN"
EXTRA: Final = b"EXTRA"

# Few names, so that links, files and references meet; and those that a walk must get right.
NAMES: Final = (
    "a", "b", "c", "d.md", "e.md", "link", "deep", "..", ".", "", "...", "~", "a b", ".git", "GIT~1", ".env",
    "root", "extra", "é", "e\u0301", "\u200b", "\udcff", "x" * 255, "x" * 256, "$HOME", "-", "CON", "*",
)  # fmt: skip

TOP: Final = ("root", "root-sibling", "extra", "home")

MAX_ENTRIES: Final = 14


class Disk:
    """The directories, open for one execution; a context manager that removes them."""

    def __init__(self) -> None:
        place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108
        self.base = os.path.realpath(tempfile.mkdtemp(prefix="refseal-", dir=place))
        self.root = os.path.join(self.base, "root")
        self.directories: list[str] = [""]
        for name in TOP:
            os.mkdir(os.path.join(self.base, name))
        for name, body in (("root-sibling", FORBIDDEN), ("extra", EXTRA), ("home", FORBIDDEN)):
            for file in ("d.md", "e.md"):
                self._write(os.path.join(self.base, name, file), body)
        self._write(os.path.join(self.base, "d.md"), FORBIDDEN)

    def __enter__(self) -> Disk:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.base, ignore_errors=True)

    @staticmethod
    def _write(path: str, body: bytes) -> None:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        os.write(descriptor, body)
        os.close(descriptor)

    def populate(self, choices: Choices) -> None:
        """Make some entries beneath the root.  Only directories made here are entered."""
        for _ in range(choices.below(MAX_ENTRIES)):
            kind = choices.below(6)
            parent = choices.pick(self.directories)
            name = choices.pick(NAMES)
            inside = f"{parent}/{name}" if parent else name
            path = os.path.join(self.root, inside)
            try:
                if name in {"", ".", ".."}:
                    continue
                if kind in {0, 1}:
                    os.mkdir(path)
                    self.directories.append(inside)
                elif kind in {2, 3}:
                    os.symlink(self.target(choices), path)
                elif kind == 4 and choices.chance(8):
                    os.mkfifo(path)
                else:
                    self._write(path, b"in:" + os.fsencode(inside)[:40])
            except (OSError, ValueError):
                continue  # taken, too long, or not a name on this file system

    def target(self, choices: Choices) -> str:
        """Where a link points: mostly relative, up to eight components."""
        start = choices.pick(("", "", "", "", "/", f"{self.base}/", f"{self.root}/", "/proc/self/cwd/", "//"))
        return start + self.path(choices) or "."

    def path(self, choices: Choices) -> str:
        """Some components with what stands between them."""
        text = ""
        for _ in range(1 + choices.below(8)):
            text += choices.pick(NAMES) + choices.pick(("/", "/", "/", "//", "/./", "/../"))
        return text if choices.chance(4) else text.rstrip("/")


class _How(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


_OPENAT2: Final = 437
_RESOLVE_NO_MAGICLINKS: Final = 0x02
_RESOLVE_BENEATH: Final = 0x08
_libc = ctypes.CDLL(None, use_errno=True)


def open_beneath(directory: int, path: str) -> int | None:
    """A descriptor (O_PATH) of what the kernel finds at `path` without ever leaving `directory`.

    Raises OSError as openat2 reports it.  None where the kernel has no openat2.
    """
    how = _How(os.O_PATH | os.O_CLOEXEC, 0, _RESOLVE_BENEATH | _RESOLVE_NO_MAGICLINKS)
    descriptor = _libc.syscall(_OPENAT2, directory, os.fsencode(path), ctypes.byref(how), ctypes.sizeof(how))
    if descriptor >= 0:
        return int(descriptor)
    code = ctypes.get_errno()
    if code == errno.ENOSYS:
        return None
    raise OSError(code, os.strerror(code))


def kind_of(descriptor: int) -> str:
    """`file`, `directory` or `special`."""
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return "file"
    return "directory" if stat.S_ISDIR(mode) else "special"


def held() -> int:
    """How many descriptors this process holds."""
    return len(os.listdir("/dev/fd"))


def open_descriptors() -> frozenset[int]:
    """The descriptors that this process holds."""
    return frozenset(filter(_is_open, map(int, os.listdir("/dev/fd"))))


def close_all_but(kept: frozenset[int]) -> None:
    """Close what has been opened since `open_descriptors`, as the end of a process does."""
    for descriptor in open_descriptors() - kept:
        os.close(descriptor)


def _is_open(descriptor: int) -> bool:
    """Whether it still is: the one with which they were listed is not."""
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
