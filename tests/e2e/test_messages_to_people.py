"""What a person must know stands in a message of the client, and the session goes on."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from tests.e2e.codex_client import AppServer, Codex

if TYPE_CHECKING:
    from tests.e2e.conftest import Show
    from tests.e2e.model_server import ModelServer
    from tests.e2e.project import Project


def start(codex: Codex, directory: str) -> tuple[str, list[str]]:
    """Start a session there; give its id and what people were told."""
    with AppServer(codex) as server:
        thread = server.start(directory)
        server.say(thread, "hi")
        assert [run["status"] for run in server.hook_runs(thread)] == ["completed"]
        return thread, server.told(thread)


def test_all_is_well_and_nothing_is_said(codex: Codex, model: ModelServer, project: Project) -> None:
    project.write("AGENTS.local.md", "Overlay\n")
    thread, told = start(codex, project.root)
    assert told == []
    assert len(model.last(thread).hook_messages) == 1


def test_an_untrusted_project(codex: Codex, project: Project) -> None:
    project.write("AGENTS.local.md", "Overlay\n")
    codex.configure(tables=f'[projects.{json.dumps(project.root)}]\ntrust_level = "untrusted"\n')
    _, told = start(codex, project.root)
    (message,) = told
    assert "trust" in message


def test_bad_settings_by_variable_and_by_file(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    project.write("AGENTS.local.md", "Overlay\n")
    shown = show(codex, project.root)
    codex.environment["REFSEAL_MAX_DEPTH"] = "very deep"
    with open(os.path.join(codex.codex_home, "refseal.toml"), "w", encoding="utf-8") as file:
        file.write('max_files = "all of them"\n')
    thread, told = start(codex, project.root)
    (message,) = told
    assert "REFSEAL_MAX_DEPTH" in message
    assert "max_files" in message
    assert model.last(thread).hook_messages == [shown]  # the defaults hold


def test_documents_left_out_for_size(codex: Codex, model: ModelServer, project: Project, show: Show) -> None:
    codex.environment["REFSEAL_HOST_LIMIT"] = "1000"
    project.write("AGENTS.local.md", "@docs/a.md @docs/b.md\n")
    project.write("docs/a.md", "Referenced\n" * 1000)
    project.write("docs/b.md", "Referenced too\n" * 1000)
    thread, told = start(codex, project.root)
    (message,) = told
    assert "one document was left out for size" in message
    assert model.last(thread).hook_messages == [show(codex, project.root)]
