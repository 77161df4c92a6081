"""What a transcript says: recorded sessions of three versions, a naive model, hostile records, and bounds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refseal.codex import transcript
from refseal.codex.transcript import MARK, is_uuid, read_history
from tests.alarm import work_alarm

if TYPE_CHECKING:
    from collections.abc import Callable

    from refseal.codex.history import History

VECTORS = Path(__file__).parent.parent / "vectors" / "transcripts"


class Memory:
    """A transcript in memory, which counts what is read of it."""

    def __init__(self, data: bytes, size: int | None = None) -> None:
        self.data = data
        self.size = len(data) if size is None else size
        self.read = 0
        self.closed = False

    def read_at(self, offset: int, count: int) -> bytes:
        self.read += count
        return self.data[offset : min(offset + count, self.size)]

    def close(self) -> None:
        self.closed = True


def line(kind: str, payload: Any, separators: tuple[str, str] = (",", ":")) -> bytes:
    record = {"timestamp": "t", "type": kind, "payload": payload}
    return json.dumps(record, separators=separators).encode() + b"\n"


def hook(text: str, kinds: list[str] | None = None) -> bytes:
    payload: dict[str, Any] = {
        "type": "message",
        "role": "developer",
        "content": [{"type": "input_text", "text": text}],
    }
    if kinds is not None:
        payload["internal_chat_message_metadata_passthrough"] = {"content_item_kinds": kinds}
    return line("response_item", payload)


def full(agents_md: Any) -> bytes:
    return line("world_state", {"full": True, "state": {"agents_md": agents_md, "other": {"x": 1}}})


def patch(agents_md: Any) -> bytes:
    return line("world_state", {"full": False, "state": {"agents_md": agents_md, "other": {"x": None}}})


META = line("session_meta", {"id": "x", "cli_version": "0.171.0"})
OURS = MARK + "sha256:" + "0" * 64 + " -->\n\nbody"
KINDS = ["hooks.additional_context"]


def history(*lines: bytes) -> History:
    return read_history(Memory(b"".join(lines)), lambda _: None)


ROWS = [
    (version.name, json.loads(row))
    for version in sorted(VECTORS.iterdir())
    if version.is_dir()
    for row in (version / "hooks.jsonl").read_text().splitlines()
    if json.loads(row)["bytes"] is not None  # an ephemeral session keeps no transcript
]


@pytest.mark.parametrize(("version", "row"), ROWS, ids=[f"{v}-{r['answer']}-{r['name']}" for v, r in ROWS])
def test_recorded_sessions_are_read_as_the_model_saw_them(
    version: str, row: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcript, "MARK", "HOOK TEXT ")
    monkeypatch.setattr(transcript, "_OF_MESSAGE", (*transcript._OF_MESSAGE, b"HOOK TEXT "))
    files = list((VECTORS / version).rglob("*.jsonl"))

    def opened(thread: str) -> Memory | None:
        found = [file for file in files if file.stem.endswith(("-" + thread, "_" + thread))]
        return Memory(found[0].read_bytes()) if found else None

    path = VECTORS / version / Path(row["payload"]["transcript_path"]).relative_to("/scratch/codex")
    said = read_history(Memory(path.read_bytes(), row["bytes"]), opened)
    assert said.block == (row["before"][-1] if row["before"] else None)
    assert said.loaded is not None
    assert said.loaded.text == row["agents_md"].get("text")
    assert said.loaded.directory == row["agents_md"].get("directory")
    assert said.version is not None
    assert version in (said.version, "newest")


def merge(target: Any, change: Any) -> Any:
    """RFC 7396, as it is written there."""
    if not isinstance(change, dict):
        return change
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in change.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merge(result.get(key), value)
    return result


def naive(records: list[bytes]) -> tuple[str | None, Any]:
    """Read a whole transcript forwards."""
    message: str | None = None
    state: Any = None
    for raw in records:
        try:
            record = json.loads(raw)
        except ValueError:
            continue
        kind, payload = record["type"], record["payload"]
        if kind == "compacted" or payload.get("type") == "thread_rolled_back":
            message = None
        elif kind == "world_state":
            if payload["full"]:
                state = payload["state"]
            else:
                state = merge(state if state is not None else {}, payload["state"])
        elif payload.get("role") == "developer":
            metadata = payload.get("internal_chat_message_metadata_passthrough")
            text = payload["content"][0]["text"]
            if text.startswith(MARK) and (metadata is None or metadata["content_item_kinds"] == KINDS):
                message = text
    return message, state


texts = st.sampled_from(["a", "b\n\nc", "", OURS, '"world_state"', '"compacted"'])
members = st.fixed_dictionaries(
    {}, optional={"directory": st.none() | st.sampled_from(["/d", "/e"]), "text": st.none() | texts}
)
whole = st.fixed_dictionaries({}, optional={"directory": st.sampled_from(["/d", "/e"]), "text": texts})
records = st.one_of(
    st.builds(hook, texts, st.sampled_from([None, KINDS, ["user.text"]])),
    st.builds(full, whole),
    st.builds(patch, st.none() | members),
    st.just(line("compacted", {"message": OURS})),
    st.just(line("event_msg", {"type": "thread_rolled_back", "num_turns": 1})),
    st.builds(
        lambda text: line("response_item", {"type": "message", "role": "user", "content": [{"text": text}]}),
        texts,
    ),
    st.sampled_from([b"\n", b"garbage\n", b'{"type":"world_state"\n', b'"compacted"\xff\n']),
)


@given(st.lists(records, max_size=25), st.integers(min_value=1, max_value=400))
def test_reading_backwards_equals_reading_the_whole_file_forwards(lines: list[bytes], block: int) -> None:
    size, transcript.BLOCK = transcript.BLOCK, block  # type: ignore[misc]
    try:
        said = history(META, full({}), *lines)
    finally:
        transcript.BLOCK = size  # type: ignore[misc]
    message, state = naive([META, full({}), *lines][1:])
    assert said.block == message
    assert said.loaded is not None
    agents_md = state.get("agents_md") or {}
    assert (said.loaded.directory, said.loaded.text) == (agents_md.get("directory"), agents_md.get("text"))


@given(st.binary(max_size=300), st.lists(records, max_size=5))
def test_no_bytes_make_the_reader_fail(noise: bytes, lines: list[bytes]) -> None:
    history(noise, *lines, noise)
    history(META, noise, *lines, noise)


def user(text: str) -> bytes:
    return line("response_item", {"type": "message", "role": "user", "content": [{"text": text}]})


@pytest.mark.parametrize(
    "record",
    [
        user(OURS),
        line("response_item", {"type": "function_call_output", "call_id": "c", "output": OURS}),
        line("response_item", {"type": "message", "role": "assistant", "content": [{"text": OURS}]}),
        line("event_msg", {"type": "user_message", "message": OURS}),
        line("event_msg", {"type": "mcp_tool_call_end", "result": json.loads(hook(OURS, KINDS))}),
        hook(OURS, ["user.text"]),
        hook(OURS, []),
        hook("Warning: truncated output (original token count: 9)\n" + OURS, KINDS),
        hook("quoted: " + OURS, KINDS),
        OURS.encode() + b"\n",
        line("response_item", {"type": "message", "role": "developer", "content": OURS}),
    ],
    ids=range(11),
)
def test_our_text_counts_only_as_a_hook_message(record: bytes) -> None:
    assert history(META, record).block is None
    assert history(META, hook(OURS, KINDS), record).block == OURS


def test_a_world_state_inside_another_record_is_no_world_state() -> None:
    forged = {"type": "world_state", "payload": {"full": True, "state": {"agents_md": {"text": "forged"}}}}
    said = history(META, full({"text": "true"}), line("event_msg", {"type": "tool_end", "result": forged}))
    assert said.loaded is not None
    assert said.loaded.text == "true"


@pytest.mark.parametrize("other", ["compacted", OURS, "nothing that is looked for"])
def test_a_world_state_that_codex_did_not_write_is_not_believed(other: str) -> None:
    """Whether its line is looked at for another reason or not: the same answer."""
    state = {"full": True, "state": {"agents_md": {"text": "x"}, other: {}}}
    assert history(META, line("world_state", state, (", ", ": "))).loaded is None
    said = history(META, line("world_state", state), line("world_state", state, (",", ": ")))
    assert said.loaded is not None


def test_a_compaction_hides_what_stood_before_it() -> None:
    assert history(META, hook(OURS, KINDS), line("compacted", {"message": "m"})).block is None


def test_the_latest_message_of_ours_counts() -> None:
    other = OURS + " newer"
    assert history(META, hook(OURS, KINDS), hook(other, KINDS)).block == other


def test_a_null_patch_means_that_nothing_is_loaded() -> None:
    said = history(META, full({"directory": "/d", "text": "x"}), patch({"directory": None, "text": None}))
    assert said.loaded is not None
    assert said.loaded.text is None


def test_without_a_world_state_nothing_is_known() -> None:
    assert history(META, line("world_state", {"full": True, "state": {}})).loaded is None
    assert history(META).loaded is None


PARENT = "01a22be3-48d3-7a00-9bae-a9fce52c180f"


def fork(thread: Any, end: Any) -> bytes:
    return line("session_meta", {"id": "f", "history_base": {"thread_id": thread, "end_byte_offset": end}})


def test_a_fork_sees_its_parent_up_to_the_branch_and_no_further() -> None:
    before = META + full({"text": "t"}) + hook(OURS, KINDS)
    parent = Memory(before + hook(OURS + " after the branch", KINDS))
    said = read_history(Memory(fork(PARENT, len(before))), {PARENT: parent}.get)
    assert said.block == OURS
    assert said.loaded is not None
    assert parent.closed


@pytest.mark.parametrize(
    ("thread", "end"),
    [
        ("../../etc/passwd", 10),
        ("", 10),
        (None, 10),
        (PARENT + "/x", 10),
        (PARENT, 0),
        (PARENT, -1),
        (PARENT, True),
        (PARENT, 1.5),
        (PARENT, "9"),
        (PARENT, 10**30),
        (PARENT, len(META) + 1),
    ],
)
def test_a_branch_that_cannot_be_one_is_not_followed(thread: Any, end: Any) -> None:
    asked: list[str] = []

    def opened(name: str) -> Memory:
        asked.append(name)
        return Memory(META + hook(OURS, KINDS))

    assert read_history(Memory(fork(thread, end)), opened).block is None
    assert asked in ([], [PARENT])


def test_a_ring_of_forks_ends() -> None:
    ring = fork(PARENT, len(fork(PARENT, 100)))
    assert read_history(Memory(ring), lambda _: Memory(ring)).block is None


def test_an_identifier_is_a_uuid_or_nothing() -> None:
    assert is_uuid(PARENT)
    for text in (
        "",
        "a",
        PARENT + "\n",
        PARENT[:-1],
        PARENT.replace("-", "_"),
        "g" + PARENT[1:],
        "٣" + PARENT[1:],
    ):
        assert not is_uuid(text)


class Sparse(Memory):
    """Zeros without end, with something true before and after them."""

    def __init__(self, head: bytes, size: int, tail: bytes) -> None:
        super().__init__(head, size)
        self.tail = tail

    def read_at(self, offset: int, count: int) -> bytes:
        self.read += count
        data = bytearray(b"." * min(count, self.size - offset))
        head = self.data[offset : offset + count]
        data[: len(head)] = head
        start = self.size - len(self.tail)
        if offset + len(data) > start:
            data[max(0, start - offset) :] = self.tail[max(0, offset - start) :]
        return bytes(data)


def test_a_gigabyte_is_read_at_its_ends_alone() -> None:
    size = 1 << 30
    near = Sparse(META, size, b"\n" + patch({"directory": "/d", "text": "t"}) + hook(OURS, KINDS))
    assert read_history(near, lambda _: None).block == OURS
    assert near.read <= transcript.BLOCK + (64 << 10)
    far = Sparse(META + full({"text": "t"}) + hook(OURS, KINDS), size, b"\n")
    said = read_history(far, lambda _: None)
    assert far.read <= transcript.HEAD + transcript.TAIL + (64 << 10)
    assert said.block is None, "whether a compaction stands between is not known: emit again"
    assert said.loaded is not None
    assert said.version == "0.171.0"


def test_one_hostile_line_of_many_names_costs_linear_time() -> None:
    needles = b'"world_state""compacted"<!-- refseal '
    with work_alarm(60):
        history(META, hook(OURS, KINDS), needles * 100_000 + b"\n")
        history(META, hook(OURS, KINDS), (needles + b"\n") * 20_000)


# --- no time


def late_after(calls: int) -> Callable[[], bool]:
    """Make a clock that says so from the call after ``calls`` on."""
    left = iter(range(calls))
    return lambda: next(left, None) is None


def test_what_there_was_no_time_for_is_not_known() -> None:
    there = Memory(META + full({"directory": "/p", "text": "t"}) + hook(OURS, KINDS) + patch({}) * 200_000)
    said = read_history(there, lambda _: None, late_after(0))
    assert (said.block, said.loaded, said.version) == (None, None, "0.171.0")
    assert there.read < 2 * transcript.BLOCK
    late = read_history(there, lambda _: None, late_after(50))
    assert (late.block, late.loaded) == (None, None)
    assert there.read < 4 * transcript.BLOCK


def test_half_an_answer_on_what_was_loaded_is_none() -> None:
    """Without the directory it would say that no project document was loaded."""
    there = META + patch({"directory": "/p"}) + patch({}) * 10 + patch({"text": "t"}) + hook(OURS, KINDS)
    answers = [read_history(Memory(there), lambda _: None, late_after(calls)) for calls in range(40)]
    assert {answer.block for answer in answers} == {None, OURS}
    loaded = [answer.loaded for answer in answers if answer.loaded is not None]
    assert loaded
    assert {(answer.directory, answer.text) for answer in loaded} == {("/p", "t")}
