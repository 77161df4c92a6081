"""Hidden characters of one kind, gathered by line.  No rule; shared by those on text that nobody sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Text

MAXIMUM_LINES = 50
"""Of one rule in one text; the first finding quotes what the whole text hides."""


def by_line(text: Text, kind: str) -> Iterator[tuple[int, int, str]]:
    """Yield 1-based line, 1-based column of the first, and the hidden characters, for each line with some."""
    lines: dict[int, tuple[int, list[str]]] = {}
    for offset in text.hidden.get(kind, ()):
        line, column = text.place(offset)
        if line not in lines:
            if len(lines) == MAXIMUM_LINES:
                break
            lines[line] = (column, [])
        lines[line][1].append(text.text[offset])
    for line, (column, chars) in lines.items():
        yield line, column, "".join(chars)


def everything(text: Text, kind: str) -> str:
    """Return all hidden characters of one kind in the text, in order."""
    return "".join(text.text[offset] for offset in text.hidden.get(kind, ()))
