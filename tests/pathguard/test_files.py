"""`read`, `open_file`, `is_directory`: what comes back of a file that may be read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from refseal.pathguard import Owners, Place, Reach, Refusal, Root, is_directory, read, root_at
from refseal.pathguard.files import is_same_document
from refseal.pathguard.handle import open_file
from tests.pathguard.stand_in import FailingOs, give
from tests.trees.layout import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_bytes(b"0123456789")
    (tmp_path / "l.md").symlink_to("docs/a.md")
    with Root.open(str(tmp_path), Owners.of_process()) as held:
        yield held


def test_a_file_knows_its_canonical_name_and_whether_a_link_led_to_it(root: Root) -> None:
    file = read("l.md", Place(root), Reach((root,)), 100)
    assert (file.components, file.name, file.path) == (("docs", "a.md"), "a.md", f"{root.path}/docs/a.md")
    assert file.linked
    assert file.place.components == ("docs",)
    assert file.links == 1
    assert file.owner == os.geteuid()


@pytest.mark.parametrize(
    ("limit", "data", "more"), [(0, b"", True), (9, b"012345678", True), (10, b"0123456789", False)]
)
def test_at_most_the_limit_is_read_and_more_tells_whether_there_is_more(
    root: Root, limit: int, data: bytes, *, more: bool
) -> None:
    file = read("docs/a.md", Place(root), Reach((root,)), limit)
    assert (file.data, file.more) == (data, more)


@pytest.mark.parametrize("claimed", [0, 1, 9, 11, 1 << 62, -1])
def test_what_the_system_says_of_the_size_is_not_believed(
    claimed: int, root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Lying(FailingOs):
        def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any, **options: Any) -> Any:
                result = real(*arguments, **options)
                return os.stat_result([*result[:6], claimed, *result[7:]]) if name == "fstat" else result

            return call

    give(monkeypatch, Lying())
    for limit, data in ((1 << 50, b"0123456789"), (100, b"0123456789"), (4, b"0123")):
        file = read("docs/a.md", Place(root), Reach((root,)), limit)
        assert (file.data, file.more) == (data, limit < 10)


def test_a_handle_reads_in_parts_until_it_is_closed(root: Root) -> None:
    with open_file("a.md", Place(root, ("docs",)), Reach((root,))) as handle:
        assert (handle.size, handle.read_at(2, 3), handle.read_at(8, 100), handle.read_at(99, 1)) == (
            10,
            b"234",
            b"89",
            b"",
        )
    with pytest.raises(Refusal) as refusal:
        handle.read_at(0, 1)
    assert refusal.value.code == "unreadable"


def test_only_directories_that_may_be_entered_are_directories(root: Root) -> None:
    reach = Reach((root,))
    answers = {
        token: is_directory(token, Place(root), reach)
        for token in ("docs", "docs/", ".", "l.md", "x", "..", "")
    }
    assert answers == {
        "docs": True,
        "docs/": True,
        ".": True,
        "l.md": False,
        "x": False,
        "..": False,
        "": False,
    }


def test_a_narrower_root_keeps_to_its_directory(root: Root) -> None:
    with root_at(Place(root, ("docs",)), Reach((root,))) as narrow:
        assert (narrow.path, narrow.spelling) == (f"{root.path}/docs", f"{root.path}/docs")
        assert read("a.md", Place(narrow), Reach((narrow,)), 10).components == ("a.md",)
        with pytest.raises(Refusal) as refusal:
            read("../l.md", Place(narrow), Reach((narrow,)), 10)
        assert refusal.value.code == "outside-root"


@pytest.mark.parametrize("name", ["rX", "r ", "r"])
def test_a_narrower_root_lies_where_it_lies_whatever_its_name_ends_with(tmp_path: Path, name: str) -> None:
    os.makedirs(tmp_path / name / "d e" / "f")
    with (
        Root.open(str(tmp_path / name), Owners.of_process()) as root,
        root_at(Place(root, ("d e", "f")), Reach((root,))) as narrow,
    ):
        assert narrow.path == f"{root.path}/d e/f"
    with Root.open("/", Owners.of_process()) as root:
        components = tuple(os.path.realpath(tmp_path / name).strip("/").split("/"))
        with root_at(Place(root, components), Reach((root,))) as narrow:
            assert narrow.path == os.path.realpath(tmp_path / name)


def test_a_file_that_no_link_led_to_says_so_and_what_it_is(root: Root) -> None:
    file = read("docs/a.md", Place(root), Reach((root,)), 100)
    status = os.stat(file.path)
    assert not file.linked
    assert (file.identity, file.mode) == ((status.st_dev, status.st_ino), status.st_mode)
    with open_file("docs/a.md", Place(root), Reach((root,))) as handle:
        assert (handle.identity, handle.owner) == (file.identity, file.owner)
        assert (handle.root, handle.components) == (root, ("docs", "a.md"))


def test_a_handle_reads_what_is_longer_than_one_system_call_takes(root: Root) -> None:
    data = bytes(range(256)) * 6000
    with open(f"{root.path}/long", "wb") as file:
        file.write(data)
    with open_file("long", Place(root), Reach((root,))) as handle:
        assert handle.read_at(0, len(data) + 1) == data
        assert handle.read_at(100, len(data) - 200) == data[100:-100]
    assert read("long", Place(root), Reach((root,)), len(data)).data == data


@pytest.mark.parametrize("offset", [-1, 1 << 70])
def test_an_offset_that_no_file_has_is_refused_by_the_file_s_name(offset: int, root: Root) -> None:
    with open_file("docs/a.md", Place(root), Reach((root,))) as handle, pytest.raises(Refusal) as refusal:
        handle.read_at(offset, 1)
    assert (refusal.value.code, refusal.value.where) == ("unreadable", "a.md")


@pytest.mark.parametrize("limit", [0, 4, 9, 10, 100])
def test_no_more_than_a_byte_beyond_the_limit_is_read(
    limit: int, root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths = []

    class Measuring(FailingOs):
        def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any, **options: Any) -> Any:
                result = real(*arguments, **options)
                if name == "read":
                    lengths.append(len(result))
                return result

            return call

    give(monkeypatch, Measuring())
    read("docs/a.md", Place(root), Reach((root,)), limit)
    assert sum(lengths) == min(limit + 1, 10)


def test_one_document_is_known_under_all_its_names(tmp_path: Path) -> None:
    tree = Tree(
        tmp_path, ["d/a.md = same", "d/b.md = same", "h.md ~> d/a.md", "l.md => d/a.md", "e/a.md = same"]
    )
    owners = Owners.of_process()
    with Root.open(str(tree.root), owners) as root, Root.open(str(tree.root / "d"), owners) as inner:
        one = read("d/a.md", Place(root), Reach((root,)), 100)
        answers = {
            name: is_same_document(one, read(name, Place(root), Reach((root,)), 100))
            for name in ("d/a.md", "l.md", "h.md", "d/b.md", "e/a.md")
        }
        assert answers == {"d/a.md": True, "l.md": True, "h.md": True, "d/b.md": False, "e/a.md": False}
        assert is_same_document(one, read("a.md", Place(inner), Reach((inner,)), 100))
        short = read("h.md", Place(root), Reach((root,)), 2)
        assert not is_same_document(one, short)  # one inode, but another text was read
        again = read("d/a.md", Place(root), Reach((root,)), 2)
        assert is_same_document(one, again)  # one name is one document, whatever was read of it
        hard = read("h.md", Place(root), Reach((root,)), 100)
        one.identity = hard.identity = (one.identity[0], 0)
        assert not is_same_document(one, hard)  # a file system without inodes
        with Root.open(str(tree.root / "e"), owners) as other:
            assert not is_same_document(
                read("a.md", Place(inner), Reach((inner,)), 100),
                read("a.md", Place(other), Reach((other,)), 100),
            )
