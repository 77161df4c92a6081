"""Whatever a system call answers: a refusal leaves the guard, nothing else, and no descriptor stays open."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any

import pytest

from refseal.pathguard import (
    CODES,
    Owners,
    Place,
    Reach,
    Refusal,
    Root,
    find_linkage,
    is_directory,
    is_unsafe,
    read,
    root_at,
)
from refseal.pathguard.git_files import read_git_file
from refseal.pathguard.handle import open_file
from refseal.pathguard.listing import list_directory, walk_tree
from refseal.pathguard.repository import nearest_holding
from refseal.pathguard.search import search_tree
from tests.pathguard.stand_in import FailingOs, give
from tests.trees.layout import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ERRORS = (
    *(errno.EACCES, errno.EIO, errno.ELOOP, errno.EMFILE, errno.ESTALE, errno.EINTR, errno.ENOENT),
    *(errno.ENOTDIR, errno.EINVAL, errno.ENXIO, errno.ENAMETOOLONG, errno.ENOMEM, errno.EPERM, errno.EISDIR),
)
OPEN_DESCRIPTORS = "/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    layout = [
        *("d/e/a.md", "l => d/e", "d/config = x", "meta/config = x", "out => $OUT", "OUT/a.md"),
        *("!git-worktree main wt", "!git-submodule super sub", "!git-bare-worktree .bare bare"),
        *("!git-separate sep apart", "t/.git => ../main/.git", "t/a.md"),
    ]
    return Tree(tmp_path_factory.mktemp("faults"), layout)


def reading(token: str, *components: str) -> Callable[[Tree], None]:
    def scenario(tree: Tree) -> None:
        with opened(tree) as root, Root.open(str(tree.parent / "OUT"), root.owners) as extra:
            read(token, Place(root, components), Reach((root, extra), link_roots=(extra,)), 100)

    return scenario


def opened(tree: Tree, name: str = "") -> Root:
    return Root.open(str(tree.root / name), Owners.of_process())


def handled(tree: Tree) -> None:
    with opened(tree) as root, open_file("d/e/a.md", Place(root), Reach((root,))) as handle:
        handle.read_at(0, 10)


def listed(tree: Tree) -> None:
    with opened(tree, "d") as root:
        list_directory("e", Place(root), Reach((root,)), 10)


def walked(tree: Tree) -> None:
    with opened(tree, "d") as root:
        for listing in walk_tree(root, 10):
            assert listing.refusal is None or listing.refusal.code in CODES


def searched(tree: Tree) -> None:
    with opened(tree, "d") as root:
        for found in search_tree(root, frozenset({"a.md"}), 10):
            assert found.refusal is None or found.refusal.code in CODES


def narrowed(tree: Tree) -> None:
    with opened(tree) as root, root_at(Place(root, ("d",)), Reach((root,))) as narrow:
        is_unsafe(narrow, home="/root", codex_home="/root/.codex")
        is_directory("e", Place(narrow), Reach((narrow,)))
        assert narrow.git_owner is None


def linked(name: str) -> Callable[[Tree], None]:
    def scenario(tree: Tree) -> None:
        find_linkage(str(tree.root / name), Owners.of_process(), home="/root", codex_home="/root/.codex")

    return scenario


def indexed(tree: Tree) -> None:
    with opened(tree, "wt") as root:
        read_git_file(root, "index", 1 << 20)
    nearest_holding(str(tree.root), (".git",))


SCENARIOS = {
    "a file": reading("d/e/a.md"),
    "a file through a link": reading("l/a.md"),
    "a file after `..`": reading("../e/../e/a.md", "d", "e"),
    "a file called like one of git's": reading("d/config"),
    "a file in another root": reading("out/a.md"),
    "a file beside a `.git` link": lambda tree: read_in(tree, "t"),
    "a file beside a `.git` file": lambda tree: read_in(tree, "wt"),
    "a handle": handled,
    "a listing": listed,
    "a tree": walked,
    "a searched tree": searched,
    "a narrower root": narrowed,
    "a linked worktree": linked("wt"),
    "a submodule": linked("super/sub"),
    "a bare repository's worktree": linked("bare"),
    "a repository with its directory apart": linked("apart"),
    "a linked `.git`": linked("t"),
    "an index": indexed,
}


def read_in(tree: Tree, name: str) -> None:
    with opened(tree, name) as root:
        read("a.md", Place(root), Reach((root,)), 100)


@pytest.mark.parametrize("name", SCENARIOS)
def test_each_system_call_may_fail_in_each_way(
    name: str, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = SCENARIOS[name]
    counting = FailingOs()
    give(monkeypatch, counting)
    settle(scenario, tree)
    assert counting.count
    before = len(os.listdir(OPEN_DESCRIPTORS))
    for error in ERRORS:
        for number in range(counting.count):
            give(monkeypatch, FailingOs(error, number))
            settle(scenario, tree)
            assert len(os.listdir(OPEN_DESCRIPTORS)) == before, (os.strerror(error), counting.asked[number])


class NamingOs(FailingOs):
    """Knows besides by which name the descriptor was opened that a call is about."""

    def __init__(self, error: int = errno.EIO, fail_at: int = -1) -> None:
        super().__init__(error, fail_at)
        self.names: dict[int, bytes] = {}
        self.failed = b""

    def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        ask = super()._failing(name, real)

        def call(what: Any, *arguments: Any, **options: Any) -> Any:
            about = options["dir_fd"] if what == b"." else what
            about = self.names.get(about, about)
            if self.count == self.fail_at:
                self.failed = about
            result = ask(what, *arguments, **options)
            if name == "open":
                self.names[result] = about
            return result

        return call


@pytest.mark.parametrize("name", [*list(SCENARIOS)[:5], "a handle", "a listing", "a tree", "a narrower root"])
def test_a_refusal_names_what_could_not_be_read(
    name: str, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = FailingOs()
    give(monkeypatch, counting)
    settle(SCENARIOS[name], tree)
    wheres = set()
    for number in range(counting.count):
        failing = NamingOs(fail_at=number)
        give(monkeypatch, failing)
        try:
            SCENARIOS[name](tree)
        except Refusal as refusal:
            if refusal.code == "unreadable":
                wheres.add((refusal.where.rpartition("/")[2], os.path.basename(os.fsdecode(failing.failed))))
    assert wheres
    assert [(where, failed) for where, failed in wheres if where != failed] == []


def settle(scenario: Callable[[Tree], None], tree: Tree) -> None:
    try:
        scenario(tree)
    except Refusal as refusal:
        code = refusal.code
    else:
        return
    assert code in CODES


def test_the_kernel_sees_bare_names_alone(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for a root's own path; and `.`, by which a held directory is opened a second time to be listed."""
    counting = FailingOs()
    with opened(tree) as root:
        give(monkeypatch, counting)
        for token in (
            "l/a.md",
            "d/./e//../e/a.md",
            "d/e/",
            "d/../../x",
            "d/config",
            f"{root.path}/d/e/a.md",
            "out/a.md",
        ):
            attempt(token, root)
    names = [name for call, name in counting.asked if call in {"open", "stat", "readlink"}]
    assert len(names) > 20
    assert [
        name for name in names if not isinstance(name, bytes) or b"/" in name or name in {b"", b".", b".."}
    ] == []


