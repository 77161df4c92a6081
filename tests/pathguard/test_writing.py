"""What is written is whole or not there, and over nothing that was, whatever a system call answers."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import pytest

from refseal.pathguard import CODES, Owners, Refusal, Root
from refseal.pathguard.exclude import Unverified, find_exclude
from refseal.pathguard.writing import Draft, read_regular
from tests.pathguard.stand_in import WRITES, FailingOs, give
from tests.pathguard.test_faults import ERRORS, OPEN_DESCRIPTORS
from tests.trees.layout import Tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OWNERS = Owners.of_process()
TEXT = b"text\n" * 1000


def anew(root: Root) -> None:
    Draft(root.descriptor, b"new", TEXT).put_anew()


def in_place(root: Root) -> None:
    Draft(root.descriptor, b"old", TEXT, 0o640).put_in_place_of()


def excluded(root: Root) -> None:
    with Root.open(f"{root.path}/r", OWNERS) as repository:
        found = find_exclude(repository, OWNERS, home=None, codex_home=None)
        if found is not None:
            with found:
                found.draft_with("/AGENTS.local.md").put_in_place_of()


LAYOUT = ("old = before", "r/.git/HEAD", "r/.git/objects/", "r/.git/refs/")
KEPT = {"old": b"before", "new": None, "r/.git/info/exclude": None}


@pytest.mark.parametrize(
    ("write", "name", "after"),
    [
        (anew, "new", TEXT),
        (in_place, "old", TEXT),
        (excluded, "r/.git/info/exclude", b"/AGENTS.local.md\n"),
    ],
    ids=["anew", "in place of another", "the list of what git ignores"],
)
def test_a_file_is_whole_or_as_it_was_whichever_system_call_fails(
    write: Callable[[Root], None],
    name: str,
    after: bytes,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counting = FailingOs()
    settle(write, Tree(tmp_path_factory.mktemp("whole"), LAYOUT), counting, monkeypatch)
    assert {call for call, _ in counting.asked} & set(WRITES) >= {"write", "fsync"}
    before = len(os.listdir(OPEN_DESCRIPTORS))
    for error in ERRORS:
        for number in range(counting.count):
            tree = Tree(tmp_path_factory.mktemp("fault"), LAYOUT)
            failing = FailingOs(error, number)
            refused = settle(write, tree, failing, monkeypatch)
            call = failing.asked[number][0]
            found = content(tree.root / name)
            assert found in {after, KEPT[name]}, (call, error)
            if call in {"write", "fchmod", "fsync", "link", "replace"}:
                assert refused, call
                assert found == KEPT[name], (call, error)
            if call != "unlink":
                assert list(tree.root.rglob(".refseal-*")) == [], (call, error)
            assert len(os.listdir(OPEN_DESCRIPTORS)) == before, (call, error)


def settle(
    write: Callable[[Root], None], tree: Tree, stand_in: FailingOs, monkeypatch: pytest.MonkeyPatch
) -> bool:
    with Root.open(str(tree.root), OWNERS) as root, monkeypatch.context() as patch:
        give(patch, stand_in)
        try:
            write(root)
        except Refusal as refusal:
            code = refusal.code
        except Unverified:
            return True
        else:
            return False
    assert code in CODES
    return True


def content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


@pytest.mark.parametrize("there", ["new = theirs", "new => old", "new => nowhere", "new !fifo", "new/"])
def test_nothing_that_is_there_is_written_over(there: str, tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["old = before", there])
    was = os.lstat(tree.root / "new")
    with Root.open(str(tree.root), OWNERS) as root, pytest.raises(Refusal) as refused:
        anew(root)
    assert refused.value.where == "new"
    assert os.path.samestat(os.lstat(tree.root / "new"), was)
    assert content(tree.root / "old") == b"before"
    assert not (tree.root / "nowhere").exists()
    assert sorted(os.listdir(tree.root)) == ["new", "old"]


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["OUT/theirs = before", "old => ../OUT/theirs"])
    with Root.open(str(tree.root), OWNERS) as root:
        in_place(root)
    assert not (tree.root / "old").is_symlink()
    assert content(tree.root / "old") == TEXT
    assert content(tree.parent / "OUT/theirs") == b"before"


def test_what_is_written_is_its_owner_s_alone_unless_it_says_otherwise(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["old = before"])
    with Root.open(str(tree.root), OWNERS) as root:
        anew(root)
        in_place(root)
    assert (tree.root / "new").stat().st_mode & 0o7777 == 0o600
    assert (tree.root / "old").stat().st_mode & 0o7777 == 0o640


def test_a_draft_is_hidden_and_its_owner_s_alone_until_it_is_whole(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    modes = set()

    class Watching(FailingOs):
        def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any, **options: Any) -> Any:
                if name == "write":
                    modes.add(os.fstat(arguments[0]).st_mode & 0o7777)
                return real(*arguments, **options)

            return call

    old = os.umask(0)
    try:
        with Root.open(str(tree.root), OWNERS) as root, pytest.MonkeyPatch.context() as patch:
            give(patch, Watching())
            draft = Draft(root.descriptor, b"new", TEXT, 0o644)
            [name] = os.listdir(tree.root)
            assert re.fullmatch(r"\.refseal-[0-9a-f]{16}", name)
            draft.discard()
    finally:
        os.umask(old)
    assert modes == {0o600}
    assert os.listdir(tree.root) == []


def test_what_was_put_there_can_be_taken_back(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["old = before"])
    with Root.open(str(tree.root), OWNERS) as root:
        draft = Draft(root.descriptor, b"new", TEXT)
        draft.put_anew()
        for _ in range(2):
            draft.take_back()
            assert os.listdir(tree.root) == ["old"]


def test_a_draft_that_was_swapped_for_a_link_is_not_followed(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["OUT/theirs = before"])
    with Root.open(str(tree.root), OWNERS) as root:
        draft = Draft(root.descriptor, b"new", TEXT)
        [scratch] = tree.root.iterdir()
        scratch.unlink()
        scratch.symlink_to("../OUT/theirs")
        draft.put_anew()
    assert (tree.root / "new").is_symlink()
    assert (tree.parent / "OUT/theirs").stat().st_nlink == 1


@pytest.mark.parametrize(
    ("lines", "limit", "expected"),
    [
        ((), 9, None),
        (("f = text",), 4, (b"text", 0o640)),
        (("f = text",), 3, "too-long f"),
        (("f = ",), 0, (b"", 0o640)),
        (("f = x",), 0, "too-long f"),
        (("f/",), 9, "directory f"),
        (("g", "f => g"), 9, "not-regular f"),
        (("f !fifo",), 9, "not-regular f"),
    ],
)
def test_what_is_read_of_a_held_directory_is_a_file_of_bounded_size(
    lines: tuple[str, ...], limit: int, expected: object, tmp_path: Path
) -> None:
    tree = Tree(tmp_path, lines)
    if isinstance(expected, tuple):
        (tree.root / "f").chmod(0o640)
    said: object
    with Root.open(str(tree.root), OWNERS) as root:
        try:
            said = read_regular(root.descriptor, b"f", OWNERS, limit)
        except Refusal as refusal:
            said = f"{refusal.code} {refusal.where}"
    assert said == expected


def test_a_file_that_is_swapped_before_it_is_opened_is_judged_again(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["f = text", "fifo !fifo"])

    class Swapping(FailingOs):
        def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any, **options: Any) -> Any:
                if name == "open" and (tree.root / "fifo").exists():
                    (tree.root / "fifo").rename(tree.root / "f")
                return real(*arguments, **options)

            return call

    with Root.open(str(tree.root), OWNERS) as root, pytest.MonkeyPatch.context() as patch:
        give(patch, Swapping())
        with pytest.raises(Refusal) as refused:
            read_regular(root.descriptor, b"f", OWNERS, 9)
    assert (refused.value.code, refused.value.where) == ("not-regular", "f")


def test_each_part_of_a_file_that_comes_in_parts_is_kept(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["f = text"])

    class Slow(FailingOs):
        def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any, **options: Any) -> Any:
                return (
                    os.read(arguments[0], min(3, arguments[1]))
                    if name == "read"
                    else real(*arguments, **options)
                )

            return call

    with Root.open(str(tree.root), OWNERS) as root, pytest.MonkeyPatch.context() as patch:
        give(patch, Slow())
        found = read_regular(root.descriptor, b"f", OWNERS, 4)
        assert found is not None
        assert found[0] == b"text"
        with pytest.raises(Refusal, match="too-long"):
            read_regular(root.descriptor, b"f", OWNERS, 3)
