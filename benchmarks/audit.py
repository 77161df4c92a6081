"""How long an audit takes, measured against a bare `os.walk` over the same tree in the same run.

Times are processor seconds (user and system) of this process, the best of some rounds that take turns, so
that other work on the machine counts little.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from typing import TYPE_CHECKING

from benchmarks.rows import Row
from refseal.audit.scan import Options, scan
from refseal.audit.tree import walk
from refseal.pathguard import Owners, Place, Reach, Root, read
from refseal.seal.decoding import decode
from refseal.tokenizer import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

READING, WHOLE = 1.5, 2.0
"""Bounds, in bare walks.  What would cost is a stat of every entry: `scandir` of a descriptor needs none."""

BODY = (
    "# Rules of this package\n\n"
    + "Use the shared helpers, keep functions short, and test what you change.\n" * 12
)
MENTION = "Ask @team-web before you touch the routes; the package is @acme/web.\n"
REFERENCE = "The style is in @../../docs/style.md.\n"


def plant(root: str, files: int, instructions: int) -> None:
    """Make a tree: packages with ten modules of ten files each; one package in fifty refers to a document."""
    os.makedirs(f"{root}/.git")
    os.makedirs(f"{root}/docs")
    write(f"{root}/.git/HEAD", "ref: refs/heads/main\n")
    write(f"{root}/docs/style.md", "# Style\n\nBe kind.\n")
    write(f"{root}/AGENTS.md", BODY)
    packages = max(instructions - 1, 1)
    modules = max(files // (10 * packages), 1)
    for package in range(packages):
        directory = f"{root}/p{package % 30}/m{package}"
        os.makedirs(directory)
        extra = REFERENCE if package % 50 == 0 else MENTION if package % 10 == 1 else ""
        write(f"{directory}/AGENTS.md", BODY + extra)
        for module in range(modules):
            os.mkdir(f"{directory}/s{module}")
            for number in range(10):
                write(f"{directory}/s{module}/file{number}.py", "")


def write(path: str, text: str) -> None:
    """Write a file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def bare_walk(root: str) -> int:
    """Walk as everybody does."""
    return sum(len(names) for _, _, names in os.walk(root))


def read_and_tokenize(root: str) -> int:
    """Walk through the guard, and read and tokenize each instruction file."""
    with Root.open(root, Owners.of_process()) as held:
        reach = Reach((held,))
        found = walk(held).files
        for one in found:
            data = read(one.name, Place(held, one.components), reach, 1 << 20).data
            tokenize(decode(data).text)
        return len(found)


def audit(root: str) -> int:
    """Audit, as a library call."""
    return scan(root, Options()).files


def best(tasks: tuple[Callable[[str], int], ...], root: str, rounds: int) -> list[float]:
    """Return the best time of each task, in processor seconds."""
    times = [float("inf")] * len(tasks)
    for _ in range(rounds):
        for index, task in enumerate(tasks):
            started = time.process_time()
            task(root)
            times[index] = min(times[index], time.process_time() - started)
    return times


def audit_of(files: int, instructions: int, rounds: int, *, bounded: bool) -> Iterator[Row]:
    """Measure a tree of ``files`` files, ``instructions`` of them instruction files."""
    root = tempfile.mkdtemp(prefix="refseal-benchmark-")
    try:
        plant(root, files, instructions)
        bare, reading, whole = best((bare_walk, read_and_tokenize, audit), root, rounds)
    finally:
        shutil.rmtree(root)
    group = f"audit of {files:,} files, {instructions:,} instruction files, in bare walks"
    for name, taken, bound in (
        ("walk, read and tokenize", reading, READING),
        ("resolve and judge as well", whole, WHOLE),
    ):
        detail = f"{taken * 1000:.0f} ms against {bare * 1000:.0f}"
        yield Row(group, name, taken / bare, at_most=bound if bounded else None, detail=detail)
