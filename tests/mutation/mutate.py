"""Change one room of the product, an expression at a time: do its tests notice?  `just mutate ROOM`.

`rooms.toml` says what is changed and which tests have to notice.  `survivors.toml` lists the changes that
no test can notice, each with the reason; any other survivor is a hole in the tests.  The exit status is 0 if
there is none, each reason is about a change that there is, and at least 95 % are killed, else 1.

Works on a copy of what git tracks, as it stands in the working tree: a mutant may write where it should not.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.mutation.mutants import Mutant

    Key = tuple[str, str, str, str, int]
    """A change: file, function, the lines before and after, and which of equal ones it is (1-based)."""

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))

# The least share of mutants that tests kill.
ENOUGH = 0.95

KILLED = frozenset({"killed", "timeout"})

_FIELDS = ("file", "function", "before", "after", "which")

# The same sample for everybody who asks for one.
SEED = 8


def main() -> int:
    """Mutate one room and print what survived."""
    rooms = _toml("rooms.toml")
    parser = argparse.ArgumentParser(prog="mutate", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("room", choices=sorted(rooms))
    parser.add_argument("--only", metavar="FILE", action="append", help="files of the room, instead of all")
    parser.add_argument("--tests", metavar="FILE", action="append", help="of the room, instead of all")
    parser.add_argument("--sample", metavar="N", type=int, help="so many mutants of them, drawn at random")
    parser.add_argument(
        "--again", metavar="FILE", action="append", help="what an earlier run printed: only its survivors"
    )
    parser.add_argument(
        "--listed", action="store_true", help="those of survivors.toml instead: no test may notice one"
    )
    parser.add_argument(
        "--seconds", type=float, default=30, help="of tests that a mutant has to survive (30)"
    )
    parser.add_argument("--at-once", metavar="N", type=int, default=1, help="mutants in judgement (1)")
    options = parser.parse_args()
    room = rooms[options.room]
    again = [os.path.abspath(path) for path in options.again or ()]
    files = options.only or sorted(glob.glob(f"{room['mutate']}/*.py", root_dir=PROJECT))
    work = tempfile.mkdtemp(prefix="refseal-mutate-")
    try:
        _copy(work)
        os.chdir(work)
        return _judge(files, options.tests or room["tests"], again, options)
    finally:
        os.chdir(PROJECT)
        shutil.rmtree(work, ignore_errors=True)


def _judge(files: list[str], tests: list[str], again: list[str], options: argparse.Namespace) -> int:
    sys.path[:0] = [os.path.abspath("src"), os.path.abspath(".")]
    os.environ.update({"HYPOTHESIS_PROFILE": "mutation", "PYTHONPATH": os.path.abspath("src")})
    import pytest  # noqa: PLC0415 - the copy's settings

    from tests.mutation.mutants import mutants_of  # noqa: PLC0415 - the copy's
    from tests.mutation.trials import Trials  # noqa: PLC0415 - the copy's
    from tests.mutation.typing_verdict import mistyped  # noqa: PLC0415 - the copy's

    mutants = [mutant for file in files for mutant in mutants_of(file)]
    keys = _keys(mutants)
    rows = [row for row in _toml("survivors.toml")["survivor"] if row["file"] in files]
    excused = set().union(*map(_keys_of_row, rows))
    stale = excused.difference(keys.values())
    for file, function, _, after, _ in sorted(stale):
        print(f"survivors.toml has a change that there is no more: {file}, {function}: {after}")
    if options.sample is not None and options.sample < len(mutants):
        print(f"a sample of {options.sample} of {len(mutants)} mutants")
        mutants = sorted(random.Random(SEED).sample(mutants, options.sample), key=mutants.index)
    if again:
        survived = set().union(*map(_survivors_in, again))
        mutants = [mutant for mutant in mutants if keys[mutant] in survived]
        print(f"the {len(mutants)} mutants that survived before")
    tried = [mutant for mutant in mutants if (keys[mutant] in excused) is options.listed]
    trials = Trials(tried, options.at_once, options.seconds)
    quiet = [
        "-o",
        "addopts=--import-mode=importlib",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:terminal",
        "--capture=no",
    ]
    pytest.main([*quiet, *tests], plugins=[trials])
    if trials.problem or len(trials.fates) != len(tried):
        print(trials.problem or f"{len(trials.fates)} of {len(tried)} mutants were judged")
        return 1
    if options.listed:
        return _deny(options.room, tried, trials.fates)
    survivors = [
        (mutant, trials.fates[index])
        for index, mutant in enumerate(tried)
        if trials.fates[index] not in KILLED
    ]
    refused = mistyped([mutant for mutant, _ in survivors])
    survivors = [survivor for index, survivor in enumerate(survivors) if index not in refused]
    _report(files, mutants, tried, survivors, keys)
    killed = len(tried) - len(survivors)
    print(f"{len(refused)} were noticed by the type checker alone")
    print(
        f"{options.room}: {killed} of {len(mutants)} killed, {len(mutants) - len(tried)} harmless,"
        f" {len(survivors)} survivors without a reason"
    )
    return 0 if mutants and not survivors and not stale and killed >= ENOUGH * len(mutants) else 1


def _deny(room: str, listed: Sequence[Mutant], fates: dict[int, str]) -> int:
    """Print each change that `survivors.toml` calls unnoticeable although a test notices it."""
    noticed = [mutant for index, mutant in enumerate(listed) if fates[index] in KILLED]
    for mutant in noticed:
        print(f"a test notices it: {mutant.file}:{mutant.lines[0]}: {mutant.after}")
    print(f"{room}: {len(listed)} changes are listed, {len(noticed)} of them wrongly")
    return 1 if noticed else 0


def _report(
    files: Sequence[str],
    mutants: Sequence[Mutant],
    tried: Sequence[Mutant],
    survivors: Sequence[tuple[Mutant, str]],
    keys: dict[Mutant, Key],
) -> None:
    """Print each survivor without a reason, as `survivors.toml` has it, and the counts of each file."""
    for mutant, fate in survivors:
        print(f"# line {mutant.lines[0]}: {fate}\n[[survivor]]\nfile = {json.dumps(mutant.file)}")
        print(f"function = {json.dumps(mutant.function)}")
        print(f"before = {_quoted(mutant.before)}\nafter = [{_quoted(mutant.after)}]")
        print(f"which = [{keys[mutant][-1]}]\n")
    for file in files:
        made, left, open_ = (
            sum(mutant.file == file for mutant in group)
            for group in (mutants, tried, [mutant for mutant, _ in survivors])
        )
        print(f"{file}: {left - open_} of {made} killed, {made - left} harmless, {open_} open")


def _quoted(text: str) -> str:
    """Return ``text`` as TOML has it, in the quotes that need no escape if there are some."""
    return json.dumps(text, ensure_ascii=False) if "'" in text or '"' not in text else f"'{text}'"


def _survivors_in(path: str) -> set[Key]:
    """Return the keys of the mutants that `_report` printed into a file."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if line.startswith(("[[survivor]]", *map("{} = ".format, _FIELDS)))]
    return set().union(*map(_keys_of_row, tomllib.loads("".join(lines)).get("survivor", [])))


