"""Run every target one after the other: `python -m fuzz.every [--seconds N] [--broken]`.

With `--broken` every build that is broken on purpose is run instead, and must be found.  The exit status is 1
if a target failed (or missed a broken build), after all have run.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from fuzz.broken import BUILDS
from fuzz.targets import NAMES


def main() -> int:
    """Run them all and name those that failed."""
    parser = argparse.ArgumentParser(prog="fuzz.every")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--broken", action="store_true")
    options = parser.parse_args()

    runs = [[name] for name in NAMES]
    if options.broken:
        runs = [[name, "--broken", damage] for name in NAMES for damage in BUILDS[name]]
    failed = []
    for run in runs:
        command = [sys.executable, "-m", "fuzz", *run, "--seconds", str(options.seconds)]
        if subprocess.run(command, check=False).returncode:
            failed.append(" ".join(run))
    for name in failed:
        print(f"failed: {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
