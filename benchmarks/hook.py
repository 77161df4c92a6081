"""CPU time of the hook, as multiples of an interpreter that does nothing: `python3 -I -S -c pass`.

    python benchmarks/hook.py [--runs N] [--python PROGRAM] [--check]

Each case alternates with the bare interpreter (so that a busy machine slows both), user and system time
come from `wait4`, and the figure is the ratio of the two medians.  With --check
the exit status is 1 if a figure is above its target.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = Path(__file__).parent.parent / "src"
THREAD = "01a22be3-48d3-7a00-9bae-a9fce52c180f"
MEGABYTE = 1 << 20


class Case:
    """A folder with a project, a Codex home and a transcript, and the payload of a session in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = folder / "project"
        (self.project / ".git").mkdir(parents=True)
        self.home = folder / "home"
        (self.home / ".codex").mkdir(parents=True)
        self.transcript: Path | None = None
        self.source = "startup"

    def write(self, path: str, text: str) -> None:
        """Write a file of the project."""
        target = self.project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def payload(self) -> bytes:
        """Return what Codex tells the hook."""
        return json.dumps(
            {
                "session_id": THREAD,
                "transcript_path": str(self.transcript) if self.transcript else None,
                "cwd": str(self.project),
                "hook_event_name": "SessionStart",
                "source": self.source,
            }
        ).encode()


def record(kind: str, payload: object) -> bytes:
    """Return a line of a transcript."""
    return (
        json.dumps({"timestamp": "t", "type": kind, "payload": payload}, separators=(",", ":")).encode()
        + b"\n"
    )


META = record("session_meta", {"id": THREAD, "cli_version": "0.171.0", "base_instructions": "x" * 20_000})


def talk(size: int) -> bytes:
    """Return some size of ordinary records: messages, tool output with quoted JSON, token counts."""
    one = (
        record(
            "response_item", {"type": "message", "role": "assistant", "content": [{"text": "word " * 100}]}
        )
        + record("response_item", {"type": "function_call_output", "output": json.dumps({"type": "x"}) * 60})
        + record("event_msg", {"type": "token_count", "info": {"total": 1}})
    )
    return one * (size // len(one))


def nothing(case: Case) -> None:
    """Set up a repository with nothing for us."""
    case.write("README.md", "Nothing for us\n")


def chained(case: Case) -> None:
    """Set up a chain: each document refers to the next."""
    case.write("AGENTS.local.md", "Start: @docs/0.md\n")
    for number in range(20):
        case.write(
            f"docs/{number}.md",
            f"Document {number}. See @{number + 1}.md for more.\n" + "Line of text.\n" * 5,
        )
    case.write("docs/20.md", "The end.\n")
    (case.home / ".codex" / "refseal.toml").unlink(missing_ok=True)


def full(case: Case) -> None:
    """Set up as much as the default budgets let in."""
    text = "A line of prose, as documents have it, and a path such as docs/x.md in it now.\n" * 8
    text += "A line with `code`, one that mentions @somebody, and a list item:\n\n- with *emphasis*\n\n"
    case.write("AGENTS.local.md", (text * 50)[:32_000] + "\n" + "".join(f"@docs/{n}.md\n" for n in range(32)))
    for number in range(32):
        case.write(f"docs/{number}.md", (text * 8)[:4_090] + "\n")


def configured(case: Case) -> None:
    """Set up a configuration that says nothing of instruction files, and a young session."""
    case.write("AGENTS.local.md", "Overlay\n")
    case.write("AGENTS.md", "Native\n")
    (case.home / ".codex" / "config.toml").write_text(
        'model = "m"\napproval_policy = "untrusted"\n'
        + "".join(
            f'[projects."/home/somebody/work/project-{n}"]\ntrust_level = "trusted"\n' for n in range(30)
        )
    )
    case.transcript = case.folder / f"rollout-2026-11-30T09-57-25-{THREAD}.jsonl"
    state = {"agents_md": {"directory": str(case.project), "text": "Native\n"}}
    case.transcript.write_bytes(META + record("world_state", {"full": True, "state": state}) + talk(40_000))


def resumed(case: Case) -> None:
    """Set up an old session, whose block is not far from its end."""
    configured(case)
    case.source = "resume"
    assert case.transcript is not None
    block = json.loads(run(case, Path(sys.executable).resolve())[1])["hookSpecificOutput"][
        "additionalContext"
    ]
    hook = {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": block}]}
    hook["internal_chat_message_metadata_passthrough"] = {"content_item_kinds": ["hooks.additional_context"]}
    with case.transcript.open("ab") as file:
        chunk = talk(MEGABYTE)
        for _ in range(196):
            file.write(chunk)
        file.write(record("response_item", hook))
        for _ in range(3):
            file.write(chunk)


def cases() -> dict[str, tuple[float, Callable[[Case], None]]]:
    """Return the cases with their targets."""
    return {
        "nothing to inject": (1.7, nothing),
        "20 chained references": (2.2, chained),
        "full default budgets": (3.0, full),
        "config.toml with 30 projects, transcript of 60 kB": (2.5, configured),
        "resumed: 200 MB, block in the last 4 MB": (2.7, resumed),
        "first run, nothing to inject": (4.5, nothing),
        "first run, 20 chained references": (4.5, chained),
    }


def spend(arguments: list[str], stdin: bytes, environment: dict[str, str]) -> tuple[float, bytes]:
    """Run a program; return its seconds of CPU and its output."""
    read_in, write_in = os.pipe()
    read_out, write_out = os.pipe()
    os.write(write_in, stdin)
    os.close(write_in)
    child = os.posix_spawn(
        arguments[0],
        arguments,
        environment,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, read_in, 0),
            (os.POSIX_SPAWN_DUP2, write_out, 1),
            (os.POSIX_SPAWN_CLOSE, read_out),
        ],
    )
    os.close(read_in)
    os.close(write_out)
    parts = []
    while part := os.read(read_out, MEGABYTE):
        parts.append(part)
    os.close(read_out)
    _, status, usage = os.wait4(child, 0)
    assert status == 0, status
    return usage.ru_utime + usage.ru_stime, b"".join(parts)


