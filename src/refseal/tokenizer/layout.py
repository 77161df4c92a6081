"""Where the places that matter stand in a text: in which run of prose, or why in none."""

from __future__ import annotations


class Unit:
    """One run of prose to which the inline rules apply as a whole.

    ``pieces`` are the (start, end) offsets of its lines without the marks of its containers; ``first`` and
    ``last`` the indexes of its stops, ``last`` excluded.
    """

    __slots__ = ("first", "is_paragraph", "last", "pieces")

    def __init__(self, pieces: list[tuple[int, int]], first: int, last: int, *, is_paragraph: bool) -> None:
        self.pieces = pieces
        self.first = first
        self.last = last
        self.is_paragraph = is_paragraph


class Layout:
    """Where the stops of a text stand.

    ``reasons`` has one entry a stop, "" for those in a unit.  ``unclosed`` is the offset of the fence or
    comment that was still open at the end of the text, -1 if there is none; ``swallowed`` the index of the
    first stop behind it.
    """

    __slots__ = ("reasons", "swallowed", "unclosed", "units")

    def __init__(self, count: int) -> None:
        self.reasons = [""] * count
        self.units: list[Unit] = []
        self.unclosed = -1
        self.swallowed = count


def line_end(text: str, at: int) -> int:
    """Return where the line that ``at`` stands in ends: its LF, or the end of the text."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def join(text: str, pieces: list[tuple[int, int]]) -> str:
    """Return the content of a unit, its lines joined by LF."""
    if len(pieces) == 1:
        start, end = pieces[0]
        return text[start:end]
    return "\n".join([text[start:end] for start, end in pieces])
