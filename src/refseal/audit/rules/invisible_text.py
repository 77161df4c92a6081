"""RS404: other characters that nobody sees: zero width, variation selectors, fillers, soft hyphens.

They split words so that a search does not find them, and two of them are enough to write any text in bits.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from refseal.audit import hidden
from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import code_points, counted, quoted
from refseal.audit.rules.hidden_lines import MAX_LINES, by_line, everything

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Text

RULE = Rule(
    code="RS404",
    name="invisible-text",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="The text contains characters that nobody sees, where no script or emoji needs them.",
    advice="Remove them; most editors can show them, and typing the line anew always helps.",
)


def check(text: Text) -> Iterator[Hit]:
    """Yield one hit a line, worse if what the line (or the whole text) hides spells a message."""
    if hidden.OTHER not in text.hidden:
        return
    whole: str | None = None
    told: Counter[bool] = Counter()
    for number, (line, column, chars) in enumerate(by_line(text, hidden.OTHER)):
        if number == 0:
            whole = hidden.decode(everything(text, hidden.OTHER))
        message = whole if number == 0 and whole is not None else hidden.decode(chars)
        told[message is None] += 1
        if told[message is None] > MAX_LINES:
            continue
        what = f"{counted(len(chars), 'invisible character')} ({code_points(chars)})"
        if message is None:
            yield Hit(what, chars, line, column)
        else:
            yield Hit(f"{what} that spell {quoted(message)}", chars, line, column, severity=Severity.HIGH)
