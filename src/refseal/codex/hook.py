"""The hook: one JSON object in, one strict JSON object or nothing out, and never a failure.

Codex shows what a hook prints to the model unless it is JSON of exactly the right shape, and drops everything
of a hook that exits with anything but 0.  So every way out of here is `answer`'s last line.
"""

from __future__ import annotations

import sys

from refseal.codex.deadline import WAIT, Clock, in_time
from refseal.codex.json_codec import write
from refseal.codex.payload import MAX_BYTES, Unusable, read_payload
from refseal.system import environment, os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from refseal.codex.session import Session


class _Answer:
    """What is to be said: filled in by the work, written down by whoever waits for it."""

    __slots__ = ("context", "event", "messages", "session")

    def __init__(self) -> None:
        self.event = ""
        self.context: str | None = None
        self.messages: list[str] = []
        self.session: Session | None = None

    def take(self, session: Session) -> None:
        """Say what the session is to get."""
        self.messages = session.messages
        if session.history is not None and (session.block or session.history.block):
            from refseal.codex.lifecycle import message_for  # noqa: PLC0415 - most sessions have neither

            self.context = message_for(session.block, session.history)

    def write(self) -> bytes:
        fields: dict[str, object] = {}
        if self.messages:
            fields["systemMessage"] = "refseal: " + "; ".join(self.messages)
        if self.context:
            fields["hookSpecificOutput"] = {
                "hookEventName": self.event,
                "additionalContext": self.context,
            }
        return write(fields) + b"\n" if fields else b""


def answer(stdin: bytes, environ: Mapping[str, str]) -> bytes:
    """Return what the hook prints for one payload: a line with one strict JSON object, or nothing.

    Whatever the payload, the environment and the disk are like, it comes back without an exception and
    within REFSEAL_DEADLINE (5 s if that cannot be read).  If it had to leave work behind for that, a thread
    may still hang in a system call; end the process then.
    """
    said, clock = _Answer(), Clock()
    if not stdin.strip():
        return b""
    if not in_time(lambda: _work(stdin, environ, said, clock), clock):
        said = _late(said, clock)
    try:
        return said.write()
    except Exception:  # noqa: BLE001 - saying nothing is always allowed
        return b""


def _work(stdin: bytes, environ: Mapping[str, str], said: _Answer, clock: Clock) -> None:
    """Fill in the answer; no exception leaves."""
    try:
        _fill(stdin, environ, said, clock)
    except BaseException as error:  # noqa: BLE001 - a fault of ours must not cost the user more than a message
        said.context = None
        said.messages = [f"an internal error ({place_of(error)}); nothing was added"]


def _fill(stdin: bytes, environ: Mapping[str, str], said: _Answer, clock: Clock) -> None:
    if sys.platform == "win32":
        said.messages.append("this platform is not supported; nothing was added")
        return
    try:
        payload = read_payload(stdin)
    except Unusable as unusable:
        said.messages.append(f"{unusable}; nothing was added")
        return
    if payload is None:
        return
    from refseal.codex.session import session_in  # noqa: PLC0415 - most of refseal; other events need none of it

    def started(session: Session) -> None:
        said.session = session

    said.event = payload.event
    session = session_in(
        payload.cwd, environ, transcript=payload.transcript_path, clock=clock, started=started
    )
    said.take(session)


def _late(unfinished: _Answer, clock: Clock) -> _Answer:
    """Answer with what is known when the time is over and the work hangs.

    Making a block of what there is needs no disk, but it may need something that the work holds: so that is
    only waited for, too.  The unfinished answer is left to the work.
    """
    said = _Answer()
    said.event = unfinished.event
    session = unfinished.session
    late = f"no answer from the file system within {clock.seconds:g} s; what could not be read is left out"

    def make() -> None:
        try:
            if session is not None:
                session.finish()
        except BaseException:  # noqa: BLE001, S110 - then without it
            pass

    if session is not None and in_time(make, Clock(clock.seconds * (1 - WAIT))):
        if session.block is not None:
            said.take(session)
        else:  # that nothing belongs there any more is not known, so an earlier block is not withdrawn
            said.messages = session.messages
    said.messages.append(late)
    return said


def place_of(error: BaseException) -> str:
    """Name an error by its type and the line of ours that it came from: nothing hostile is in that."""
    trace: TracebackType | None = error.__traceback__
    place = ""
    while trace is not None:
        code = trace.tb_frame.f_code
        place = f" in {code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return type(error).__name__ + place


def main() -> None:
    """Answer on standard output what is asked on standard input; then end the process with status 0.

    End it at once (`os._exit`): if the deadline was reached, a thread may still hang in a system call.
    """
    try:
        view = memoryview(answer(_read_all(0), environment()))
        while view:
            view = view[os.write(1, view) :]
    except OSError:
        pass  # nobody listens


def _read_all(descriptor: int) -> bytes:
    parts, size = [], 0
    while size <= MAX_BYTES:
        part = os.read(descriptor, MAX_BYTES)
        if not part:
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts) if size <= MAX_BYTES else b"too much"


if __name__ == "__main__":
    main()
    os._exit(0)  # noqa: SLF001 - its public name
