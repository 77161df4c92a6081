"""RS401: text written in Unicode tags, which no screen shows and every model reads."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from refseal.audit import hidden
from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import code_points, counted, quoted
from refseal.audit.rules.hidden_lines import MAX_LINES, by_line, everything

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Text

RULE = Rule(
    code="RS401",
    name="tag-smuggling",
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    summary="The text contains a message in Unicode tags, which people do not see and models read.",
    advice="Delete the line and type it anew; find out who put it there.",
)


def check(text: Text) -> Iterator[Hit]:
    """Yield one hit a line; the first one decodes what the whole text hides. Flags of regions are no tags."""
    lines = islice(by_line(text, hidden.TAGS), MAX_LINES)
    for number, (line, column, chars) in enumerate(lines):
        spelled = hidden.decode_tags(everything(text, hidden.TAGS) if number == 0 else chars)
        says = f'that read "{quoted(spelled)}"' if spelled else f"that spell nothing: {code_points(chars)}"
        yield Hit(f"{counted(len(chars), 'invisible tag character')} {says}", chars, line, column)
