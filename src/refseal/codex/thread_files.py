"""Where Codex keeps transcripts, opened through the guard.

``<Codex home>/sessions/YYYY/MM/DD/rollout-TIME-ID.jsonl``; one that was reverted goes on in
``rollout-TIME-THREAD_ID.jsonl``.  A transcript names the file that it continues by the ID at the end of that
file's name alone, which says when the ID was made (UUID version 7) and so mostly in which folder it is: TIME
and folder are those of the thread's start, in local time.
"""

from __future__ import annotations

import time

from refseal.codex.history import History
from refseal.codex.transcript import is_uuid, read_history
from refseal.pathguard import Place, Reach, Refusal, Root
from refseal.pathguard.handle import open_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Final

    from refseal.pathguard import Owners
    from refseal.pathguard.handle import Handle

MAX_NAMES: Final = 20_000
"""Names looked at in one folder: a day with more sessions costs a repeated block after a fork."""

_DAY: Final = 86_400

_DAY_FOLDERS: Final = 3
"""Year, month and day lie between a transcript and the folder of all sessions."""


def history_of(path: str, owners: Owners, is_late: Callable[[], bool] = lambda: False) -> History:
    """Return what the transcript at ``path`` says; if it cannot be read, that nothing is known.

    ``is_late`` is asked before each record; after that nothing more is read.
    """
    folder, _, name = path.rpartition("/")
    try:
        with Root.open(folder or "/", owners) as root, _open(root, name) as transcript:
            return read_history(transcript, lambda thread: _open_thread(thread, path, owners), is_late)
    except Refusal:
        return History()


def _open(root: Root, token: str) -> Handle:
    return open_file(token, Place(root, ()), Reach((root,)))


def _open_thread(thread: str, path: str, owners: Owners) -> Handle | None:
    """Open the file whose name ends with an ID, among the sessions that ``path`` is one of."""
    from refseal.pathguard.listing import list_directory  # noqa: PLC0415 - only forks and reverts need it

    own = path.rsplit("/", 1)[0]
    sessions = own
    for _ in range(_DAY_FOLDERS):
        sessions = sessions.rpartition("/")[0] or "/"
    seen = set()
    for folder in (own, *(sessions + day for day in _days(thread, path))):
        if folder in seen:
            continue
        seen.add(folder)
        try:
            with Root.open(folder, owners) as root:
                for entry in list_directory(".", Place(root, ()), Reach((root,)), MAX_NAMES).entries:
                    if entry.kind == "file" and entry.name.endswith((f"-{thread}.jsonl", f"_{thread}.jsonl")):
                        return _open(root, entry.name)
        except Refusal:
            continue
    return None


def _days(thread: str, path: str) -> Iterator[str]:
    """Yield the folders of the days on which the thread, or the one at ``path``, may have begun."""
    name = path.rsplit("/", 1)[1].removesuffix(".jsonl")
    for identifier in (thread, name[-36:], name[-73:-37]):
        if not is_uuid(identifier):
            continue
        begun = int(identifier[:8] + identifier[9:13], 16) // 1000
        for moment in (begun, begun - _DAY, begun + _DAY):  # one of them is the local day, in any time zone
            try:
                year, month, day = time.gmtime(moment)[:3]
            except (OverflowError, ValueError, OSError):  # an ID of another version: no time in it
                continue
            yield f"/{year:04}/{month:02}/{day:02}"
