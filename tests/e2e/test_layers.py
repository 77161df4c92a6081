"""Which of a project's own configurations count: what refseal holds is what the client does."""

from __future__ import annotations

import json
import os
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from refseal.codex.session import session_in
from tests.e2e.codex_client import Codex
from tests.e2e.project import Project
from tests.e2e.test_native_oracle import native_message

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.model_server import ModelServer

CHAIN = ("", "a", "a/b")

LEVELS = [
    {"": "trusted"},
    {"a": "trusted"},
    {"a/b": "trusted"},
    {"": "trusted", "a": "untrusted"},
    {"": "untrusted", "a/b": "trusted"},
    {"": "untrusted", "a": "trusted", "a/b": "trusted"},
]


CASES = [
    *((levels, "repository") for levels in LEVELS),
    *((levels, git) for git in ("empty", "worktree") for levels in LEVELS[:2]),
]


@pytest.mark.parametrize(("levels", "git"), CASES, ids=json.dumps)
def test_a_layer_counts_where_the_client_counts_it(
    program: str, tmp_path: Path, model: ModelServer, levels: dict[str, str], git: str
) -> None:
    codex = Codex(program, str(tmp_path / "client"), model, "/usr/bin")
    root = str(tmp_path / "project")
    if git == "worktree":
        main = Project.create(str(tmp_path / "main"))
        main.git("commit", "--quiet", "--allow-empty", "--message=Empty")
        main.worktree(root)
    elif git == "repository":
        Project.create(root)
    else:
        os.makedirs(os.path.join(root, ".git"))
    project = Project(root)
    project.write("a/b/AGENTS.md", "Native\n")
    project.write("a/b/FALLBACK.md", "Another\n")
    tables = "".join(
        f'[projects.{json.dumps(project.path(path))}]\ntrust_level = "{level}"\n'
        for path, level in levels.items()
    )
    codex.configure(tables=tables)
    cwd = project.path("a/b")
    for directory in CHAIN:
        layer = os.path.join(directory, ".codex/config.toml")
        project.write(layer, "project_doc_max_bytes = 3\n")
        shown = native_message(codex, cwd)
        with closing(session_in(cwd, codex.environment)) as session:
            assert session.view is not None
            assert [entry.first_missing_line for entry in session.view.loaded] == [
                {"Native\n": None, "Nat": 1}[shown]
            ]
        project.remove(layer)
