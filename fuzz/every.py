"""Run every target: `python -m fuzz.every [--seconds N] [--at-once N] [--broken]`.

With `--broken` every build that is broken on purpose is run instead, and must be found.  The exit status is 1
if a target failed (or missed a broken build), after all have run; what such a run wrote is shown at its end.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from fuzz.broken import BUILDS
from fuzz.targets import NAMES

# Lines of a failed run that are shown: the engine's trace and the last of its statistics.
SHOWN = 60


def main() -> int:
    """Run them all and name those that failed."""
    parser = argparse.ArgumentParser(prog="fuzz.every")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--at-once", type=int, default=1)
    parser.add_argument("--broken", action="store_true")
    options = parser.parse_args()

    runs = [[name] for name in NAMES]
    if options.broken:
        runs = [[name, "--broken", damage] for name in NAMES for damage in BUILDS[name]]
    with ThreadPoolExecutor(options.at_once) as pool:
        failed = [run for run in pool.map(lambda run: _run(run, options.seconds), runs) if run is not None]
    for name in failed:
        print(f"failed: {name}")
    return 1 if failed else 0


def _run(run: list[str], seconds: int) -> str | None:
    """Run one and say in a line how it went; return its name if it failed."""
    name = " ".join(run)
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "fuzz", *run, "--seconds", str(seconds)],
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="backslashreplace",
    )
    lines = done.stdout.splitlines()
    executions = sum(
        int(line.rpartition(" ")[2]) for line in lines if line.startswith("stat::number_of_executed_units:")
    )
    outcome = f"{executions} executions in {time.monotonic() - started:.0f} s"
    print(f"{name}: {outcome}" if "--broken" not in run else lines[-1], flush=True)
    if not done.returncode:
        return None
    print("\n".join(lines[-SHOWN:]), flush=True)
    return name


if __name__ == "__main__":
    sys.exit(main())
