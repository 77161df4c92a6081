"""Change one room of the product, a line at a time, and see whether its tests notice: `just mutate ROOM`.

`rooms.toml` says what is changed and which tests have to notice.  `survivors.toml` lists the changes that
no test can notice, each with the reason; any other survivor is a hole in the tests.  The exit status is 0 if
there is none and at least 95 % are killed, else 1.

Works on a copy of what git tracks, as it stands in the working tree.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))

# The least share of mutants that tests kill.
ENOUGH = 0.95

# What mutmut says of a mutant that counts as noticed.
KILLED = frozenset({"killed", "timeout", "segfault", "suspicious", "caught by type check"})


def main() -> int:
    """Mutate one room and print what survived."""
    rooms = _toml("rooms.toml")
    parser = argparse.ArgumentParser(prog="mutate")
    parser.add_argument("room", choices=sorted(rooms))
    parser.add_argument("--only", metavar="FILE", action="append", help="files of the room, instead of all")
    parser.add_argument("--at-once", type=int, default=1)
    options = parser.parse_args()

    room = rooms[options.room]
    excused = {(row["file"], row["before"], row["after"]) for row in _toml("survivors.toml")["survivor"]}
    files = options.only or room["mutate"]
    work = tempfile.mkdtemp(prefix="refseal-mutate-")
    try:
        _copy(work)
        with open(os.path.join(work, "pyproject.toml"), "a", encoding="utf-8") as file:
            file.write(_section(files, room["tests"]))
        status = _mutmut(work, "run", "--max-children", str(options.at_once))
        if not os.path.isdir(os.path.join(work, "mutants")):
            print(status)
            return 1
        fates = re.findall(r"(?m)^\s+(\S+__mutmut_\d+): (.+)$", _mutmut(work, "results", "--all", "true"))
        holes = _report(work, files, fates, excused)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    killed = sum(fate in KILLED for _, fate in fates)
    print(f"{options.room}: {killed} of {len(fates)} killed, {holes} survivors without a reason")
    return 0 if fates and not holes and killed >= ENOUGH * len(fates) else 1


def _report(
    work: str, files: list[str], fates: list[tuple[str, str]], excused: set[tuple[str, str, str]]
) -> int:
    """Print the counts of each file and each survivor that nobody has excused; return how many there are."""
    holes = 0
    for path in files:
        module = path.removeprefix("src/").removesuffix(".py").replace("/", ".") + "."
        own = [(name, fate) for name, fate in fates if name.rpartition(".")[0] + "." == module]
        print(f"{path}: {sum(fate in KILLED for _, fate in own)} of {len(own)} killed")
        for name, fate in own:
            if fate in KILLED:
                continue
            lines = _mutmut(work, "show", name).splitlines()
            before = " ".join(line[1:].strip() for line in lines if re.match(r"-(?!--)", line))
            after = " ".join(line[1:].strip() for line in lines if re.match(r"\+(?!\+\+)", line))
            if (path, before, after) not in excused:
                holes += 1
                row = {"file": path, "before": before, "after": after}
                print(f"# {name}: {fate}\n[[survivor]]")
                print("\n".join(f"{key} = {json.dumps(value)}" for key, value in row.items()))
    return holes


def _section(files: list[str], tests: list[str]) -> str:
    settings = {
        "source_paths": ["src"],
        "only_mutate": files,
        "also_copy": ["tests", "fuzz", "threat-model", "docs"],
        "pytest_add_cli_args": ["-p", "no:cacheprovider", "-p", "no:randomly"],
        "pytest_add_cli_args_test_selection": tests,
    }
    return "\n[tool.mutmut]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())


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


def _mutmut(work: str, *arguments: str) -> str:
    """Run mutmut in the copy; return what it wrote."""
    environment = {**os.environ, "PYTHONPATH": "", "HYPOTHESIS_PROFILE": "mutation"}
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", *arguments],
        cwd=work,
        env=environment,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="backslashreplace",
    )
    return done.stdout


def _toml(name: str) -> dict[str, Any]:
    with open(os.path.join(HERE, name), "rb") as file:
        return tomllib.load(file)


if __name__ == "__main__":
    sys.exit(main())
