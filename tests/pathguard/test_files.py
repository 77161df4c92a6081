"""`read`, `open_file`, `is_directory`: what comes back of a file that may be read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from refseal.pathguard import Owners, Place, Reach, Refusal, Root, is_directory, open_file, read, root_at
from tests.pathguard.stand_in import FailingOs, give

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
    for limit, data in ((100, b"0123456789"), (4, b"0123")):
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
        assert narrow.path == f"{root.path}/docs"
        assert read("a.md", Place(narrow), Reach((narrow,)), 10).components == ("a.md",)
        with pytest.raises(Refusal) as refusal:
            read("../l.md", Place(narrow), Reach((narrow,)), 10)
        assert refusal.value.code == "outside-root"
