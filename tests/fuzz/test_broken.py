"""Builds that are broken on purpose stay broken: what they damage is still there.

Whether a target finds each is asked by `just fuzz-broken`, which needs the engine and some minutes.
"""

import os
import subprocess
import sys

import pytest

from fuzz.targets import NAMES

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))

DAMAGE = """
import sys
from fuzz import broken, engine
engine.import_all()
for name, damage in broken.BUILDS[sys.argv[1]].items():
    damage()
    print(name)
"""


@pytest.mark.parametrize("target", NAMES)
def test_every_build_damages_something_that_exists(target: str) -> None:
    path = os.pathsep.join((os.path.join(ROOT, "src"), ROOT))
    done = subprocess.run(  # in a process of its own: what is damaged stays so
        [sys.executable, "-c", DAMAGE, target],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()
