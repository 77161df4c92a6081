"""Every settled case, on the real disk."""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from refseal.pathguard import Owners, Place, Reach, Refusal, Root, read
from tests.alarm import alarm
from tests.trees.vectors import Row, agrees, answer, build, rows

if TYPE_CHECKING:
    from collections.abc import Callable

NOBODY = 65534
CLONE_NEWNS = 0x00020000
IS_ROOT = os.geteuid() == 0


@pytest.mark.parametrize("row", rows("ref", "seed", "worktree", "root", "config"), ids=lambda row: row["id"])
def test_the_guard_answers_a_settled_case_as_settled(row: Row, tmp_path: Path) -> None:
    if row.get("platform") == "linux" and sys.platform != "linux":
        pytest.skip("holds where names are bytes: Linux")
    needs = row.get("needs")
    if needs == "root" and not IS_ROOT:
        pytest.skip("makes devices or gives files away: needs root")
    if needs == "root-mntns":
        if not IS_ROOT:
            pytest.skip("mounts: needs root")
        said = in_child(lambda directory: _answer_with_mounts(row, directory))
    elif needs == "nonroot" and IS_ROOT:
        said = in_child(lambda directory: _answer_as_nobody(row, directory))
    else:
        # Not below `tmp_path`: a deep tree that outlives a run that was killed breaks pytest's own cleaning.
        deep = row["category"] == "deep"
        tree = build(row, Path(tempfile.mkdtemp()) if deep else tmp_path)
        try:
            with alarm(10 * row.get("timeout_s", 2)):  # of a machine that has more to do
                said = answer(row, tree)
        finally:
            if deep:
                tree.remove()
        assert agrees(row, tree, said), (said, row["expected"])
        return
    if said.startswith("skip "):
        pytest.skip(said)
    assert said == row["expected"]


def test_there_are_as_many_settled_rows_as_were_settled() -> None:
    counts = {kind: len(rows(kind)) for kind in ("ref", "seed", "worktree", "root", "config", "race")}
    assert counts == {"ref": 101, "seed": 7, "worktree": 28, "root": 2, "config": 0, "race": 5}


def test_every_row_that_says_what_holds_besides_is_tested_for_it() -> None:
    known = {"PV-190", "PV-195", "PV-196"}
    assert {row["id"] for row in rows("ref", "seed", "worktree", "root", "config") if "then" in row} == known


def test_a_link_out_of_the_main_worktree_is_refused_there_too(tmp_path: Path) -> None:
    (row,) = (row for row in rows("worktree") if row["id"] == "PV-190")
    tree = build(row, tmp_path)
    with Root.open(str(tree.root / "main"), Owners.of_process()) as main:
        with pytest.raises(Refusal) as refusal:
            read("AGENTS.local.md", Place(main), Reach((main,)), 100)
        assert refusal.value.code == "symlink-escape"


def in_child(work: Callable[[Path], str]) -> str:
    """Return what ``work`` says in a process of its own, in a directory that everybody may enter."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        directory.chmod(0o755)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.write(writer, work(directory).encode())
            except BaseException as error:  # noqa: BLE001 - told to the parent
                os.write(writer, repr(error).encode())
            finally:
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as stream:
            said = stream.read().decode()
        os.waitpid(child, 0)
        return said


def _answer_as_nobody(row: Row, directory: Path) -> str:
    tree = build(row, directory)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    return answer(row, tree)


def _answer_with_mounts(row: Row, directory: Path) -> str:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS) != 0:
        return "skip no mount namespaces here"
    # Keep our mounts to ourselves.
    if libc.mount(b"none", b"/", None, 0x40000 | 0x4000, None) != 0:
        return "skip mounts cannot be made private here"
    return answer(row, build(row, directory))
