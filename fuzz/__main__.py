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

from fuzz import broken, engine
from fuzz.targets import NAMES


def main() -> int:
    """Run the target in a process of its own, because libFuzzer ends the process that it runs in."""
    parser = argparse.ArgumentParser(prog="fuzz", description="Attack one layer of refseal.")
    parser.add_argument("target", choices=NAMES)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--broken", metavar="NAME", help="damage the layer first; expect it to be found")
    parser.add_argument("--keep", metavar="DIR", help="keep the inputs that reach new code in this folder")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs="*", metavar="ENGINE ARGUMENT")
    options = parser.parse_args()

    if options.inside:
        damage = broken.BUILDS[options.target][options.broken] if options.broken else None
        engine.run(options.target, options.rest, damage)
        return 0

    work = tempfile.mkdtemp(prefix="refseal-fuzz-")
    try:
        corpus = options.keep or os.path.join(work, "corpus")
        os.makedirs(corpus, exist_ok=True)
        arguments = [*engine.arguments_for(options.target, options.seconds, corpus), *options.rest]
        command = [sys.executable, "-m", "fuzz", options.target, "--inside"]
        if options.broken:
            command += ["--broken", options.broken]
            arguments.append(f"-artifact_prefix={work}/")
        else:
            found = os.path.join(engine.HERE, "findings", options.target)
            os.makedirs(found, exist_ok=True)
            arguments.append(f"-artifact_prefix={found}/")
        status = subprocess.run([*command, "--", *arguments], check=False).returncode
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if options.broken:
        print(f"{options.target}, broken on purpose ({options.broken}): {'found' if status else 'NOT FOUND'}")
        return 0 if status else 1
    return status


if __name__ == "__main__":
    sys.exit(main())
