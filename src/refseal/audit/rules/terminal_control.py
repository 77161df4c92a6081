"""RS403: control characters, which tell a terminal to hide, recolour or overwrite what it shows."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from refseal.audit import hidden
from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import code_points, counted
from refseal.audit.rules.hidden_lines import MAX_LINES, by_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Text

RULE = Rule(
    code="RS403",
    name="terminal-control",
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    summary="The text contains control characters, which can hide what a terminal or an editor shows.",
    advice="Remove them.",
)

_ACTIVE = frozenset("\x1b\x08\x7f\r\x90\x9b\x9d\x9e\x9f")
"""What starts a sequence, or moves or deletes: escape, backspace, delete, a lone return, C1."""
_LAYOUT = frozenset("\x0b\x0c")
"""Vertical tab and form feed: an old way to lay out pages."""


def check(text: Text) -> Iterator[Hit]:
    """Yield one hit a line. NUL is the business of RS409."""
    if hidden.CONTROL not in text.hidden:
        return
    told: Counter[Severity] = Counter()
    for line, column, chars in by_line(text, hidden.CONTROL):
        controls = chars.replace("\0", "")
        if not controls:
            continue
        if not _ACTIVE.isdisjoint(controls):
            severity = Severity.HIGH
        elif _LAYOUT.issuperset(controls):
            severity = Severity.LOW
        else:
            severity = Severity.MEDIUM
        told[severity] += 1
        if told[severity] > MAX_LINES:
            continue
        yield Hit(
            f"{counted(len(controls), 'control character')}: {code_points(controls)}",
            controls,
            line,
            column,
            severity=severity,
        )
