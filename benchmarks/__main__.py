"""All benchmarks: each figure as it comes, then tables, a file of figures, a comparison with recorded ones.

    python -m benchmarks [--only WORDS] [--python PROGRAM]... [--peer DIR] [--runs N] [--record] [--check]

Figures go to benchmarks/results/ (not kept in the repository); with --record to benchmarks/recorded.json too.
With --check the exit status is 1 if a figure misses its bound.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import platform
import sys
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from benchmarks import audit, hook, pathguard, processes, renderer, rows, tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"
RESULTS = HERE / "results"
MIB = 1 << 20


def main() -> int:
    """Measure what was asked for; return the exit status."""
    options = _options()
    pythons = [processes.interpreter(program) for program in options.python or [sys.executable]]
    console = Console()
    recorded = rows.read_recorded(RECORDED)
    measured: list[rows.Row] = []
    for row in _measure(options, pythons):
        measured.append(row)
        # Some take minutes: show each at once.
        print(f"{row.key}: {row.value:.2f}", file=sys.stderr, flush=True)
    groups: dict[str, list[rows.Row]] = {}
    for row in measured:
        groups.setdefault(row.group, []).append(row)
    for group, of_group in groups.items():
        console.print(rows.table_of(group, of_group, recorded))
    about = {
        "python": ", ".join(processes.version_of(python) for python in pythons),
        "system": f"{platform.system()} {platform.machine()}",
        "processors": str(os.cpu_count()),
        "load": f"{os.getloadavg()[0]:.1f}",
        "runs": str(options.runs),
    }
    now = dt.datetime.now(tz=dt.UTC).strftime("%Y%m%d-%H%M%S")
    figures = rows.figures_of(measured)
    rows.write(RESULTS / f"{now}.json", about, figures)
    if options.record:
        rows.write(RECORDED, about, recorded | figures)
    missed = [row for row in measured if not row.holds]
    for row in missed:
        console.print(f"missed: {row.key}: {row.value:.2f} (bound {row.bound})", style="red", highlight=False)
    console.print(f"{len(measured)} figures, {len(missed)} miss their bound; written to {RESULTS}/{now}.json")
    return int(options.check and bool(missed))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--only", default="", help="benchmarks whose name holds this: hook, peer, tokenizer, path guard, …"
    )
    parser.add_argument(
        "--python", action="append", help="an interpreter to measure the hook with; may be repeated"
    )
    parser.add_argument("--peer", type=Path, help="the checkout of another plugin, to measure its hook too")
    parser.add_argument("--runs", type=int, default=25, help="runs of each hook (default: 25; at least 20)")
    parser.add_argument("--largest", type=int, default=8, help="MiB of the longest hostile text (default: 8)")
    parser.add_argument("--record", action="store_true", help="keep these figures as the recorded ones")
    parser.add_argument("--check", action="store_true", help="fail if a figure misses its bound")
    return parser.parse_args()


def _measure(options: argparse.Namespace, pythons: list[Path]) -> Iterator[rows.Row]:
    only = options.only
    for python in pythons:
        if only.startswith("hook") or not only:
            yield from hook.hook(python, options.runs, only)
        if options.peer is not None:
            yield from hook.against(options.peer, python, options.runs)
    others: dict[str, Callable[[], Iterable[rows.Row]]] = {
        "tokenizer beside markdown-it-py": tokenizer.throughput,
        "path guard": pathguard.pathguard,
        "renderer": renderer.renderer,
        "audit": lambda: chain(
            audit.audit_of(2_000, 20, 15, bounded=False), audit.audit_of(100_000, 1_000, 7, bounded=True)
        ),
        "tokenizer, growth": lambda: tokenizer.growth(options.largest * MIB),
    }
    for name, benchmark in others.items():
        if only in name:
            yield from benchmark()


if __name__ == "__main__":
    sys.exit(main())
