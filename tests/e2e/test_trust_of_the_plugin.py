"""The plugin stays as it was installed, and so the trust in it stays."""

from __future__ import annotations

import hashlib
import os
import py_compile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.e2e.codex_client import Codex
    from tests.e2e.model_server import ModelServer
    from tests.e2e.project import Project


def plugin_folder(codex: Codex) -> str:
    path = str(codex.hooks("/")[0]["sourcePath"])
    return os.path.dirname(os.path.dirname(path))


def picture(folder: str) -> dict[str, str]:
    """Give each file below the folder with its digest."""
    found = {}
    for directory, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(directory, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
    return found


def test_hooks_are_trusted_by_their_two_hashes_and_remain_so(
    codex: Codex, model: ModelServer, project: Project
) -> None:
    project.write("AGENTS.local.md", "Overlay\n")
    before = picture(plugin_folder(codex))
    thread = codex.execute("hi", cwd=project.root)
    for number in range(4):
        codex.resume(thread, f"again {number}", cwd=project.root)
    assert len(model.last(thread).hook_messages) == 1
    hooks = codex.hooks(project.root)
    assert {hook["eventName"]: hook["trustStatus"] for hook in hooks} == {
        "sessionStart": "trusted",
        "subagentStart": "trusted",
    }
    assert picture(plugin_folder(codex)) == before


def test_a_planted_pyc_in_the_plugin_folder_does_not_run(
    codex: Codex, model: ModelServer, project: Project
) -> None:
    project.write("AGENTS.local.md", "Overlay\n")
    evil = project.path("evil.py")
    proof = project.path("was-run")
    project.write("evil.py", f"open({proof!r}, 'w').close()\n")
    plugin = plugin_folder(codex)
    sources = [name for name in picture(plugin) if name.endswith(".py")]
    assert sources
    for name in sources:
        source = os.path.join(plugin, name)
        for target in (_cached(source), source + "c"):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            # Unchecked byte-code is what Python takes without a look at the source.
            py_compile.compile(
                evil, target, doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
            )
    thread = codex.execute("hi", cwd=project.root)
    assert not os.path.exists(proof)
    assert len(model.last(thread).hook_messages) == 1


def _cached(source: str) -> str:
    from importlib.util import cache_from_source  # noqa: PLC0415 - one name, used once

    return cache_from_source(source)
