"""Run one target: `python -m fuzz TARGET [--seconds N] [--broken NAME] [--keep DIR] [-- ENGINE ARGUMENTS]`.

With `--broken` the layer is damaged on purpose first (fuzz/broken.py): then failing is success, and the
exit status is 0 if the target found the damage and 1 if it did not.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

from fuzz import broken, engine
from fuzz.targets import NAMES

# Before a build is broken the target must hold: otherwise it would find its own mistakes.
HEALTHY = "-runs=300"


def main() -> int:
    """Run the target in a process of its own, because libFuzzer ends the process that it runs in."""
    parser = argparse.ArgumentParser(prog="fuzz", description="Attack one layer of refseal.")
    parser.add_argument("target", choices=NAMES)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--broken", metavar="NAME", help="damage the layer first; expect it to be found")
    parser.add_argument("--keep", metavar="DIR", help="keep the inputs that reach new code in this folder")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    own, rest = _split(sys.argv[1:])
    options = parser.parse_args(own)

    if options.inside:
        damage = broken.BUILDS[options.target][options.broken] if options.broken else None
        engine.run(options.target, rest, damage)
        return 0

    work = tempfile.mkdtemp(prefix="refseal-fuzz-")
    try:
        corpus = options.keep or os.path.join(work, "corpus")
        findings = work if options.broken else os.path.join(engine.HERE, "findings", options.target)
        for folder in (corpus, findings):
            os.makedirs(folder, exist_ok=True)
        arguments = engine.arguments_for(options.target, options.seconds, corpus)
        command = [sys.executable, "-m", "fuzz", options.target, "--inside"]
        if options.broken and _start([*command, "--", *arguments, f"-artifact_prefix={work}/", HEALTHY]):
            print(f"{options.target} fails while nothing is broken")
            return 1
        command += ["--broken", options.broken] if options.broken else []
        started = time.monotonic()
        status = _start([*command, "--", *arguments, f"-artifact_prefix={findings}/", *rest])
        seconds = time.monotonic() - started
        if not options.broken:
            return status
        # Not the status: a target that cannot even start has found nothing.
        found = any(name.startswith(("crash-", "timeout-", "oom-")) for name in os.listdir(work))
    finally:
        shutil.rmtree(work, ignore_errors=True)
    outcome = "found" if found else "NOT FOUND"
    print(f"{options.target}, broken on purpose ({options.broken}): {outcome} in {seconds:.0f} s")
    return 0 if found else 1


def _start(command: list[str]) -> int:
    """Run the engine and give its exit status."""
    path = os.pathsep.join((engine.SOURCE, engine.PROJECT))
    return subprocess.run(command, check=False, env={**os.environ, "PYTHONPATH": path}).returncode


def _split(arguments: list[str]) -> tuple[list[str], list[str]]:
    """What is ours, and what stands behind `--` and is the engine's."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:at], arguments[at + 1 :]


if __name__ == "__main__":
    sys.exit(main())
