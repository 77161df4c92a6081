"""An answer in time: whatever hangs, and however slowly a disk crawls.

The clock here is the disk's: it goes on while the disk hangs or crawls and at no other time, so no answer
depends on how fast a machine is.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from refseal.codex import contribution, deadline, session
from refseal.codex.deadline import Clock, in_time
from refseal.resolve import lookup, scope
from refseal.seal.withdrawal import is_withdrawal
from tests.codex.place import SOURCE, Place, hook_message, strict

if TYPE_CHECKING:
    from collections.abc import Iterator

ALARM = 60
"""Seconds after which a hang ends by itself, so that an answer that waits for it fails rather than hangs."""


class Disk:
    """Hangs, or takes its time.

    ``now``      the seconds that it has taken
    ``seconds``  the deadline that is set; a hang takes nine tenths of it at once: an answer is due then
    ``ticks``    with it a hang goes on and on instead, a little whenever somebody looks at the clock
    ``hung``     what hangs was not waited for
    """

    def __init__(self) -> None:
        self.now = 0.0
        self.seconds = 1.0
        self.ticks = False
        self.hung = False
        self._free = threading.Event()

    def monotonic(self) -> float:
        if self.ticks and self.hung:
            self.now += 0.005
        return self.now

    def hang(self, *_: object, **__: object) -> None:
        self.hung = True
        if not self.ticks:
            self.now = max(self.now, 0.9 * self.seconds)
        self._free.wait(ALARM)
        self.hung = False
        raise InterruptedError

    def crawl(self, seconds: float) -> None:
        self.now += seconds

    def free(self) -> None:
        self._free.set()


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    disk = Disk()
    monkeypatch.setattr(deadline, "time", SimpleNamespace(monotonic=disk.monotonic))
    monkeypatch.setattr(deadline, "GLANCE", 0.001)
    yield disk
    disk.free()


def answer(place: Place, disk: Disk, **changes: Any) -> dict[str, Any]:
    """Return what the hook says, which does not wait for what hangs and is there before its deadline."""
    place.environ["REFSEAL_DEADLINE"] = f"{disk.seconds:g}"
    said = place.answer(**changes)
    assert disk.hung
    assert disk.now < disk.seconds
    return said


def test_what_hangs_is_waited_for_no_longer_than_the_clock_allows(disk: Disk) -> None:
    disk.ticks = True

    def work() -> None:  # which must not raise
        with contextlib.suppress(InterruptedError):
            disk.hang()

    assert not in_time(work, Clock(2))
    assert disk.hung
    assert 1 < disk.now < 2


@pytest.mark.usefixtures("disk")
def test_work_that_ends_is_waited_for() -> None:
    done: list[bool] = []
    assert in_time(lambda: done.append(True), Clock(2))
    assert done == [True]


def test_a_hanging_read_costs_only_what_it_would_have_read(
    place: Place, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("AGENTS.local.md", "Overlay: @docs/a.md @docs/hangs.md @docs/b.md\n")
    for name in ("a", "b", "hangs"):
        place.write(f"docs/{name}.md", f"Document {name}\n")
    real = lookup.read  # type: ignore[attr-defined]

    def slow(token: str, *rest: Any) -> Any:
        if "hangs" in token:
            disk.hang()
        return real(token, *rest)

    monkeypatch.setattr(lookup, "read", slow)
    said = answer(place, disk)
    context = said["hookSpecificOutput"]["additionalContext"]
    assert "Overlay: " in context
    assert "Document a" in context
    assert '"docs/hangs.md"' in context
    assert '"docs/b.md"' in context
    assert "deadline" in context
    assert "file system" in said["systemMessage"]


@pytest.mark.parametrize("where", ["read", "locate", "_history", "Home"])
def test_a_disk_that_hangs_from_the_start_gives_one_message(
    place: Place, disk: Disk, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    place.write("AGENTS.local.md", "Overlay\n")
    place.record()
    monkeypatch.setattr(session, where, disk.hang)
    disk.seconds = deadline.DEFAULT  # no other is known, where the settings hang too
    assert list(answer(place, disk)) == ["systemMessage"]


def test_a_hang_at_a_question_about_a_directory_costs_only_its_answer(
    place: Place, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("AGENTS.local.md", "Overlay: @docs/missing\n")
    place.write("docs/a.md", "a")
    monkeypatch.setattr(lookup, "is_directory", disk.hang)
    said = answer(place, disk)
    assert "systemMessage" in said
    assert "Overlay: " in said["hookSpecificOutput"]["additionalContext"]


def test_a_hang_that_holds_what_the_answer_needs_gives_one_message(
    place: Place, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("AGENTS.local.md", "Overlay\n")
    disk.ticks = True
    hang_at(monkeypatch, disk, "/project")
    monkeypatch.setattr(session.Session, "finish", disk.hang)
    assert list(answer(place, disk)) == ["systemMessage"]


def test_a_crawling_disk_is_left_in_time(place: Place, disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    place.write("AGENTS.local.md", "".join(f"@docs/{number}.md\n" for number in range(30)))
    for number in range(30):
        place.write(f"docs/{number}.md", f"Document {number}.\n")
    real = lookup.read  # type: ignore[attr-defined]

    def slow(*arguments: Any) -> Any:
        disk.crawl(0.1)
        return real(*arguments)

    monkeypatch.setattr(lookup, "read", slow)
    place.environ["REFSEAL_DEADLINE"] = "1"
    said = place.answer()
    assert disk.now < 1
    assert "file system" not in said.get("systemMessage", ""), "the work ends by itself, and in time"
    context = said["hookSpecificOutput"]["additionalContext"]
    assert "Document 0." in context
    assert "Document 29." not in context
    assert "deadline" in context


def hang_at(monkeypatch: pytest.MonkeyPatch, disk: Disk, part: str) -> None:
    """Let the reading of instruction files hang in directories whose path ends so."""
    real = scope.read  # type: ignore[attr-defined]

    def slow(token: str, place: Any, *rest: Any) -> Any:
        if "/".join((place.root.path, *place.components)).endswith(part):
            disk.hang()
        return real(token, place, *rest)

    monkeypatch.setattr(scope, "read", slow)


def test_a_hanging_instruction_file_costs_only_what_comes_after_it(
    place: Place, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place.home / ".codex/AGENTS.local.md").write_text("Overlay of the user\n")
    for directory in ("", "a", "a/hangs", "a/hangs/b"):
        place.write(os.path.join(directory, "AGENTS.local.md"), f"Overlay in /{directory}.\n")
    hang_at(monkeypatch, disk, "/hangs")
    said = answer(place, disk, cwd=str(place.project / "a/hangs/b"))
    context = said["hookSpecificOutput"]["additionalContext"]
    for text in ("Overlay of the user", "Overlay in /.", "Overlay in /a.", "deadline", '/a/hangs/"', '/b/"'):
        assert text in context
    assert "Overlay in /a/hangs" not in context
    assert "file system" in said["systemMessage"]


def test_a_crawling_disk_is_left_in_the_midst_of_the_instruction_files(
    place: Place, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = ""
    for number in range(12):
        place.write(os.path.join(directory, "AGENTS.local.md"), f"Overlay {number}.\n")
        directory = os.path.join(directory, "d")
    real = scope.read  # type: ignore[attr-defined]

    def slow(*arguments: Any) -> Any:
        disk.crawl(0.05)
        return real(*arguments)

    monkeypatch.setattr(scope, "read", slow)
    place.environ["REFSEAL_DEADLINE"] = "1"
    said = place.answer(cwd=str((place.project / directory).parent))
    assert disk.now < 1
    assert "file system" not in said.get("systemMessage", ""), "the work ends by itself, and in time"
    context = said["hookSpecificOutput"]["additionalContext"]
    assert "Overlay 0." in context
    assert "Overlay 11." not in context
    assert "deadline" in context


@pytest.mark.parametrize("part", [".codex", "/project"])
def test_a_hang_withdraws_nothing(
    place: Place, disk: Disk, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    overlay = place.write("AGENTS.local.md", "Overlay\n")
    block = place.context()
    overlay.unlink()
    place.record(hook_message(block))
    hang_at(monkeypatch, disk, part)
    said = answer(place, disk)
    assert not is_withdrawal(said.get("hookSpecificOutput", {}).get("additionalContext", ""))


def test_a_hang_before_anything_is_known_withdraws_nothing(
    place: Place, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    overlay = place.write("AGENTS.local.md", "Overlay\n")
    block = place.context()
    overlay.unlink()
    place.record(hook_message(block))
    monkeypatch.setattr(session, "locate", disk.hang)
    assert set(answer(place, disk)) == {"systemMessage"}


def test_a_hang_of_which_no_block_can_be_made_withdraws_nothing(
    place: Place, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("AGENTS.local.md", "Overlay\n")
    place.record(hook_message(place.context()))

    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(contribution, "expand", fail)
    hang_at(monkeypatch, disk, "/project")
    assert set(answer(place, disk)) == {"systemMessage"}


@pytest.mark.parametrize(("part", "is_told"), [(0.4, True), (0.6, False)])
def test_a_transcript_without_end_costs_only_what_it_says(
    place: Place, part: float, *, is_told: bool
) -> None:
    class Stuck(Clock):
        """A clock that stands where a part of the time is over."""

        def spent(self) -> float:
            return part * self.seconds

    place.write("AGENTS.local.md", "the overlay")
    place.record(hook_message("<!-- refseal sha256:0 -->"))
    found = session.session_in(
        str(place.project), place.environ, transcript=str(place.transcript), clock=Stuck()
    )
    with contextlib.closing(found):
        assert "the overlay" in (found.block or "")
        assert found.history is not None
        assert (found.history.block is not None) is is_told


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
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps({"hook_event_name": "SessionStart", "cwd": str(place.project / directory)}).encode(),
        env={**place.environ, "REFSEAL_DEADLINE": "3"},
        capture_output=True,
        check=True,
        timeout=ALARM,
    )
    assert done.stderr == b""
    said = strict(done.stdout)
    assert "Overlay: " in said["hookSpecificOutput"]["additionalContext"]
    assert "deadline" in said["hookSpecificOutput"]["additionalContext"]


def test_an_untrusted_project_gives_nothing_when_the_disk_hangs_either(
    place: Place, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("AGENTS.local.md", "Overlay of the project\n")
    place.write("hangs/AGENTS.local.md", "Overlay in a folder\n")
    place.configure(f'[projects."{place.project}"]\ntrust_level = "untrusted"\n')
    hang_at(monkeypatch, disk, "/hangs")
    said = answer(place, disk, cwd=str(place.project / "hangs"))
    assert "Overlay" not in said.get("hookSpecificOutput", {}).get("additionalContext", "")
