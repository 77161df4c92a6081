"""Hostile text as a report may show it: one line, injective, nothing raw that a reader acts on."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from refseal.seal.escaping import escape

if TYPE_CHECKING:
    from collections.abc import Iterable

MAXIMUM_PATH = 4_096
"""Characters of a path in a report: no path that the guard opens is longer, so none is cut."""

BEFORE, AFTER = 40, 60
"""Characters of an offending line that are shown before and after the place."""


def quoted(text: str) -> str:
    """Return ``text`` for the middle of a message: escaped, at most 120 characters."""
    return escape(text)


def path_shown(path: str) -> str:
    """Return a path for a report: escaped, never cut."""
    if path.isascii() and path.isprintable() and path.isidentifier():
        return path
    return escape(path, MAXIMUM_PATH)


def code_points(chars: Iterable[str]) -> str:
    """Return up to three different characters by number and name: `U+0430 CYRILLIC SMALL LETTER A`."""
    different = list(dict.fromkeys(chars))
    names = [f"U+{ord(char):04X} {unicodedata.name(char, '')}".rstrip() for char in different[:3]]
    more = f" and {len(different) - 3} more" if len(different) > 3 else ""
    return ", ".join(names) + more


def excerpt(line: str, column: int) -> tuple[str, int]:
    """Return the part of ``line`` around the 1-based ``column``, escaped, and where the column is in it."""
    index = min(max(column - 1, 0), len(line))
    first = max(0, index - BEFORE)
    before = line[first:index].lstrip() if first == 0 else line[first:index]
    head = ("..." if first else "") + for_people(escape(before, 10 * BEFORE))
    tail = for_people(escape(line[index : index + AFTER].rstrip(), 10 * AFTER))
    return head + tail + ("..." if len(line) > index + AFTER else ""), len(head)


def counted(number: int, word: str) -> str:
    """Return `1 word` or `2 words`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def for_people(shown: str) -> str:
    """Return escaped text for people at a terminal or browser: quotes and brackets as they are.

    Those are escaped for readers that act on them: a block, an agent that reads a report.  A terminal does
    not, and a page escapes them in its own way.
    """
    return _ESCAPES.sub(lambda match: match[0] if match[1] is None else chr(int(match[1], 16)), shown)


_ESCAPES = re.compile(r"\\\\|\\u\{(22|27|3C|3E|60)\}")
"""A doubled backslash first: what follows one is text, not an escape."""
