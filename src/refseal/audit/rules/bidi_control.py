"""RS402: characters that change the order of a line on the screen: people and models read two texts."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from refseal.audit import hidden
from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import code_points
from refseal.audit.rules.hidden_lines import MAX_LINES, by_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Text

RULE = Rule(
    code="RS402",
    name="bidi-control",
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    summary="The text contains bidirectional controls, which show a line in another order than it is read.",
    advice="Remove them; right-to-left text needs none, and a direction mark (LRM, RLM) where it does.",
)


def check(text: Text) -> Iterator[Hit]:
    """Yield one hit a line."""
    for line, column, chars in islice(by_line(text, hidden.BIDI), MAX_LINES):
        yield Hit(
            f"the line is shown in another order than it is read: {code_points(chars)}", chars, line, column
        )
