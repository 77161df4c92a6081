"""Transcripts on the disk: found by the id at the end of their name, read through the guard."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from refseal.codex import transcript
from refseal.codex.thread_files import history_of
from refseal.pathguard import Owners

NEWEST = Path(__file__).parent.parent / "vectors" / "transcripts" / "newest"
ROWS = [
    row
    for row in map(json.loads, (NEWEST / "hooks.jsonl").read_text().splitlines())
    if row["bytes"] is not None
]


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript, "MARK", "HOOK TEXT ")
    monkeypatch.setattr(transcript, "_OF_MESSAGE", (*transcript._OF_MESSAGE, b"HOOK TEXT "))


def place(row: dict[str, Any], codex_home: Path) -> str:
    """Put the recorded sessions into a Codex home, the row's own as long as it was then; return its path."""
    shutil.copytree(NEWEST / "sessions", codex_home / "sessions", dirs_exist_ok=True)
    path = codex_home / Path(row["payload"]["transcript_path"]).relative_to("/scratch/codex")
    os.truncate(path, row["bytes"])
    return str(path)


@pytest.mark.usefixtures("mark")
@pytest.mark.parametrize("row", ROWS, ids=[f"{row['answer']}-{row['name']}" for row in ROWS])
def test_forks_and_reverts_find_the_files_they_continue(row: dict[str, Any], tmp_path: Path) -> None:
    said = history_of(place(row, tmp_path), Owners.of_process())
    assert said.block == (row["before"][-1] if row["before"] else None)
    assert said.loaded is not None
    assert said.loaded.text == row["agents_md"].get("text")


FORK = next(row for row in ROWS if row["name"] == "fork")


def parent_of(path: str) -> Path:
    meta = json.loads(Path(path).read_text().splitlines()[0])
    thread = meta["payload"]["history_base"]["thread_id"]
    (found,) = [file for file in Path(path).parent.iterdir() if file.stem.endswith(thread)]
    return found


@pytest.mark.usefixtures("mark")
@pytest.mark.parametrize("day", ["11/29", "12/01", "11/30"])
def test_a_parent_may_lie_in_the_folder_of_another_local_day(tmp_path: Path, day: str) -> None:
    path = place(FORK, tmp_path)
    parent = parent_of(path)
    folder = tmp_path / "sessions" / "2026" / day
    folder.mkdir(parents=True, exist_ok=True)
    shutil.move(str(parent), folder / parent.name)
    assert history_of(path, Owners.of_process()).block == FORK["before"][-1]


@pytest.mark.usefixtures("mark")
def test_a_parent_that_is_gone_means_that_nothing_is_known(tmp_path: Path) -> None:
    path = place(FORK, tmp_path)
    parent_of(path).unlink()
    said = history_of(path, Owners.of_process())
    assert said.block is None
    assert said.loaded is None
    assert said.version is not None


@pytest.mark.usefixtures("mark")
def test_a_parent_is_no_link_and_no_pipe(tmp_path: Path) -> None:
    path = place(FORK, tmp_path)
    parent = parent_of(path)
    elsewhere = tmp_path / "elsewhere"
    shutil.move(str(parent), elsewhere)
    parent.symlink_to(elsewhere)
    assert history_of(path, Owners.of_process()).block is None
    parent.unlink()
    os.mkfifo(parent)
    assert history_of(path, Owners.of_process()).block is None


@pytest.mark.parametrize(
    "path", ["/", "/nowhere/x.jsonl", "/dev/null", "/etc", "//", "/proc/self/mem", "/x\udcff/y"]
)
def test_a_transcript_that_cannot_be_read_says_nothing(path: str) -> None:
    said = history_of(path, Owners.of_process())
    assert (said.block, said.loaded, said.version) == (None, None, None)


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    path = place(FORK, tmp_path)
    before = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    history_of(path, Owners.of_process())
    after = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    assert len(after) == len(before)
