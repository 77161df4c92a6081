"""Whether Codex runs the hook, or skips it without a word.

Codex skips a plugin's hook until the user has trusted it, and again whenever its definition or anything in
the installed folder has changed since.  No session says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.doctor.client import Hook, Hooks, Unanswered
from refseal.doctor.findings import Finding
from refseal.doctor.surroundings import NAME
from refseal.seal import escape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.doctor.surroundings import Surroundings

EVENTS = {"sessionStart": "SessionStart", "subagentStart": "SubagentStart"}
"""The events of hooks.json, as the client spells them and as people do."""

_ANEW = "codex plugin add refseal@refseal installs it anew."
_STATES = {
    "disabled": ("is switched off", "Start codex, open /hooks, and enable it."),
    "untrusted": (
        "is not trusted yet: Codex skips it silently",
        "Start codex and accept its review of the hook, or open /hooks there and trust it.",
    ),
    "modified": (
        "has changed since you trusted it, or a file in the plugin's folder has: Codex does not run it",
        "After an update: start codex, open /hooks, trust it again. Else: codex plugin add refseal@refseal",
    ),
}
"""What Codex may say of a hook that does not run, and what to do."""

_FEATURES = ("hooks", "plugins")


def check(surroundings: Surroundings) -> Iterator[Finding]:
    """Ask the client, which alone knows."""
    client = surroundings.client
    if not any(plugin.is_usable for plugin in surroundings.own_plugins):
        yield Finding("note", "There is no hook to trust before the plugin is installed and enabled.")
    elif client is None or client.hooks is None:
        yield Finding("note", "Whether the hook is trusted is not known: there is no codex on PATH to ask.")
    elif isinstance(client.hooks, Unanswered):
        yield Finding(
            "problem",
            f"Whether the hook is trusted is not known: codex could not be asked, {client.hooks}.",
            "Start codex and open /hooks: it shows whether refseal's are trusted.",
        )
    else:
        ours = [hook for hook in client.hooks.hooks if hook.plugin.rpartition("@")[0] == NAME]
        yield from _judge(ours) if ours else _no_hooks(surroundings, client.hooks)


def _no_hooks(surroundings: Surroundings, hooks: Hooks) -> Iterator[Finding]:
    features = (surroundings.configuration or {}).get("features")
    off = [name for name in _FEATURES if isinstance(features, dict) and features.get(name) is False]
    if off:
        names = " and ".join(off)
        yield Finding(
            "problem",
            f"Codex runs no hooks of plugins: {names} is off under [features] in its config.toml.",
            f"codex features enable {off[0]}",
        )
        return
    yield Finding(
        "problem",
        "Codex has the plugin but none of its hooks, so it runs nothing.",
        _ANEW,
    )
    for warning in hooks.warnings:
        if f"/{NAME}/" in warning or NAME in warning.split():
            yield Finding(
                "problem", f"Codex says: {escape(warning, 1_000)}", "Remove what it names, or install anew."
            )


def _judge(ours: list[Hook]) -> Iterator[Finding]:
    missing = [name for event, name in EVENTS.items() if all(hook.event != event for hook in ours)]
    if missing:
        yield Finding("problem", f"Codex does not know {_named(missing)} of the plugin.", _ANEW)
    states: dict[str, list[str]] = {}
    for hook in ours:
        state = hook.trust if hook.enabled else "disabled"
        states.setdefault(state, []).append(EVENTS.get(hook.event, hook.event))
    for state, events in states.items():
        if state in ("trusted", "managed"):
            yield Finding("ok", f"Codex trusts {_named(events)}; nothing has changed since.")
        else:
            said, advice = _STATES.get(
                state, (f"is {escape(state)} to Codex", "Start codex and open /hooks.")
            )
            yield Finding("problem", f"T{_named(events)[1:]} {said}.", advice)


def _named(events: list[str]) -> str:
    names = " and ".join(escape(event) for event in events)
    return f"the hook for {names}"