def run(case: Case, python: Path) -> tuple[float, bytes]:
    """Run the hook once."""
    environment = {
        "HOME": str(case.home),
        "PATH": "/usr/bin:/bin",
        "PLUGIN_DATA": str(case.folder / "data"),
        "REFSEAL_MAX_DEPTH": "30",
    }
    return spend([str(python), "-I", "-S", str(SOURCE / "hook.py")], case.payload(), environment)


def measure(case: Case, python: Path, runs: int, *, forget: bool) -> tuple[float, float, int]:
    """Return the medians of the hook and of the bare interpreter in seconds, and the size of the output."""
    ours, bare, size = [], [], 0
    for number in range(runs + 1):
        if forget:
            shutil.rmtree(case.folder / "data", ignore_errors=True)
        spent, output = run(case, python)
        size = len(output)
        baseline, _ = spend([str(python), "-I", "-S", "-c", "pass"], b"", {})
        if number or forget:
            ours.append(spent)
            bare.append(baseline)
    return statistics.median(ours), statistics.median(bare), size


def main() -> int:
    """Measure every case."""
    parser = argparse.ArgumentParser(description="CPU time of the hook in multiples of a bare interpreter.")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--python", type=Path, default=Path(sys.executable).resolve())
    parser.add_argument("--check", action="store_true", help="fail if a figure is above its target")
    parser.add_argument("--only", default="", help="cases whose name holds this")
    options = parser.parse_args()
    missed = 0
    for name, (target, prepare) in cases().items():
        if options.only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            case = Case(Path(folder).resolve())
            prepare(case)
            ours, bare, size = measure(case, options.python, options.runs, forget="first run" in name)
        ratio = ours / bare
        missed += ratio > target
        print(
            f"{name:52} {ratio:5.2f} (target {target})   {ours * 1000:6.1f} ms against {bare * 1000:5.1f} ms,"
            f" {size} bytes out"
        )
    return 1 if missed and options.check else 0


if __name__ == "__main__":
    raise SystemExit(main())
