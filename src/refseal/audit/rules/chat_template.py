"""RS406: control tokens of chat templates.

A host that builds its prompt as one string hands them on as they stand, and models were trained to see a new
turn, of another speaker, behind them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import counted, quoted
from refseal.audit.rules.markup import mention, occurrences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Text

RULE = Rule(
    code="RS406",
    name="chat-template",
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    summary="The text contains control tokens of a chat template, which open a turn of another speaker.",
    advice="Remove them; to write about them, put them into a code span within a sentence.",
)

_PIPED = re.compile(
    r"<\|/?[A-Za-z][A-Za-z0-9_\u2581/-]{0,40}\|>"
    # With blanks in it only what models know: F# and OCaml have operators that look so.
    r"|<[ ]?\|[ ]?(?:im_(?:start|end|sep)|endof(?:text|prompt)|(?:begin|end)_of_\w{1,20}"
    r"|\w{1,20}_header_id|e(?:ot|om)_id|fim_\w{1,20}|system|user|assistant|channel|message"
    r"|begin\u2581of\u2581sentence)[ ]?\|[ ]?>",
    re.IGNORECASE,
)
_BRACKETED = re.compile(
    r"\[[ ]?/?[ ]?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT)[ ]?\]"
    r"|<<[ ]?/?[ ]?SYS[ ]?>>"
)
_NAMED = re.compile(r"<[ ]?/?[ ]?(?:start_of_turn|end_of_turn|start_of_image|bos|eos)[ ]?>|</s>\s{0,8}<s>")
_SPEAKERS = re.compile(r"^(?:Human|User|System|Assistant):", re.MULTILINE)
_ALPACA = re.compile(r"^###[ ]?(?:Instruction|Response|System|Input):", re.MULTILINE)
_PATTERNS = (_PIPED, _BRACKETED, _NAMED)


def check(text: Text) -> Iterator[Hit]:
    """Yield one hit for each token; turns of plain words (`Human:`) only where two speakers take turns."""
    look = text.look
    if "<" in look or "[" in look:
        for found in occurrences(text, *_PATTERNS):
            if found.mentioned:
                yield mention(found, "a control token of a chat template")
                continue
            yield Hit(
                f"{quoted(found.string)} is a control token of a chat template",
                found.string,
                found.line,
                found.column,
                severity=Severity.LOW if found.in_block else None,
            )
    if "Assistant:" in look and "Human:" in look:
        yield from _turns(text, _SPEAKERS)
    if "### Response:" in look and "### Instruction:" in look:
        yield from _turns(text, _ALPACA)


def _turns(text: Text, pattern: re.Pattern[str]) -> Iterator[Hit]:
    found = [one for one in occurrences(text, pattern) if not one.mentioned]
    if len({one.string for one in found}) > 1:
        first = found[0]
        more = counted(len(found) - 1, "more line")
        yield Hit(
            f"{quoted(first.string)} and {more} speak as turns of a conversation",
            first.string,
            first.line,
            first.column,
            severity=Severity.LOW if first.in_block else Severity.MEDIUM,
            confidence=Confidence.LOW,
        )
