"""RS206: something that looks like a reference to people, and is none.

`@import docs/a.md` names no file, and neither does `@"my docs/a.md"`: nothing is included, and nobody is
told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Text

RULE = Rule(
    code="RS206",
    name="reference-form",
    severity=Severity.LOW,
    confidence=Confidence.MEDIUM,
    summary="This looks like a reference but is written in a form that names no file.",
    advice="Write `@path`, without a keyword; put a backslash before each space of the path.",
)

_SAYS = {
    "import-keyword": "the word after @ makes this no reference: drop it and write @ before the path",
    "quoted-path": "a quoted path is no reference: write @ before the path and a backslash before each space",
}


def check(text: Text) -> Iterator[Hit]:
    """Yield one hit for each form that is no reference."""
    for hint in text.tokens.hints:
        says = _SAYS.get(hint.kind)
        if says is not None:
            yield Hit(f"{quoted(hint.text)}: {says}", hint.text, hint.line, hint.column)
