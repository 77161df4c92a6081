"""Does anything else do the same job?  Then the model is told everything twice, and the rest is cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.doctor.client import Hooks
from refseal.doctor.findings import Finding
from refseal.doctor.surroundings import NAME
from refseal.seal import escape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.doctor.surroundings import Surroundings

PREDECESSOR = "agents-md-plus"
"""In the name of codex-agents-md-plus, and of copies of it."""


def check(surroundings: Surroundings) -> Iterator[Finding]:
    """Look through the plugins that are configured, and the commands of all other hooks."""
    clear = True
    for plugin in surroundings.plugins:
        if PREDECESSOR not in _plain(plugin.name) or not plugin.present:
            continue
        clear = False
        name = escape(plugin.identifier)
        if plugin.enabled:
            yield Finding(
                "problem",
                f"{name} is enabled and does the same job: what both add comes twice.",
                f"codex plugin remove {name} (refseal understands its variables).",
            )
        else:
            yield Finding("note", f"{name} is installed but disabled.", f"codex plugin remove {name}")
    client = surroundings.client
    for hook in client.hooks.hooks if client is not None and isinstance(client.hooks, Hooks) else ():
        command = _plain(hook.command)
        if not hook.plugin and hook.enabled and (PREDECESSOR in command or f"{NAME} hook" in command):
            clear = False
            yield Finding(
                "problem",
                f"A {escape(hook.event)} hook of {escape(hook.source, 4_096)} does the same job.",
                "Take it out of that file, or remove the plugin.",
            )
    if clear:
        yield Finding("ok", "No other plugin or hook does the same job.")


def _plain(text: str) -> str:
    return text.lower().replace("_", "-")
