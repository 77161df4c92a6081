"""Builds that are broken on purpose, one flag each: the proof that a target can fail.

The damage is done from outside, to the loaded modules of this process; the product has no switch for it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def _replaced(module: str, name: str, value: Any) -> Callable[[], None]:
    """Damage that puts another value under a name of a module, or of a class in it (`Class.name`)."""

    def damage() -> None:
        owner: Any = importlib.import_module(module)
        *way, last = name.split(".")
        for step in way:
            owner = getattr(owner, step)
        assert hasattr(owner, last), f"{module} has no {name}: this build is not broken"
        setattr(owner, last, value)

    return damage


def _nothing(*_arguments: object) -> None:
    """A step that was forgotten."""


def _any_text(payload: dict[str, Any]) -> str | None:
    """The text of a message, whoever wrote it."""
    content = payload.get("content")
    part = content[0] if isinstance(content, list) and content else {}
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) and text.startswith("<!-- refseal ") else None


# target -> name of the damage -> what does it
BUILDS: dict[str, dict[str, Callable[[], None]]] = {
    "transcript": {
        "message-of-anybody": _replaced("refseal.codex.transcript", "_hook_message", _any_text),
        "compaction-forgotten": _replaced("refseal.codex.transcript", "_Search.give_up_on_message", _nothing),
        "relative-cwd": _replaced("refseal.codex.payload", "_is_path", lambda value: isinstance(value, str)),
    },
}
