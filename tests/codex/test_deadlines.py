"""An answer in time: whatever hangs, and however slowly a disk crawls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

import pytest

from refseal.codex import hook, session
from refseal.codex.deadline import Clock
from refseal.resolve import lookup, scope
from refseal.seal.withdrawal import is_withdrawal
from tests.codex.place import SOURCE, Place, hook_message, strict


def test_a_hanging_read_costs_only_what_it_would_have_read(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("AGENTS.local.md", "Overlay: @docs/a.md @docs/hangs.md @docs/b.md\n")
    for name in ("a", "b", "hangs"):
        place.write(f"docs/{name}.md", f"Document {name}\n")
    real = lookup.read  # type: ignore[attr-defined]

    def slow(token: str, *rest: Any) -> Any:
        if "hangs" in token:
            time.sleep(60)
        return real(token, *rest)

    monkeypatch.setattr(lookup, "read", slow)
    place.environ["REFSEAL_DEADLINE"] = "0.8"
    started = time.monotonic()
    said = place.answer()
    assert time.monotonic() - started < 0.8
    context = said["hookSpecificOutput"]["additionalContext"]
    assert "Overlay: " in context
    assert "Document a" in context
    assert '"docs/hangs.md"' in context
    assert '"docs/b.md"' in context
    assert "deadline" in context
    assert "file system" in said["systemMessage"]


@pytest.mark.parametrize("where", ["read", "locate", "_history", "Home"])
def test_a_disk_that_hangs_from_the_start_gives_one_message(
    place: Place, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    place.write("AGENTS.local.md", "Overlay\n")
    place.record()
    monkeypatch.setattr(session, where, lambda *_, **__: time.sleep(60))
    monkeypatch.setattr(hook, "Clock", lambda *_: Clock(0.5))
    place.environ["REFSEAL_DEADLINE"] = "0.5"
    started = time.monotonic()
    said = place.answer()
    assert time.monotonic() - started < 0.6
    assert list(said) == ["systemMessage"]


def test_a_hang_that_holds_what_the_answer_needs_gives_one_message(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("AGENTS.local.md", "Overlay: @docs/missing\n")
    place.write("docs/a.md", "a")
    monkeypatch.setattr(lookup, "is_directory", lambda *_: time.sleep(60))
    place.environ["REFSEAL_DEADLINE"] = "0.8"
    started = time.monotonic()
    said = place.answer()
    assert time.monotonic() - started < 0.9
    assert "systemMessage" in said


def test_a_crawling_disk_is_left_in_time(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.write("AGENTS.local.md", "".join(f"@docs/{number}.md\n" for number in range(30)))
    for number in range(30):
        place.write(f"docs/{number}.md", f"Document {number}.\n")
    real = lookup.read  # type: ignore[attr-defined]

    def slow(*arguments: Any) -> Any:
        time.sleep(0.1)
        return real(*arguments)

    monkeypatch.setattr(lookup, "read", slow)
    place.environ["REFSEAL_DEADLINE"] = "1"
    started = time.monotonic()
    said = place.answer()
    assert time.monotonic() - started < 1
    assert "file system" not in said.get("systemMessage", ""), "the work ends by itself, and in time"
    context = said["hookSpecificOutput"]["additionalContext"]
    assert "Document 0." in context
    assert "Document 29." not in context
    assert "deadline" in context


def hang_at(monkeypatch: pytest.MonkeyPatch, part: str, seconds: float = 60) -> None:
    """Let the reading of instruction files take that long in directories whose path ends so."""
    real = scope.read  # type: ignore[attr-defined]

    def slow(token: str, place: Any, *rest: Any) -> Any:
        if "/".join((place.root.path, *place.components)).endswith(part):
            time.sleep(seconds)
        return real(token, place, *rest)

    monkeypatch.setattr(scope, "read", slow)


def test_a_hanging_instruction_file_costs_only_what_comes_after_it(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place.home / ".codex/AGENTS.local.md").write_text("Overlay of the user\n")
    for directory in ("", "a", "a/hangs", "a/hangs/b"):
        place.write(os.path.join(directory, "AGENTS.local.md"), f"Overlay in /{directory}.\n")
    hang_at(monkeypatch, "/hangs")
    place.environ["REFSEAL_DEADLINE"] = "0.8"
    started = time.monotonic()
    said = place.answer(cwd=str(place.project / "a/hangs/b"))
    assert time.monotonic() - started < 0.8
    context = said["hookSpecificOutput"]["additionalContext"]
    for text in ("Overlay of the user", "Overlay in /.", "Overlay in /a.", "deadline", '/a/hangs/"', '/b/"'):
        assert text in context
    assert "Overlay in /a/hangs" not in context
    assert "file system" in said["systemMessage"]


def test_a_crawling_disk_is_left_in_the_midst_of_the_instruction_files(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = ""
    for number in range(12):
        place.write(os.path.join(directory, "AGENTS.local.md"), f"Overlay {number}.\n")
        directory = os.path.join(directory, "d")
    hang_at(monkeypatch, "", 0.05)
    place.environ["REFSEAL_DEADLINE"] = "1"
    started = time.monotonic()
    said = place.answer(cwd=str((place.project / directory).parent))
    assert time.monotonic() - started < 1
    assert "file system" not in said.get("systemMessage", ""), "the work ends by itself, and in time"
    context = said["hookSpecificOutput"]["additionalContext"]
    assert "Overlay 0." in context
    assert "Overlay 11." not in context
    assert "deadline" in context


@pytest.mark.parametrize("part", [".codex", "/project"])
def test_a_hang_withdraws_nothing(place: Place, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    overlay = place.write("AGENTS.local.md", "Overlay\n")
    block = place.context()
    overlay.unlink()
    place.record(hook_message(block))
    hang_at(monkeypatch, part)
    place.environ["REFSEAL_DEADLINE"] = "0.6"
    assert not is_withdrawal(place.context())


def test_a_hang_before_anything_is_known_withdraws_nothing(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    overlay = place.write("AGENTS.local.md", "Overlay\n")
    block = place.context()
    overlay.unlink()
    place.record(hook_message(block))
    monkeypatch.setattr(session, "locate", lambda *_, **__: time.sleep(60))
    place.environ["REFSEAL_DEADLINE"] = "0.6"
    assert set(place.answer()) == {"systemMessage"}


def test_a_hang_of_which_no_block_can_be_made_withdraws_nothing(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("AGENTS.local.md", "Overlay\n")
    place.record(hook_message(place.context()))

    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(session.Session, "expand", fail)
    hang_at(monkeypatch, "/project")
    place.environ["REFSEAL_DEADLINE"] = "0.6"
    assert set(place.answer()) == {"systemMessage"}


def test_a_deadline_beyond_the_hosts_own_is_cut(place: Place) -> None:
    place.environ["REFSEAL_DEADLINE"] = "600"
    assert session.session_in(str(place.project), place.environ, clock=Clock()).settings.deadline <= 9


@pytest.mark.parametrize(("module", "directory"), [("lookup", ""), ("scope", "sub")])
def test_a_system_call_that_never_returns_does_not_keep_the_process(
    place: Place, module: str, directory: str
) -> None:
    """A FIFO without a writer: the open hangs in the kernel, as that of a dead network mount does."""
    place.write("AGENTS.local.md", "Overlay: @docs/a.md\n")
    place.write("docs/a.md", "a")
    (place.project / "sub").mkdir()
    pipe = place.home / "pipe"
    os.mkfifo(pipe)
    code = f"""
