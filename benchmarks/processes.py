"""Whole processes, measured: processor time, the peak of memory, and the programs to start.

User and system time of a child come from `wait4`.  Its peak of memory does not: ``ru_maxrss`` of a process
that a large one started is the large one's, until the new program has outgrown it.  So a shell starts it, and
the kernel's own ``VmHWM`` is asked for where there is one.
"""

from __future__ import annotations

import os
import statistics
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WARM_UPS = 2
"""Runs that do not count: the first fills caches."""


class Run:
    """What a finished program took (seconds of processor time) and wrote."""

    __slots__ = ("output", "seconds")

    def __init__(self, seconds: float, output: bytes) -> None:
        self.seconds = seconds
        self.output = output


def interpreter(program: str) -> Path:
    """Return the real binary behind ``program``: a version manager's shim would be measured with it."""
    asked = "import sys; print(getattr(sys, '_base_executable', sys.executable))"
    told = subprocess.run([program, "-I", "-S", "-c", asked], capture_output=True, text=True, check=True)
    return Path(told.stdout.strip()).resolve()


def version_of(program: Path) -> str:
    """Return an interpreter's version, such as 3.11."""
    asked = "import sys; print('%d.%d' % sys.version_info[:2])"
    told = subprocess.run([program, "-I", "-S", "-c", asked], capture_output=True, text=True, check=True)
    return told.stdout.strip()


def run(arguments: list[str], stdin: bytes, environment: dict[str, str]) -> Run:
    """Run a program to its end from ``/``; its output is read as fast as it comes."""
    read_in, write_in = os.pipe()
    read_out, write_out = os.pipe()
    os.write(write_in, stdin)
    os.close(write_in)
    child = os.posix_spawn(
        arguments[0],
        arguments,
        environment,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, read_in, 0),
            (os.POSIX_SPAWN_DUP2, write_out, 1),
            (os.POSIX_SPAWN_CLOSE, read_out),
        ],
    )
    os.close(read_in)
    os.close(write_out)
    parts = []
    while part := os.read(read_out, 1 << 20):
        parts.append(part)
    os.close(read_out)
    _, status, usage = os.wait4(child, 0)
    assert status == 0, (arguments, status)
    return Run(usage.ru_utime + usage.ru_stime, b"".join(parts))


def alternate(ways: Sequence[Callable[[], Run]], runs: int) -> list[float]:
    """Run the ``ways`` by turns, so that a busy machine slows all of them; return the median of each."""
    times: list[list[float]] = [[] for _ in ways]
    for number in range(runs + WARM_UPS):
        for way, taken in zip(ways, times, strict=True):
            spent = way().seconds
            if number >= WARM_UPS:
                taken.append(spent)
    return [statistics.median(taken) for taken in times]


PEAK = """
import posix
def tell():
    with open("/proc/self/status") as status:
        peak = [line for line in status if line.startswith("VmHWM")]
    posix.write(2, peak[0].split()[1].encode())
"""
"""Tells the peak of this process in KiB on standard error; Linux alone has it."""


def peak_of(program: Path, code: str, stdin: bytes, environment: dict[str, str]) -> int:
    """Return the peak of memory, in KiB, of an interpreter that runs ``code`` and calls ``tell`` at its end.

    A shell starts it: what a small process has started begins small.
    """
    told = subprocess.run(
        ["/bin/sh", "-c", 'exec "$0" -I -S -c "$1"', str(program), PEAK + code],
        input=stdin,
        env=environment,
        capture_output=True,
        check=True,
        cwd="/",
    )
    return int(told.stderr)
