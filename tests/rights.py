"""Root's right to read and search everything, laid down for the length of a test.

Who runs the tests as root (containers, CI) would otherwise skip each test of a file that nobody may read.
The way is Linux's `capset(2)`: the calling thread alone gives up CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH,
and takes them back afterwards.  Its user stays root, so owners are as before.
"""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

_VERSION_3 = 0x20080522  # _LINUX_CAPABILITY_VERSION_3 of <linux/capability.h>: 64 bits in two words
_DAC_OVERRIDE, _DAC_READ_SEARCH = 1 << 1, 1 << 2


@contextmanager
def without_root_rights() -> Iterator[None]:
    """Run the body as somebody whom modes bind; skip the test where root cannot lay its rights down."""
    if os.geteuid() != 0:
        yield
        return
    if sys.platform != "linux":
        pytest.skip("root reads everything, and only Linux lets a thread give that up")
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    before = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable: low words, then high words
    _check(libc.capget(header, before))
    during = (ctypes.c_uint32 * 6)(*before)
    during[0] &= ~(_DAC_OVERRIDE | _DAC_READ_SEARCH)
    _check(libc.capset(header, during))
    try:
        yield
    finally:
        _check(libc.capset(header, before))


def _check(result: int) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), "capset")
