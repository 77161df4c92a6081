"""Microseconds to open and read one small file: the guard, a plain `open`, and resolve-then-check.

Run: ``python benchmarks/pathguard.py [--rounds N]``.  All are measured in one run, interleaved, and the best
of several repeats counts, for only figures of one run can be compared.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from refseal.pathguard import Owners, Place, Reach, Root, descriptors, read

if TYPE_CHECKING:
    from collections.abc import Callable

DEPTHS = (1, 3, 6, 12)
REPEATS = 7
LIMIT = 32768


def plain(path: str) -> bytes:
    """Open as any program does."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, LIMIT)
    finally:
        os.close(descriptor)


def resolved(root: Path, name: str) -> bytes:
    """Resolve, check and open: the usual way, and open to a race."""
    target = (root / name).resolve()
    if not target.is_relative_to(root):
        raise PermissionError(name)
    return plain(str(target))


def guarded(token: str, place: Place, reach: Reach, flags: int) -> bytes:
    """Open through the guard, with one way of opening directories or the other."""
    descriptors.SEARCH_FLAGS = flags
    return read(token, place, reach, LIMIT).data


def microseconds(work: Callable[[], object], rounds: int) -> float:
    """Return the time of one call, over ``rounds`` calls."""
    start = time.perf_counter()
    for _ in range(rounds):
        work()
    return (time.perf_counter() - start) / rounds * 1e6


def main() -> None:
    """Print one line for each depth: that many components, the last being the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5000, help="calls a repeat (default: 5000)")
    rounds: int = parser.parse_args().rounds
    search, listing = descriptors.SEARCH_FLAGS, descriptors.LISTING_FLAGS
    with tempfile.TemporaryDirectory() as name:
        top = Path(name).resolve()
        with Root.open(str(top), Owners.of_process()) as root:
            place, reach = Place(root), Reach((root,))
            for depth in DEPTHS:
                token = "/".join([*(f"dir{level}" for level in range(depth - 1)), "a.md"])
                path = top / token
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("A short document.\n" * 20)
                ways: dict[str, Callable[[], object]] = {
                    "plain open": lambda: plain(str(path)),  # noqa: B023 - called before the next depth
                    "guard": lambda: guarded(token, place, reach, search),  # noqa: B023
                    "guard (O_RDONLY)": lambda: guarded(token, place, reach, listing),  # noqa: B023
                    "resolve and check": lambda: resolved(top, token),  # noqa: B023
                }
                times = dict.fromkeys(ways, float("inf"))
                for _ in range(REPEATS):
                    for way, work in ways.items():
                        times[way] = min(times[way], microseconds(work, rounds))
                print(
                    f"depth {depth:>2}  " + "  ".join(f"{way} {value:6.1f}" for way, value in times.items())
                )


if __name__ == "__main__":
    main()
