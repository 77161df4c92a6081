"""A linked worktree inherits from its main worktree, wherever it lies."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.e2e.codex_client import Codex
    from tests.e2e.conftest import Show
    from tests.e2e.model_server import ModelServer
    from tests.e2e.project import Project


@pytest.fixture(autouse=True)
def filled(project: Project) -> None:
    project.write("AGENTS.md", "Committed native: @docs/a.md\n")
    project.write("docs/a.md", "Committed document\n")
    project.write(".gitignore", "AGENTS.local.md\n")
    project.write("sub/file.txt", "Something\n")
    project.commit()
    project.write("AGENTS.local.md", "Overlay of the main worktree\n")
    project.write("sub/AGENTS.local.md", "Overlay in a folder of the main worktree\n")
    project.write("sub/AGENTS.md", "Native of the main worktree, not committed\n")


def test_the_clients_own_worktree_in_codex_home(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    thread = codex.execute("hi", cwd=project.root, options=["--worktree"])
    (message,) = model.last(thread).hook_messages
    (name,) = os.listdir(os.path.join(codex.codex_home, "worktrees"))
    worktree = os.path.join(codex.codex_home, "worktrees", name, "project")
    assert message == show(codex, worktree)
    assert "Overlay of the main worktree" in message
    assert "Committed document" in message


def test_a_sibling(codex: Codex, model: ModelServer, project: Project, show: Show) -> None:
    sibling = project.worktree(project.root + "-sibling")
    thread = codex.execute("hi", cwd=sibling.path("sub"))
    (message,) = model.last(thread).hook_messages
    assert message == show(codex, sibling.path("sub"))
    assert "Overlay of the main worktree" in message
    assert "Overlay in a folder of the main worktree" in message
    assert "Native of the main worktree, not committed" in message

    sibling.write("AGENTS.local.md", "Overlay of the sibling\n")
    thread = codex.execute("hi", cwd=sibling.path("sub"))
    (message,) = model.last(thread).hook_messages
    assert message == show(codex, sibling.path("sub"))
    assert "Overlay of the sibling" in message
    assert "Overlay of the main worktree" not in message


def test_one_that_is_nested_in_its_main_tree_sees_nothing_twice(
    codex: Codex, model: ModelServer, project: Project, show: Show
) -> None:
    nested = project.worktree(project.path(".worktrees/nested"))
    thread = codex.execute("hi", cwd=nested.root)
    (message,) = model.last(thread).hook_messages
    assert message == show(codex, nested.root)
    assert message.count("Overlay of the main worktree") == 1
    assert message.count("Committed document") == 1
