"""Git's list of what is ignored: of which repository it is, what it says, and whose is written to."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from refseal.pathguard import Owners, Refusal, Root
from refseal.pathguard.exclude import MAX_BYTES, Exclude, Unverified, find_exclude
from tests.pathguard.stand_in import FailingOs, give
from tests.trees.layout import Tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OWNERS = Owners.of_process()
REPOSITORY = ("r/.git/HEAD", "r/.git/objects/", "r/.git/refs/", "r/d/")
LIST = "r/.git/info/exclude"
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="gives files away: needs root")


def found(tree: Tree, name: str = "r") -> Exclude | None:
    home, codex_home = str(tree.parent / "HOME"), str(tree.parent / "CODEX")
    with Root.open(str(tree.path(name)), OWNERS) as directory:
        return find_exclude(directory, OWNERS, home=home, codex_home=codex_home)


def said(tree: Tree, name: str = "r") -> str:
    """Say where the list is, beneath ROOT, or why there is none."""
    try:
        exclude = found(tree, name)
    except Refusal as refusal:
        return f"{refusal.code} {refusal.where.removeprefix(os.path.realpath(tree.root))}"
    except Unverified as why:
        status, detail = why.args
        same = (status, detail) == (why.linkage.status, why.linkage.detail)
        return f"unverified: {status} {detail or ''}" if same else "unverified: two answers"
    if exclude is None:
        return "none"
    with exclude:
        return exclude.path.removeprefix(os.path.realpath(tree.root) + "/")


@pytest.mark.parametrize(
    ("lines", "name", "expected"),
    [
        ((), "r", LIST),
        ((), "r/d", LIST),
        ((), "OUT", "none"),
        (("!git-worktree main wt", "wt/d/"), "wt/d", "main/.git/info/exclude"),
        (("link => r",), "link/d", LIST),
        (("s /.git/HEAD", "s /.git/objects/", "s /.git/refs/"), "s ", "s /.git/info/exclude"),
        (("sX/.git/HEAD", "sX/.git/objects/", "sX/.git/refs/"), "sX", "sX/.git/info/exclude"),
        # Git's own directories, whatever a disk takes their names for
        ((), "r/.git", "git-metadata /r/.git"),
        ((), "r/.git/objects", "git-metadata /r/.git/objects"),
        (("x/.GIT/d/",), "x/.GIT/d", "git-metadata /x/.GIT/d"),
        (("b/HEAD", "b/objects/", "b/refs/"), "b", "git-metadata /b"),
        # Repositories that are not written to
        (("h/.git/",), "h", "unverified: none "),
        (("h/.git/objects/", "h/.git/refs/"), "h", "unverified: none "),
        (("g/.git = gitdir: ../r/.git\n",), "g", "unverified: unverified layout"),
        (("g/.git = nonsense",), "g", "unverified: unverified gitfile"),
        (("g/.git => ../r/.git",), "g", "unverified: unverified gitfile"),
        (("!git-submodule super lib",), "super/lib", "unverified: submodule "),
        (("!git-worktree HOME/ wt",), "wt", "unverified: unsafe-root "),
        (("!git-worktree PARENT/ wt",), "wt", "unverified: unsafe-root "),
        # What stands in the way of the list
        (("r/.git/info = text",), "r", "not-a-directory .git/info"),
        (("r/.git/info => objects",), "r", "not-a-directory .git/info"),
        ((f"{LIST} => ../HEAD",), "r", "not-regular .git/info/exclude"),
        ((f"{LIST} => nowhere",), "r", "not-regular .git/info/exclude"),
        ((f"{LIST}/",), "r", "directory .git/info/exclude"),
        (("r/.git/info/", f"{LIST} !fifo"), "r", "not-regular .git/info/exclude"),
        (("r/.git/info/", f"{LIST} !sparse {MAX_BYTES + 1}"), "r", "too-long .git/info/exclude"),
        (("r/.git/info/", f"{LIST} !sparse {MAX_BYTES}"), "r", LIST),
    ],
)
def test_each_directory_has_the_list_of_its_repository_or_a_reason(
    lines: tuple[str, ...], name: str, expected: str, tmp_path: Path
) -> None:
    assert said(Tree(tmp_path, [*REPOSITORY, *lines]), name) == expected


@needs_root
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("r/.git", "foreign-owner .git"),
        ("r/.git/info", "foreign-owner .git/info"),
        (LIST, "foreign-owner .git/info/exclude"),
    ],
)
def test_nothing_of_a_stranger_s_is_written_to(name: str, expected: str, tmp_path: Path) -> None:
    tree = Tree(tmp_path, [*REPOSITORY, f"{LIST} = x", f"!owner {name} 12345"])
    assert said(tree) == expected


def test_a_repository_that_is_replaced_after_it_was_judged_is_another(tmp_path: Path) -> None:
    tree = Tree(tmp_path, [*REPOSITORY, "!cp r/.git r/other"])

    class Replacing(FailingOs):
        def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any, **options: Any) -> Any:
                if name == "open" and arguments[0] == b".git" and (tree.root / "r/other").exists():
                    (tree.root / "r/.git").rename(tree.root / "r/gone")
                    (tree.root / "r/other").rename(tree.root / "r/.git")
                return real(*arguments, **options)

            return call

    with pytest.MonkeyPatch.context() as patch:
        give(patch, Replacing())
        assert said(tree) == "unverified: none "
    assert said(tree) == LIST


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    tree = Tree(tmp_path, [*REPOSITORY, f"{LIST} = x"])
    counting = FailingOs()
    wheres = {}
    with pytest.MonkeyPatch.context() as patch:
        give(patch, counting)
        said(tree)
        for number, (call, what) in enumerate(counting.asked):
            give(patch, FailingOs(fail_at=number))
            answer = said(tree)
            if call in {"open", "mkdir"} and what in {b"info", b"exclude", b".git"}:
                wheres[what] = answer
    assert wheres == {
        b".git": "unreadable .git",
        b"info": "unreadable .git/info",
        b"exclude": "unreadable .git/info/exclude",
    }


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", False),
        ("/a.md", True),
        ("x\n/a.md\ny\n", True),
        ("/a.md \r\n", True),
        ("/a.md  ", True),
        (" /a.md", False),
        ("/a.md\t", False),
        ("/a.mdx\n", False),
        ("/a.mdX\n", False),
        ("X/a.md\n", False),
        ("a.md\n", False),
        ("#/a.md\n", False),
        ("!/a.md\n", False),
        ("/a.md\n!/a.md\n", False),
        ("!/a.md\n/a.md\n", True),
        ("/a.md\n!/b.md\n", True),
    ],
)
def test_a_pattern_is_named_by_a_line_of_its_own_that_no_later_one_takes_back(
    text: str, tmp_path: Path, *, named: bool
) -> None:
    tree = Tree(tmp_path, [*REPOSITORY, f"{LIST} = x"])
    (tree.root / LIST).write_text(text, newline="")
    exclude = found(tree)
    assert exclude is not None
    with exclude:
        assert exclude.names("/a.md") == named


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "/ä.md\n"),
        ("", "/ä.md\n"),
        ("x", "x\n/ä.md\n"),
        ("x\n", "x\n/ä.md\n"),
        ("x\n\n", "x\n\n/ä.md\n"),
    ],
)
def test_a_line_more_is_a_line_of_its_own(before: str | None, after: str, tmp_path: Path) -> None:
    tree = Tree(tmp_path, REPOSITORY)
    if before is not None:
        tree.add(f"{LIST} = {before}")
        (tree.root / LIST).chmod(0o640)
    old = os.umask(0)
    try:
        exclude = found(tree)
        assert exclude is not None
        with exclude:
            exclude.draft_with("/ä.md").put_in_place_of()
    finally:
        os.umask(old)
    assert (tree.root / LIST).read_text(encoding="utf-8") == after
    assert (tree.root / LIST).stat().st_mode & 0o7777 == (0o644 if before is None else 0o640)
    assert (tree.root / "r/.git/info").stat().st_mode & 0o7777 == 0o755
    assert os.listdir(tree.root / "r/.git/info") == ["exclude"]


def test_a_list_that_was_given_back_holds_nothing_open(tmp_path: Path) -> None:
    tree = Tree(tmp_path, REPOSITORY)
    before = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    assert said(tree) == LIST
    assert said(tree, "r/.git") == "git-metadata /r/.git"
    assert (os.listdir("/proc/self/fd") if before else []) == before