import os, sys
sys.path.insert(0, {str(SOURCE)!r})
from refseal.codex import hook
from refseal.resolve import {module}
read = {module}.read
def hang(token, place, *rest):
    if place.components == {tuple(directory.split())} and token != "AGENTS.override.md":
        os.open({str(pipe)!r}, os.O_RDONLY)
    return read(token, place, *rest)
{module}.read = hang
hook.main()
os._exit(0)
"""
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps({"hook_event_name": "SessionStart", "cwd": str(place.project / directory)}).encode(),
        env={**place.environ, "REFSEAL_DEADLINE": "1"},
        capture_output=True,
        check=True,
        timeout=20,
    )
    assert time.monotonic() - started < 5
    assert done.stderr == b""
    said = strict(done.stdout)
    assert "Overlay: " in said["hookSpecificOutput"]["additionalContext"]
    assert "deadline" in said["hookSpecificOutput"]["additionalContext"]


def test_an_untrusted_project_gives_nothing_when_the_disk_hangs_either(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("AGENTS.local.md", "Overlay of the project\n")
    place.write("hangs/AGENTS.local.md", "Overlay in a folder\n")
    place.configure(f'[projects."{place.project}"]\ntrust_level = "untrusted"\n')
    hang_at(monkeypatch, "/hangs")
    place.environ["REFSEAL_DEADLINE"] = "0.8"
    assert "Overlay" not in place.context(cwd=str(place.project / "hangs"))
