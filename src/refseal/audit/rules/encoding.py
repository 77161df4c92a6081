"""RS409: bytes that are no plain UTF-8 text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Persona, Rule, Severity
from refseal.audit.shown import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Text

RULE = Rule(
    code="RS409",
    name="encoding",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="The file is not plain UTF-8 text, so that its readers do not all see the same.",
    advice="Save the file as UTF-8 without a byte order mark.",
)

_UTF8_MARK = b"\xef\xbb\xbf"
_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


def check(text: Text) -> Iterator[Hit]:
    """Yield at most one hit: the worst thing about the file's bytes."""
    data = text.data
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            yield Hit(f"the file is {encoding}; agents read it as UTF-8", encoding, 1, 1)
            return
    zeros = data.count(0)
    if zeros:
        if 3 * zeros >= len(data):
            yield Hit("the file is UTF-16 without a mark; agents read it as UTF-8", "UTF-16", 1, 1)
            return
        line = data.count(b"\n", 0, data.index(0)) + 1
        yield Hit(f"the file holds {counted(zeros, 'NUL byte')}, as text never does", "NUL", line, 1)
        return
    if text.invalid:
        yield Hit(
            f"{counted(text.invalid, 'byte')} that UTF-8 does not have; each reader shows something else",
            "invalid",
            *text.first_invalid(),
            severity=Severity.LOW,
        )
        return
    if data.startswith(_UTF8_MARK):
        yield Hit(
            "the file starts with a byte order mark, which some agents show to the model",
            "mark",
            1,
            1,
            severity=Severity.INFO,
            persona=Persona.PEDANTIC,
        )
