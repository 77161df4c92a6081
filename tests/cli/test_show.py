"""`refseal show`: the block byte for byte, a tree for people, JSON for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from refseal.cli.commands import commands
from refseal.codex.hook import answer

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
