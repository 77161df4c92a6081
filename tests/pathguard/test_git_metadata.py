"""What belongs to git: by name, by what a directory holds, and by what ``.git`` points to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from refseal.pathguard import Owners, Place, Reach, Refusal, Root, read
from refseal.pathguard.git_metadata import may_be_git_entry
from refseal.pathguard.policy import refuse_by_name
from tests.pathguard.stand_in import FailingOs, give
from tests.trees.layout import Tree

if TYPE_CHECKING:
    from pathlib import Path

NOT_GIT = (
    *(".gitignore", ".gitattributes", ".gitmodules", ".github/a.md", ".gitlab-ci.yml", "git.md", "git/a.md"),
    *(
        "docs/git/x.md",
        "digit~1",
        "git~x",
        ".git2/a.md",
        ".gitea/a.md",
        "x.git",
        ".bare",
        "a.git.md",
        "my.github/a",
    ),
    *(
        ".git-blame-ignore-revs",
        "hooks/a.md",
        "config",
        "HEAD",
        "objects/a.md",
        "info/a.md",
        "legit",
        "..git",
        ". git",
    ),
)


@pytest.mark.parametrize(
    "name",
    [
        *(".git", ".GIT", ".Git.", ".git ", ".git . .", ".git:x", ".git::$INDEX_ALLOCATION", ".g\u200cit"),
        *("git~1", "GIT~1", "git~12", "git~1.", "git~1:x", "a\\.git", ".git\\config", "a\\git~1\\b"),
    ],
)
def test_git_s_directory_is_known_by_each_of_its_names(name: str) -> None:
    for path in ([name], ["a", name], [name, "x.md"]):
        refusal = refuse_by_name(path, "r")
        assert refusal is not None
        assert f"{refusal.code} {refusal.where}" == f"git-metadata {name}"


@pytest.mark.parametrize(
    ("name", "may_be"),
    [
        *[(name, True) for name in ("HEAD", "config", "Config.Lock", "config~", "config.bak", "index.old")],
        *[
            (name, True)
            for name in ("packed-refs", "packed-refs.orig", "config.worktree", "HEAD.lock~", "refs~~")
        ],
        *[
            (name, False)
            for name in ("heads", "config.md", "a.config", "lock", ".lock", "~", "config.lock.x")
        ],
        *[(name, False) for name in ("config.x.lock", "README.md~", "")],
    ],
)
def test_what_git_keeps_is_known_by_its_name_or_a_copy_s(name: str, *, may_be: bool) -> None:
    assert may_be_git_entry(name) == may_be


@pytest.mark.parametrize("path", NOT_GIT)
def test_ordinary_names_are_not_taken_for_git_s(path: str) -> None:
    assert refuse_by_name(path.split("/"), "r") is None


def code(tree: Tree, token: str, root: str = "") -> str:
    with Root.open(str(tree.root / root), Owners.of_process()) as held:
        try:
            return "/".join(read(token, Place(held), Reach((held,)), 100).components)
        except Refusal as refusal:
            return refusal.code


BARE = ("x/HEAD", "x/objects/", "x/refs/", "x/config", "x/hooks/a.md", "x/notes.md")


@pytest.mark.parametrize(
    "token",
    [
        "x/config",
        "x/HEAD",
        "x/hooks/a.md",
        "l/config",
        "l/hooks/../config",
        "x/CONFIG",
        "x/config~",
        "x/index.lock",
    ],
)
def test_a_bare_repository_is_git_s_under_any_name(token: str, tmp_path: Path) -> None:
    tree = Tree(tmp_path, [*BARE, "l => x"])
    assert code(tree, token) == "git-metadata"
    assert code(tree, "x/notes.md") == "x/notes.md"


@pytest.mark.parametrize("token", ["config", "HEAD", "hooks/a.md", "./config"])
def test_a_root_that_is_a_bare_repository_holds_git_s_files_too(token: str, tmp_path: Path) -> None:
    assert code(Tree(tmp_path, BARE), token, "x") == "git-metadata"


@pytest.mark.parametrize(
    "lines",
    [
        ("x/HEAD", "x/commondir"),
        ("x/HEAD => refs/heads/unborn", "x/objects/", "x/refs/"),
        ("x/HEAD => nowhere", "x/commondir => nowhere"),
    ],
)
def test_a_worktree_s_directory_and_an_unborn_branch_are_git_s(
    lines: tuple[str, ...], tmp_path: Path
) -> None:
    assert code(Tree(tmp_path, [*lines, "x/config"]), "x/config") == "git-metadata"


def test_a_directory_that_only_sounds_like_one_is_ordinary(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["x/HEAD", "x/config", "x/hooks/a.md", "x/objects/"])
    assert [code(tree, token) for token in ("x/config", "x/hooks/a.md")] == ["x/config", "x/hooks/a.md"]


@pytest.mark.parametrize(
    "pointer",
    [".git = gitdir: meta\\n", ".git = gitdir: ./meta/\\n", ".git = gitdir: $ROOT/meta\\n", ".git => meta"],
)
@pytest.mark.parametrize("token", ["meta/config", "meta/x.md", "l/x.md", "a/../meta/x.md"])
def test_what_the_git_file_of_a_root_points_to_is_git_s(pointer: str, token: str, tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["meta/config", "meta/x.md", "l => meta", "a/b.md", pointer])
    assert code(tree, token) == "git-metadata"
    assert code(tree, "a/b.md") == "a/b.md"


def test_the_common_directory_of_a_worktree_in_its_own_root_is_git_s(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["meta/worktrees/w/HEAD", "meta/x.md", ".git = gitdir: meta/worktrees/w"])
    assert code(tree, "meta/x.md") == "git-metadata"


@pytest.mark.parametrize(
    "pointer", [".git = gitdir: ..\\n", ".git = gitdir: .\\n", ".git => ..", ".git = gitdir: /\\n"]
)
def test_a_git_file_that_points_at_the_root_or_above_does_not_close_the_root(
    pointer: str, tmp_path: Path
) -> None:
    assert code(Tree(tmp_path, ["a/b.md", pointer]), "a/b.md") == "a/b.md"


@pytest.mark.parametrize(
    "pointer",
    [".git = gitdir: out/x\\n", ".git => out/x", ".git = gitdir: out/worktrees/w\\n", ".git => up/a"],
)
def test_where_a_git_file_points_is_looked_up_name_by_name_and_through_no_link(
    pointer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link there could lead to a server that does not answer, or wake an automount."""
    lines = ["a/b.md", "out => ../OUT", "up => ..", "OUT/x/", "OUT/worktrees/w/", pointer]
    tree = Tree(tmp_path, lines)
    counting = FailingOs()
    with Root.open(str(tree.root), Owners.of_process()) as root:
        give(monkeypatch, counting)
        assert root.git_directories() == frozenset()
        assert read("a/b.md", Place(root), Reach((root,)), 100).components == ("a", "b.md")
    names = [name for call, name in counting.asked if call in {"open", "stat"}]
    assert names
    assert [name for name in names if b"/" in name or name == b".."] == []


@pytest.mark.parametrize("path", ["r.git/config", "r.git/notes.md", ".bare/config", "x/R.git/a"])
def test_a_directory_that_says_it_is_a_repository_is_believed(path: str, tmp_path: Path) -> None:
    assert code(Tree(tmp_path, [path]), path) == "git-metadata"
