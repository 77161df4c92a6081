"""The search sees what a walk of the whole tree sees."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from refseal.pathguard import Owners, Refusal, Root
from refseal.pathguard.listing import walk_tree
from refseal.pathguard.search import search_tree

if TYPE_CHECKING:
    from pathlib import Path

WANTED = frozenset({"AGENTS.md", ".git"})
NAMES = (b"AGENTS.md", b"agents.md", b".git", b"a", b"b", b".env", b".ssh", b"git~1", b"x.git", b"ENV~1",
         b"caf\xc3\xa9", b"\xff", b" a", b"a ", b"a b", b"a\n", b"c")  # fmt: skip


@pytest.mark.parametrize("seed", range(25))
def test_search_agrees_with_the_walk(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    places = [os.fsencode(str(tmp_path))]
    for _ in range(40):
        path = chance.choice(places) + b"/" + chance.choice(NAMES)
        if os.path.lexists(path):
            continue
        kind = chance.randrange(5)
        if kind < 2:
            os.mkdir(path)
            places.append(path)
        elif kind == 2:
            os.symlink(b"..", path)
        elif kind == 3:
            os.mkfifo(path)
        else:
            os.close(os.open(path, os.O_CREAT))
    with Root.open(str(tmp_path), Owners.of_process()) as root:
        walked = list(walk_tree(root, 10_000))
        searched = list(search_tree(root, WANTED, 10_000))
    assert [one.components for one in searched] == [one.components for one in walked]
    for one, other in zip(searched, walked, strict=True):
        assert (one.refusal and one.refusal.code) == (other.refusal and other.refusal.code)
        assert list(one.descend) == other.descend
        names = [entry.name for entry in other.entries]
        wanted = [(entry.name, entry.kind) for entry in other.entries if entry.name in WANTED]
        assert list(one.found) == sorted(wanted)
        odd = [name for name in names if not name.isascii() or not name.isprintable() or name != name.strip()]
        assert list(one.odd) == sorted(odd)
        assert [name for name, _ in one.near] == [name for name in names if name == "agents.md"]


def test_limit_ends_the_search(tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / f"f{number}").touch()
    (tmp_path / "d").mkdir()
    with Root.open(str(tmp_path), Owners.of_process()) as root:
        (one,) = search_tree(root, WANTED, 5)
    assert one.more


def test_closed_root_is_refused(tmp_path: Path) -> None:
    root = Root.open(str(tmp_path), Owners.of_process())
    root.close()
    with pytest.raises(Refusal):
        list(search_tree(root, WANTED, 10))


def test_no_descriptor_stays_open_when_a_reader_stops(tmp_path: Path) -> None:
    (tmp_path / "a/b/c").mkdir(parents=True)
    with Root.open(str(tmp_path), Owners.of_process()) as root:
        before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
        for one in search_tree(root, WANTED, 100):
            if one.components == ("a", "b"):
                break
        after = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    assert after == before
