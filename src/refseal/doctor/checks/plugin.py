"""Whether the plugin is installed, and enabled."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from refseal import __version__
from refseal.doctor.client import Hooks
from refseal.doctor.findings import Finding
from refseal.seal import escape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.doctor.surroundings import Plugin, Surroundings

INSTALL = "codex plugin marketplace add FOLDER-OR-REPOSITORY-OF-REFSEAL && codex plugin add refseal@refseal"


def check(surroundings: Surroundings) -> Iterator[Finding]:
    """Read Codex's configuration, and where it keeps its copy."""
    home = surroundings.codex_home
    if home is None:
        yield Finding("problem", "Neither CODEX_HOME nor HOME says where Codex home is.", "Set HOME.")
        return
    if surroundings.our_home != home:
        yield Finding(
            "note",
            f"REFSEAL_CODEX_HOME is {escape(surroundings.our_home or '', 4_096)}, "
            f"but Codex uses {escape(home, 4_096)}.",
            "Unset REFSEAL_CODEX_HOME unless that is what you want.",
        )
    found = surroundings.own_plugins
    if not found:
        yield Finding("problem", f"The plugin is not installed in {escape(home, 4_096)}.", INSTALL)
        return
    for plugin in found:
        yield _judge(plugin, surroundings)
    if sum(plugin.is_usable for plugin in found) > 1:
        yield Finding(
            "problem",
            "The plugin is installed more than once, so everything is added more than once.",
            "codex plugin remove NAME@MARKETPLACE, for all but one.",
        )


def _judge(plugin: Plugin, surroundings: Surroundings) -> Finding:
    name = escape(plugin.identifier)
    if not plugin.present:
        return Finding(
            "problem",
            f"{name} is in Codex's config.toml, but Codex has no copy of it.",
            f"codex plugin add {name}",
        )
    if not plugin.enabled:
        return Finding(
            "problem",
            f"{name} is installed but disabled, so its hook never runs.",
            f'Set `enabled = true` under [plugins."{name}"] in Codex\'s config.toml.',
        )
    version = _version(plugin, surroundings)
    if version not in (None, __version__):
        return Finding(
            "note",
            f"{name} is installed and enabled; it is version {escape(version or '')}, "
            f"and this command is {__version__}.",
            f"codex plugin add {name} installs it anew from its marketplace; then trust its hook again.",
        )
    return Finding("ok", f"{name} is installed and enabled.")


def _version(plugin: Plugin, surroundings: Surroundings) -> str | None:
    """Return the version of the copy that runs: the folder's name, as the client gives it."""
    client = surroundings.client
    if client is None or not isinstance(client.hooks, Hooks):
        return None
    for hook in client.hooks.hooks:
        if hook.plugin == plugin.identifier and hook.source:
            return os.path.basename(os.path.dirname(os.path.dirname(hook.source)))
    return None
