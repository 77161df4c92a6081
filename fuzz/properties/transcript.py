"""A transcript read backwards in steps says what the whole file says, read forwards, line by line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from refseal.codex import transcript
from refseal.codex.transcript import MARK, WORLD_STATE, read_history

if TYPE_CHECKING:
    from collections.abc import Sequence

    from refseal.codex.history import History

KIND = "hooks.additional_context"
NEEDLES = (WORLD_STATE, b'"compacted"', b'"thread_rolled_back"', MARK.encode())


class Memory:
    """A transcript in memory that knows whether it was closed."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.size = len(data)
        self.closed = False

    def read_at(self, offset: int, count: int) -> bytes:
        """The bytes of a file."""
        assert offset >= 0, "a negative offset was asked for"
        assert count >= 0, "a negative number of bytes was asked for"
        assert not self.closed, "read after it was closed"
        return self.data[offset : offset + count]

    def close(self) -> None:
        """Remember it."""
        assert not self.closed, "closed twice"
        self.closed = True


def reads_as_forwards(lines: Sequence[bytes], first_step: int) -> None:
    """Check one transcript of these lines, read in steps of so many bytes and more.

    Each line ends with a newline, or is the last.  A `session_meta` and an empty whole state stand before
    them.
    """
    meta = b'{"type": "session_meta", "payload": {"id": "x", "cli_version": "0.171.0"}}\n'
    start = b'{"type":"world_state","payload":{"full": true, "state": {"agents_md": {}}}}\n'
    data = b"".join((meta, start, *lines))
    said = read_in_steps(data, first_step)
    message, loaded = read_forwards(data)
    assert said.version == "0.171.0"
    assert said.block == message
    assert said.loaded is not None
    assert (said.loaded.directory, said.loaded.text) == (_text(loaded, "directory"), _text(loaded, "text"))


def read_in_steps(data: bytes, first_step: int) -> History:
    """The answer of the layer, with its first step backwards made small enough for small files."""
    usual = transcript.BLOCK
    transcript.BLOCK = first_step  # type: ignore[misc]
    try:
        return read_history(Memory(data), lambda _thread: None)
    finally:
        transcript.BLOCK = usual  # type: ignore[misc]


def read_forwards(data: bytes) -> tuple[str | None, dict[str, Any]]:
    """The naive answer: every record in its order, the state kept whole and patched as RFC 7396 says."""
    message: str | None = None
    loaded: dict[str, Any] = {}
    for line in data.split(b"\n"):
        record = _object(line) if any(needle in line for needle in NEEDLES) else {}
        kind, payload = record.get("type"), record.get("payload")
        if kind == "compacted":
            message = None
        if not isinstance(payload, dict):
            continue
        if kind == "event_msg" and payload.get("type") == "thread_rolled_back":
            message = None
        if kind == "response_item":
            message = _hook_text(payload) or message
        if kind == "world_state" and WORLD_STATE in line:
            loaded = _patched(loaded, payload)
    return message, loaded


def _object(line: bytes) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise ValueError
        return dict(pairs)

    def refuse(_constant: str) -> Any:
        raise ValueError

    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=once, parse_constant=refuse)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _hook_text(payload: dict[str, Any]) -> str | None:
    content = payload.get("content")
    if (payload.get("type"), payload.get("role")) != ("message", "developer") or not isinstance(
        content, list
    ):
        return None
    metadata = payload.get("internal_chat_message_metadata_passthrough")
    kinds = metadata.get("content_item_kinds") if isinstance(metadata, dict) else None
    found = None
    for index, part in enumerate(content):
        text = part.get("text") if isinstance(part, dict) else None
        named = kinds is None or (isinstance(kinds, list) and index < len(kinds) and kinds[index] == KIND)
        if isinstance(text, str) and text.startswith(MARK) and named:
            found = text
    return found


def _patched(loaded: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
    full, state = payload.get("full"), payload.get("state")
    if not isinstance(full, bool) or not isinstance(state, dict) or "agents_md" not in state:
        return loaded
    change = state["agents_md"]
    if not isinstance(change, dict):
        return {}
    return dict(change) if full else {**loaded, **change}


def _text(loaded: dict[str, Any], name: str) -> str | None:
    value = loaded.get(name)
    return value if isinstance(value, str) else None
