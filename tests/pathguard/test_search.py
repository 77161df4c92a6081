"""The search sees what a walk of the whole tree sees."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from pathlib import Path

import pytest

from refseal.pathguard import Owners, Refusal, Root
from refseal.pathguard.listing import MAX_HELD, walk_tree
from refseal.pathguard.names import MAX_COMPONENTS
from refseal.pathguard.search import Searched, search_tree
from tests.pathguard.stand_in import FailingOs, give
from tests.pathguard.test_faults import OPEN_DESCRIPTORS
from tests.trees.layout import Tree

OWNERS = Owners.of_process()
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


def fates(root: Root, limit: int = 10_000) -> dict[str, str | None]:
    return {
        "/".join(one.components): f"{one.refusal.code} {one.refusal.where}" if one.refusal else None
        for one in search_tree(root, WANTED, limit)
    }


def test_what_is_found_in_a_directory_is_named_with_its_kind(tmp_path: Path) -> None:
    lines = [
        *(
            "AGENTS.md",
            "b.md",
            "d/AGENTS.md/",
            "d/agents.md => x",
            "l/AGENTS.md => ../b.md",
            "p/Agents.MD !fifo",
        ),
        *(
            "w/.ssh/x",
            "w/.git/x",
            "w/ENV~1/",
            "w/z/",
            "w/.aws/",
            "s/ a",
            "s/a ",
            "s/b c",
            "s/\\xff",
            "s/\\xc3\\xa9",
        ),
        "d !mode 750",
    ]
    tree = Tree(tmp_path, ["d/", "p/", *lines])
    with Root.open(str(tree.root), OWNERS) as root:
        all_of = {"/".join(one.components): one for one in search_tree(root, WANTED, 10_000)}
        assert all_of[""].mode == root.mode
    assert all_of["d"].mode == (tree.root / "d").stat().st_mode
    assert {name: (list(one.found), list(one.near)) for name, one in all_of.items()} == {
        "": ([("AGENTS.md", "file")], []),
        "d": ([("AGENTS.md", "directory")], [("agents.md", "link")]),
        "d/AGENTS.md": ([], []),
        "l": ([("AGENTS.md", "link")], []),
        "p": ([], [("Agents.MD", "other")]),
        "s": ([], []),
        "w": ([(".git", "directory")], []),
        "w/z": ([], []),
    }
    assert list(all_of["w"].withheld) == [".aws", ".ssh", "ENV~1"]
    assert list(all_of["s"].odd) == [" a", "a ", "é", "\udcff"]
    assert [name for name, one in all_of.items() if one.odd] == ["s"]
    assert [name for name, one in all_of.items() if one.refusal or one.more] == []


@pytest.mark.parametrize("limit", [0, 1, 4, 5, 6, 7])
def test_a_search_looks_at_no_more_names_than_its_limit_and_says_where_it_stopped(
    limit: int, tmp_path: Path
) -> None:
    tree = Tree(tmp_path, ["a/AGENTS.md", "a/x", "b/AGENTS.md", "b/y"])
    with Root.open(str(tree.root), OWNERS) as root:
        searched = list(search_tree(root, WANTED, limit))
    seen = 0
    for one in searched:
        names = len(os.listdir(tree.root / "/".join(one.components)))
        assert one.more == (seen + names >= limit)
        seen += names
    assert sum(one.more for one in searched) == (limit <= 6)
    assert "/".join(searched[-1].components) == {0: "", 1: "", 4: "a"}.get(limit, "b")


def test_a_deep_tree_is_searched_with_few_descriptors_and_to_a_bound() -> None:
    tree = Tree(Path(tempfile.mkdtemp()), ["!deep 400"])
    before = len(os.listdir(OPEN_DESCRIPTORS))
    most = 0
    try:
        with Root.open(str(tree.root), OWNERS) as root:
            for one in search_tree(root, WANTED, 10_000):
                most = max(most, len(os.listdir(OPEN_DESCRIPTORS)) - before)
                last = one
        assert len(os.listdir(OPEN_DESCRIPTORS)) == before
    finally:
        tree.remove()
    assert last.refusal is not None
    assert (last.refusal.code, last.refusal.where) == ("too-long", "d")
    assert len(last.components) == MAX_COMPONENTS + 1
    assert MAX_HELD <= most <= MAX_HELD + 3


def test_a_search_comes_back_to_directories_that_it_let_go(tmp_path: Path) -> None:
    depth = MAX_HELD * 2
    tree = Tree(tmp_path, [f"{'/'.join(['d'] * level)}/z{level}/AGENTS.md" for level in range(1, depth)])
    with Root.open(str(tree.root), OWNERS) as root:
        found = {one.components[-1] for one in search_tree(root, WANTED, 10_000) if one.found}
    assert found == {f"z{level}" for level in range(1, depth)}


def test_a_directory_that_was_replaced_meanwhile_is_not_searched(tmp_path: Path) -> None:
    spine = "/".join(["d"] * (MAX_HELD + 4))
    tree = Tree(tmp_path, [f"{spine}/", "d/z/", "OUT/z/AGENTS.md"])
    seen = {}
    with Root.open(str(tree.root), OWNERS) as root:
        for one in search_tree(root, WANTED, 10_000):
            seen["/".join(one.components)] = one.refusal and one.refusal.code
            if len(one.components) == MAX_HELD + 4:
                (tree.root / "d").rename(tmp_path / "gone")
                shutil.copytree(tree.parent / "OUT", tree.root / "d")
    assert seen["d/z"] == "missing"


def test_what_may_not_be_entered_is_searched_as_refused(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["a/x.md", "meta/config", ".git = gitdir: meta", "b/"])
    with Root.open(str(tree.root), OWNERS) as root:
        assert fates(root) == {"": None, "a": None, "b": None, "meta": "git-metadata meta"}


@pytest.mark.skipif(os.geteuid() != 0, reason="gives files away: needs root")
def test_a_stranger_s_directory_is_searched_as_refused(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["a/x.md", "b/AGENTS.md", "!owner a 12345"])
    with Root.open(str(tree.root), OWNERS) as root:
        assert fates(root) == {"": None, "a": "foreign-owner a", "b": None}
        trusting = root.owners.including(12345)
    with Root.open(str(tree.root), trusting) as root:
        assert fates(root) == {"": None, "a": None, "b": None}


def test_a_directory_that_vanishes_or_fails_is_refused_by_its_name(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["a/x.md", "b/AGENTS.md"])
    with Root.open(str(tree.root), OWNERS) as root:
        seen = []
        for one in search_tree(root, WANTED, 100):
            seen.append((one.components, f"{one.refusal.code} {one.refusal.where}" if one.refusal else None))
            if not one.components:
                shutil.rmtree(tree.root / "a")
    assert seen == [((), None), (("a",), "missing a"), (("b",), None)]


def test_a_reader_may_leave_directories_out(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["a/b/c/", "z/"])
    found = []
    with Root.open(str(tree.root), OWNERS) as root:
        for one in search_tree(root, WANTED, 1000):
            found.append("/".join(one.components))
            one.descend = [name for name in one.descend if name != "b"]
    assert found == ["", "a", "z"]


def test_what_fails_on_the_way_is_searched_as_refused_by_its_name(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["d/e/AGENTS.md"])
    refused = set()
    calls = 1
    number = -1
    while number < calls:
        failing = FailingOs(fail_at=number)
        searched: list[Searched] = []
        with Root.open(str(tree.root / "d"), OWNERS) as root, pytest.MonkeyPatch.context() as patch:
            give(patch, failing)
            try:
                searched = list(search_tree(root, WANTED, 10))
            except Refusal as refusal:
                refused.add((failing.asked[number][0], "raised", refusal.code, refusal.where))
        for one in searched:
            if one.refusal is not None:
                assert (one.found, one.descend, one.odd, one.more) == ((), (), (), False)
                place = "/".join(one.components)
                refused.add((failing.asked[number][0], place, one.refusal.code, one.refusal.where))
        calls = max(calls, failing.count)
        number += 1
    assert refused == {
        ("open", "raised", "unreadable", root.path),
        ("scandir", "", "unreadable", "d"),
        ("open", "e", "unreadable", "e"),
        ("fstat", "e", "unreadable", "e"),
        ("scandir", "e", "unreadable", "e"),
    }


def test_a_search_closes_no_descriptor_but_its_own(tmp_path: Path) -> None:
    """Whatever becomes of it: the standard output is 1."""
    tree = Tree(tmp_path, ["a/b/AGENTS.md", "c/"])
    output = os.fstat(1)
    with Root.open(str(tree.root), OWNERS) as root:
        for one in search_tree(root, WANTED, 100):
            shutil.rmtree(tree.root / "c", ignore_errors=True)
            assert one is not None
        list(search_tree(root, WANTED, 1))
        with pytest.MonkeyPatch.context() as patch:
            give(patch, FailingOs(fail_at=0))
            with pytest.raises(Refusal):
                list(search_tree(root, WANTED, 100))
    assert os.path.samestat(os.fstat(1), output)


def test_a_directory_that_cannot_be_listed_costs_nothing_of_the_limit(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["a/x.md", "b/AGENTS.md"])
    with Root.open(str(tree.root), OWNERS) as root, pytest.MonkeyPatch.context() as patch:
        root.git_directories()  # asked once
        give(patch, failing := FailingOs())
        list(search_tree(root, WANTED, 3))
        scans = [number for number, (name, _) in enumerate(failing.asked) if name == "scandir"]
        give(patch, FailingOs(fail_at=scans[1]))
        assert [one.components for one in search_tree(root, WANTED, 3)] == [(), ("a",), ("b",)]


def test_the_root_of_the_disk_has_no_name_but_a_dot() -> None:
    with Root.open("/", OWNERS) as root, pytest.MonkeyPatch.context() as patch:
        root.git_directories()  # asked once
        give(patch, failing := FailingOs())
        next(search_tree(root, WANTED, 1))
        scan = [name for name, _ in failing.asked].index("scandir")
        give(patch, FailingOs(fail_at=scan))
        refusal = next(search_tree(root, WANTED, 1)).refusal
    assert refusal is not None
    assert refusal.where == "."
