"""Hostile text as a report may show it: one line, injective, nothing raw that a reader acts on."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from refseal.seal.escaping import escape

if TYPE_CHECKING:
    from collections.abc import Iterable

MAXIMUM_PATH = 4_096
"""Characters of a path in a report: no path that the guard opens is longer, so none is cut."""

BEFORE, AFTER = 22, 38
"""Characters of an offending line before and after the place: with the margin, 80 columns hold them."""


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


class Excerpt(NamedTuple):
    """The part of a line around a place, raw: what a report needs of a line that may be as long as a file.

    ``before``, ``behind`` are the parts before and from the place on; ``cut`` tells for each whether the line
    has more of it.
    """

    before: str
    behind: str
    cut: tuple[bool, bool] = (False, False)


def excerpt_of(line: str, column: int) -> Excerpt:
    """Return the part of ``line`` around the 1-based ``column``."""
    index = min(max(column - 1, 0), len(line))
    first, last = max(0, index - BEFORE), index + AFTER
    return Excerpt(line[first:index], line[index:last], (first > 0, len(line) > last))


def excerpt(found: Excerpt) -> tuple[str, int]:
    """Return what was excerpted, escaped, and where the place is in it."""
    cut_before, cut_behind = found.cut
    before = found.before if cut_before else found.before.lstrip()
    head = ("..." if cut_before else "") + escape(before, 10 * BEFORE)
    tail = escape(found.behind.rstrip(), 10 * AFTER) + ("..." if cut_behind else "")
    # Together: a command may begin before the place and end behind it.
    return for_people(head + tail), len(for_people(head))


def counted(number: int, word: str) -> str:
    """Return `1 word` or `2 words`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def for_people(shown: str) -> str:
    """Return escaped text for people at a terminal or browser: quotes and brackets as they are.

    Those are escaped for readers that act on them: a block, an agent that reads a report.  A terminal does
    not, and a page escapes them in its own way.  But what a terminal shows often ends in the log of a CI job,
    whose runner obeys a line that begins with `::` and anything that reads `##[`.
    """
    text = _ESCAPES.sub(lambda match: match[0] if match[1] is None else chr(int(match[1], 16)), shown)
    return _COMMANDS.sub(lambda match: match[0][:-1] + f"\\u{{{ord(match[0][-1]):X}}}", text)


_COMMANDS = re.compile(r"\A\s*::|##(?:vso)?\[")
"""How workflow commands begin (GitHub: `::error::`, `##[error]`; Azure: `##vso[`)."""

_ESCAPES = re.compile(r"\\\\|\\u\{(22|27|3C|3E|60)\}")
"""A doubled backslash first: what follows one is text, not an escape."""
