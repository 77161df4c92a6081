"""Stand-ins for `os` that the guard's modules are given in place of the real one."""

from __future__ import annotations

import errno
import importlib
import os
import pkgutil
from typing import TYPE_CHECKING, Any

from pyfakefs.fake_filesystem import FakeFilesystem
from pyfakefs.fake_os import FakeOsModule

import refseal.pathguard

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

MODULES = tuple(
    module
    for found in pkgutil.iter_modules(refseal.pathguard.__path__)
    if hasattr(module := importlib.import_module(f"refseal.pathguard.{found.name}"), "os")
)
"""Every module of the guard that asks the system for anything."""

CALLS = ("open", "close", "fstat", "stat", "readlink", "read", "pread", "scandir")
"""The system calls of the guard that read; nothing else of `os` may touch the disk (see the test of it)."""

WRITES = ("write", "fchmod", "fsync", "mkdir", "link", "replace", "unlink")
"""Those of `writing` and `exclude` besides."""


def give(patch: pytest.MonkeyPatch, stand_in: object) -> None:
    """Give every module ``stand_in`` for `os`."""
    for module in MODULES:
        patch.setattr(module, "os", stand_in)


class FailingOs:
    """The real `os`, but system call number ``fail_at`` (0-based) fails with ``error``; closing closes."""

    def __init__(self, error: int = errno.EIO, fail_at: int = -1) -> None:
        self.error = error
        self.fail_at = fail_at
        self.count = 0
        self.asked: list[tuple[str, Any]] = []

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        return self._failing(name, real) if name in CALLS + WRITES else real

    def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            number, self.count = self.count, self.count + 1
            self.asked.append((name, arguments[0] if arguments else None))
            if number == self.fail_at:
                if name == "close":
                    os.close(arguments[0])
                raise OSError(self.error, os.strerror(self.error))
            return real(*arguments, **options)

        return call


class FoldingOs:
    """A disk in memory (pyfakefs) on which names are equal that ``fold`` makes equal.

    As on APFS, HFS+ or a case-insensitive ext4; names come as bytes, which pyfakefs does not take with a
    directory.
    """

    def __init__(self, fold: Callable[[str], str]) -> None:
        self.disk = FakeFilesystem()
        self._os = FakeOsModule(self.disk)
        self.fold = fold

    def __getattr__(self, name: str) -> Any:
        return getattr(self._os, name)

    def _stored(self, name: str | bytes, directory: int | None) -> str:
        """Find the name under which the disk keeps what ``name`` means in ``directory``."""
        text = os.fsdecode(name)
        if directory is None:
            return text
        place: Any = self.disk.get_open_file(directory).get_object()
        names: list[str] = list(place.entries)
        return next((name for name in names if self.fold(name) == self.fold(text)), text)

    def open(self, name: str | bytes, flags: int, *, dir_fd: int | None = None) -> int:
        flags &= ~getattr(os, "O_PATH", 0)
        return int(self._os.open(self._stored(name, dir_fd), flags, dir_fd=dir_fd))

    def stat(self, name: str | bytes, *, dir_fd: int | None = None, follow_symlinks: bool = True) -> Any:
        return self._os.stat(self._stored(name, dir_fd), dir_fd=dir_fd, follow_symlinks=follow_symlinks)

    def readlink(self, name: str | bytes, *, dir_fd: int | None = None) -> bytes:
        return os.fsencode(self._os.readlink(self._stored(name, dir_fd), dir_fd=dir_fd))
