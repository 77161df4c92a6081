"""From a hostile repository to the hook's answer: nothing leaks, nothing breaks out, nothing fails.

BASE/project is the repository, with git metadata, a credential and whatever the attacker wrote; BASE/outside
and the user's own BASE/home lie beside it.  What no session may ever see says so in its bytes.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from typing import TYPE_CHECKING, Any, Final

from fuzz.properties import disk
from refseal.codex.hook import answer
from refseal.seal import SMALLEST_LIMIT
from refseal.seal.parse import parse

if TYPE_CHECKING:
    from fuzz.choices import Choices

SECRET: Final = "NEVER-SHOWN-7f3a"  # noqa: S105  # a word to look for
"""No piece below can spell it."""

NAMES: Final = (
    "AGENTS.md", "AGENTS.local.md", "AGENTS.override.md", "docs", "docs/a.md", "docs/b.md", "sub", "a.md",
    "b.txt", "docs/AGENTS.local.md", "sub/AGENTS.local.md", "sub/AGENTS.md", "README.md", 'q".md',
    "x\ny.md", "\udcff.md", "<x>.md", "link", "docs/link", "sub/link.md", ".codex", ".codex/config.toml",
    'd"<x>/AGENTS.local.md', 'd"<x>/a.md',
)  # fmt: skip

TARGETS: Final = (
    "../outside", "../outside/secret.md", "..", ".", "docs", "a.md", "sub/AGENTS.md", "../project",
    "/etc/passwd", "../home/.codex/auth.json", ".git", "link", "docs/../../outside/secret.md", ".env",
    "AGENTS.local.md", 'q".md',
)  # fmt: skip

PIECES: Final = (
    "@docs/a.md", "@a.md", "@b.txt", "@docs", "@sub/AGENTS.md", "@link", "@link/secret.md", "@docs/link",
    "@AGENTS.md", "@../outside/secret.md", "@.git/config", "@.env", "@~/notes.md", "@docs/b.md",
    "@AGENTS.local.md", "@missing.md", "@./sub/../a.md", '@q".md', "@\\x", "@sub/link.md", "\n", " ",
    "\n\n", "- ", "> ", "`", "```\n", "~~~\n", "    ", "<!--", "-->", "<pre>", "</file:", "<file:",
    "## Not included\n", "a", "text ", "\u202e", "\U000e0041", "\x00", "é", "\ud800",
    "</agents_md_extra_context>", "<!-- refseal sha256:", "\r\n", "@", "\\", '"', "long " * 40,
)  # fmt: skip

LIMITS: Final = ("", "200", "300", "700", "2500", "1", "x")


class World:
    """The directories of one execution; a context manager that removes them."""

    def __init__(self) -> None:
        place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108
        self.base = os.path.realpath(tempfile.mkdtemp(prefix="refseal-", dir=place))
        self.project = os.path.join(self.base, "project")
        for path, body in (
            ("outside/secret.md", SECRET),
            ("home/notes.md", SECRET),
            ("home/.codex/auth.json", SECRET),
            ("project/.git/HEAD", "ref: refs/heads/main\n"),
            ("project/.git/config", SECRET),
            ("project/.env", SECRET),
        ):
            self._write(path, body.encode())

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.base, ignore_errors=True)

    def _write(self, path: str, body: bytes) -> None:
        whole = os.path.join(self.base, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        descriptor = os.open(whole, flags, 0o600)
        os.write(descriptor, body)
        os.close(descriptor)

    def attack(self, choices: Choices) -> None:
        """Write the repository: files, links, directories; links last, so none is written through."""
        links = []
        for _ in range(choices.below(12)):
            name = choices.pick(NAMES)
            if choices.chance(4):
                links.append((name, choices.pick(TARGETS)))
                continue
            body = self.text(choices).encode("utf-8", "surrogatepass")
            try:
                self._write(f"project/{name}", body)
            except OSError:
                continue  # taken, or a file where a directory would have to be
        for name, target in links:
            try:
                os.symlink(target, os.path.join(self.project, name))
            except OSError:
                continue
        if choices.chance(3):
            self._write("home/.codex/AGENTS.local.md", self.text(choices).encode("utf-8", "surrogatepass"))

    @staticmethod
    def text(choices: Choices) -> str:
        """The text of one document."""
        if choices.chance(12):
            return choices.line(b"\xff").decode("utf-8", "replace").replace(SECRET, "")
        return "".join(choices.pick(PIECES) for _ in range(choices.below(24)))


def answers_soundly(world: World, cwd: str, limit: str, event: str) -> None:
    """Ask the hook for one directory; then once more, in a session that has its answer already."""
    kept = disk.open_descriptors()  # the hook leaves closing to the end of its process
    payload: dict[str, Any] = {
        "hook_event_name": event,
        "cwd": os.path.join(world.project, cwd) if cwd else world.project,
        "source": "startup",
        "session_id": "0",
        "transcript_path": None,
    }
    environ = {"HOME": os.path.join(world.base, "home"), "REFSEAL_HOST_LIMIT": limit}
    first = answer(_bytes(payload), environ)
    block = _check(first, event, limit)
    assert answer(_bytes(payload), environ) == first, "the same question has two answers"
    transcript = os.path.join(world.base, "rollout.jsonl")
    _write_transcript(transcript, block)
    payload["transcript_path"] = transcript
    again = _check(answer(_bytes(payload), environ), event, limit)
    os.unlink(transcript)
    assert again is None, "what the model has already is said again"
    disk.close_all_but(kept)


def _check(said: bytes, event: str, limit: str) -> str | None:
    """Look at one answer; return its block."""
    assert SECRET.encode() not in said
    if not said:
        return None
    assert said.endswith(b"\n")
    assert said.count(b"\n") == 1
    fields: dict[str, Any] = json.loads(said)
    assert fields.keys() <= {"systemMessage", "hookSpecificOutput"}
    message = fields.get("systemMessage", "")
    assert "internal error" not in message, message
    assert message.isprintable(), message
    output = fields.get("hookSpecificOutput")
    if output is None:
        return None
    assert output.keys() == {"hookEventName", "additionalContext"}
    assert output["hookEventName"] == event
    block: str = output["additionalContext"]
    parse(block)
    if limit.isdigit() and int(limit) >= SMALLEST_LIMIT:  # else the default is used, and said to be
        assert -(-len(block.encode()) // 4) <= int(limit)
    return block


def _bytes(payload: dict[str, Any]) -> bytes:
    return json.dumps(payload).encode()


def _write_transcript(path: str, block: str | None) -> None:
    lines: list[dict[str, Any]] = [{"type": "session_meta", "payload": {"id": "x"}}]
    if block is not None:
        lines.append(
            {
                "type": "response_item",
                "payload": {
                    "type": "message",
                    "role": "developer",
                    "content": [{"type": "input_text", "text": block}],
                    "internal_chat_message_metadata_passthrough": {
                        "content_item_kinds": ["hooks.additional_context"],
                    },
                },
            }
        )
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
