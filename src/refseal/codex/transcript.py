"""The session's transcript: which block the model has in front of it, and what Codex itself loaded.

A transcript is a file of JSON records, one a line, that only grows; some have a gigabyte.  Two answers are
wanted, and both are decided by the *latest* record that speaks about them, so the file is read backwards:

``block``   the latest hook message of ours in the effective history: nothing before the last compaction is
            in front of the model any more, and of a fork the parent's records up to the branch still are.
``loaded``  the text that Codex loaded of its own accord, from `world_state` records.  A record is whole or a
            merge patch (RFC 7396) upon what came before, so each member is settled by the latest record
            that names it.

A record is believed for what it is, never for bytes that occur in it: the text of our block also stands in
tool output and user messages that quote it.  Bytes only choose which lines are worth parsing, which is safe
because in a JSON string the quotation mark of a searched name would have a backslash before it.  What Codex
loaded is looked for as Codex spells it, without spaces: the longer what is searched for, the faster the
search.  In a transcript that somebody else wrote down anew it is then not known.

At most `HEAD` bytes from the start and `TAIL` bytes from the end are read, and none after the time that the
caller has for it.  What is not found there is not known, and a block that is not known to be there is emitted
again.
"""

from __future__ import annotations

from refseal.codex.history import History, Loaded
from refseal.codex.json_codec import Broken, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final, Protocol

    class Readable(Protocol):
        """An open transcript."""

        size: int

        def read_at(self, offset: int, count: int) -> bytes:
            """Up to ``count`` bytes from ``offset`` on."""

        def close(self) -> None:
            """Give the descriptor back."""

    Opener = Callable[[str], Readable | None]

HEAD: Final = 1 << 20
"""Bytes read from the start: room for the first record, which carries the model's whole base instructions."""

TAIL: Final = 16 << 20
"""Bytes read from the end, over all files of a chain of forks: some ten milliseconds from the page cache."""

MAX_FORKS: Final = 16
"""Files in a chain of forks; a longer one costs a repeated block, nothing else."""

BLOCK: Final = 96 << 10
"""Bytes read in one step: few enough to stay in the processor's cache while they are searched, and for the
memory of the step before to serve again (from 128 KiB on a C library asks the system for new memory)."""

MARK: Final = "<!-- refseal "
"""How every message of ours begins: the block's marker and the withdrawal's."""

_HOOK_KIND: Final = "hooks.additional_context"

WORLD_STATE: Final = b'"type":"world_state","payload":{'
"""What a record of what Codex loaded holds, as Codex spells it; one without it is not believed."""

_OF_LOADED: Final = (WORLD_STATE,)
_OF_MESSAGE: Final = (b'"compacted"', b'"thread_rolled_back"', MARK.encode())
"""A line with none of these settles nothing of what Codex loaded, or of our message."""

_UNSETTLED: Final = object()


def read_history(
    transcript: Readable, open_thread: Opener, is_late: Callable[[], bool] = lambda: False
) -> History:
    """Return what ``transcript`` says, together with the files that it continues.

    ``open_thread(thread_id)`` opens the transcript of another thread, or answers None.  ``is_late`` is asked
    before each record: what was not found by then is not known.  Lines that are no records are passed over.
    Nothing is raised for any content; a `Refusal` or `OSError` of the file itself is the caller's.
    """
    search = _Search(is_late)
    first = _first_record(transcript)
    version = first.get("cli_version")
    _search_chain(search, transcript, first, open_thread)
    return History(search.our_message(), search.loaded(), version if isinstance(version, str) else None)


def _search_chain(
    search: _Search, transcript: Readable, first: dict[str, object], open_thread: Opener
) -> None:
    """Search a transcript, then its parent up to the branch, and so on, while anything is unsettled."""
    current, meta, end, allowance = transcript, first, transcript.size, TAIL
    for _ in range(MAX_FORKS):
        start = _search_backwards(search, current, end, max(0, end - allowance))
        allowance -= end - start
        if search.done():
            break
        if start > 0:
            # The middle is not read.  Whether the model still sees our message is then unknown; what Codex
            # loaded most likely still holds, since it is written anew whenever it changes.
            search.give_up_on_message()
            _search_backwards(search, current, min(start, HEAD), 0)
            break
        base = _history_base(meta)
        parent = None if base is None else open_thread(base[0])
        if base is None or parent is None:
            break
        if current is not transcript:
            current.close()
        current, end = parent, base[1]
        meta = _first_record(parent)
        if end > parent.size or parent.read_at(end - 1, 1) != b"\n":  # no record ends there
            break
    if current is not transcript:
        current.close()


def _search_backwards(search: _Search, transcript: Readable, end: int, floor: int) -> int:
    """Show ``search`` the lines between ``floor`` and ``end``, last first; answer where it stopped.

    A line that begins before ``floor`` is not shown.
    """
    rest: list[bytes] = []  # of a line whose beginning was not read yet, last first
    while end > floor and not search.done():
        start = max(floor, end - BLOCK)
        data = transcript.read_at(start, end - start)
        first = 0 if start == 0 else data.find(b"\n") + 1
        if start > 0 and first == 0:
            rest.append(data)
            end = start
            continue
        last = len(data)
        if rest:
            last = data.rfind(b"\n") + 1
            rest.append(data[last:])
            rest.reverse()
            line = b"".join(rest)
            search.lines(line, 0, len(line))
        search.lines(data, first, last)
        # A short rest is read again with the next step: that is cheaper than to join it.
        if start > floor and first <= BLOCK // 16:
            rest, end = [], start + first
        else:
            rest, end = [data[:first]], start
    return end


