"""Which parts of a text are code or comment: the tokenizer's own reading, asked about any place.

Rules that search for markup have to know whether it stands in prose.  A second reading of Markdown would be a
second opinion, so the places are given to the same block and inline passes that judge references.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.tokenizer.reading import contexts

if TYPE_CHECKING:
    from collections.abc import Iterator

PROSE = "prose"

_OPENING, _CLOSING = "<!--", "-->"


class Zones:
    """The zones of one text; its line ends may be any."""

    __slots__ = ("_plain", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._plain = text.replace("\r\n", "\n").replace("\r", "\n")

    def at_all(self, offsets: list[int]) -> list[str]:
        """Return the zones of sorted offsets; time is linear in the text."""
        reasons, _ = contexts(self._plain, self._in_plain(offsets))
        return [reason or PROSE for reason in reasons]

    def comments(self) -> Iterator[tuple[int, str]]:
        """Yield offset and body of each HTML comment; one that is never closed goes to the end."""
        text = self._text
        starts = []
        start = text.find(_OPENING)
        while start >= 0:
            starts.append(start)
            start = text.find(_OPENING, start + 1)
        if not starts:
            return
        # A comment is one where it is open behind its opening; the place before tells nothing.
        zones = self.at_all([min(start + len(_OPENING), len(text) - 1) for start in starts])
        end = 0
        for start, zone in zip(starts, zones, strict=True):
            if start < end or zone != "html-comment":
                continue
            body = start + len(_OPENING)
            close = text.find(_CLOSING, body)
            end = close if close >= 0 else len(text)
            yield start, text[body:end]

    def _in_plain(self, offsets: list[int]) -> list[int]:
        if len(self._plain) == len(self._text):
            return offsets
        stops, counted, dropped = [], 0, 0
        for offset in offsets:
            dropped += self._text.count("\r\n", counted, offset)
            counted = offset
            stops.append(offset - dropped)
        return stops
