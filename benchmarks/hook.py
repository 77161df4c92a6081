"""What a start of the hook costs, in multiples of an interpreter that does nothing: `python3 -I -S -c pass`.

Each row alternates with the bare interpreter, and is the ratio of two medians of processor time.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.processes import alternate, peak_of, run, version_of
from benchmarks.rows import Row
from benchmarks.worlds import SOURCE, WORLDS, World, resumed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.processes import Run

RESUMED, FIRST = 2.7, 4.5
SMALL_PEAK, FULL_PEAK = 1.3, 1.45

NEWER = 0.1
"""What CPython 3.12 and later may take more: their `python3 -c pass` has become faster than their imports."""


def hook(python: Path, runs: int, only: str) -> Iterator[Row]:
    """Measure all rows with one interpreter."""
    version = version_of(python)
    group = f"hook, Python {version}"
    more = 0.0 if version == "3.11" else NEWER
    rows: dict[str, tuple[float | None, Callable[[World], None]]] = {
        **WORLDS,
        "resume: 200 MB, block after a compaction 3 MB before the end": (
            RESUMED,
            lambda world: resumed(world, python),
        ),
        "resume: the same, never compacted": (RESUMED, lambda world: resumed(world, python, compacted=False)),
        **{f"first run: {name}": (FIRST, WORLDS[name][1]) for name in WORLDS},
        **{f"nowhere to keep byte-code: {name}": (None, WORLDS[name][1]) for name in WORLDS},
    }
    for name, (bound, prepare) in rows.items():
        if only not in f"{group}: {name}":
            continue
        with tempfile.TemporaryDirectory() as folder:
            world = World(Path(folder).resolve())
            prepare(world)
            if name.startswith("nowhere"):
                world.data = None
            ours, bare = _measure(world, python, runs, forget=name.startswith("first run"))
        at_most = None if bound is None else round(bound + more, 2)
        yield Row(group, name, ours / bare, at_most=at_most, detail=_in_milliseconds(ours, bare))
    for name, world_name, bound in (
        ("peak memory: 20 chained references", "20 chained references, 6 kB", SMALL_PEAK),
        ("peak memory: full default budgets", "full default budgets", FULL_PEAK),
    ):
        if only in f"{group}: {name}" and Path("/proc/self/status").exists():
            ours_kib, bare_kib = _peaks(python, WORLDS[world_name][1])
            yield Row(
                group,
                name,
                ours_kib / bare_kib,
                at_most=bound,
                detail=f"{ours_kib / 1024:.1f} MiB against {bare_kib / 1024:.1f}",
            )


def against(peer: Path, python: Path, runs: int) -> Iterator[Row]:
    """Measure another plugin's hook in the same worlds, each started as its hooks.json says.

    ``peer`` is a checkout that holds a hooks.json somewhere.
    """
    group = f"peer {peer.name}, Python {version_of(python)}"
    theirs, ours = _command(peer), _command(SOURCE)
    for name, (_, prepare) in WORLDS.items():
        with tempfile.TemporaryDirectory() as folder:
            world = World(Path(folder).resolve())
            prepare(world)
            programs = world.folder / "programs"
            programs.mkdir()
            (programs / "python3").symlink_to(python)

            def start(command: tuple[str, Path], world: World = world, programs: Path = programs) -> Run:
                data = world.folder / f"data of {command[1].name}"
                roots = {"PLUGIN_ROOT": str(command[1]), "CLAUDE_PLUGIN_ROOT": str(command[1])}
                environment = world.environment | roots | {"PLUGIN_DATA": str(data)}
                environment["PATH"] = f"{programs}:{environment['PATH']}"
                shell = ["/bin/sh", "-c", f'cd "$0" && {command[0]}', str(world.project)]
                return run(shell, world.payload, environment)

            bare, them, us = alternate(
                [lambda: _bare(python), lambda: start(theirs), lambda: start(ours)],
                runs,
            )
        yield Row(group, f"{name}: peer", them / bare, detail=_in_milliseconds(them, bare))
        yield Row(group, f"{name}: refseal", us / bare, detail=_in_milliseconds(us, bare))


def _bare(python: Path) -> Run:
    return run([str(python), "-I", "-S", "-c", "pass"], b"", {})


def _measure(world: World, python: Path, runs: int, *, forget: bool) -> tuple[float, float]:
    """Return the medians of the hook and of the bare interpreter, in seconds."""

    def answer() -> Run:
        if forget and world.data is not None:
            shutil.rmtree(world.data, ignore_errors=True)
        return world.answer(python)

    ours, bare = alternate([answer, lambda: _bare(python)], runs)
    return ours, bare


def _peaks(python: Path, prepare: Callable[[World], None]) -> tuple[int, int]:
    """Return the peaks of the hook and of the bare interpreter, in KiB."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder).resolve())
        prepare(world)
        world.answer(python)  # fills the byte-code
        # The hook ends its process itself: tell before that.
        code = (
            "end = posix._exit\n"
            "def last(status):\n    tell()\n    end(status)\n"
            "posix._exit = last\n"
            f"path = {str(SOURCE / 'hook.py')!r}\n"
            "with open(path) as file:\n    code = compile(file.read(), path, 'exec')\n"
            "exec(code, {'__name__': '__main__', '__file__': path})\n"
        )
        ours = peak_of(python, code, world.payload, world.environment)
        return ours, peak_of(python, "tell()", b"", {})


def _command(checkout: Path) -> tuple[str, Path]:
    """Return a plugin's command for the start of a session, by its hooks.json, and the plugin's folder."""
    for path in sorted(checkout.rglob("hooks.json"), key=lambda path: len(path.parts)):
        groups = json.loads(path.read_text()).get("hooks", {}).get("SessionStart")
        if groups:
            return groups[0]["hooks"][0]["command"], path.parent.parent.resolve()
    raise SystemExit(f"{checkout}: no hooks.json with a SessionStart hook")


def _in_milliseconds(ours: float, bare: float) -> str:
    return f"{ours * 1000:.1f} ms against {bare * 1000:.1f}"
