"""The kernel's own answer to "is it beneath?": `openat2`, the oracle of the walk."""

from __future__ import annotations

import ctypes
import errno
import os
import sys

import pytest

SYS_OPENAT2 = 437
"""The same on every Linux architecture but alpha, since 5.6."""

RESOLVE_NO_MAGICLINKS = 0x02
RESOLVE_BENEATH = 0x08


class _OpenHow(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


def open_beneath(directory: int, name: str, flags: int = os.O_RDONLY) -> int:
    """Open ``name`` beneath ``directory``, links and all, or raise `OSError`."""
    how = _OpenHow(
        flags | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY, 0, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS
    )
    libc = ctypes.CDLL(None, use_errno=True)
    # EAGAIN: somewhere on the system something was renamed or mounted meanwhile, so that the kernel cannot
    # vouch for a `..` (openat2(2)); it asks to be asked again.
    for _ in range(10_000):
        descriptor: int = libc.syscall(
            SYS_OPENAT2, directory, os.fsencode(name), ctypes.byref(how), ctypes.sizeof(how)
        )
        if descriptor >= 0:
            return descriptor
        if ctypes.get_errno() != errno.EAGAIN:
            break
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), name)


def _is_here() -> bool:
    if sys.platform != "linux":
        return False
    try:
        top = os.open("/", os.O_PATH)
        try:
            os.close(open_beneath(top, "."))
        finally:
            os.close(top)
    except OSError:
        return False
    return True


needs_openat2 = pytest.mark.skipif(not _is_here(), reason="no openat2 here: not Linux 5.6, or filtered")
