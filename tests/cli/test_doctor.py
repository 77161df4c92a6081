"""`refseal doctor` as people start it: exit status, JSON by its schema, hostile names."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from refseal.cli.commands import commands
from tests.cli.schemas import validate
from tests.doctor.test_checks import User

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def user(tmp_path: Path) -> User:
    return User(tmp_path)


def doctor(user: User, *arguments: str) -> Result:
    strange = dict.fromkeys((name for name in os.environ if name not in user.environ), None)
    return CliRunner(env={**strange, **user.environ}).invoke(commands, ["doctor", *arguments])


def test_all_is_well(user: User) -> None:
    result = doctor(user, str(user.project))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.endswith("\nNo problems.\n")


def test_something_is_wrong(user: User) -> None:
    user.configure("")
    result = doctor(user, str(user.project))
    assert result.exit_code == 1
    assert "problem  plugin" in result.stdout
    assert "next: codex plugin marketplace add" in result.stdout
    assert result.stdout.endswith("\n1 problem.\n")


@pytest.mark.parametrize("broken", [False, True])
def test_json_follows_its_schema(user: User, *, broken: bool) -> None:
    if broken:
        user.environ |= {
            "REFSEAL_\x1b[2J\u202e": "1",
            "REFSEAL_EXTRA_ROOTS": "/a\x1b[31m",
            "PATH": "/nowhere",
        }
    result = doctor(user, "--format", "json", str(user.project))
    answer = json.loads(result.stdout)
    validate("doctor-1", answer)
    assert result.exit_code == (1 if broken else 0)
    assert answer["problems"] == sum(one["status"] == "problem" for one in answer["checks"])
    assert answer["codex"] == (None if broken else "0.171.0")


def test_directory_with_a_name_that_a_terminal_would_obey(user: User) -> None:
    hostile = user.base / "a\x1b[2J\u202eb\n"
    (hostile / ".git").mkdir(parents=True)
    (hostile / "AGENTS.local.md").write_text("x\n")
    shown = doctor(user, str(hostile)).stdout
    assert "a\\u{1B}[2J\\u{202E}b\\u{A}" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown


@pytest.mark.parametrize("arguments", [["/nowhere/at/all"], ["--format", "xml"], ["--nonsense"]])
def test_usage_errors(user: User, arguments: list[str]) -> None:
    assert doctor(user, *arguments).exit_code == 2
