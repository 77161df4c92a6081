"""The hook's input: strict in what refseal needs, blind to the rest."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refseal.codex.payload import Unusable, read_payload

GOOD: dict[str, Any] = {
    "session_id": "s",
    "transcript_path": "/t/x.jsonl",
    "cwd": "/p",
    "hook_event_name": "SessionStart",
    "source": "resume",
}


def payload(**changes: Any) -> bytes:
    return json.dumps({**GOOD, **changes}).encode()


def test_a_payload_is_read() -> None:
    read = read_payload(payload(a_key_of_tomorrow=[1]))
    assert read is not None
    assert (read.event, read.cwd, read.transcript_path) == ("SessionStart", "/p", "/t/x.jsonl")


@pytest.mark.parametrize("event", ["Stop", "", "sessionstart", None, 1, ["SessionStart"], {}])
def test_other_events_are_not_ours(event: Any) -> None:
    assert read_payload(payload(hook_event_name=event)) is None


@pytest.mark.parametrize("cwd", [None, "", "p", "./p", 1, "/a\0b", "/\ud800", "/" + "x" * 5000, ["/p"]])
def test_without_a_directory_it_is_unusable(cwd: Any) -> None:
    with pytest.raises(Unusable):
        read_payload(payload(cwd=cwd))


@pytest.mark.parametrize("path", [None, "", "x.jsonl", "/a\0b", 3, "/\udfff"])
def test_a_transcript_path_that_cannot_be_one_is_none(path: Any) -> None:
    read = read_payload(payload(transcript_path=path))
    assert read is not None
    assert read.transcript_path is None


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'"x"', b"null", b'{"cwd":1,"cwd":2}', b"\xff"])
def test_what_is_no_object_is_unusable(data: bytes) -> None:
    with pytest.raises(Unusable):
        read_payload(data)


@given(
    st.binary()
    | st.dictionaries(st.sampled_from(sorted(GOOD)), st.text()).map(lambda d: json.dumps(d).encode())
)
def test_no_input_raises_anything_else(data: bytes) -> None:
    try:
        read_payload(data)
    except Unusable:
        pass
