"""The worlds that the hook is measured in: a project, a Codex home, a transcript, and Codex's question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.processes import run
from benchmarks.texts import ordinary

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.processes import Run

SOURCE = Path(__file__).parent.parent / "src"
THREAD = "01a22be3-48d3-7a00-9bae-a9fce52c180f"
MEGABYTE = 1 << 20

DOCUMENTS, DOCUMENT_BYTES = 32, 4096
"""The default budgets, full: REFSEAL_MAX_FILES, and that part of REFSEAL_MAX_TOTAL_REFERENCE_BYTES."""


class World:
    """A folder with everything that the hook of one session sees."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = folder / "project"
        (self.project / ".git").mkdir(parents=True)
        self.home = folder / "home"
        (self.home / ".codex").mkdir(parents=True)
        self.data: Path | None = folder / "data"
        self.transcript: Path | None = None
        self.settings: dict[str, str] = {}  # most people set nothing
        self.source = "startup"

    def write(self, path: str, text: str) -> None:
        """Write a file of the project."""
        target = self.project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    @property
    def payload(self) -> bytes:
        """What Codex tells the hook."""
        return json.dumps(
            {
                "session_id": THREAD,
                "transcript_path": str(self.transcript) if self.transcript else None,
                "cwd": str(self.project),
                "hook_event_name": "SessionStart",
                "source": self.source,
            }
        ).encode()

    @property
    def environment(self) -> dict[str, str]:
        """What Codex gives the hook, and what the user has set."""
        return {
            "HOME": str(self.home),
            "PATH": "/usr/bin:/bin",
            "PLUGIN_DATA": str(self.data or ""),
            **self.settings,
        }

    def answer(self, python: Path) -> Run:
        """Let the hook answer once, as Codex starts it."""
        return run([str(python), "-I", "-S", str(SOURCE / "hook.py")], self.payload, self.environment)


def nothing(world: World) -> None:
    """Set up a repository without a file for us."""
    world.write("README.md", "Nothing for us\n")


def chained(world: World) -> None:
    """Set up twenty documents, 6 kB in all, each of which refers to the next."""
    world.settings["REFSEAL_MAX_DEPTH"] = "30"  # deep enough for the chain
    world.write("AGENTS.local.md", "Start: @docs/0.md\n")
    line = "A line of plain text, as documents have it.\n"
    for number in range(20):
        after = f"See @{number + 1}.md for more.\n" if number < 19 else "The end.\n"
        world.write(f"docs/{number}.md", f"# Document {number}\n\n{after}\n" + line * 6)


def full(world: World) -> None:
    """Use the default budgets up: an overlay and 32 documents of 4 KiB of Markdown with references."""
    text = ordinary((DOCUMENTS + 1) * DOCUMENT_BYTES, every=2000).replace("@docs/", "@")
    for name, known in ("guide", "1"), ("core", "2"), ("setup", "3"):
        text = text.replace(f"@{name}.md", f"@{known}.md")
    parts = [text[start : start + DOCUMENT_BYTES - 1] for start in range(0, len(text), DOCUMENT_BYTES)]
    list_of_all = "".join(f"- Read @docs/{number}.md.\n" for number in range(DOCUMENTS))
    world.write("AGENTS.local.md", f"{list_of_all}\n{parts[DOCUMENTS]}\n")
    for number in range(DOCUMENTS):
        world.write(f"docs/{number}.md", f"{parts[number]}\n")


def configured(world: World) -> None:
    """Set up the chain, a configuration that says nothing of instruction files, and a young session."""
    chained(world)
    world.write("AGENTS.md", "Native\n")
    (world.home / ".codex" / "config.toml").write_text(
        'model = "m"\napproval_policy = "untrusted"\n'
        + "".join(
            f'[projects."/home/somebody/work/project-{n}"]\ntrust_level = "trusted"\n' for n in range(30)
        )
    )
    world.transcript = world.folder / f"rollout-2026-11-30T09-57-25-{THREAD}.jsonl"
    world.transcript.write_bytes(_META + _loaded(world) + _talk(40_000))


def resumed(world: World, python: Path, *, compacted: bool = True) -> None:
    """Set up the same after 200 MB of session, with our block 3 MB before its end.

    ``compacted``  the block was added after a compaction, as in any session of that length: Codex then writes
                   down anew what it has loaded.  Else that is told at the start alone, and the whole part
                   that may be read has to be searched for it
    """
    configured(world)
    assert world.transcript is not None
    block = json.loads(world.answer(python).output)["hookSpecificOutput"]["additionalContext"]
    world.source = "resume"
    hook: dict[str, object] = {
        "type": "message",
        "role": "developer",
        "content": [{"type": "input_text", "text": block}],
        "internal_chat_message_metadata_passthrough": {"content_item_kinds": ["hooks.additional_context"]},
    }
    with world.transcript.open("ab") as file:
        chunk = _talk(MEGABYTE)
        for _ in range(196):
            file.write(chunk)
        if compacted:
            file.write(_record("compacted", {"message": "", "replacement_history": []}) + _loaded(world))
        file.write(_record("response_item", hook))
        for _ in range(3):
            file.write(chunk)


WORLDS: dict[str, tuple[float, Callable[[World], None]]] = {
    "20 chained references, 6 kB": (2.2, chained),
    "full default budgets": (3.0, full),
    "nothing to inject": (1.7, nothing),
    "the chain, 30 projects in config.toml, transcript of 60 kB": (2.5, configured),
}
"""By name: the bound in bare interpreters, and what sets the world up."""


def _record(kind: str, payload: object) -> bytes:
    line = json.dumps({"timestamp": "t", "type": kind, "payload": payload}, separators=(",", ":"))
    return line.encode() + b"\n"


_META = _record("session_meta", {"id": THREAD, "cli_version": "0.171.0", "base_instructions": "x" * 20_000})


def _loaded(world: World) -> bytes:
    state = {"agents_md": {"directory": str(world.project), "text": "Native\n"}}
    return _record("world_state", {"full": True, "state": state})


def _talk(size: int) -> bytes:
    """Return some size of ordinary records: messages, tool output with quoted JSON, token counts."""
    message = {"type": "message", "role": "assistant", "content": [{"text": "word " * 100}]}
    output = {"type": "function_call_output", "output": json.dumps({"type": "x"}) * 60}
    one = (
        _record("response_item", message)
        + _record("response_item", output)
        + _record("event_msg", {"type": "token_count", "info": {"total": 1}})
    )
    return one * (size // len(one))
