"""Hidden characters of one kind, gathered by line.  No rule; shared by those on text that nobody sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Text


MAX_LINES = 50
"""Told of one rule and severity in one text; the first finding quotes what the whole text hides.  Each
severity is counted by itself, so that what is harmless cannot use up the room of what is not."""


def by_line(text: Text, kind: str) -> Iterator[tuple[int, int, str]]:
    """Yield 1-based line, 1-based column of the first, and the hidden characters, for each line with some."""
    chars: list[str] = []
    line = column = 0
    for offset in text.hidden.get(kind, ()):
        here, at = text.place(offset)
        if here != line:
            if chars:
                yield line, column, "".join(chars)
            line, column, chars = here, at, []
        chars.append(text.text[offset])
    if chars:
        yield line, column, "".join(chars)


def everything(text: Text, kind: str) -> str:
    """Return all hidden characters of one kind in the text, in order."""
    return "".join(text.text[offset] for offset in text.hidden.get(kind, ()))
