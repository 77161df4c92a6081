"""What Codex tells a hook on its standard input.

Strict in the few fields that refseal acts on, blind to all others: Codex adds fields with every release.
"""

from __future__ import annotations

from refseal.codex.json_codec import Broken, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, TypeGuard

EVENTS: Final = frozenset({"SessionStart", "SubagentStart"})
"""The events this hook answers."""

MAX_BYTES: Final = 1 << 20
"""How much of standard input is read: a payload has some 500 bytes, and paths are the longest thing in it."""

_MAX_PATH: Final = 4096
"""The length of PATH_MAX on Linux: no longer directory can have been a session's."""


class Unusable(Exception):  # noqa: N818 - an answer, not a fault
    """The input is no payload; the argument says why, for a person."""


class Payload:
    """One event.

    ``event``            "SessionStart" or "SubagentStart"
    ``cwd``              absolute path of the session's directory, as Codex spells it
    ``transcript_path``  absolute path of the session's own transcript (a subagent's own too), or None
    """

    __slots__ = ("cwd", "event", "transcript_path")

    def __init__(self, event: str, cwd: str, transcript_path: str | None = None) -> None:
        self.event = event
        self.cwd = cwd
        self.transcript_path = transcript_path


def read_payload(data: bytes) -> Payload | None:
    """Return the payload in ``data``, or None for an event that is none of ours.

    A transcript path that cannot be one (relative, with a NUL) counts as no transcript: the block is then
    built without it, which is what happens in sessions that keep none.

    Raises:
        Unusable: no JSON object, or one whose ``cwd`` is no absolute path.

    """
    try:
        fields = read(data)
    except Broken:
        raise Unusable("the hook's input is not JSON") from None
    if not isinstance(fields, dict):
        raise Unusable("the hook's input is not a JSON object")
    event = fields.get("hook_event_name")
    if not isinstance(event, str) or event not in EVENTS:
        return None
    cwd = fields.get("cwd")
    if not _is_path(cwd):
        raise Unusable("the hook's input has no absolute cwd")
    transcript = fields.get("transcript_path")
    return Payload(event, cwd, transcript if _is_path(transcript) else None)


def _is_path(value: object) -> TypeGuard[str]:
    if not isinstance(value, str) or not value.startswith("/") or "\0" in value:
        return False
    try:
        return len(value.encode("utf-8")) <= _MAX_PATH
    except UnicodeEncodeError:  # a lone surrogate: Codex cannot have had such a path, but JSON can spell it
        return False
