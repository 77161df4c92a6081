"""Records real transcripts with the real Codex as samples for the tests that read transcripts.

Run it by hand when a newer client is pinned (`just record-transcripts`). It writes tests/vectors/transcripts,
whose README tells what the files mean. Nothing of this machine stays in them, and long texts that are Codex's
own are cut; a byte offset that points into a file that became shorter is moved along with the text.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, Any

from tests.e2e.codex_client import HERE, NEWEST, REPOSITORY, AppServer, Codex, find_program
from tests.e2e.model_server import ModelServer, Request, call, wait_for_agent

if TYPE_CHECKING:
    from collections.abc import Iterator

TARGET = os.path.join(REPOSITORY, "tests", "vectors", "transcripts")
SCRATCH = "/scratch"
"""Stands in the samples for the folder that they were recorded in."""

LONGEST = 300
"""Code points of a string of Codex's own that stay: its prompts are long, and none of our business."""

MINE = re.compile(r"HOOK TEXT \d+|says hello")
AGENTS = re.compile(
    r"# AGENTS\.md instructions(?: for (?P<directory>[^\n]*))?\n\n"
    r"<INSTRUCTIONS>\n(?P<text>.*)\n</INSTRUCTIONS>",
    re.DOTALL,
)
REPLACED = "These AGENTS.md instructions replace all previously provided AGENTS.md instructions.\n\n"
WITHDRAWN = "The previously provided AGENTS.md instructions no longer apply."


class Recording:
    """One Codex with the probe as its plugin, three projects, and what was noted down meanwhile."""

    def __init__(self, version: str, folder: str, model: ModelServer) -> None:
        self.folder = folder
        self.model = model
        self.rows: list[dict[str, Any]] = []
        self.version = version
        program = find_program(version)
        if program is None:
            sys.exit(f"codex-{version} is not installed: npm ci --prefix tests/e2e")
        self.codex = Codex(program, folder, model, os.path.dirname(sys.executable))
        self.codex.environment["PROBE"] = folder
        self._write("answer", "HOOK TEXT <N>")
        self._write("calls", "")
        for name in ("p", "q", "none"):
            os.makedirs(os.path.join(folder, name, "sub"))
            subprocess.run(["git", "init", "-q", os.path.join(folder, name)], check=True)
            if name != "none":
                self._write(f"{name}/AGENTS.md", f"Project {name} says hello\n")
        self._write("p/sub/AGENTS.md", "Folder p/sub says hello\n")
        self.codex.install(os.path.join(HERE, "probe"), "probe@probe")
        self.codex.trust_hooks("/")
        self._calls = 0
        self._requests = 0

    def _write(self, path: str, text: str) -> None:
        with open(os.path.join(self.folder, path), "w", encoding="utf-8") as file:
            file.write(text)

    def home_says(self, text: str | None) -> None:
        """Give Codex home an AGENTS.md, or take it away."""
        if text is None:
            os.remove(os.path.join(self.codex.codex_home, "AGENTS.md"))
        else:
            self._write("codex/AGENTS.md", text)

    def note(self, name: str) -> None:
        """Note each call of the hook since the last note, and what the model had before and after it."""
        with open(os.path.join(self.folder, "calls"), encoding="utf-8") as file:
            calls = [json.loads(line) for line in file]
        requests = self.model.requests[self._requests :]
        for number, found in enumerate(calls[self._calls :], self._calls + 1):
            payload = found["payload"]
            answer = f"HOOK TEXT {number}"
            after = next(request for request in requests if answer in request.texts("developer"))
            texts = [text for text in after.texts("developer") if MINE.fullmatch(text)]
            self.rows.append(
                {
                    "name": name,
                    "version": self.version,
                    "payload": payload,
                    "bytes": found["bytes"],
                    "before": texts[: texts.index(answer)],
                    "answer": answer,
                    "agents_md": _agents_md(after),
                }
            )
        self._calls = len(calls)
        self._requests = len(self.model.requests)

    def save(self, target: str) -> list[dict[str, Any]]:
        """Write the transcripts that the rows name, scrubbed; give the rows, scrubbed too."""
        threads: dict[str, str] = {}
        for row in self.rows:
            path = row["payload"]["transcript_path"]
            if path is not None:
                threads.setdefault(path, row["name"])
        sizes: dict[str, list[tuple[int, int]]] = {}
        # Parents were started before their forks, so an offset into a parent is known when it is needed.
        for path in sorted(threads):  # a name holds the time of the start
            sizes[path] = self._scrub_file(path, target, sizes)
        for row in self.rows:
            path = row["payload"]["transcript_path"]
            if path is not None:
                row["bytes"] = _moved(sizes[path], row["bytes"])
        return [self._scrub(row, keep=True) for row in self.rows]

    def _scrub_file(
        self, path: str, target: str, sizes: dict[str, list[tuple[int, int]]]
    ) -> list[tuple[int, int]]:
        relative = os.path.relpath(path, self.codex.codex_home)
        output = os.path.join(target, relative)
        os.makedirs(os.path.dirname(output), exist_ok=True)
        ends = [(0, 0)]
        with open(path, "rb") as source, open(output, "wb") as file:
            for line in source:
                record = json.loads(line)
                base = record["payload"].get("history_base")
                if base is not None:
                    parent = _parent_of(path, base, sizes)
                    base["end_byte_offset"] = _moved(sizes[parent], base["end_byte_offset"])
                text = json.dumps(self._scrub(record), ensure_ascii=False, separators=(",", ":"))
                file.write(text.encode() + b"\n")
                ends.append((ends[-1][0] + len(line), file.tell()))
        return ends

    def _scrub(self, value: Any, *, keep: bool = False) -> Any:
        if isinstance(value, str):
            value = value.replace(self.folder, SCRATCH)
            if keep or len(value) <= LONGEST or MINE.search(value):
                return value
            return value[:40] + "…"
        if isinstance(value, list):
            return [self._scrub(each, keep=keep) for each in value]
        if isinstance(value, dict):
            return {key: self._scrub(each, keep=keep) for key, each in value.items()}
        return value