def _keys_of_row(row: dict[str, Any]) -> set[Key]:
    """Return the keys of the changes that a row of `survivors.toml` is about."""
    return {
        (row["file"], row["function"], row["before"], after, which)
        for after in row["after"]
        for which in row.get("which", [1])
    }


def _keys(mutants: Sequence[Mutant]) -> dict[Mutant, Key]:
    """Return the key of each mutant, in which equal lines of one function have different numbers."""
    keys: dict[Mutant, Key] = {}
    seen: dict[tuple[str, str, str, str], int] = {}
    for mutant in sorted(mutants, key=lambda mutant: mutant.lines[0]):
        change = (mutant.file, mutant.function, mutant.before, mutant.after)
        seen[change] = seen.get(change, 0) + 1
        keys[mutant] = (*change, seen[change])
    return keys


def _copy(work: str) -> None:
    """Copy what git tracks, as it stands in the working tree, and link what npm installed."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, check=True).stdout
    for name in filter(None, os.fsdecode(tracked).split("\0")):
        place = os.path.join(work, name)
        if os.path.isfile(os.path.join(PROJECT, name)):
            os.makedirs(os.path.dirname(place), exist_ok=True)
            shutil.copy2(os.path.join(PROJECT, name), place, follow_symlinks=False)
    modules = os.path.join("tests", "oracles", "node_modules")
    if os.path.isdir(os.path.join(PROJECT, modules)):
        os.symlink(os.path.join(PROJECT, modules), os.path.join(work, modules))


def _toml(name: str) -> dict[str, Any]:
    with open(os.path.join(HERE, name), "rb") as file:
        return tomllib.load(file)


if __name__ == "__main__":
    sys.exit(main())
