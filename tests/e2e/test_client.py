"""What the tests take for granted of the client, measured with a hook that has no refseal in it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.e2e.codex_client import NEWEST, Codex

if TYPE_CHECKING:
    from tests.e2e.conftest import NewCodex
    from tests.e2e.model_server import ModelServer
    from tests.e2e.project import Project

PROBE_LIMIT = 1000
"""`additionalContextLimit` in the probe's hooks.json, in tokens of four bytes."""

OLD_LIMIT = 2500
"""What every hook gets from a Codex that does not know `additionalContextLimit`."""


def answer(codex: Codex, text: str) -> None:
    folder = codex.environment["PROBE"] = codex.home
    with open(os.path.join(folder, "answer"), "w", encoding="utf-8") as file:
        file.write(text)


@pytest.mark.parametrize(
    ("version", "limit"), [("0.144.6", OLD_LIMIT), ("0.145.0", PROBE_LIMIT), (NEWEST, PROBE_LIMIT)]
)
def test_text_of_exactly_the_limit_passes_whole_and_one_byte_more_does_not(
    new_codex: NewCodex, model: ModelServer, project: Project, version: str, limit: int
) -> None:
    codex = new_codex(version, plugin="probe")
    whole = "ä" * (2 * limit)  # four bytes make a token, whatever the characters
    answer(codex, whole)
    thread = codex.execute("hi", cwd=project.root)
    assert model.last(thread).hook_messages == [whole]

    answer(codex, whole + ".")
    thread = codex.execute("hi", cwd=project.root)
    (message,) = model.last(thread).hook_messages
    assert message.startswith("Warning: truncated output")


def test_a_changed_file_in_the_plugin_folder_ends_the_trust(
    new_codex: NewCodex, model: ModelServer, project: Project
) -> None:
    codex = new_codex(plugin="probe")
    answer(codex, "said")
    plugin = os.path.dirname(os.path.dirname(codex.hooks(project.root)[0]["sourcePath"]))
    with open(os.path.join(plugin, "added.txt"), "w", encoding="utf-8") as file:
        file.write("somebody else was here")
    thread = codex.execute("hi", cwd=project.root)
    assert model.last(thread).hook_messages == []
