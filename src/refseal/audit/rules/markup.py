"""Where a pattern occurs in a text, and whether it stands there as code.  No rule, but shared by some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from refseal.audit.findings import Hit, Persona, Severity
from refseal.audit.shown import quoted

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from refseal.audit.subjects import Text

MAXIMUM_OCCURRENCES = 100
"""Of one rule in one text: more than a person reads; a text full of them is told by the first hundred."""


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
    places: dict[int, int] = {}
    for pattern in patterns:
        for number, match in enumerate(pattern.finditer(text.look)):
            if number == MAXIMUM_OCCURRENCES:
                break
            places[match.start()] = max(match.end(), places.get(match.start(), 0))
    end = 0
    for start in sorted(places)[:MAXIMUM_OCCURRENCES]:
        if start < end:
            continue
        end = places[start]
        raw = text.look[start:end]
        string = raw.strip()
        line, column = text.place_in_look(start + raw.index(string))
        zone = text.zone(line, column)
        mentioned = zone == "code-span" and _stands_among_words(text.line(line), string)
        yield Occurrence(string, line, column, mentioned, zone in {"fence", "indented-code"})


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


def _stands_among_words(line: str, string: str) -> bool:
    """Tell whether the line says something besides: a line that is nothing but the markup is no mention."""
    return sum(char.isalpha() for char in line.replace(string, " ")) >= 3
