"""RS309 to RS312: what a session would be."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from refseal.audit.rules import nested_root, unsafe_root, unverified_worktree
from refseal.audit.subjects import Session
from tests.audit.rules.running import audit, codes, of, plant

if TYPE_CHECKING:
    from pathlib import Path

LINE = "x" * 99 + "\n"


def test_cut_is_reported_at_the_first_line_that_is_lost(tmp_path: Path) -> None:
    (found,) = audit(tmp_path, {".git/HEAD": "x", "AGENTS.md": LINE * 400})
    assert (found.rule.code, found.path, found.line) == ("RS309", "AGENTS.md", 328)


def test_files_above_count_too(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        ".git/HEAD": "x",
        "AGENTS.md": LINE * 300,
        "a/AGENTS.md": LINE * 50,
        "b/AGENTS.md": "x\n",
    }
    (found,) = audit(tmp_path, files)
    assert (found.rule.code, found.path, found.line) == ("RS309", "a/AGENTS.md", 28)


def test_files_within_the_budget_are_silent(tmp_path: Path) -> None:
    assert audit(tmp_path, {".git/HEAD": "x", "AGENTS.md": LINE * 200, "a/AGENTS.md": LINE * 100}) == []


@pytest.mark.parametrize("nested", ["sub/.git/", "sub/.git", "sub/deep/.git/"])
def test_empty_nested_git_fires(tmp_path: Path, nested: str) -> None:
    found = audit(tmp_path, {".git/HEAD": "x", "AGENTS.md": "x\n", "sub/AGENTS.md": "x\n", nested: ""})
    assert [(one.rule.code, one.path) for one in found if one.rule.code == "RS311"] == [
        ("RS311", nested.rstrip("/"))
    ]


@pytest.mark.parametrize("content", ["gitdir: /nowhere\n", "gitdir: ../.git\n", "junk"])
def test_forged_nested_git_fires(tmp_path: Path, content: str) -> None:
    found = audit(tmp_path, {".git/HEAD": "x", "AGENTS.md": "x\n", "sub/.git": content})
    assert codes(found) == ["RS311"]


def test_repository_within_a_repository_and_a_submodule_are_silent(tmp_path: Path) -> None:
    for name in ("outer", "outer/vendored", "other"):
        subprocess.run(["git", "init", "-q", str(tmp_path / name)], check=True)
    plant(tmp_path / "other", {"AGENTS.md": "x\n"})
    run = ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-c", "protocol.file.allow=always"]
    subprocess.run([*run, "-C", str(tmp_path / "other"), "add", "."], check=True)
    subprocess.run([*run, "-C", str(tmp_path / "other"), "commit", "-qm", "x"], check=True)
    add = ["submodule", "--quiet", "add", str(tmp_path / "other"), "sub"]
    subprocess.run([*run, "-C", str(tmp_path / "outer"), *add], check=True, capture_output=True)
    assert audit(tmp_path / "outer", {"AGENTS.md": "x\n", "vendored/AGENTS.md": "x\n"}) == []


def test_worktree_that_proves_itself_is_silent_and_a_copy_is_not(tmp_path: Path) -> None:
    main, linked = tmp_path / "main", tmp_path / "linked"
    subprocess.run(["git", "init", "-q", str(main)], check=True)
    plant(main, {"AGENTS.md": "x\n"})
    run = ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-C", str(main)]
    subprocess.run([*run, "add", "."], check=True)
    subprocess.run([*run, "commit", "-qm", "x"], check=True)
    subprocess.run([*run, "worktree", "add", "-q", str(linked)], check=True, capture_output=True)
    assert audit(linked) == []
    copy = tmp_path / "copy"
    copy.mkdir()
    plant(copy, {"AGENTS.md": "x\n", ".git": (linked / ".git").read_bytes()})
    (found,) = of(audit(copy), "RS310")
    assert found.path == ".git"
    assert "git worktree repair" in found.rule.advice


def test_statuses_that_are_no_worktree_are_silent() -> None:
    for status in ("none", "linked", "submodule", "bare", "separate-git-dir"):
        assert list(unverified_worktree.check(Session(worktree_status=status))) == []
    for status in ("unverified", "foreign-owner", "unsafe-root"):
        assert list(unverified_worktree.check(Session(worktree_status=status)))


def test_root_that_everybody_may_write_fires(tmp_path: Path) -> None:
    root = tmp_path / "open"
    plant(root, {".git/HEAD": "x", "AGENTS.md": "x\n", "sub/AGENTS.md": "x\n"})
    root.chmod(0o777)
    assert codes(audit(root)) == ["RS312"]
    root.chmod(0o1777)
    assert codes(audit(root)) == ["RS312"]
    root.chmod(0o755)
    assert audit(root) == []


def test_home_directory_as_a_root_fires(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {".git/HEAD": "x", "project/AGENTS.md": "x\n"}
    found = audit(tmp_path, files, home=str(tmp_path))
    assert codes(found) == ["RS312"]
    assert audit(tmp_path, home="/somewhere/else") == []


def test_subjects_that_are_safe_are_silent() -> None:
    assert list(unsafe_root.check(Session())) == []
    assert list(nested_root.check(Session(is_nested=True))) == []
    assert list(nested_root.check(Session(git_is_bogus=True))) == []
