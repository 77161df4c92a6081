"""Microseconds to open and read one small file: the guard, the usual ways, and a bare `os.open`.

All are measured by turns in one run, in processor time, and the best of several repeats counts.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.rows import Row
from refseal.pathguard import Owners, Place, Reach, Root, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DEPTHS = (1, 3, 6, 12)
REPEATS = 9
ROUNDS = 3000
LIMIT = 32768


def opened(path: str) -> bytes:
    """Ask the system and nothing else."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, LIMIT)
    finally:
        os.close(descriptor)


def plain(path: str) -> bytes:
    """Read as any program does."""
    with open(path, "rb") as file:
        return file.read()


def resolved(root: Path, name: str) -> bytes:
    """Resolve, check and open: the usual way, and open to a race."""
    target = (root / name).resolve()
    if not target.is_relative_to(root):
        raise PermissionError(name)
    return opened(str(target))


def microseconds(work: Callable[[], object]) -> float:
    """Return the processor time of one call."""
    start = time.process_time()
    for _ in range(ROUNDS):
        work()
    return (time.process_time() - start) / ROUNDS * 1e6


def pathguard() -> Iterator[Row]:
    """Yield a row for each depth: that many components, the last being the file."""
    with tempfile.TemporaryDirectory() as name:
        top = Path(name).resolve()
        with Root.open(str(top), Owners.of_process()) as root:
            place, reach = Place(root), Reach((root,))
            for depth in DEPTHS:
                token = "/".join([*(f"dir{level}" for level in range(depth - 1)), "a.md"])
                path = top / token
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("A short document.\n" * 20)
                ways: dict[str, Callable[[], object]] = {  # called before the next depth
                    "guard": lambda: read(token, place, reach, LIMIT),  # noqa: B023
                    "os.open": lambda: opened(str(path)),  # noqa: B023
                    "open().read()": lambda: plain(str(path)),  # noqa: B023
                    "resolve()": lambda: resolved(top, token),  # noqa: B023
                }
                times = dict.fromkeys(ways, float("inf"))
                for _ in range(REPEATS):
                    for way, work in ways.items():
                        times[way] = min(times[way], microseconds(work))
                yield Row(
                    "path guard, in open().read()",
                    f"depth {depth}",
                    times["guard"] / times["open().read()"],
                    detail=", ".join(f"{way} {value:.1f}" for way, value in times.items()) + " us",
                )
                yield Row(
                    "path guard, in Path.resolve() and is_relative_to()",
                    f"depth {depth}",
                    times["guard"] / times["resolve()"],
                    at_most=1.0,
                )
