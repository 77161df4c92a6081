"""A session starts: the model gets byte for byte what `refseal show` prints."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tests.e2e.codex_client import AppServer, Codex

if TYPE_CHECKING:
    from tests.e2e.conftest import NewCodex, Show
    from tests.e2e.model_server import ModelServer
    from tests.e2e.project import Project


def fill(project: Project) -> None:
    project.write("AGENTS.md", "Native at the root: @docs/native.md\n")
    project.write("AGENTS.local.md", "Overlay at the root: @docs/overlay.md, and `@docs/code.md`\n")
    project.write("docs/native.md", "Referenced by the native file\n")
    project.write("docs/overlay.md", "Referenced by the overlay\n")
    project.write("docs/code.md", "Only mentioned in code\n")
    project.write("deep/down/AGENTS.md", "Native down there\n")
    project.write("deep/down/AGENTS.local.md", "Overlay down there\n")


def test_at_the_root(codex: Codex, model: ModelServer, project: Project, show: Show) -> None:
    fill(project)
    thread = codex.execute("hi", cwd=project.root)
    (message,) = model.last(thread).hook_messages
    assert message == show(codex, project.root, own_process=True)
    for text in ("Overlay at the root", "Referenced by the native file", "Referenced by the overlay"):
        assert text in message
    assert "Only mentioned in code" not in message
    assert "Native down there" not in message
    assert message.count("Native at the root") <= 1  # its first line in the map, never its body again


def test_deep_inside_the_overlay_of_the_root_comes_first(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    fill(project)
    thread = codex.execute("hi", cwd=project.path("deep/down"))
    (message,) = model.last(thread).hook_messages
    assert message == show(codex, project.path("deep/down"))
    assert message.index("Overlay at the root") < message.index("Overlay down there")
    assert "Referenced by the native file" in message


def test_overlay_of_codex_home_in_a_repository_without_any_file(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    with open(os.path.join(codex.codex_home, "AGENTS.local.md"), "w", encoding="utf-8") as file:
        file.write("Mine, everywhere\n")
    thread = codex.execute("hi", cwd=project.root)
    (message,) = model.last(thread).hook_messages
    assert message == show(codex, project.root)
    assert "Mine, everywhere" in message


def test_a_repository_with_nothing_for_us_gives_nothing(
    codex: Codex, model: ModelServer, project: Project
) -> None:
    project.write("README.md", "See @docs/a.md\n")
    thread = codex.execute("hi", cwd=project.root)
    assert model.last(thread).hook_messages == []


def test_without_a_transcript(codex: Codex, model: ModelServer, project: Project, show: Show) -> None:
    fill(project)
    thread = codex.execute("hi", cwd=project.root, options=["--ephemeral"])
    assert model.last(thread).hook_messages == [show(codex, project.root)]


def test_through_a_link_to_the_directory(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    fill(project)
    link = project.root + "-link"
    os.symlink(project.root, link)
    thread = codex.execute("hi", cwd=os.path.join(link, "deep/down"))
    (message,) = model.last(thread).hook_messages
    assert message == show(codex, os.path.join(link, "deep/down"))
    assert "Overlay at the root" in message


def test_after_clear(codex: Codex, model: ModelServer, project: Project, show: Show) -> None:
    fill(project)
    with AppServer(codex) as server:
        thread = server.start(project.root, sessionStartSource="clear")
        server.say(thread, "hi")
    assert model.last(thread).hook_messages == [show(codex, project.root)]


def test_a_plugin_folder_with_spaces_quotes_and_dollars_in_its_path(
    new_codex: NewCodex, model: ModelServer, project: Project, show: Show
) -> None:
    codex = new_codex(folder='it\'s "$HOME" `id` $(id) \\ \tend')
    fill(project)
    thread = codex.execute("hi", cwd=project.root)
    assert model.last(thread).hook_messages == [show(codex, project.root)]


def test_an_interpreter_of_the_repository_is_never_run(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    fill(project)
    project.write("bin/python3", f"#!/bin/sh\ntouch {project.path('was-run')}\n")
    os.chmod(project.path("bin/python3"), 0o755)
    project.write(".python-version", "2.7.18\n")
    shown = show(codex, project.root)
    codex.environment["PATH"] = os.pathsep.join(["bin", "./bin", "", codex.environment["PATH"]])
    thread = codex.execute("hi", cwd=project.root)
    assert model.last(thread).hook_messages == [shown]
    assert not os.path.exists(project.path("was-run"))
