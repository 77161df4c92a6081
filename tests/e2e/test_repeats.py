"""A block is said once while the model has it, anew when it changed, and withdrawn when it is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.codex_client import AppServer, Codex
from tests.e2e.model_server import call

if TYPE_CHECKING:
    from tests.e2e.conftest import NewCodex, Show
    from tests.e2e.model_server import ModelServer
    from tests.e2e.project import Project

VERSIONS = ("0.144.6", "0.145.0", "newest")


@pytest.fixture(autouse=True)
def filled(project: Project) -> None:
    project.write("AGENTS.md", "Native\n")
    project.write("AGENTS.local.md", "Overlay, first version: @docs/a.md\n")
    project.write("docs/a.md", "Referenced\n")


@pytest.fixture
def other(project: Project) -> Project:
    other = type(project).create(project.root + "-other")
    other.write("AGENTS.local.md", "Overlay of another project\n")
    return other


@pytest.mark.parametrize("version", VERSIONS)
def test_resumed_unchanged_it_is_not_said_again(
    new_codex: NewCodex, model: ModelServer, project: Project, show: Show, version: str
) -> None:
    codex = new_codex(version)
    thread = codex.execute("hi", cwd=project.root)
    codex.resume(thread, "again", cwd=project.root)
    shown = show(codex, project.root)
    assert model.last(thread).hook_messages == [shown]


def test_resumed_after_a_change_there_is_a_second_block(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    thread = codex.execute("hi", cwd=project.root)
    first = show(codex, project.root)
    project.write("docs/a.md", "Referenced, and changed\n")
    codex.resume(thread, "again", cwd=project.root)
    second = show(codex, project.root)
    assert first != second
    assert model.last(thread).hook_messages == [first, second]

    project.write("docs/a.md", "Referenced\n")
    codex.resume(thread, "changed back", cwd=project.root)
    messages = model.last(thread).hook_messages
    # The first text stands there, but the second came after it: saying it again and silence are both true.
    assert messages[:2] == [first, second]
    assert messages[2:] in ([], [first])


def test_resumed_with_nothing_left_the_block_is_withdrawn_once(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    thread = codex.execute("hi", cwd=project.root)
    first = show(codex, project.root)
    project.remove("AGENTS.local.md")
    project.remove("AGENTS.md")
    codex.resume(thread, "again", cwd=project.root)
    messages = model.last(thread).hook_messages
    assert messages[0] == first
    (line,) = messages[1:]
    assert line.strip()
    assert "\n" not in line.strip()
    assert "<agents_md_extra_context>" not in line
    codex.resume(thread, "once more", cwd=project.root)
    assert model.last(thread).hook_messages == [first, line]

    project.write("AGENTS.local.md", "Overlay, back again\n")
    codex.resume(thread, "back", cwd=project.root)
    assert model.last(thread).hook_messages == [first, line, show(codex, project.root)]


def test_resumed_in_another_directory_it_is_what_belongs_there(
    codex: Codex, model: ModelServer, project: Project, other: Project, show: Show
) -> None:
    thread = codex.execute("hi", cwd=project.root)
    codex.resume(thread, "elsewhere", cwd=other.root)
    shown = [show(codex, project.root), show(codex, other.root)]
    assert model.last(thread).hook_messages == shown
    codex.resume(thread, "still there", cwd=other.root)
    assert model.last(thread).hook_messages == shown


@pytest.mark.parametrize("version", VERSIONS)
def test_after_a_compaction_it_is_said_again(
    new_codex: NewCodex, model: ModelServer, project: Project, show: Show, version: str
) -> None:
    codex = new_codex(version)
    shown = show(codex, project.root)
    with AppServer(codex) as server:
        thread = server.start(project.root)
        server.say(thread, "one")
        server.compact(thread)
        server.say(thread, "two")
        assert model.last(thread).hook_messages == [shown]
        server.say(thread, "three")
        assert model.last(thread).hook_messages == [shown]
        assert [run["status"] for run in server.hook_runs(thread)] == ["completed", "completed"]


def test_after_a_compaction_in_mid_turn_it_is_said_again(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    codex.configure("model_auto_compact_token_limit = 5000")
    model.script("work", call("exec_command", {"cmd": "true"}))
    model.usage = 9000
    with AppServer(codex) as server:
        thread = server.start(project.root)
        server.say(thread, "work")
    shown = show(codex, project.root)
    summaries = [request for request in model.of_thread(thread) if request.prompt != "work"]
    assert summaries  # it did compact
    assert model.last(thread).hook_messages == [shown]


@pytest.mark.parametrize("version", VERSIONS)
def test_resumed_right_after_a_compaction_it_is_said_again(
    new_codex: NewCodex, model: ModelServer, project: Project, show: Show, version: str
) -> None:
    codex = new_codex(version)
    with AppServer(codex) as server:
        thread = server.start(project.root)
        server.say(thread, "one")
        server.compact(thread)
    codex.resume(thread, "two", cwd=project.root)
    assert model.last(thread).hook_messages == [show(codex, project.root)]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_fork_has_what_its_parent_had(
    new_codex: NewCodex, model: ModelServer, project: Project, other: Project, show: Show, version: str
) -> None:
    codex = new_codex(version)
    shown = show(codex, project.root)
    with AppServer(codex) as server:
        thread = server.start(project.root)
        server.say(thread, "one")
        fork = server.fork(thread)
        server.say(fork, "in a fork")
        assert model.last(fork).hook_messages == [shown]
        second = server.fork(fork)
        server.say(second, "in a fork of a fork")
        assert model.last(second).hook_messages == [shown]
        elsewhere = server.fork(second, cwd=other.root)
        server.say(elsewhere, "in a fork elsewhere")
        assert model.last(elsewhere).hook_messages == [shown, show(codex, other.root)]
        server.compact(fork)
        server.say(fork, "after a compaction")
        assert model.last(fork).hook_messages == [shown]


def test_a_fork_of_a_compacted_thread(codex: Codex, model: ModelServer, project: Project, show: Show) -> None:
    shown = show(codex, project.root)
    with AppServer(codex) as server:
        thread = server.start(project.root)
        server.say(thread, "one")
        server.compact(thread)
        before = server.fork(thread)
        server.say(before, "in a fork, before the block was said again")
        assert model.last(before).hook_messages == [shown]
        server.say(thread, "two")
        after = server.fork(thread)
        server.say(after, "in a fork, after it was said again")
        assert model.last(after).hook_messages == [shown]


def test_turns_taken_back(codex: Codex, model: ModelServer, project: Project, show: Show) -> None:
    first = show(codex, project.root)
    with AppServer(codex) as server:
        thread = server.start(project.root)
        server.say(thread, "one")
        server.say(thread, "two")
        server.revert(thread, keep=1)
        server.say(thread, "three")
        assert model.last(thread).hook_messages == [first]
        project.write("docs/a.md", "Referenced, and changed\n")
        second = show(codex, project.root)
        server.revert(thread, keep=1)
        server.say(thread, "four")
        assert model.last(thread).hook_messages == [first, second]
        server.revert(thread, keep=1)  # takes the second block back
        server.say(thread, "five")
        assert model.last(thread).hook_messages == [first, second]
        server.revert(thread, keep=0)
        server.say(thread, "six")
        assert model.last(thread).hook_messages == [second]


def test_its_text_in_a_tool_output_or_a_prompt_does_not_count(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    codex.environment["REFSEAL_DISABLE"] = "1"
    shown = show(codex, project.root)
    del codex.environment["REFSEAL_DISABLE"]
    shown = shown or show(codex, project.root)
    project.write("block.txt", shown)
    model.script("read it", call("exec_command", {"cmd": "cat block.txt", "max_output_tokens": 10_000}))
    codex.environment["REFSEAL_DISABLE"] = "1"
    thread = codex.execute("read it", cwd=project.root)
    assert model.last(thread).hook_messages == []
    codex.resume(thread, shown, cwd=project.root)
    assert model.last(thread).hook_messages == []
    del codex.environment["REFSEAL_DISABLE"]
    codex.resume(thread, "now", cwd=project.root)
    assert model.last(thread).hook_messages == [shown]
