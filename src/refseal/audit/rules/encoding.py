"""RS409: bytes that are no plain UTF-8 text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Persona, Rule, Severity
from refseal.audit.quoting import counted

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


def check(text: Text) -> Iterator[Hit]:
    """Yield at most one hit: the worst thing about the file's bytes."""
    data = text.data
    codec = text.wide_codec
    if codec is not None:
        encoding = codec.upper()[:6]
        mark = "" if encoding.lower() == codec else " without a mark"
        yield Hit(f"the file is {encoding}{mark}; agents read it as UTF-8", encoding, 1, 1)
        return
    if b"\0" in data:
        zeros = data.count(0)
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
