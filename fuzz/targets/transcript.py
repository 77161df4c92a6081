"""Property: whatever stands in a transcript or a payload, the answer is a naive reader's, and no exception.

A transcript read backwards in steps of any size says what the whole file says, read forwards
(`fuzz.properties.transcript`).  A payload is read, is none of ours, or is unusable
(`fuzz.properties.payload`).
"""

from __future__ import annotations

from fuzz.choices import Choices
from fuzz.properties import payload, transcript

OURS = b"<!-- refseal sha256:00 -->\\n\\nbody"
TEXTS = (b"a", OURS, b"b\\n\\nc", b"", b'\\"world_state\\"', b'\\"compacted\\"', b"<!-- refseal gone -->")
MEMBERS = (b"{}", b'{"text": "%s"}', b'{"directory": "/d", "text": "%s"}', b"null", b'{"text": null}')

PATHS = (
    b'"/p"', b'"p"', b'"../p"', b'""', b'"/p\\u0000"', b'"/\\ud800"', b"null", b"1", b'["/p"]', b'"~/p"',
    b'"/"', b'"' + b"/p" * 3000 + b'"', b'"/\xc3\xa9"', b'"/\xff"',
)  # fmt: skip
PAYLOAD = (
    (b"hook_event_name", (b'"SessionStart"', b'"SubagentStart"', b'"Stop"', b"null", b"[]")),
    (b"cwd", PATHS),
    (b"transcript_path", PATHS),
    (b"source", (b'"startup"', b'"resume"', b"null", b"{}", b'"\\n"')),
)


def check(data: bytes) -> None:
    """Read one payload, or one transcript."""
    choices = Choices(data)
    mode = choices.below(4)
    if mode == 1:
        payload.is_strict(choices.rest())
        return
    if mode == 3:
        payload.is_strict(_payload(choices))
        return
    first_step = 1 + choices.below(400)
    lines: list[bytes] = []
    while choices.left and len(lines) < 40:
        lines.append(_line(choices) + (b"" if choices.chance(50) else b"\n"))
    transcript.reads_as_forwards(lines, first_step)


def _payload(choices: Choices) -> bytes:
    """A payload with the members that matter, each of which may be missing, wrong or hostile."""
    members = [
        b'"%s": %s' % (name, choices.pick(values)) for name, values in PAYLOAD if not choices.chance(8)
    ]
    return b"{" + b", ".join(members) + b"}" + choices.pick((b"", b"\n", b"x", b"{}"))


def _line(choices: Choices) -> bytes:
    """One line: a record that settles something, one that only looks like it, or the engine's own bytes."""
    shape = choices.below(8)
    text = choices.pick(TEXTS)
    if shape == 0:
        return choices.line()
    if shape in {1, 2}:
        full = b"true" if shape == 1 else b"false"
        members = choices.pick(MEMBERS)
        members = members % text if b"%s" in members else members
        space = b" " if choices.chance(50) else b""
        return b'{"type":%s"world_state",%s"payload":%s{"full":%s,"state":{"agents_md":%s}}}' % (
            *(space, space, space),
            full,
            members,
        )
    if shape == 3:
        return b'{"type": "compacted", "payload": {"message": "%s"}}' % text
    if shape == 4:
        return b'{"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": 1}}'
    role = choices.pick((b"developer", b"user", b"developer"))
    kinds = choices.pick((b"", b'["hooks.additional_context"]', b'["user.text"]', b"[]", b"null"))
    metadata = (
        b', "internal_chat_message_metadata_passthrough": {"content_item_kinds": %s}' % kinds
        if kinds
        else b""
    )
    content = b'[{"type": "input_text", "text": "%s"}]' % text if shape < 7 else b'"%s"' % text
    return b'{"type": "response_item", "payload": {"type": "message", "role": "%s", "content": %s%s}}' % (
        role,
        content,
        metadata,
    )
