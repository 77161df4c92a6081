"""Trials: each mutant in a fork of one interpreter that has imported the product and collected its tests.

A trial costs a fork and the tests up to the first that fails, some hundredths of a second: no interpreter
starts, nothing is imported or collected twice, and only tests that come by the changed lines are run.
"""

from __future__ import annotations

import collections
import gc
import os
import pickle
import resource
import select
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import coverage
from _pytest.runner import runtestprotocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pytest

    from tests.mutation.mutants import Mutant

MEMORY = 2 << 30
"""Bytes of address space: what grows without end fails, and the machine is not drawn in."""

LEAST_SECONDS = 2
"""Of processor time that any test may take; ten times what it took before if that is more."""

PATIENCE = 15
"""Seconds without a sign of life after which a mutant waits for something that never comes."""

SURVIVED, NOTICED, BROKEN = range(3)
FATES = {SURVIVED: "survived", BROKEN: "broken"}
"""What a mutant's process ends with; whatever else ends it, a test has made it end."""


class Trials:
    """A plugin for pytest that, instead of running the tests, runs them against each mutant."""

    def __init__(self, mutants: Sequence[Mutant], at_once: int, seconds: float) -> None:
        """Judge ``mutants``, ``at_once`` at a time, each by at most so many ``seconds`` of tests."""
        self.fates: dict[int, str] = {}
        self.problem = ""
        self._mutants = mutants
        self._at_once = at_once
        self._seconds = seconds
        self._items: list[pytest.Item] = []
        self._tests_of_line: dict[tuple[str, int], set[int]] = {}
        self._took: list[float] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Find out which test comes by which line, then try every mutant."""
        self._items = session.items
        found = _in_fork(self._survey)
        if found is None:
            self.problem = "the tests fail before anything is changed"
            return True
        self._tests_of_line, self._took = found
        gc.collect()
        gc.freeze()  # what was imported and collected is shared by all, and no fork looks through it
        workers = [_start(self._work, number) for number in range(self._at_once)]
        for worker in workers:
            self.fates.update(_result(worker) or {})
        return True

    def _survey(self) -> tuple[dict[tuple[str, int], set[int]], list[float]] | None:
        """Run every test once; return which come by each line, and the seconds of work that each took."""
        measured = coverage.Coverage(
            data_file=None, config_file=False, include=[os.path.abspath("src") + "/*"]
        )
        files = {os.path.abspath(mutant.file): mutant.file for mutant in self._mutants}
        took = []
        measured.start()
        for number, item in enumerate(self._items):
            measured.switch_context(str(number))
            start = _worked()
            if not _passes(item, next(iter(self._items[number + 1 :]), None)):
                return None
            took.append(_worked() - start)
        measured.stop()
        data = measured.get_data()
        lines = {
            (file, line): {int(test) for test in tests if test}
            for path, file in files.items()
            for line, tests in data.contexts_by_lineno(path).items()
        }
        return lines, took

    def _work(self, number: int) -> dict[int, str]:
        """Try every ``at_once``-th mutant, from ``number`` on."""
        kills: dict[tuple[str, str, str], collections.Counter[int]]
        kills = collections.defaultdict(collections.Counter)
        fates = {}
        for index in range(number, len(self._mutants), self._at_once):
            mutant = self._mutants[index]
            place = (mutant.file, mutant.owner, mutant.function)
            tests = self._choose(mutant, kills[place])
            fates[index], killer = self._try(mutant, tests, number)
            if killer is None:
                print(f"{mutant.file}:{mutant.lines[0]}: {fates[index]}: {mutant.after}", file=sys.stderr)
            else:
                kills[place][killer] += 1
        return fates

    def _choose(self, mutant: Mutant, kills: collections.Counter[int]) -> list[int]:
        """Return the tests that come by the mutant, those that are likely to notice and quick first."""
        tests = self._tests_of(mutant.file, mutant.lines)
        if not tests:  # a default: its line ran when the module was imported
            tests = self._tests_of(mutant.file, mutant.whole)
        rounds: collections.Counter[Any] = collections.Counter()
        costs = {}
        for test in sorted(tests, key=self._took.__getitem__):
            name = getattr(self._items[test], "function", None)
            rounds[name] += 1
            costs[test] = self._took[test] * rounds[name]  # another test rather than one more row of the same
        chosen: list[int] = []
        spent = 0.0
        for test in sorted(costs, key=costs.__getitem__):
            if not chosen or spent + self._took[test] <= self._seconds:
                chosen.append(test)
                spent += self._took[test]
        return sorted(chosen, key=lambda test: (-kills[test], costs[test]))

    def _tests_of(self, file: str, lines: range) -> set[int]:
        return {test for line in lines for test in self._tests_of_line.get((file, line), ())}

    def _try(self, mutant: Mutant, tests: list[int], worker: int) -> tuple[str, int | None]:
        """Run ``tests`` in a fork that has the mutant; return its fate and the test that noticed."""
        if not tests:
            return "no tests", None
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            os.close(reader)
            status = NOTICED
            try:
                status = self._run(mutant, tests, writer, Path.cwd() / f"tmp-{worker}")
            finally:
                os._exit(status)
        os.close(writer)
        began, waits = _follow(child, reader, [max(PATIENCE, 20 * self._took[test]) for test in tests])
        os.close(reader)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        killer = tests[max(began - 1, 0)]
        if waits or status == -signal.SIGXCPU:
            return "timeout", killer
        return (FATES[status], None) if status in FATES else ("killed", killer)

    def _run(self, mutant: Mutant, tests: list[int], signs: int, directory: Path) -> int:
        """Run ``tests`` in this process, which becomes the mutant's; a byte to ``signs`` precedes each."""
        os.setpgid(0, 0)
        gc.disable()
        silence = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(silence, descriptor)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            mutant.install()
        except Exception:  # noqa: BLE001 - whatever it is, no test has noticed anything
            return BROKEN
        factory: Any = self._items[0].config._tmp_path_factory  # type: ignore[attr-defined]
        factory._given_basetemp = directory
        for test, following in zip(tests, [*tests[1:], None], strict=True):
            os.write(signs, b".")
            limit = int(time.process_time() + max(LEAST_SECONDS, 10 * self._took[test])) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
            if not _passes(self._items[test], None if following is None else self._items[following]):
                return NOTICED
        return SURVIVED


