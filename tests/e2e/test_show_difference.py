"""`refseal show --diff` beside real transcripts: after a start, a resumption, a change, a withdrawal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from refseal.cli.commands import commands

if TYPE_CHECKING:
    from tests.e2e.codex_client import Codex
    from tests.e2e.project import Project


def difference(codex: Codex, thread: str, project: Project) -> tuple[int, dict[str, Any]]:
    """Give the exit status, and what the command prints as JSON."""
    arguments = ["show", "--diff", codex.transcript(thread), "--format", "json", project.root]
    invoked = CliRunner(env=codex.environment).invoke(commands, arguments, catch_exceptions=False)
    answer = json.loads(invoked.stdout)
    assert isinstance(answer, dict)
    return invoked.exit_code, answer


def changes(answer: dict[str, Any]) -> dict[str, str]:
    return {one["path"].rpartition("/")[2]: one["change"] for one in answer["documents"]}


def test_a_session_and_what_changed_since(codex: Codex, project: Project) -> None:
    project.write("AGENTS.md", "Native @docs/a.md\n")
    project.write("AGENTS.local.md", "Overlay\n")
    project.write("docs/a.md", "A\n")
    thread = codex.execute("hi", cwd=project.root)
    status, answer = difference(codex, thread, project)
    assert (status, answer["same"]) == (0, True)
    project.write("docs/a.md", "A\nB\n")
    project.write("AGENTS.local.md", "Overlay @docs/c.md\n")
    project.write("docs/c.md", "C\n")
    status, answer = difference(codex, thread, project)
    assert status == 1
    assert changes(answer) == {"AGENTS.local.md": "changed", "a.md": "changed", "c.md": "added"}
    codex.resume(thread, "again", cwd=project.root)
    assert difference(codex, thread, project)[0] == 0


def test_a_session_whose_block_was_withdrawn(codex: Codex, project: Project) -> None:
    project.write("AGENTS.local.md", "Overlay\n")
    thread = codex.execute("hi", cwd=project.root)
    project.remove("AGENTS.local.md")
    status, answer = difference(codex, thread, project)
    assert (status, changes(answer)) == (1, {"AGENTS.local.md": "removed"})
    codex.resume(thread, "again", cwd=project.root)
    status, answer = difference(codex, thread, project)
    assert (status, answer["before"], answer["now"]) == (0, None, None)
