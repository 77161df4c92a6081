"""RS405: markup with which the agent's host talks to the model, in a file that a repository supplies.

Codex pastes instruction files between tags of its own without escaping them: a closing tag in the file ends
that frame for the reader.  So the frame's own strings count in a fence too; in a code span in the middle of a
sentence they are somebody writing about them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import quoted
from refseal.audit.rules.markup import mention, occurrences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Text

RULE = Rule(
    code="RS405",
    name="harness-markup",
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    summary="The text imitates the markup with which the agent's host frames its own messages.",
    advice="Remove it; to write about it, put it into a code span within a sentence.",
)

_NAMES = (
    # Codex: the frames of its context messages
    r"user_instructions|environment_context|permissions[ ]instructions|collaboration_mode|turn_aborted"
    r"|user_shell_command|subagent_notification|(?:apps|skills|plugins)_instructions|model_switch"
    r"|personality_spec|hook_prompt|realtime_conversation"
    # other agents, whose markup models know as well
    r"|system[-_ ](?:reminder|prompt|message|instructions?|warning|context)|antml:\w{1,40}"
    r"|function_(?:calls?|results?)|tool_(?:calls?|use|results?|response|outputs?)"
    r"|command-(?:name|message|args)"
    r"|invoke(?=\s{1,8}name\b)|local-command-(?:stdout|stderr)|user-prompt-submit-hook"
    r"|developer[-_ ](?:message|instructions?|prompt)"
    r"|user[-_ ](?:query|message|prompt|input)|assistant[-_ ](?:message|response)"
)
_TAG = re.compile(rf"<\s{{0,8}}/?\s{{0,8}}(?:{_NAMES})\b[^<>\n]{{0,200}}>", re.IGNORECASE)
_FRAME = re.compile(r"<\s{0,8}/?\s{0,8}INSTRUCTIONS\s{0,8}>")
_ROLE_CLOSED = re.compile(r"<\s{0,8}/\s{0,8}(?:system|assistant|human|developer)\s{0,8}>", re.IGNORECASE)
_ROLE_ALONE = re.compile(
    r"^[ \t>*-]{0,20}<\s{0,8}/?\s{0,8}(?:system|assistant|human|user|developer)\s{0,8}>[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_SEPARATOR = re.compile(
    r"^[ \t>]{0,20}(?:-{2,8}[ \t]{0,8}project-doc[ \t]{0,8}-{2,8}"
    r"|#{1,6}[ \t]{0,8}AGENTS\.md instructions for\b[^\n]{0,200})",
    re.IGNORECASE | re.MULTILINE,
)
_PATTERNS = (_TAG, _FRAME, _ROLE_CLOSED, _ROLE_ALONE, _SEPARATOR)

_FRAME_CLOSED = re.compile(r"<\s{0,8}/\s{0,8}instructions\s{0,8}>", re.IGNORECASE)
_FRAME_OPENED = re.compile(r"<\s{0,8}instructions\b[^<>\n]{0,200}>", re.IGNORECASE)
_WORDS = ("project-doc", "instructions for")


def check(text: Text) -> Iterator[Hit]:
    """Yield one hit for each tag or separator of a host."""
    folded = text.look.lower()
    if "<" not in folded and not any(map(folded.__contains__, _WORDS)):
        return
    for found in occurrences(text, *_PATTERNS, *_unopened(text.look)):
        if found.mentioned:
            yield mention(found, "markup of an agent's host")
            continue
        yield Hit(
            f"{quoted(found.string)} imitates the markup of the agent's host",
            found.string,
            found.line,
            found.column,
        )


def _unopened(look: str) -> tuple[re.Pattern[str], ...]:
    """Return the pattern of `</instructions>` if one is closed that the text has not opened.

    A model minds no capitals; but a file may well wrap its own rules in a balanced pair.
    """
    depth = 0
    marks = [(match.start(), 1) for match in _FRAME_OPENED.finditer(look)]
    marks += [(match.start(), -1) for match in _FRAME_CLOSED.finditer(look)]
    for _, step in sorted(marks):
        depth += step
        if depth < 0:
            return (_FRAME_CLOSED,)
    return ()