def attempt(token: str, root: Root) -> str:
    try:
        read(token, Place(root), Reach((root,)), 10)
    except Refusal as refusal:
        return refusal.code
    return "opened"


def mixed(root: Root) -> Iterator[str]:
    yield from (
        "d/e/a.md",
        "l/a.md",
        "out/a.md",
        "d",
        "d/e/a.md/",
        "../x",
        "/etc/passwd",
        ".git/config",
        "x\0y",
        "",
    )
    yield from (
        f"{root.path}/d/e/a.md",
        "missing",
        "d/../d/e/../e/a.md",
        "d/config",
        "a\u200bb",
        "~/x",
        "t/a.md",
    )


def test_ten_thousand_resolutions_of_mixed_fate_leave_no_descriptor_open(tree: Tree) -> None:
    fates: set[str] = set()
    with opened(tree) as root:
        before = sorted(os.listdir(OPEN_DESCRIPTORS))
        tokens = list(mixed(root))
        for number in range(10_000):
            fates.add(attempt(tokens[number % len(tokens)], root))
        assert sorted(os.listdir(OPEN_DESCRIPTORS)) == before
    assert len(fates) > 10


def test_a_process_without_descriptors_gets_a_refusal(tree: Tree) -> None:
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    with opened(tree) as root:
        held = os.dup(root.descriptor)
        os.close(held)
        resource.setrlimit(resource.RLIMIT_NOFILE, (held + 1, limits[1]))
        try:
            with pytest.raises(Refusal) as refusal:
                read("d/e/a.md", Place(root), Reach((root,)), 100)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert refusal.value.code == "unreadable"


@pytest.mark.parametrize("directory", [""])
def test_a_closed_root_gives_nothing(directory: str, tree: Tree) -> None:
    root = opened(tree, directory)
    root.close()
    root.close()
    for token in ("d/e/a.md", "..", "d"):
        with pytest.raises(Refusal):
            read(token, Place(root), Reach((root,)), 100)
    assert not is_directory("d", Place(root), Reach((root,)))


def test_a_root_that_is_renamed_is_still_the_same_directory(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["r/a.md = first"])
    with opened(tree, "r") as root:
        (tree.root / "r").rename(tree.root / "moved")
        (tree.root / "r").symlink_to("../OUT")
        assert read("a.md", Place(root), Reach((root,)), 100).data == b"first"