def _parent_of(path: str, base: dict[str, Any], sizes: dict[str, list[tuple[int, int]]]) -> str:
    """Find the file that a `history_base` points into: the one that has a line end there."""
    found = [
        known
        for known, ends in sizes.items()
        if base["thread_id"] in known and any(base["end_byte_offset"] == before for before, _ in ends)
    ]
    if len(found) != 1:
        raise LookupError(path, base, found)
    return found[0]


def _moved(ends: list[tuple[int, int]], offset: int) -> int:
    (moved,) = (after for before, after in ends if before == offset)
    return moved


def _agents_md(request: Request) -> dict[str, str]:
    """Give what the model was told last about AGENTS.md files, in the shape of `world_state`."""
    found: dict[str, str] = {}
    for text in request.texts("user"):
        match = AGENTS.fullmatch(text)
        if match is None:
            continue
        body = match["text"].removeprefix(REPLACED)
        found = {} if body == WITHDRAWN else {"text": body}
        if match["directory"] is not None:
            found = {"directory": match["directory"], **found}
    return found


def record(recording: Recording) -> None:
    """Go through the life of sessions; each `note` names what was just done."""
    codex, model, folder = recording.codex, recording.model, recording.folder
    p, q, none = (os.path.join(folder, name) for name in ("p", "q", "none"))
    sub = os.path.join(p, "sub")
    note = recording.note

    recording.home_says("Home says hello\n")
    codex.execute("hi", cwd=none)
    note("startup-home-only")
    codex.execute("hi", cwd=sub)
    note("startup-home-and-project")
    recording.home_says(None)
    codex.execute("hi", cwd=none)
    note("startup-nothing")
    codex.execute("hi", cwd=p, options=["--ephemeral"])
    note("startup-ephemeral")
    thread = codex.execute("hi", cwd=p)
    note("startup")
    codex.resume(thread, "again", cwd=p)
    note("resume")
    codex.resume(thread, "elsewhere", cwd=q)
    note("resume-elsewhere")
    codex.resume(thread, "nowhere", cwd=none)
    note("resume-where-there-is-nothing")

    with AppServer(codex) as server:
        thread = server.start(p)
        server.say(thread, "one")
        note("startup-app-server")
        server.compact(thread)
    codex.resume(thread, "right after", cwd=p)
    note("resume-right-after-compaction")

    with AppServer(codex) as server:
        thread = server.start(p)
        server.say(thread, "one")
        note("startup-app-server")
        fork = server.fork(thread)
        server.say(fork, "in a fork")
        note("fork")
        other = server.fork(fork, cwd=q)
        server.say(other, "in a fork of a fork")
        note("fork-of-a-fork-elsewhere")
        server.compact(thread)
        server.say(thread, "two")
        note("compact")
        fork = server.fork(thread)
        server.say(fork, "in a fork")
        note("fork-after-compaction")
        server.compact(fork)
        server.say(fork, "two")
        note("compact-in-a-fork")
        thread = server.start(p, sessionStartSource="clear")
        server.say(thread, "one")
        note("clear")

    if recording.version == NEWEST:  # the others have no `thread/revert`
        with AppServer(codex) as server:
            thread = server.start(p)
            for prompt in ("one", "two", "three"):
                server.say(thread, prompt)
            note("startup-app-server")
            server.revert(thread, keep=1)
            server.say(thread, "four")
            note("revert")
            server.say(thread, "five")
            server.revert(thread, keep=2)
            server.say(thread, "six")
            note("revert-again")
            fork = server.fork(thread)
            server.say(fork, "in a fork")
            note("fork-after-reverts")
            server.revert(fork, keep=1)
            server.say(fork, "seven")
            note("revert-of-a-fork-into-its-parent")
            server.revert(thread, keep=0)
            server.say(thread, "eight")
            note("revert-all")
        codex.resume(thread, "nine", cwd=p)
        note("resume-after-reverts")

    codex.configure("model_auto_compact_token_limit = 5000")
    model.script("work", call("exec_command", {"cmd": "true"}))
    with AppServer(codex) as server:
        thread = server.start(p)
        model.usage = 9000
        server.say(thread, "work")
        model.usage = 10
        note("startup-and-compact-in-mid-turn")
    codex.configure()

    model.script("ask", _spawn(), wait_for_agent)
    model.script("ask again", _spawn(fork_context=True), wait_for_agent)
    with AppServer(codex) as server:
        thread = server.start(sub)
        server.say(thread, "ask")
        note("startup-and-subagent")
        server.say(thread, "ask again")
        note("subagent-with-history")
        fork = server.fork(thread)
        server.say(fork, "ask again")
        note("subagent-with-history-of-a-fork")
        server.compact(thread)
        server.say(thread, "ask again")
        note("subagent-with-compacted-history")


def _spawn(**arguments: bool) -> dict[str, Any]:
    return call("spawn_agent", {"message": "do it", **arguments}, namespace="multi_agent_v1")


def _versions() -> Iterator[str]:
    yield from sys.argv[1:] or ["0.144.6", "0.145.0", NEWEST]


def main() -> None:
    """Record with each pinned version."""
    for version in _versions():
        folder = os.path.join(TARGET, version)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        with tempfile.TemporaryDirectory() as scratch, ModelServer() as model:
            recording = Recording(version, scratch, model)
            record(recording)
            rows = recording.save(folder)
        with open(os.path.join(folder, "hooks.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


if __name__ == "__main__":
    main()
