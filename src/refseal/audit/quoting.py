"""Hostile text as a report may show it: one line, injective, nothing raw that a reader acts on."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from refseal.seal.escaping import escape

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_PATH = 4_096
"""Characters of a path in a report: no path that the guard opens is longer, so none is cut."""

BEFORE, AFTER = 25, 41
"""Columns of an offending line before and from the place on: with the report's margin, 80 hold them."""


def quoted(text: str) -> str:
    """Return ``text`` for the middle of a message: escaped, at most 120 characters."""
    return escape(text)


def path_shown(path: str) -> str:
    """Return a path for a report: escaped, never cut."""
    if path.isascii() and path.isprintable() and path.isidentifier():
        return path
    return escape(path, MAX_PATH)


def code_points(chars: Iterable[str]) -> str:
    """Return up to three different characters by number and name: `U+0430 CYRILLIC SMALL LETTER A`."""
    different = list(dict.fromkeys(chars))
    names = [f"U+{ord(char):04X} {unicodedata.name(char, '')}".rstrip() for char in different[:3]]
    more = f" and {len(different) - 3} more" if len(different) > 3 else ""
    return ", ".join(names) + more


ELLIPSIS = "..."
"""Stands where an excerpt was cut."""


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
    head = _fitting(before[::-1], BEFORE, cut=cut_before)
    tail = _fitting(found.behind.rstrip(), AFTER, cut=cut_behind)
    head.reverse()
    # Together: a command may begin before the place and end behind it.
    return for_people("".join(head + tail)), len(for_people("".join(head)))


def _fitting(text: str, room: int, *, cut: bool) -> list[str]:
    """Escape characters one by one, as many as ``room`` columns hold, with an ellipsis for the others."""
    shown = [escape(char) for char in text]
    widths = [len(for_people(char)) for char in shown]
    if not cut and sum(widths) <= room:
        return shown
    room -= len(ELLIPSIS)
    kept = []
    for char, width in zip(shown, widths, strict=True):
        room -= width
        if room < 0:
            break
        kept.append(char)
    return [*kept, ELLIPSIS]


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
