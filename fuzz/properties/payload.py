"""A payload is read, is none of ours, or is unusable; a usable one names an absolute directory."""

from __future__ import annotations

import json

from refseal.codex.payload import EVENTS, Unusable, read_payload


def is_strict(data: bytes) -> None:
    """Check one input of the hook.  Raises only if the property does not hold."""
    reason, payload = "", None
    try:
        payload = read_payload(data)
    except Unusable as unusable:
        reason = str(unusable)
    assert reason.isprintable(), "a reason for people is one printable line"
    if payload is None:
        return
    fields = json.loads(data.decode("utf-8"))
    assert payload.event in EVENTS
    assert payload.event == fields["hook_event_name"]
    assert payload.cwd == fields["cwd"]
    for path in (payload.cwd, payload.transcript_path):
        if path is not None:
            assert path.startswith("/")
            assert "\0" not in path
            path.encode("utf-8")
