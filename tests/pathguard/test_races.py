"""A second process changes the tree all the time: not one byte comes from outside, and nothing hangs.

500 rounds a shape by default; ``just races`` runs 20,000 (`REFSEAL_RACE_ROUNDS`).
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from refseal.pathguard import Owners, Place, Reach, Refusal, Root, read
from refseal.pathguard.listing import walk_tree
from tests.alarm import alarm
from tests.trees import swapper
from tests.trees.layout import Tree
from tests.trees.vectors import build, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROUNDS = int(os.environ.get("REFSEAL_RACE_ROUNDS", "500"))
"""Reads of each shape."""

SECONDS = 60 + ROUNDS // 50
"""A hang is a failure, and this is what we call one: far more than the rounds take."""

SECRET = b"from outside"


class Shape(NamedTuple):
    """One race: a tree, what the other process does to two names in it, what is read, what may come."""

    layout: tuple[str, ...]
    verb: str
    one: str
    other: str
    reference: str
    allowed: frozenset[bytes]


def shape(layout: str, swap: str, reference: str, *allowed: str) -> Shape:
    verb, one, other = swap.split()
    lines = tuple(line.strip() for line in layout.split(","))
    return Shape(lines, verb, one, other, reference, frozenset(text.encode() for text in allowed))


OUTSIDE = "OUT/a.md = from outside, OUT/t.md = from outside, OUT/c/a.md = from outside"

SHAPES = {
    "a file and a link out": shape(
        f"a.md, evil => ../OUT/a.md, {OUTSIDE}", "exchange a.md evil", "a.md", "a.md"
    ),
    "a file and a link to its secret twin": shape(
        f"d/a.md, d/evil => $OUT/a.md, {OUTSIDE}", "exchange d/a.md d/evil", "d/a.md", "d/a.md"
    ),
    "a directory and a link out": shape(
        f"d/a.md, evil => ../OUT, {OUTSIDE}", "exchange d evil", "d/a.md", "d/a.md"
    ),
    "a directory and a link out, from below": shape(
        f"x/d/a.md, x/evil => ../../OUT, {OUTSIDE}", "exchange x/d x/evil", "x/d/../d/a.md", "x/d/a.md"
    ),
    "a file and a FIFO": shape("a.md, p !fifo", "exchange a.md p", "a.md", "a.md"),
    "a directory and a FIFO": shape("d/a.md, p !fifo", "exchange d p", "d/a.md", "d/a.md"),
    "a link in and a link out": shape(
        f"a.md, l => a.md, evil => ../OUT/a.md, {OUTSIDE}", "exchange l evil", "l", "a.md"
    ),
    "a link to a directory in and one out": shape(
        f"d/a.md, l => d, evil => ../OUT, {OUTSIDE}", "exchange l evil", "l/a.md", "d/a.md"
    ),
    "a directory that comes and goes as a link": shape(
        f"d/a.md, {OUTSIDE}", "replace d ../OUT", "d/a.md", "d/a.md"
    ),
    # `..` of a directory that has been moved out is outside; the walk goes back the way that it came.
    "a directory that is moved out while `..` is walked": shape(
        f"a/b/, t.md, a/t.md, {OUTSIDE}", "move a/b OUT/b", "a/b/../t.md", "a/t.md"
    ),
    "a directory that is moved out while `..` is walked twice": shape(
        f"a/b/, t.md, PARENT/t.md = from outside, {OUTSIDE}", "move a/b OUT/b", "a/b/../../t.md", "t.md"
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_nothing_from_outside_is_read_whatever_is_swapped(name: str, tmp_path: Path) -> None:
    race = SHAPES[name]
    tree = Tree(tmp_path, race.layout)
    other = race.other if race.verb == "replace" else str(tree.path(race.other))
    seen: set[bytes] = set()
    with (
        Root.open(str(tree.root), Owners.of_process()) as root,
        swapping(tmp_path, race.verb, str(tree.path(race.one)), other) as swaps,
    ):
        for _ in rounds(swaps):
            try:
                seen.add(read(race.reference, Place(root), Reach((root,)), 100).data)
            except Refusal:
                continue
    assert seen <= race.allowed


@pytest.mark.parametrize("row", rows("race"), ids=lambda row: row["id"])
def test_a_settled_race_never_reads_from_outside_and_never_hangs(row: dict[str, str], tmp_path: Path) -> None:
    tree = build(row, tmp_path)
    ((mark, _name, rest),) = tree.swaps
    if mark == "!replace":
        verb, (one, other) = "replace", rest.split(" => ")
        other = tree.expand(other)
    else:
        verb, (one, other) = "exchange", rest.split(" <-> ")
        other = os.path.normpath(tree.path(other))
    outside = {path.read_bytes() for path in (tmp_path / "OUT").rglob("*") if path.is_file()}
    outside.add(Path("/etc/passwd").read_bytes()[:100])
    if "allow OUT" in row["expected"]:  # a directory that is moved in is in
        outside = set()
    with (
        Root.open(str(tree.root), Owners.of_process()) as root,
        swapping(tmp_path, verb, str(tree.path(one)), str(other)) as swaps,
    ):
        for _ in rounds(swaps):
            with contextlib.suppress(Refusal):
                assert read(row["reference"], Place(root), Reach((root,)), 100).data not in outside


def test_a_tree_is_listed_without_stepping_outside(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["d/in/x.md", "evil => ../OUT", "OUT/secret/x.md"])
    seen: set[str] = set()
    with (
        Root.open(str(tree.root), Owners.of_process()) as root,
        swapping(tmp_path, "exchange", str(tree.root / "d"), str(tree.root / "evil")) as swaps,
    ):
        for _ in rounds(swaps, ROUNDS // 5):
            for listing in walk_tree(root, 100):
                seen.update(entry.name for entry in listing.entries)
    assert "secret" not in seen
    assert seen >= {"d", "evil"}


def test_the_usual_check_before_an_open_does_leak_in_this_very_race(tmp_path: Path) -> None:
    """A control: if nobody could lose this race, winning it would say nothing."""
    tree = Tree(tmp_path, ["a.md", "evil => ../OUT/a.md", "OUT/a.md = from outside"])
    top = tree.root.resolve()

    def naive() -> bytes:
        target = (top / "a.md").resolve()
        return target.read_bytes() if target.is_relative_to(top) else b""

    end = time.monotonic() + 20
    with swapping(tmp_path, "exchange", str(top / "a.md"), str(top / "evil")):
        while time.monotonic() < end:
            with contextlib.suppress(OSError, RuntimeError):
                if naive() == SECRET:
                    return
    pytest.skip("the two processes never met: one processor?")


def rounds(swaps: Callable[[], int], count: int = ROUNDS) -> Iterator[int]:
    """Count to ``count``, and see that the other process did as much as a tenth of that meanwhile."""
    start = swaps()
    number = 0
    while number < count or swaps() - start < count // 10:
        yield number
        number += 1


@contextlib.contextmanager
def swapping(directory: Path, verb: str, one: str, other: str) -> Iterator[Callable[[], int]]:
    """Run the other process; give a function that tells how often it has swapped; end with no hang."""
    counter = directory / "counter"
    counter.write_bytes(bytes(8))

    def swaps() -> int:
        return int.from_bytes(counter.read_bytes(), "little")

    process = subprocess.Popen(
        [sys.executable, "-I", swapper.__file__, str(counter), verb, one, other], stderr=subprocess.PIPE
    )
    try:
        with alarm(SECONDS):
            while swaps() == 0 and process.poll() is None:
                time.sleep(0.001)
            yield swaps
        assert process.poll() is None, process.stderr.read() if process.stderr else ""
    finally:
        process.kill()
        process.communicate()
