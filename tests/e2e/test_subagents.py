"""A subagent gets what belongs to its own directory, and not what it inherited already."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.codex_client import AppServer
from tests.e2e.model_server import Item, Request, call, wait_for_agent

if TYPE_CHECKING:
    from tests.e2e.codex_client import Codex
    from tests.e2e.conftest import NewCodex, Show
    from tests.e2e.model_server import ModelServer
    from tests.e2e.project import Project

VERSIONS = ("0.144.6", "0.145.0", "newest")


@pytest.fixture(autouse=True)
def scripted(model: ModelServer, project: Project) -> None:
    project.write("AGENTS.md", "Native\n")
    project.write("AGENTS.local.md", "Overlay at the root\n")
    project.write("sub/AGENTS.local.md", "Overlay in a folder\n")
    model.script("ask", spawn(), wait_for_agent)
    model.script("ask with history", spawn(fork_context=True), wait_for_agent)


def spawn(**arguments: bool) -> Item:
    return call("spawn_agent", {"message": "do it", **arguments}, namespace="multi_agent_v1")


def of_subagent(model: ModelServer) -> Request:
    """Give the last request of a subagent."""
    return [request for request in model.requests if request.prompt == "do it"][-1]


@pytest.mark.parametrize("version", VERSIONS)
def test_it_gets_the_block(
    new_codex: NewCodex, model: ModelServer, project: Project, show: Show, version: str
) -> None:
    codex = new_codex(version)
    thread = codex.execute("ask", cwd=project.root)
    shown = show(codex, project.root)
    assert of_subagent(model).hook_messages == [shown]
    assert model.last(thread).hook_messages == [shown]


@pytest.mark.parametrize("version", VERSIONS)
def test_with_full_history_it_has_the_block_already(
    new_codex: NewCodex, model: ModelServer, project: Project, show: Show, version: str
) -> None:
    codex = new_codex(version)
    codex.execute("ask with history", cwd=project.root)
    assert of_subagent(model).hook_messages == [show(codex, project.root)]


def test_in_another_directory_than_the_session_began_in(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    elsewhere = project.path("sub")
    root, sub = show(codex, project.root), show(codex, elsewhere)
    with AppServer(codex) as server:
        thread = server.start(project.root)
        server.say(thread, "hi")
        server.say(thread, "ask", cwd=elsewhere)
        assert of_subagent(model).hook_messages == [sub]
        server.say(thread, "ask with history")
        assert of_subagent(model).hook_messages == [root, sub]


def test_with_the_history_of_a_compacted_parent(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    shown = show(codex, project.root)
    with AppServer(codex) as server:
        thread = server.start(project.root)
        server.say(thread, "hi")
        server.compact(thread)
        server.say(thread, "ask with history")
        assert of_subagent(model).hook_messages == [shown]


def test_with_the_history_of_a_fork(codex: Codex, model: ModelServer, project: Project, show: Show) -> None:
    shown = show(codex, project.root)
    with AppServer(codex) as server:
        thread = server.start(project.root)
        server.say(thread, "hi")
        fork = server.fork(thread)
        server.say(fork, "ask with history")
        assert of_subagent(model).hook_messages == [shown]
