"""Alarms: what does not end is a failure, and not a test run that hangs."""

from __future__ import annotations

import contextlib
import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


@contextlib.contextmanager
def alarm(seconds: int) -> Iterator[None]:
    """Fail the test if the body, which may wait for something, has not ended after ``seconds``."""
    with _bell(signal.SIGALRM, signal.ITIMER_REAL, seconds, "this hangs"):
        yield


@contextlib.contextmanager
def work_alarm(seconds: int) -> Iterator[None]:
    """Fail the test if this process has worked for ``seconds`` of processor time on the body.

    What others do on the machine does not count.  The seconds are many times what the work takes, and few
    against what it would take if it grew faster than its input.
    """
    with _bell(signal.SIGPROF, signal.ITIMER_PROF, seconds, "this takes far too much work"):
        yield


@contextlib.contextmanager
def _bell(number: signal.Signals, timer: int, seconds: int, said: str) -> Iterator[None]:
    def ring(_signal: int, _frame: FrameType | None) -> None:
        pytest.fail(said)  # no `Exception`: what is tested cannot take it for one of its own

    before = signal.signal(number, ring)
    signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(number, before)
