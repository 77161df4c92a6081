"""Workflows give a pull request nothing to command: audited without a finding, and pinned."""

import glob
import os
import re
import shutil
import subprocess
import sys

import pytest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
WORKFLOWS = sorted(glob.glob(os.path.join(ROOT, ".github", "workflows", "*.yml")))

PINNED = re.compile(r"uses: [\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*$")


def test_there_are_workflows() -> None:
    assert [os.path.basename(path) for path in WORKFLOWS] == [
        "cflite_batch.yml",
        "cflite_build.yml",
        "cflite_cron.yml",
        "cflite_pr.yml",
        "ci.yml",
    ]


@pytest.mark.parametrize("path", WORKFLOWS, ids=os.path.basename)
def test_action_is_pinned_to_a_commit(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        uses = [line.strip().removeprefix("- ") for line in file if "uses:" in line]
    assert uses
    assert [line for line in uses if not PINNED.fullmatch(line)] == []


def test_zizmor_finds_nothing() -> None:
    beside = os.path.join(os.path.dirname(sys.executable), "zizmor")
    zizmor = beside if os.path.exists(beside) else shutil.which("zizmor")
    if zizmor is None:
        pytest.skip("zizmor is not installed")
    audit = subprocess.run(
        [zizmor, "--offline", "--no-config", "--strict-collection", "--persona", "auditor", *WORKFLOWS],
        capture_output=True,
        text=True,
        check=False,
    )
    assert audit.returncode == 0, audit.stdout + audit.stderr
