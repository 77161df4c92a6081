"""A project, a home, and the hook's answers there; and the records that a transcript has of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from refseal.codex import hook

SOURCE = Path(hook.__file__).parents[2]


class Place:
    """A project and a home, and the hook's answers there."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        (self.project / ".git").mkdir(parents=True)
        self.home = folder / "home"
        (self.home / ".codex").mkdir(parents=True)
        self.environ = {"HOME": str(self.home)}
        self.transcript = folder / "sessions" / "2026" / "11" / "30" / "rollout-x.jsonl"
        self.transcript.parent.mkdir(parents=True)

    def write(self, path: str, text: str | bytes) -> Path:
        target = self.project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())
        return target

    def configure(self, text: str, name: str = "config.toml") -> None:
        (self.home / ".codex" / name).write_text(text)

    def record(self, *records: dict[str, Any], version: str = "0.171.0") -> None:
        meta = {"type": "session_meta", "payload": {"id": "x", "cli_version": version}}
        self.transcript.write_text("".join(_line(record) for record in (meta, *records)))

    def answer(self, **changes: Any) -> dict[str, Any]:
        payload = {
            "hook_event_name": "SessionStart",
            "cwd": str(self.project),
            "source": "startup",
            **changes,
        }
        if self.transcript.exists():
            payload.setdefault("transcript_path", str(self.transcript))
        return strict(hook.answer(json.dumps(payload).encode(), self.environ))

    def context(self, **changes: Any) -> str:
        text = self.answer(**changes).get("hookSpecificOutput", {}).get("additionalContext", "")
        assert isinstance(text, str)
        return text


def strict(output: bytes) -> dict[str, Any]:
    """Read an answer as strictly as Codex does."""
    if output == b"":
        return {}
    text = output.decode("ascii")
    assert text.endswith("}\n")
    assert text.startswith("{")

    def no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    said = json.loads(text, object_pairs_hook=no_doubles)
    assert isinstance(said, dict)
    assert said
    assert set(said) <= {"hookSpecificOutput", "systemMessage"}
    said.get("systemMessage", "").encode("utf-8")
    if "hookSpecificOutput" in said:
        specific = said["hookSpecificOutput"]
        assert set(specific) == {"hookEventName", "additionalContext"}
        assert specific["hookEventName"] in {"SessionStart", "SubagentStart"}
        assert specific["additionalContext"]
        specific["additionalContext"].encode("utf-8")
    return said


def hook_message(text: str) -> dict[str, Any]:
    return {
        "type": "response_item",
        "payload": {
            "type": "message",
            "role": "developer",
            "content": [{"type": "input_text", "text": text}],
            "internal_chat_message_metadata_passthrough": {
                "content_item_kinds": ["hooks.additional_context"]
            },
        },
    }


def world_state(agents_md: dict[str, Any]) -> dict[str, Any]:
    return {"type": "world_state", "payload": {"full": True, "state": {"agents_md": agents_md}}}


def _line(record: dict[str, Any]) -> str:
    """Write a record as Codex does: without spaces."""
    return json.dumps(record, separators=(",", ":")) + "\n"
