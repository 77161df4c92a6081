"""What the client loaded is not repeated, what it cut off is restored, what the user refused stays out."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.e2e.codex_client import AppServer

if TYPE_CHECKING:
    from tests.e2e.codex_client import Codex
    from tests.e2e.conftest import NewCodex, Show
    from tests.e2e.model_server import ModelServer, Request
    from tests.e2e.project import Project

VERSIONS = ("0.144.6", "0.145.0", "newest")


def native_text(request: Request) -> str:
    """Give what the client itself told the model about instruction files."""
    return "".join(text for text in request.texts("user") if text.startswith("# AGENTS.md instructions"))


@pytest.mark.parametrize("version", VERSIONS)
def test_an_untrusted_project_contributes_one_line(
    new_codex: NewCodex, model: ModelServer, project: Project, show: Show, version: str
) -> None:
    project.write("AGENTS.md", "Native: @docs/a.md\n")
    project.write("AGENTS.local.md", "Overlay\n")
    project.write("docs/a.md", "Referenced\n")
    codex = new_codex(version)
    codex.configure(tables=f'[projects.{json.dumps(project.root)}]\ntrust_level = "untrusted"\n')
    thread = codex.execute("hi", cwd=project.root)
    request = model.last(thread)
    if version == "newest":  # the older ones load it all the same
        assert native_text(request) == ""
    (message,) = request.hook_messages
    assert message == show(codex, project.root)
    for text in ("Native", "Overlay", "Referenced"):
        assert text not in message


def test_only_a_trusted_project_contributes_where_trust_is_required(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    project.write("AGENTS.local.md", "Overlay\n")
    codex.environment["REFSEAL_REQUIRE_TRUST"] = "1"
    thread = codex.execute("hi", cwd=project.root)
    assert "Overlay" not in "".join(model.last(thread).hook_messages)
    codex.configure(tables=f'[projects.{json.dumps(project.root)}]\ntrust_level = "trusted"\n')
    thread = codex.execute("hi", cwd=project.root)
    (message,) = model.last(thread).hook_messages
    assert message == show(codex, project.root)
    assert "Overlay" in message


@pytest.mark.parametrize("version", ["0.145.0", "newest"])
def test_the_missing_lines_of_an_oversized_file_are_restored(
    new_codex: NewCodex, model: ModelServer, project: Project, show: Show, version: str
) -> None:
    lines = [f"Line {number}: what it says there\n" for number in range(1, 1401)]
    project.write("AGENTS.md", "".join(lines))
    codex = new_codex(version)
    thread = codex.execute("hi", cwd=project.root)
    request = model.last(thread)
    (message,) = request.hook_messages
    assert message == show(codex, project.root)
    native = native_text(request)
    whole = [line for line in lines if line in native]
    assert 0 < len(whole) < len(lines)
    for line in lines[len(whole) :]:
        assert line in message
    restored = [line for line in whole if line in message]
    assert restored in ([], lines[:1])  # the map of native files may show the first line, nothing else


def test_a_budget_of_the_users_is_the_same_cut(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    project.write("AGENTS.md", "Shown\nCut off\nalso cut off\n")
    codex.configure("project_doc_max_bytes = 10")
    thread = codex.execute("hi", cwd=project.root)
    request = model.last(thread)
    (message,) = request.hook_messages
    assert "Cut off" not in native_text(request)
    assert message == show(codex, project.root)
    assert "Cut off\nalso cut off\n" in message


def test_a_budget_of_nothing_is_a_decision(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    project.write("AGENTS.md", "Refused by the user\n")
    project.write("AGENTS.local.md", "Overlay\n")
    codex.configure("project_doc_max_bytes = 0")
    thread = codex.execute("hi", cwd=project.root)
    request = model.last(thread)
    (message,) = request.hook_messages
    assert native_text(request) == ""
    assert message == show(codex, project.root)
    assert "Refused by the user" not in message
    assert "Overlay" in message


def test_one_unreadable_file_is_named(codex: Codex, model: ModelServer, project: Project, show: Show) -> None:
    project.write("AGENTS.md", "Readable at the root\n")
    project.write("sub/AGENTS.md", "Nobody may read this\n")
    project.write("sub/AGENTS.local.md", "Overlay\n")
    os.chmod(project.path("sub/AGENTS.md"), 0)
    codex.as_user = without_roots_rights()
    thread = codex.execute("hi", cwd=project.path("sub"))
    request = model.last(thread)
    assert native_text(request) == ""  # one such file drops all of them
    (message,) = request.hook_messages
    assert message == show(codex, project.path("sub"))
    assert "Overlay" in message
    assert "sub/AGENTS.md" in message
    assert "Readable at the root\n" not in message


def test_a_loop_of_links_is_named(codex: Codex, model: ModelServer, project: Project, show: Show) -> None:
    project.write("AGENTS.local.md", "Overlay\n")
    os.symlink("AGENTS.md", project.path("AGENTS.md"))
    thread = codex.execute("hi", cwd=project.root)
    request = model.last(thread)
    (message,) = request.hook_messages
    assert message == show(codex, project.root)
    assert "Overlay" in message


def without_roots_rights() -> tuple[str, ...]:
    """Give the command that takes from root what nobody else has: to read any file."""
    if os.geteuid() != 0:
        return ()
    rights = "-dac_override,-dac_read_search"
    command = ("setpriv", f"--bounding-set={rights}")
    if shutil.which("setpriv") is None or subprocess.run([*command, "true"], check=False).returncode != 0:
        pytest.skip("as root this needs setpriv, and the right to use it")
    return command


def test_fallback_names_from_the_configuration(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    codex.configure('project_doc_fallback_filenames = ["CLAUDE.md", "NOTES.md"]')
    project.write("CLAUDE.md", "Fallback at the root: @docs/a.md\n")
    project.write("sub/AGENTS.md", "Native in a folder\n")
    project.write("sub/CLAUDE.md", "Hidden by AGENTS.md: @docs/b.md\n")
    project.write("docs/a.md", "Referenced by the fallback\n")
    project.write("sub/docs/b.md", "Referenced by what is hidden\n")
    thread = codex.execute("hi", cwd=project.path("sub"))
    request = model.last(thread)
    assert "Fallback at the root" in native_text(request)
    (message,) = request.hook_messages
    assert message == show(codex, project.path("sub"))
    assert "Referenced by the fallback" in message
    assert "Referenced by what is hidden" not in message


def test_an_overlay_that_the_client_loads_itself_is_native(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    codex.configure('project_doc_fallback_filenames = ["AGENTS.local.md"]')
    project.write("AGENTS.local.md", "Overlay that is loaded: @docs/a.md\nand its second line\n")
    project.write("docs/a.md", "Referenced\n")
    thread = codex.execute("hi", cwd=project.root)
    request = model.last(thread)
    assert "and its second line" in native_text(request)
    (message,) = request.hook_messages
    assert message == show(codex, project.root)
    assert "Referenced" in message
    assert "and its second line" not in message


def test_a_file_that_changed_meanwhile_is_not_restored(
    codex: Codex, model: ModelServer, project: Project
) -> None:
    project.write("AGENTS.md", "As it was\n")
    project.write("AGENTS.local.md", "Overlay\n")
    with AppServer(codex) as server:
        thread = server.start(project.root)
        project.write("AGENTS.md", "As it is now,\nafter the thread began\n")
        server.say(thread, "hi")
    request = model.last(thread)
    (message,) = request.hook_messages
    assert "As it was\n" in native_text(request)
    assert "after the thread began" not in message
