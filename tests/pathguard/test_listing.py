"""Directories and trees through the guard."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given

from refseal.pathguard import Owners, Place, Reach, Refusal, Root
from refseal.pathguard.listing import MAX_HELD, Listing, list_directory, refuse_directory, walk_tree
from refseal.pathguard.names import MAX_COMPONENTS
from tests.pathguard.stand_in import FailingOs, give
from tests.pathguard.test_faults import OPEN_DESCRIPTORS
from tests.strategies.trees import layouts
from tests.trees.layout import Tree

OWNERS = Owners.of_process()
LAYOUT = (
    *(
        "b.md",
        "a/x.md",
        "a/l => ../b.md",
        "p !fifo",
        "out => ../OUT",
        "OUT/secret/x.md",
        ".git/config",
        ".ssh/id_rsa",
    ),
    *("a/deep/er/y.md", "a/.env", "in => a"),
)


def listed(root: Root, token: str, limit: int = 100) -> list[tuple[str, str]]:
    return [
        (entry.name, entry.kind)
        for entry in list_directory(token, Place(root), Reach((root,)), limit).entries
    ]


def test_entries_come_sorted_with_their_kinds_and_links_are_not_followed(tmp_path: Path) -> None:
    tree = Tree(tmp_path, LAYOUT)
    with Root.open(str(tree.root), OWNERS) as root:
        assert listed(root, ".") == [
            (".git", "directory"),
            (".ssh", "directory"),
            ("a", "directory"),
            ("b.md", "file"),
            ("in", "link"),
            ("out", "link"),
            ("p", "other"),
        ]
        assert listed(root, "in") == listed(root, "a/") == listed(root, "a/deep/..")
        assert (
            repr(list_directory("a/deep", Place(root), Reach((root,)), 9).entries)
            == "[Entry('er', 'directory')]"
        )


@pytest.mark.parametrize(
    ("token", "code"),
    [
        ("out", "symlink-escape"),
        ("b.md", "not-a-directory"),
        ("p", "not-a-directory"),
        ("..", "outside-root"),
        (".git", "git-metadata"),
        (".ssh", "sensitive"),
        ("missing", "missing"),
        ("/etc", "absolute"),
    ],
)
def test_what_may_not_be_entered_is_not_listed(token: str, code: str, tmp_path: Path) -> None:
    tree = Tree(tmp_path, LAYOUT)
    with Root.open(str(tree.root), OWNERS) as root, pytest.raises(Refusal) as refusal:
        listed(root, token)
    assert refusal.value.code == code


def test_a_listing_stops_at_its_limit_and_says_so(tmp_path: Path) -> None:
    tree = Tree(tmp_path, [f"d/{number}.md" for number in range(10)])
    with Root.open(str(tree.root), OWNERS) as root:
        for limit, more in ((0, True), (3, True), (9, True), (10, False), (11, False)):
            listing = list_directory("d", Place(root), Reach((root,)), limit)
            assert (len(listing.entries), listing.more) == (min(limit, 10), more)
            walked = list(walk_tree(root, limit))
            assert sum(len(each.entries) for each in walked) == min(limit, 11)
            assert [each.more for each in walked] == ([True] if limit == 0 else [False, limit < 11])


def test_a_tree_is_walked_from_the_top_without_git_s_directories_credentials_or_links(tmp_path: Path) -> None:
    tree = Tree(tmp_path, LAYOUT)
    with Root.open(str(tree.root), OWNERS) as root:
        found = ["/".join(listing.components) for listing in walk_tree(root, 1000)]
    assert found == ["", "a", "a/deep", "a/deep/er"]


def test_a_reader_may_leave_directories_out(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["a/b/c/", "node_modules/x/y/", "z/"])
    found = []
    with Root.open(str(tree.root), OWNERS) as root:
        for listing in walk_tree(root, 1000):
            found.append("/".join(listing.components))
            listing.descend = [name for name in listing.descend if name not in {"node_modules", "b"}]
    assert found == ["", "a", "z"]


def test_an_excluded_directory_is_listed_as_refused(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["a/x.md", "inner/x.md", "meta/config", ".git = gitdir: meta"])
    with Root.open(str(tree.root), OWNERS) as root, Root.open(str(tree.root / "inner"), OWNERS) as inner:
        fates = {
            "/".join(listing.components): listing.refusal and listing.refusal.code
            for listing in walk_tree(root, 1000, excluded=frozenset({inner.identity}))
        }
    assert fates == {"": None, "a": None, "inner": "outside-root", "meta": "git-metadata"}


@pytest.mark.skipif(os.geteuid() != 0, reason="gives files away: needs root")
def test_a_stranger_s_directory_is_listed_as_refused(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["a/x.md", "!owner a 12345"])
    with Root.open(str(tree.root), OWNERS) as root:
        fates = [listing.refusal and listing.refusal.code for listing in walk_tree(root, 1000)]
    assert fates == [None, "foreign-owner"]


def test_a_deep_tree_is_walked_with_few_descriptors_and_to_a_bound() -> None:
    directory = Path(tempfile.mkdtemp())  # not below pytest's own, which cannot clean up what is so deep
    tree = Tree(directory, ["!deep 400"])
    before = len(os.listdir(OPEN_DESCRIPTORS))
    most = 0
    last = None
    try:
        with Root.open(str(tree.root), OWNERS) as root:
            for listing in walk_tree(root, 10_000):
                most = max(most, len(os.listdir(OPEN_DESCRIPTORS)) - before)
                last = listing
    finally:
        tree.remove()
    assert last is not None
    assert last.refusal is not None
    assert (last.refusal.code, len(last.components)) == ("too-long", MAX_COMPONENTS + 1)
    assert most <= MAX_HELD + 2


def test_directories_that_were_let_go_are_found_again(tmp_path: Path) -> None:
    depth = MAX_HELD * 2
    spine = ["/".join(["d"] * level) for level in range(1, depth)]
    tree = Tree(tmp_path, [f"{path}/z{level}/" for level, path in enumerate(spine)])
    with Root.open(str(tree.root), OWNERS) as root:
        found = {listing.components[-1] for listing in walk_tree(root, 10_000) if listing.components}
    assert found == {"d", *(f"z{level}" for level in range(depth - 1))}


def test_a_directory_that_was_replaced_meanwhile_is_not_walked_on(tmp_path: Path) -> None:
    depth = MAX_HELD + 4
    spine = "/".join(["d"] * depth)
    tree = Tree(tmp_path, [f"{spine}/", "d/z/", "OUT/z/secret.md"])
    fates = {}
    with Root.open(str(tree.root), OWNERS) as root:
        for listing in walk_tree(root, 10_000):
            fates["/".join(listing.components)] = listing.refusal and listing.refusal.code
            if len(listing.components) == depth:
                (tree.root / "d").rename(tmp_path / "gone")
                shutil.copytree(tree.parent / "OUT", tree.root / "d")
    assert fates["d/z"] == "missing"


def test_a_walk_that_is_given_up_leaves_no_descriptor_open(tmp_path: Path) -> None:
    tree = Tree(tmp_path, LAYOUT)
    with Root.open(str(tree.root), OWNERS) as root:
        before = os.listdir(OPEN_DESCRIPTORS)
        walk = walk_tree(root, 1000)
        next(walk)
        next(walk)
        walk.close()  # type: ignore[attr-defined]
        assert os.listdir(OPEN_DESCRIPTORS) == before


def test_names_that_are_no_text_are_listed_as_the_guard_spells_them(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["\\xff\\xfe.md", "caf\\xc3\\xa9.md"])
    with Root.open(str(tree.root), OWNERS) as root:
        assert [name for name, _kind in listed(root, ".")] == ["caf\u00e9.md", "\udcff\udcfe.md"]


@given(layout=layouts())
def test_a_walk_finds_what_the_system_s_own_finds(layout: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        tree = Tree(Path(name), layout)
        with Root.open(str(tree.root), OWNERS) as root:
            ours = {
                (listing.components, entry.name)
                for listing in walk_tree(root, 1000)
                for entry in listing.entries
            }
        theirs = {
            (tuple(Path(place).relative_to(tree.root).parts), entry)
            for place, directories, files in os.walk(tree.root)
            for entry in (*directories, *files)
        }
    assert ours == theirs


def test_what_fails_on_the_way_is_listed_as_refused_by_its_name(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["d/e/a.md"])
    refused = set()
    calls = 1
    number = -1
    while number < calls:
        failing = FailingOs(fail_at=number)
        listings: list[Listing] = []
        with Root.open(str(tree.root / "d"), OWNERS) as root, pytest.MonkeyPatch.context() as patch:
            give(patch, failing)
            try:
                listings = list(walk_tree(root, 10))
            except Refusal as refusal:
                refused.add((failing.asked[number][0], "raised", refusal.code, refusal.where))
        for listing in listings:
            if listing.refusal is not None:
                assert (listing.entries, listing.descend, listing.more) == ([], [], False)
                place = "/".join(listing.components)
                call = failing.asked[number][0]
                refused.add((call, place, listing.refusal.code, listing.refusal.where))
        calls = max(calls, failing.count)
        number += 1
    assert refused == {
        ("open", "raised", "unreadable", root.path),
        ("scandir", "", "unreadable", "."),
        ("open", "e", "unreadable", "e"),
        ("fstat", "e", "unreadable", "e"),
        ("scandir", "e", "unreadable", "e"),
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("f", "not-a-directory f"),
        ("d", None),
        ("meta", "git-metadata meta"),
        ("out", "outside-root out"),
    ],
)
def test_a_directory_is_judged_by_what_was_opened(name: str, expected: str | None, tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["f", "d/", "meta/HEAD", "out/", ".git = gitdir: meta"])
    out = os.stat(tree.root / "out")
    with Root.open(str(tree.root), OWNERS) as root:
        status = os.stat(tree.root / name)
        refusal = refuse_directory(status, name, root, frozenset({(out.st_dev, out.st_ino)}))
        assert (refusal and f"{refusal.code} {refusal.where}") == expected
        stranger = os.stat_result([*status[:4], 12345, *status[5:]])
        refusal = refuse_directory(stranger, name, root)
        assert refusal is not None
        assert (refusal.code, refusal.where) == ("not-a-directory" if name == "f" else "foreign-owner", name)
