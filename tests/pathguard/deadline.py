"""A hang is a failure: an alarm for tests of names that may wait."""

from __future__ import annotations

import contextlib
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


@contextlib.contextmanager
def deadline(seconds: int) -> Iterator[None]:
    """Raise `TimeoutError` in what has not ended after ``seconds``."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError("this hangs")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
