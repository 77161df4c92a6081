"""An answer in time, also when a system call never comes back.

The problem.  A file system that is gone (a network mount, a FUSE daemon that died) stops whoever asks it
anything, inside the kernel.  No check of the clock between two steps is reached again, and a signal's handler
would only run after the call: where the wait cannot be interrupted, never.

The way.  The work is done by a thread, and the thread that waits for it answers when the time is over, with
what is known by then, and ends the process.  A thread that hangs in the kernel does not hold that up: the
waits of network and FUSE mounts end when the process is killed, which its end does.

The hole that remains.  A wait that not even that ends (a broken disk) keeps the process from going away, and
Codex waits for it until its own time-out.
"""

from __future__ import annotations

import _thread
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

DEFAULT: Final = 5.0
"""Seconds, until the settings are known (REFSEAL_DEADLINE); those may lie on the file system that hangs."""

LONGEST: Final = 9.0
"""Seconds; more would run into the time-out of hooks.json (10 s), at which Codex shows nothing."""

WORK: Final = 0.7
"""The part of the time after which the work should end by itself, with a whole answer."""

WAIT: Final = 0.85
"""The part after which nobody waits for it any more."""

GLANCE: Final = 0.1
"""Seconds after which a changed deadline is noticed."""

STACK: Final = 8 << 20
"""Bytes of the working thread's stack: as much as a main thread has; macOS gives others a sixteenth of it."""


class Clock:
    """The time that one answer has.

    ``seconds`` may be set while the work runs.  It is counted from the clock's making.
    """

    __slots__ = ("_started", "seconds")

    def __init__(self, seconds: float = DEFAULT) -> None:
        self.seconds = seconds
        self._started = time.monotonic()

    def spent(self) -> float:
        """Return the seconds since the start, counted so fast that some are left for what comes after."""
        return (time.monotonic() - self._started) / WORK

    def left(self) -> float:
        """Return the seconds for which an answer can be waited for; negative when that is over."""
        return self._started + self.seconds * WAIT - time.monotonic()


def in_time(work: Callable[[], None], clock: Clock) -> bool:
    """Run ``work`` in a thread and wait for it as long as the clock allows; tell whether it came to its end.

    ``work`` must not raise.  If the answer is no, it still runs, or hangs; end the process soon.
    """
    done = _thread.allocate_lock()
    done.acquire()

    def run() -> None:
        try:
            work()
        finally:
            done.release()

    _thread.stack_size(STACK)
    try:
        _thread.start_new_thread(run, ())
    except RuntimeError:  # no thread to be had: then without one
        run()
        return True
    finally:
        _thread.stack_size(0)
    while (left := clock.left()) > 0:
        if done.acquire(timeout=min(left, GLANCE)):
            return True
    return done.acquire(blocking=False)
