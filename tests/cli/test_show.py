"""`refseal show`: the block byte for byte, a tree for people, JSON for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from refseal.cli.commands import commands
from refseal.codex.hook import answer
from tests.cli.schemas import validate

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    for directory in ("project/.git", "project/docs", "home/.codex"):
        (tmp_path / directory).mkdir(parents=True)
    (root / "AGENTS.md").write_text("# Rules\nSee @docs/a.md and @/etc/passwd\n")
    (root / "AGENTS.local.md").write_text("Mine: @docs/b.md\n")
    (root / "docs/a.md").write_text("A, and back to @../AGENTS.local.md\n")
    (root / "docs/b.md").write_text("B \x1b[31m\n")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    return root


def show(*arguments: str) -> Result:
    return CliRunner().invoke(commands, ["show", *arguments])


def test_the_block_is_what_the_hook_injects_byte_for_byte(project: Path, tmp_path: Path) -> None:
    payload = {"hook_event_name": "SessionStart", "source": "startup", "cwd": str(project)}
    said = json.loads(answer(json.dumps(payload).encode(), {"HOME": str(tmp_path / "home")}))
    assert show(str(project)).stdout == said["hookSpecificOutput"]["additionalContext"]


def test_the_tree_says_who_pulls_in_what_and_what_was_left_out(project: Path) -> None:
    lines = show(str(project), "--format", "tree").stdout.splitlines()
    assert any("── AGENTS.md  native" in line for line in lines)
    assert any("── docs/a.md  referenced" in line for line in lines)
    assert any("2:20 @/etc/passwd  blocked: absolute" in line for line in lines)


def test_json_carries_every_verdict(project: Path) -> None:
    answer = json.loads(show(str(project), "--format", "json").stdout)
    assert answer["schema"] == "refseal.show/1"
    validate("show-1", answer)
    assert answer["native"] == [f"{project}/AGENTS.md"]
    assert [document["section"] for document in answer["documents"]] == [
        "overlay",
        "referenced",
        "referenced",
    ]
    assert {reference["reason"] for reference in answer["references"]} == {
        "included",
        "absolute",
        "duplicate",
    }
    assert 0 < answer["tokens"] <= answer["limit"]


@pytest.mark.parametrize("form", ["block", "tree", "json"])
def test_nothing_that_a_terminal_would_obey_is_printed(project: Path, form: str) -> None:
    assert "\x1b" not in show(str(project), "--format", form).output


def test_a_directory_with_nothing_for_us_prints_nothing_and_says_so(project: Path) -> None:
    (project / "AGENTS.md").unlink()
    (project / "AGENTS.local.md").unlink()
    result = show(str(project))
    assert (result.exit_code, result.stdout) == (0, "")
    assert "nothing to inject" in result.stderr


def test_a_bad_setting_is_reported(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFSEAL_MAX_DEPTH", "many")
    assert "REFSEAL_MAX_DEPTH" in show(str(project)).stderr


def test_a_directory_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    assert show(str(tmp_path / "nowhere")).exit_code == 2


def test_json_of_nothing_and_of_hostile_names_follows_the_schema(project: Path) -> None:
    (project / "AGENTS.local.md").write_text("@docs/x\x1b[2J.md @gone\u202e.md @docs/a.md\n")
    (project / "docs/x").write_text("x")
    validate("show-1", json.loads(show(str(project), "--format", "json").stdout))
    (project / "AGENTS.local.md").unlink()
    (project / "AGENTS.md").unlink()
    nothing = json.loads(show(str(project), "--format", "json").stdout)
    validate("show-1", nothing)
    assert nothing["block"] is None


def test_tree_names_sizes_chains_and_what_each_reason_means(project: Path) -> None:
    (project / "docs/b.md").write_text("B @c.md\n")
    (project / "docs/c.md").write_text("C @d.md @../docs/\n")
    (project / "docs/d.md").write_text("D\n" * 20)
    lines = show(str(project), "--format", "tree").stdout.splitlines()
    assert lines[0].startswith(f"{project}  ")
    assert "│       └── docs/c.md  referenced, 5 tokens" in lines
    assert "│           ├── docs/d.md  referenced, 10 tokens" in lines
    assert "│           └── 1:9 @../docs/  skipped: directory" in lines
    assert "directory  It is a directory; refer to a file in it." in lines


def test_tree_of_a_hundred_levels(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFSEAL_MAX_DEPTH", "100")
    monkeypatch.setenv("REFSEAL_MAX_FILES", "1000")
    (project / "AGENTS.local.md").write_text("@docs/n0.md\n")
    for number in range(101):
        (project / f"docs/n{number}.md").write_text(f"@n{number + 1}.md\n")
    lines = show(str(project), "--format", "tree").stdout.splitlines()
    assert any("└── docs/n99.md" in line for line in lines)
    assert any("@n100.md  skipped: depth" in line for line in lines)


def test_tree_escapes_names(project: Path) -> None:
    hostile = project.parent / "a\x1b[2J\u202eb\n"
    project.rename(hostile)
    (hostile / "docs/x\x1b[31m.md").write_text("x\n")
    (hostile / "AGENTS.local.md").write_text("@docs/x\x1b[31m.md @../../\u2066etc.md\n")
    shown = show(str(hostile), "--format", "tree").output
    assert "a\\u{1B}[2J\\u{202E}b\\u{A}" in shown
    assert "\\u{2066}" in shown
    for char in "\x1b\u202e\u2066":
        assert char not in shown


def test_tree_of_a_linked_worktree_that_does_not_verify(project: Path) -> None:
    (project / ".git").rmdir()
    (project / ".git").write_text("gitdir: /nowhere/.git/worktrees/x\n")
    lines = show(str(project), "--format", "tree").stdout.splitlines()
    assert "worktree  unverified (missing)" in lines
    assert any("git worktree repair" in line for line in lines)
