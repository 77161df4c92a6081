"""The block fits what the client shows: whole at exactly the limit, shortened by refseal beyond it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from tests.e2e.codex_client import NEWEST, REPOSITORY, Codex

if TYPE_CHECKING:
    from tests.e2e.conftest import NewCodex, Show
    from tests.e2e.model_server import ModelServer
    from tests.e2e.project import Project

BYTES_PER_TOKEN = 4
OLD_LIMIT = 2500
STEP = 32_768 - 1000
"""Bytes of one overlay: below the cap of a document."""


def declared_limit() -> int:
    with open(os.path.join(REPOSITORY, "src", "hooks", "hooks.json"), "rb") as file:
        events = json.load(file)["hooks"]
    (limit,) = {
        hook["additionalContextLimit"]
        for event in events.values()
        for group in event
        for hook in group["hooks"]
    }
    assert isinstance(limit, int)
    return limit


def fill(project: Project, size: int) -> str:
    """Spread that many bytes of overlays over a chain of directories; give the last of them.

    The first has references that are refused: refseal keeps a few bytes for such names, which no document
    gets, so it is they that fill a block to its last byte.
    """
    directory = ""
    text = "".join(f"@../outside-{number}.md\n" for number in range(5))
    size -= len(text)
    while size > 0:
        part = min(size, STEP)
        text += ("x" * 79 + "\n") * (part // 80) + "y" * (part % 80)
        project.write(os.path.join(directory, "AGENTS.local.md"), text)
        size -= part
        text = ""
        if size > 0:
            directory = os.path.join(directory, "d")
    return project.path(directory)


def fill_exactly(project: Project, codex: Codex, show: Show, wanted: int) -> str:
    """Fill the project so that its block has exactly the wanted number of bytes; give the directory."""
    size = wanted - wanted // 20 - 2000
    for _ in range(4):
        directory = fill(project, size)
        missing = wanted - len(show(codex, directory).encode())
        if missing == 0:
            return directory
        size += missing
    raise AssertionError(missing)


@pytest.mark.parametrize(("version", "limit"), [("0.144.6", OLD_LIMIT), ("0.145.0", None), (NEWEST, None)])
def test_a_block_of_exactly_the_limit_passes_whole(
    new_codex: NewCodex, model: ModelServer, project: Project, show: Show, version: str, limit: int | None
) -> None:
    codex = new_codex(version)
    tokens = limit or declared_limit()
    codex.environment["REFSEAL_HOST_LIMIT"] = str(tokens)
    directory = fill_exactly(project, codex, show, tokens * BYTES_PER_TOKEN)
    shown = show(codex, directory)
    del codex.environment["REFSEAL_HOST_LIMIT"]  # the hook finds the limit of its client by itself
    thread = codex.execute("hi", cwd=directory)
    assert model.last(thread).hook_messages == [shown]
    assert len(shown.encode()) == tokens * BYTES_PER_TOKEN


@pytest.mark.parametrize(("version", "limit"), [("0.144.6", OLD_LIMIT), ("0.145.0", None), (NEWEST, None)])
def test_more_than_the_limit_is_shortened_so_that_the_rest_passes_whole(
    new_codex: NewCodex, model: ModelServer, project: Project, show: Show, version: str, limit: int | None
) -> None:
    codex = new_codex(version)
    tokens = limit or declared_limit()
    directory = fill(project, tokens * BYTES_PER_TOKEN + 50_000)
    thread = codex.execute("hi", cwd=directory)
    (message,) = model.last(thread).hook_messages
    codex.environment["REFSEAL_HOST_LIMIT"] = str(tokens)
    assert message == show(codex, directory)
    assert len(message.encode()) <= tokens * BYTES_PER_TOKEN
    assert not message.startswith("Warning: truncated output")
