"""`refseal show --diff`: what a transcript's last block carried, beside what a session gets now."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from refseal.cli.commands import commands
from refseal.cli.difference import compare
from refseal.seal import withdrawal
from tests.cli.schemas import validate

if TYPE_CHECKING:
    from pathlib import Path


class Told:
    """A project, and a transcript that says what a session in it was told."""

    def __init__(self, base: Path) -> None:
        self.root = base / "project"
        self.transcript = base / "rollout.jsonl"
        for directory in (self.root / ".git", self.root / "docs", base / "home/.codex"):
            directory.mkdir(parents=True)
        self.write("AGENTS.local.md", "Mine: @docs/a.md @docs/b.md\n")
        self.write("docs/a.md", "one\ntwo\nthree\n")
        self.write("docs/b.md", "text\n")

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text)

    def tell(self, text: str | None = None) -> None:
        """Write the transcript of a session that was told this; by default, the block of now."""
        if text is None:
            text = show(str(self.root)).stdout
        content = [{"type": "input_text", "text": text}]
        kinds = {"content_item_kinds": ["hooks.additional_context"]}
        message = {
            "type": "message",
            "role": "developer",
            "content": content,
            "internal_chat_message_metadata_passthrough": kinds,
        }
        records = [
            {"type": "session_meta", "payload": {"cli_version": "0.171.0", "cwd": str(self.root)}},
            *([{"type": "response_item", "payload": message}] if text else []),
        ]
        self.transcript.write_text("".join(json.dumps(record) + "\n" for record in records))

    def diff(self, *options: str) -> Result:
        return show("--diff", str(self.transcript), *options, str(self.root))


def show(*arguments: str) -> Result:
    return CliRunner().invoke(commands, ["show", *arguments])


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Told:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("CODEX_HOME", "REFSEAL_CODEX_HOME", "REFSEAL_HOST_LIMIT"):
        monkeypatch.delenv(name, raising=False)
    return Told(tmp_path)


def test_nothing_has_changed(told: Told) -> None:
    told.tell()
    result = told.diff()
    assert result.exit_code == 0
    assert "3 documents unchanged." in result.stdout
    assert json.loads(told.diff("--format", "json").stdout)["same"] is True


def test_added_removed_and_changed(told: Told) -> None:
    told.tell()
    told.write("AGENTS.local.md", "Mine: @docs/a.md @docs/c.md\n")
    told.write("docs/a.md", "one\n2\nthree\n")
    told.write("docs/c.md", "new\n")
    result = told.diff()
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    root = told.root
    assert f"~ {root}/docs/a.md  referenced, 4 -> 3 tokens" in lines
    assert lines[lines.index("    -two") : lines.index("    -two") + 2] == ["    -two", "    +2"]
    assert f"+ {root}/docs/c.md  referenced, 1 token" in lines
    assert f"- {root}/docs/b.md  referenced, 2 tokens" in lines
    assert f"~ {root}/AGENTS.local.md  overlay, 7 -> 7 tokens" in lines
    answer = json.loads(told.diff("--format", "json").stdout)
    validate("difference-1", answer)
    assert answer["schema"] == "refseal.difference/1"
    assert {one["path"].rpartition("/")[2]: one["change"] for one in answer["documents"]} == {
        "AGENTS.local.md": "changed",
        "a.md": "changed",
        "c.md": "added",
        "b.md": "removed",
    }


def test_left_out_since(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    told.tell()
    monkeypatch.setenv("REFSEAL_MAX_FILES", "1")
    result = told.diff()
    assert result.exit_code == 1
    assert "left out now: file-count" in result.stdout
    told.tell()
    monkeypatch.delenv("REFSEAL_MAX_FILES")
    assert "left out before: file-count" in told.diff().stdout


@pytest.mark.parametrize("said", ["", withdrawal()])
def test_no_block_before(told: Told, said: str) -> None:
    told.tell(said)
    result = told.diff()
    assert result.exit_code == 1
    assert "before  no block" in result.stdout
    validate("difference-1", json.loads(told.diff("--format", "json").stdout))
    assert result.stdout.count("\n+ ") == 3


def test_no_block_now(told: Told) -> None:
    told.tell()
    (told.root / "AGENTS.local.md").unlink()
    result = told.diff()
    assert result.exit_code == 1
    assert "now     no block" in result.stdout
    assert result.stdout.count("\n- ") == 3


def test_block_of_another_version(told: Told) -> None:
    told.tell("<!-- refseal sha256:" + "0" * 64 + " -->\n\n\x1b[2J")
    result = told.diff()
    assert (result.exit_code, result.stdout) == (2, "")
    assert "another version of refseal, or forged" in result.stderr
    assert "\x1b" not in result.stderr


def test_nothing_that_a_terminal_would_obey(told: Told) -> None:
    told.write("AGENTS.local.md", "@docs/a\\ b.md\n")
    told.write("docs/a b.md", "before \x1b[31m \u202e\n")
    told.tell()
    told.write("docs/a b.md", "now \x1b[32m \u202e\n")
    for options in ((), ("--format", "json")):
        shown = told.diff(*options).output
        assert "[32m" in shown
        assert "\x1b" not in shown
        assert "\u202e" not in shown


def test_a_block_differs_from_itself_in_nothing(told: Told) -> None:
    block = show(str(told.root)).stdout
    difference = compare(block, block)
    assert [change.kind for change in difference.changes] == ["same"] * 3
    assert difference.is_none
