"""Where a project begins, and the one file of git's own that may be read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from refseal.pathguard import Owners, Refusal, Root, find_linkage, linkage, repository
from refseal.pathguard.git_files import CHUNK_BYTES, is_repository, read_git_file
from refseal.pathguard.gitfile import claimed_main_root, git_directories_beneath, read_pointer
from refseal.pathguard.names import MAX_NAME_BYTES
from refseal.pathguard.repository import nearest_configured, nearest_holding
from tests.pathguard.stand_in import FailingOs, give
from tests.trees.layout import Tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LIMIT = 1 << 20
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="gives files away: needs root")


def read_index(directory: Path, limit: int = LIMIT) -> bytes | None:
    with Root.open(str(directory), Owners.of_process()) as root:
        return read_git_file(root, "index", limit)


def refusal(directory: Path, limit: int = LIMIT) -> str:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    with pytest.raises(Refusal) as refused:
        read_index(directory, limit)
    if before:
        assert len(os.listdir("/proc/self/fd")) == before
    return refused.value.code


# --- nearest_holding


def test_the_nearest_directory_with_any_of_the_names(tmp_path: Path) -> None:
    (tmp_path / "a/b/c").mkdir(parents=True)
    (tmp_path / "a/.git").mkdir()
    (tmp_path / "a/b/package.json").write_text("{}")
    start = str(tmp_path / "a/b/c")
    assert nearest_holding(start, [".git"]) == str(tmp_path / "a")
    assert nearest_holding(start, [".git", "package.json"]) == str(tmp_path / "a/b")
    assert nearest_holding(start, []) is None
    assert nearest_holding(start, [".no-such-marker-anywhere"]) is None


def test_it_goes_up_by_spelling_not_by_what_links_lead_to(tmp_path: Path) -> None:
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "real/x").mkdir(parents=True)
    (tmp_path / "repo/x").symlink_to("../real/x")
    assert nearest_holding(str(tmp_path / "repo/x"), [".git"]) == str(tmp_path / "repo")


@pytest.mark.parametrize(("target", "counts"), [("nowhere", False), ("self", False), ("file", True)])
def test_a_link_counts_if_it_leads_somewhere(tmp_path: Path, target: str, *, counts: bool) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "self").symlink_to("self")
    (tmp_path / "p").mkdir()
    (tmp_path / "p/.marker-of-a-test").symlink_to(f"../{target}")
    found = nearest_holding(str(tmp_path / "p"), [".marker-of-a-test"])
    assert found == (str(tmp_path / "p") if counts else None)


@pytest.mark.parametrize("name", ["a\0b", "x" * 300, "\ud800", ""])
def test_an_impossible_name_or_path_holds_nothing_or_is_the_directory(tmp_path: Path, name: str) -> None:
    assert nearest_holding(str(tmp_path), [name]) in (None, str(tmp_path))
    assert nearest_holding("/no/such\ud800/" + "y" * 5000, [".git-of-a-test"]) is None


def test_a_path_of_half_a_million_components_is_answered_at_once() -> None:
    """Each of its ancestors spelled out would take a hundred gigabytes."""
    endless = "/a" * (1 << 19)
    assert nearest_holding(endless, [".git"]) is None
    assert find_linkage(endless, Owners.of_process(), home=None, codex_home=None).status == "none"


# --- nearest_configured


@pytest.mark.parametrize(
    ("kind", "counts"),
    [("empty", False), ("HEAD", True), ("config", False), ("file", True), ("link", True), ("broken", False)],
)
def test_a_git_directory_is_a_root_of_configuration_only_with_a_head(
    tmp_path: Path, kind: str, *, counts: bool
) -> None:
    """Each of them measured on Codex 0.171.0."""
    for name in (".git", "inner/a", "real"):
        (tmp_path / name).mkdir(parents=True)
    for name in (".git/HEAD", "real/HEAD"):
        (tmp_path / name).write_text("ref: refs/heads/main\n")
    git = tmp_path / "inner/.git"
    if kind == "file":
        git.write_text("gitdir: nowhere\n")
    elif kind in {"link", "broken"}:
        git.symlink_to("../real" if kind == "link" else "../nowhere")
    else:
        git.mkdir()
        if kind != "empty":
            (git / kind).write_text("x")
    assert nearest_configured(str(tmp_path / "inner/a"), [".git"]) == str(
        tmp_path / "inner" if counts else tmp_path
    )


def test_any_other_marker_is_a_root_of_configuration_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a/.marker-of-a-test").mkdir(parents=True)
    (tmp_path / "a/.git").mkdir()
    for markers in ([".git", ".marker-of-a-test"], [".marker-of-a-test", ".git"]):
        assert nearest_configured(str(tmp_path / "a"), markers) == str(tmp_path / "a")
    assert nearest_configured(str(tmp_path / "a"), []) is None
    assert nearest_configured("/", [".no-such-marker-anywhere"]) is None


# --- claimed_main_root


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("gitdir: /m/.git/worktrees/x\n", "/m"),
        ("gitdir: /m/.bare/worktrees/x", "/m"),
        ("gitdir: ../m/.git/worktrees/x\n", "{}/m"),
        ("gitdir: /m/.git/modules/x\n", None),
        ("gitdir: worktrees\n", None),
        ("gitdir: /m/.git/worktrees/x\n\0", None),
        ("/m/.git/worktrees/x\n", None),
        ("", None),
    ],
)
def test_where_a_git_file_claims_the_main_worktree_to_be(
    tmp_path: Path, text: str, claimed: str | None
) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p/.git").write_text(text)
    with Root.open(str(tmp_path / "p"), Owners.of_process()) as root:
        assert claimed_main_root(root) == (claimed and claimed.format(tmp_path))


# --- pointers


@pytest.mark.parametrize(
    ("lines", "read"),
    [
        (("f = 1234",), b"1234"),
        (("f = 12345",), None),
        (("f = ",), b""),
        (("f/",), None),
        (("g = x", "f => g"), None),
        (("f !fifo",), None),
        ((), None),
    ],
)
def test_a_pointer_is_a_regular_file_of_bounded_size(
    lines: tuple[str, ...], read: bytes | None, tmp_path: Path
) -> None:
    tree = Tree(tmp_path, lines)
    before = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    with Root.open(str(tree.root), Owners.of_process()) as root:
        pointer = read_pointer(root.descriptor, b"f", 4)
    assert (pointer and pointer.data) == read
    if pointer is not None:
        assert os.path.samestat(pointer.status, os.stat(tree.root / "f"))
    assert (os.listdir("/proc/self/fd") if before else []) == before


def test_a_pointer_that_comes_in_parts_is_whole(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["f = 12345678"])

    class Slow(FailingOs):
        def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any, **options: Any) -> Any:
                if name == "read":
                    return os.read(arguments[0], min(3, arguments[1]))
                return real(*arguments, **options)

            return call

    with Root.open(str(tree.root), Owners.of_process()) as root, pytest.MonkeyPatch.context() as patch:
        give(patch, Slow())
        pointer = read_pointer(root.descriptor, b"f", 8)
        assert pointer is not None
        assert pointer.data == b"12345678"
        assert read_pointer(root.descriptor, b"f", 7) is None


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        ((), ()),
        ((".git/",), ()),
        ((".git = nonsense", "nonsense/"), ()),
        ((".git = gitdir: g" + "\\n" * 9000, "g/"), ()),
        ((".git = gitdir: g\n", "g/"), ("g",)),
        ((".git = gitdir: ./d/../g/\n", "g/"), ("g",)),
        ((".git = gitdir: $ROOT/g\n", "g/"), ("g",)),
        ((".git = gitdir: g\n",), ()),
        ((".git = gitdir: g\n", "g = file"), ()),
        ((".git = gitdir: .\n",), ()),
        ((".git = gitdir: ../OUT\n",), ()),
        ((".git = gitdir: $OUT\n",), ()),
        ((".git = gitdir: $ROOT-beside\n", "PARENT/ROOT-beside/"), ()),
        ((".git => g", "g/"), ("g",)),
        ((".git => a/b", "a/b/"), ("a/b",)),
        ((".git => a/b", "c/b/", "a => c"), ()),
        ((".git => ../OUT",), ()),
        ((".git = gitdir: c/worktrees/w\n", "c/worktrees/w/"), ("c/worktrees/w", "c")),
        ((".git = gitdir: worktrees/w\n", "worktrees/w/"), ("worktrees/w",)),
        ((".git = gitdir: c/modules/w\n", "c/modules/w/"), ("c/modules/w",)),
        ((".git = gitdir: c/worktrees/w\n", "c/worktrees/"), ("c",)),
        ((".git = gitdir: worktrees/x/w\n", "worktrees/x/w/"), ("worktrees/x/w",)),
        ((".git = gitdir: \\x00\n", "g/"), ()),
    ],
)
def test_the_directories_that_a_pointer_names_beneath_its_root(
    lines: tuple[str, ...], names: tuple[str, ...], tmp_path: Path
) -> None:
    tree = Tree(tmp_path, lines)
    statuses = [os.stat(tree.root / name) for name in names]
    before = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    with Root.open(str(tree.root), Owners.of_process()) as root:
        found = git_directories_beneath(root)
    assert found == {(status.st_dev, status.st_ino) for status in statuses}
    assert (os.listdir("/proc/self/fd") if before else []) == before


@pytest.mark.parametrize(("name", "path"), [("dX", None), ("dX", "/")])
def test_an_absolute_pointer_is_told_from_the_root_s_own_path(
    name: str, path: str | None, tmp_path: Path
) -> None:
    tree = Tree(tmp_path, [f"{name}/g/"])
    with Root.open(str(tree.root / name), Owners.of_process()) as root:
        if path is not None:
            root.path = path  # as if it were the top of the disk
        tree.add(f"{name}/.git = gitdir: {root.path.rstrip('/')}/g")
        status = os.stat(tree.root / name / "g")
        assert git_directories_beneath(root) == {(status.st_dev, status.st_ino)}


@pytest.mark.parametrize("lines", [(), (".git/",), (".git => x", "x = gitdir: /m/.git/worktrees/x")])
def test_without_a_git_file_nothing_is_claimed(lines: tuple[str, ...], tmp_path: Path) -> None:
    tree = Tree(tmp_path, lines)
    with Root.open(str(tree.root), Owners.of_process()) as root:
        assert claimed_main_root(root) is None


# --- read_git_file


def test_from_a_directory_from_a_link_to_one_and_from_a_file_that_names_one(tmp_path: Path) -> None:
    for name in ("plain", "linked", "pointing", "relative"):
        (tmp_path / name).mkdir()
    (tmp_path / "plain/.git").mkdir()
    (tmp_path / "plain/.git/index").write_bytes(b"DIRC")
    (tmp_path / "linked/.git").symlink_to("../plain/.git")
    (tmp_path / "pointing/.git").write_text(f"gitdir: {tmp_path}/plain/.git\n")
    (tmp_path / "relative/.git").write_text("gitdir: ../plain/.git\n")
    for name in ("plain", "linked", "pointing", "relative"):
        assert read_index(tmp_path / name) == b"DIRC", name


def test_a_repository_without_an_index_has_none(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert read_index(tmp_path) is None


def test_what_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path) == "missing"
    (tmp_path / ".git").write_text("nonsense\n")
    assert refusal(tmp_path) == "unreadable"
    (tmp_path / ".git").write_text("gitdir: nowhere\n")
    assert refusal(tmp_path) == "missing"
    (tmp_path / ".git").unlink()
    (tmp_path / ".git").mkdir()
    index = tmp_path / ".git/index"
    os.mkfifo(index)
    assert refusal(tmp_path) == "not-regular"
    index.unlink()
    index.symlink_to("/etc/passwd")
    assert refusal(tmp_path) in ("symlink-loop", "unreadable", "not-regular")
    index.unlink()
    index.write_bytes(b"x" * 101)
    assert refusal(tmp_path, limit=100) == "too-long"
    assert read_index(tmp_path, limit=101) == b"x" * 101
    index.unlink()
    index.mkdir()
    assert refusal(tmp_path) == "not-regular"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to give files away")
def test_an_index_or_a_pointer_of_another_owner_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p/.git").mkdir(parents=True)
    (tmp_path / "p/.git/index").write_bytes(b"DIRC")
    os.chown(tmp_path / "p/.git/index", 12345, -1)
    assert refusal(tmp_path / "p") == "foreign-owner"
    (tmp_path / "q").mkdir()
    (tmp_path / "q/.git").write_text(f"gitdir: {tmp_path}/p/.git\n")
    os.chown(tmp_path / "q/.git", 12345, -1)
    assert refusal(tmp_path / "q") == "foreign-owner"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((), "missing .git"),
        ((".git = nonsense",), "unreadable .git"),
        ((".git = gitdir: nowhere\n",), "missing .git"),
        ((".git => .git",), "unreadable .git"),
        ((".git/", ".git/index !fifo"), "not-regular index"),
        ((".git/index/",), "not-regular index"),
        ((".git/index => x",), "unreadable index"),
        ((".git/index = 12345678901",), "too-long index"),
        ((".git/index = 1234567890",), ""),
        pytest.param((".git = gitdir: x\n", "!owner .git 12345"), "foreign-owner .git", marks=needs_root),
        pytest.param((".git/index", "!owner .git/index 12345"), "foreign-owner index", marks=needs_root),
    ],
)
def test_a_file_of_git_s_that_is_not_read_is_named(
    lines: tuple[str, ...], expected: str, tmp_path: Path
) -> None:
    tree = Tree(tmp_path, lines)
    said = ""
    try:
        read_index(tree.root, 10)
    except Refusal as refused:
        said = f"{refused.code} {refused.where}"
    assert said == expected


@pytest.mark.parametrize(
    ("lines", "is_one"),
    [
        ((), False),
        ((".git/",), False),
        ((".git/HEAD",), False),
        ((".git/HEAD", ".git/objects/"), False),
        ((".git/objects/", ".git/refs/"), False),
        ((".git/HEAD", ".git/objects/", ".git/refs/"), True),
        (("m/HEAD", "m/objects/", "m/refs/", ".git => m"), True),
        (("m/HEAD", "m/objects/", "m/refs/", ".git = gitdir: m\n"), True),
        ((".git = nonsense",), False),
    ],
)
def test_a_repository_has_what_git_asks_of_one(
    lines: tuple[str, ...], tmp_path: Path, *, is_one: bool
) -> None:
    tree = Tree(tmp_path, lines)
    before = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    with Root.open(str(tree.root), Owners.of_process()) as root:
        assert is_repository(root) == is_one
    assert (os.listdir("/proc/self/fd") if before else []) == before


def test_a_directory_that_goes_up_behind_a_link_is_where_the_link_leads(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["r/.git/HEAD", "far/deep/", "r/x => ../far/deep", "r/d/"])
    owners = Owners.of_process()
    found = find_linkage(str(tree.root / "r/x/.."), owners, home=None, codex_home=None)
    assert (found.status, found.worktree_root) == ("none", None)
    found = find_linkage(str(tree.root / "r/d/../x/.."), owners, home=None, codex_home=None)
    assert (found.status, found.worktree_root) == ("none", None)
    found = find_linkage(str(tree.root / "r/d/.."), owners, home=None, codex_home=None)
    assert found.worktree_root == os.path.realpath(tree.root / "r")


def test_a_git_entry_that_cannot_be_looked_at_is_unverified(tmp_path: Path) -> None:
    tree = Tree(tmp_path, [".git = gitdir: x\n"])
    counting = FailingOs()
    with pytest.MonkeyPatch.context() as patch:
        give(patch, counting)
        find_linkage(str(tree.root), Owners.of_process(), home=None, codex_home=None)
        number = counting.asked.index(("stat", b".git"))
        give(patch, FailingOs(fail_at=number))
        found = find_linkage(str(tree.root), Owners.of_process(), home=None, codex_home=None)
    assert (found.status, found.detail) == ("unverified", "gitfile")
    assert found.worktree_root == os.path.realpath(tree.root)


@pytest.mark.parametrize("name", ["r", "r ", "rX", "r\n"])
def test_a_repository_is_found_whatever_its_name_ends_with(name: str, tmp_path: Path) -> None:
    (tmp_path / name / ".git/objects").mkdir(parents=True)
    (tmp_path / name / ".git/HEAD").touch()
    (tmp_path / name / "d").mkdir()
    for start in (tmp_path / name, tmp_path / name / "d"):
        found = find_linkage(str(start), Owners.of_process(), home=None, codex_home=None)
        assert (found.status, found.worktree_root) == ("none", os.path.realpath(tmp_path / name))
        assert nearest_holding(str(start), [".git"]) == str(tmp_path / name)
        assert nearest_configured(str(start), [".git"]) == str(tmp_path / name)


@pytest.mark.parametrize(
    ("directory", "upwards"),
    [
        ("/a/b", ["/a/b", "/a", "/"]),
        ("/a//./b/", ["/a/b", "/a", "/"]),
        ("/", ["/"]),
        ("/no-such-directory/x/..", ["/no-such-directory", "/"]),
        ("a/b", []),
        ("", []),
        ("/a\0", []),
        ("/a\0/..", []),
        ("/\ud800/..", []),
        ("/" + "a" * (MAX_NAME_BYTES - 1), ["/" + "a" * (MAX_NAME_BYTES - 1), "/"]),
        ("/" + "a" * MAX_NAME_BYTES, []),
    ],
)
def test_git_s_metadata_is_looked_for_upwards_from_a_name_that_can_be(
    directory: str, upwards: list[str]
) -> None:
    assert linkage._upwards(directory) == upwards


def test_a_name_as_long_as_the_kernel_takes_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / ".marker-of-a-test").touch()
    start = str(tmp_path)
    start += "/a" * ((MAX_NAME_BYTES - len(start)) // 2)
    start += "b" * (MAX_NAME_BYTES - len(start))
    assert len(start) == MAX_NAME_BYTES
    assert nearest_holding(start, [".marker-of-a-test"]) == str(tmp_path)
    assert nearest_holding(start + "b", [".marker-of-a-test"]) is None


def test_an_index_that_is_read_in_parts_is_whole_and_bounded(tmp_path: Path) -> None:
    data = bytes(range(256)) * (CHUNK_BYTES // 256) + b"more"
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/index").write_bytes(data)
    assert read_index(tmp_path, limit=len(data)) == data
    assert refusal(tmp_path, limit=len(data) - 1) == "too-long"


def test_the_search_for_configuration_ends_at_the_top(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def found(path: str, _names: object) -> str | None:
        asked.append(path)
        return path if len(asked) < 9 else None

    monkeypatch.setattr(repository, "nearest_holding", found)
    assert nearest_configured("/no-such-directory", [".no-such-marker-anywhere"]) is None
    assert asked == ["/no-such-directory", "/"]