def _follow(child: int, reader: int, patience: list[float]) -> tuple[int, bool]:
    """Wait for the end of ``child``, so many seconds for each test.

    Return how many tests it began, and whether it had to be ended.
    """
    ended = os.pidfd_open(child)
    began, watched = 0, [ended, reader]
    try:
        while True:
            ready = select.select(watched, [], [], patience[max(began - 1, 0)])[0]
            if reader in ready:
                signs = os.read(reader, 1024)
                began += len(signs)
                if not signs:
                    watched.remove(reader)
            elif ended in ready:
                return began, False
            else:
                return began, True
    finally:
        os.close(ended)
        try:
            os.killpg(child, signal.SIGKILL)  # and whatever its tests have left running
        except ProcessLookupError:
            pass


def _worked() -> float:
    """Return the seconds of processor time that this process has taken, and those that it has waited for."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def _passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=following))


def _start(work: Callable[..., Any], *arguments: Any) -> tuple[int, int]:
    """Begin ``work`` in a fork, which answers through a pipe."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        status = 1
        try:
            with os.fdopen(writer, "wb") as file:
                pickle.dump(work(*arguments), file)
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    return child, reader


def _result(started: tuple[int, int]) -> Any:
    child, reader = started
    with os.fdopen(reader, "rb") as file:
        answer = file.read()
    os.waitpid(child, 0)
    return pickle.loads(answer) if answer else None  # noqa: S301 - our own fork wrote it


def _in_fork(work: Callable[..., Any]) -> Any:
    return _result(_start(work))