class _Search:
    """The questions that are still open, and what answers them."""

    def __init__(self, is_late: Callable[[], bool]) -> None:
        self._is_late = is_late
        self._broke_off = False
        self._message: object = _UNSETTLED
        self._directory: object = _UNSETTLED
        self._text: object = _UNSETTLED
        self._needles: tuple[bytes, ...] = _OF_LOADED + _OF_MESSAGE

    def done(self) -> bool:
        if not self._needles:
            return True
        self._broke_off = self._broke_off or self._is_late()
        return self._broke_off

    def give_up_on_message(self) -> None:
        if self._message is _UNSETTLED:
            self._message = None
            self._look_for_the_rest()

    def _look_for_the_rest(self) -> None:
        loaded = self._directory is not _UNSETTLED and self._text is not _UNSETTLED
        message = self._message is not _UNSETTLED
        self._needles = (() if loaded else _OF_LOADED) + (() if message else _OF_MESSAGE)

    def our_message(self) -> str | None:
        return self._message if isinstance(self._message, str) else None

    def loaded(self) -> Loaded | None:
        if self._text is _UNSETTLED or (self._broke_off and self._directory is _UNSETTLED):
            return None
        directory = self._directory if isinstance(self._directory, str) else None
        return Loaded(directory, self._text if isinstance(self._text, str) else None)

    def lines(self, data: bytes, start: int, end: int) -> None:
        """Look at the whole lines in a part of ``data``, last first, until nothing is open."""
        needles = self._needles
        found = [data.rfind(needle, start, end) for needle in needles]
        while (last := max(found, default=-1)) >= 0 and not self.done():
            begin = data.rfind(b"\n", start, last) + 1 or start
            newline = data.find(b"\n", last, end)
            self._record(data[begin : end if newline < 0 else newline])
            if needles is not self._needles:
                found = [
                    place for needle, place in zip(needles, found, strict=True) if needle in self._needles
                ]
                needles = self._needles
            # A needle that stands before this line was already found: each byte is searched once a needle.
            for index, needle in enumerate(needles):
                if found[index] >= begin:
                    found[index] = data.rfind(needle, start, begin)

    def _record(self, line: bytes) -> None:
        try:
            record = read(line)
        except Broken:
            return
        if not isinstance(record, dict):
            return
        kind, payload = record.get("type"), record.get("payload")
        if kind == "compacted":
            self.give_up_on_message()
        elif not isinstance(payload, dict):
            return
        elif kind == "world_state" and WORLD_STATE in line:
            self._world_state(payload)
        elif kind == "response_item" and self._message is _UNSETTLED:
            self._message = _hook_message(payload) or _UNSETTLED
            self._look_for_the_rest()
        elif kind == "event_msg" and payload.get("type") == "thread_rolled_back":
            # Turns were taken back (Codex before its paginated histories).  Which messages went with them
            # is not written down: what stood before is not known to be there.
            self.give_up_on_message()

    def _world_state(self, payload: dict[str, object]) -> None:
        full, state = payload.get("full"), payload.get("state")
        if not isinstance(full, bool) or not isinstance(state, dict) or "agents_md" not in state:
            return
        members = state["agents_md"]
        if not isinstance(members, dict):  # null in a patch: all of it is gone
            members, full = {}, True
        if self._directory is _UNSETTLED and (full or "directory" in members):
            self._directory = members.get("directory")
        if self._text is _UNSETTLED and (full or "text" in members):
            self._text = members.get("text")
        self._look_for_the_rest()


def _hook_message(payload: dict[str, object]) -> str | None:
    """Return the text of a hook's message that is ours, or None.

    Its metadata names the kind of each part.  Codex up to at least 0.145 writes no kinds: there a developer
    message of ours is known by its beginning alone, which no user, tool or file can write into that role.
    """
    content = payload.get("content")
    if (
        payload.get("type") != "message"
        or payload.get("role") != "developer"
        or not isinstance(content, list)
    ):
        return None
    metadata = payload.get("internal_chat_message_metadata_passthrough")
    kinds = metadata.get("content_item_kinds") if isinstance(metadata, dict) else None
    ours = None
    for index, part in enumerate(content):
        text = part.get("text") if isinstance(part, dict) else None
        if not isinstance(text, str) or not text.startswith(MARK):
            continue
        if kinds is None or (isinstance(kinds, list) and kinds[index : index + 1] == [_HOOK_KIND]):
            ours = text
    return ours


def _first_record(transcript: Readable) -> dict[str, object]:
    """Return the payload of the first record if that is a `session_meta`, else nothing."""
    data, wanted = b"", 64 << 10
    while b"\n" not in data and len(data) < min(HEAD, transcript.size):
        data += transcript.read_at(len(data), min(wanted, HEAD) - len(data))
        if len(data) < min(wanted, HEAD):
            break
        wanted *= 4
    line, newline, _ = data.partition(b"\n")
    try:
        record = read(line) if newline else None
    except Broken:
        return {}
    if not isinstance(record, dict) or record.get("type") != "session_meta":
        return {}
    payload = record.get("payload")
    return payload if isinstance(payload, dict) else {}


def _history_base(meta: dict[str, object]) -> tuple[str, int] | None:
    """Return whose file this one continues (the id that ends its name) and up to which offset, or None."""
    base = meta.get("history_base")
    if not isinstance(base, dict):
        return None
    thread, end = base.get("thread_id"), base.get("end_byte_offset")
    if not isinstance(thread, str) or not is_uuid(thread):
        return None
    if not isinstance(end, int) or isinstance(end, bool) or end <= 0:
        return None
    return thread, end


def is_uuid(text: str) -> bool:
    """Whether ``text`` is a UUID in its usual spelling: nothing else may become part of a file's name."""
    groups = text.split("-")
    return [len(group) for group in groups] == [8, 4, 4, 4, 12] and all(
        char in "0123456789abcdefABCDEF" for group in groups for char in group
    )
