"""Where a pattern occurs in a text, and whether it stands there as code.  No rule, but shared by some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from refseal.audit.findings import Hit, Persona, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from refseal.audit.subjects import Text

MAX_OCCURRENCES = 100
"""Of one way to stand in one text: more than a person reads.  Each way is counted by itself, so that what is
harmless (a mention, a fence) cannot use up the room of what is not."""

AROUND = 200
"""Characters of the line before and behind a place that tell whether it stands among words."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place: ``string`` as it looks, 1-based ``line`` and ``column``, and how it stands there.

    ``mentioned``: in a code span with words beside it on its line, as somebody writes about markup.
    ``in_block``: in a fence or in indented code.
    """

    string: str
    line: int
    column: int
    mentioned: bool
    in_block: bool


def occurrences(text: Text, *patterns: re.Pattern[str]) -> Iterator[Occurrence]:
    """Yield where ``patterns`` occur in the look of ``text``, each place once, in order."""
    look = text.look
    ends: dict[int, int] = {}
    for pattern in patterns:
        for match in pattern.finditer(look):
            string = match[0].strip()
            start = match.start() + match[0].index(string)
            ends[start] = max(start + len(string), ends.get(start, 0))
    starts = []
    end = 0
    for start in sorted(ends):
        if start >= end:
            end = ends[start]
            starts.append(start)
    offsets = text.offsets_of(starts)
    counts: dict[tuple[bool, bool], int] = {}
    for start, offset, zone in zip(starts, offsets, text.zones.at_all(offsets), strict=True):
        string = look[start : ends[start]]
        mentioned = zone == "code-span" and _stands_among_words(look, start, ends[start])
        way = (mentioned, zone in {"fence", "indented-code"})
        counts[way] = counts.get(way, 0) + 1
        if counts[way] <= MAX_OCCURRENCES:
            yield Occurrence(string, *text.place(offset), *way)


def mention(found: Occurrence, what: str) -> Hit:
    """Return the hit for a text that writes *about* markup: for those who want to see everything."""
    return Hit(
        f"{quoted(found.string)} is {what}, written about in a code span",
        found.string,
        found.line,
        found.column,
        severity=Severity.INFO,
        persona=Persona.AUDITOR,
    )


def _stands_among_words(look: str, start: int, end: int) -> bool:
    """Tell whether the line says something besides: a line that is nothing but the markup is no mention."""
    before = look[max(0, start - AROUND) : start].rpartition("\n")[2]
    behind = look[end : end + AROUND].partition("\n")[0]
    rest = (before + " " + behind).replace(look[start:end], " ")
    return sum(char.isalpha() for char in rest) >= 3
