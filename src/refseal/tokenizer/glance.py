"""What can be told of a place without reading every line before it.

Most lines of a text need not be read.  `Openers` says where the next block may begin that hides whole
lines, `landing` from which line on reading makes sense again, and `Glance` what the line of a stop and a few
before it tell, where no such block is open.

Most references stand in plain sight: in a line of text or a list item, with no back-tick and no angle
bracket anywhere near.  `Glance` says so without reading block structure, and is silent about everything else.
What it says is what `blocks` and `inlines` would have found: it decides the same, only sooner.
"""

from __future__ import annotations

from refseal.tokenizer import html
from refseal.tokenizer.markers import DIGITS, LONGEST_NUMBER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MARGIN = " \t>*+-.)0123456789"
"""What may stand before a leaf on its line: indentation and the markers of containers."""

_MARKS = frozenset(" \t\n>-+*_=#~<0123456789")
"""What a line of text does not begin with, or not without a second look."""

_NO_ITEM_TEXT = frozenset(" \t\n><0123456789")
"""What the text of a list item does not begin with, or not without a closer look than is taken here."""

_NO_SIGHT = frozenset(("", *_MARKS, ".", ")", "`", "]"))
"""Stops that a glance leaves alone: the marks themselves, which it takes for complete where they stand before
a stop, and the end of the text.  No `@` is one; whoever asks about other markup may be.  A ``]`` is asked
about for the run of prose around it, which may define a link, and a glance finds no such runs."""

_BULLETS = frozenset("-+*")

_WHITE = frozenset(" \t\n")

_NO_TEXT = _WHITE | {""}
"""What a line begins with that is indented, empty, or behind the end of the text."""

_DELIMITERS = frozenset(".)")
"""What stands behind the number of a list item."""

_MOST_INDENT = 3  # columns: four may make a line indented code

_FARTHEST = 400
"""Code points between a stop and the ends of what is looked at, since each stop has a look of its own.

Beyond that the stop is left to those who read every character once, however many stops there are.
"""


_OPENING = ("```", "~~~", "<")
"""What a block begins with that a blank line does not close."""


class Openers:
    """Finds where the next block may open that a blank line does not close: more places than there are."""

    __slots__ = ("least", "places", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.places = [self._next(mark, 0) for mark in _OPENING]
        self.least = min(self.places)

    def after(self, at: int) -> int:
        """Return the first such place at or behind ``at``, which never goes back."""
        if self.least < at:
            places = self.places
            for index, mark in enumerate(_OPENING):
                if places[index] < at:
                    places[index] = self._next(mark, at)
            self.least = min(places)
        return self.least

    def _next(self, mark: str, at: int) -> int:
        text = self.text
        size = len(text)
        while True:
            at = text.find(mark, at)
            if at < 0:
                return size
            if mark != "<" or _may_open(text, at):
                line = text.rfind("\n", 0, at) + 1
                if not text[line:at].strip(MARGIN):
                    return at
            # Whatever follows on this line stands behind something that is no margin.
            at = text.find("\n", at)
            if at < 0:
                return size


def _may_open(text: str, at: int) -> bool:
    following = text[at + 1 : at + 2]
    if following in ("!", "?"):
        return True
    return text[at + 1 : at + 9].lower().startswith(html.VERBATIM)


def landing(text: str, at: int, goal: int) -> int:
    """Return the last line up to ``goal`` that is understood without what is before it; ``at`` if none is."""
    gap = text.rfind("\n\n", at, goal)
    while gap >= 0:
        if text[gap + 2 : gap + 3] not in _NO_TEXT:
            return gap + 2
        gap = text.rfind("\n\n", at, gap + 1)
    return at


def settle(text: str, stops: Sequence[int]) -> list[str]:
    """Say what hides the first of ``stops``, as many as a glance tells from the start of the text on."""
    return Glance(text).tell(stops, 0, 0, Openers(text).after(0), clear=True)


class Glance:
    """Answers for stops in ascending order; remembers what it saw, so as to look for it once."""

    __slots__ = ("angle", "gap", "line", "seen", "text", "tick")

    def __init__(self, text: str) -> None:
        self.text = text
        self.seen = 0  # the fields below tell of everything before
        self.gap = 0  # where the line behind the last empty line begins
        self.line = 0  # where the last line begins
        self.tick = -1  # the last back-tick
        self.angle = -1  # the last `<`

    def tell(self, stops: Sequence[int], first: int, known: int, danger: int, *, clear: bool) -> list[str]:
        """Say what hides the stops from the index ``first`` on that stand before ``danger``.

        It ends before the first stop that needs a closer look.  Nothing that hides whole lines may be open at
        ``known``, the start of a line not behind any of them, nor be opened before ``danger``.  ``clear``
        says that nothing else is open at ``known`` either.
        """
        told = []
        for index in range(first, len(stops)):
            if stops[index] >= danger:
                break
            reason = self._look(stops[index], known, clear=clear)
            if reason is None:
                break
            told.append(reason)
        return told

    def _look(self, stop: int, known: int, *, clear: bool) -> str | None:
        """Say what hides ``stop``: "" for nothing, "code-span", or None for "look closer"."""
        text = self.text
        self._see(stop)
        if self.angle >= self.gap or text[stop : stop + 1] in _NO_SIGHT:
            return None
        start = self.line
        char = text[start]
        if char == " ":
            last = start + _MOST_INDENT
            while start < last and text[start] == " ":
                start += 1
            char = text[start]
        if char in _MARKS:
            item = char in _BULLETS and text[start + 1] in _WHITE
            if item or char == ">" or char in DIGITS:
                behind = self._item_text(start, char)
                if behind is None:
                    return None
                start = behind
            elif char in _WHITE:
                return None
            # Anything else is text or a heading: with a stop in it, a line is no rule and no underline.
            if self.tick < (start if item else self.gap):
                return ""
            return self._spans(start, stop) if item else None
        if self.tick < self.gap:
            return ""
        return self._paragraph(stop, known, clear=clear)

    def is_at_margin(self, at: int) -> bool:
        """Say whether ``at``, before any stop to come, begins a line, with no `<` since an empty one."""
        self._see(at)
        return self.line == at and self.angle < self.gap

    def _see(self, stop: int) -> None:
        text = self.text
        seen = self.seen
        found = text.rfind("\n", seen, stop)
        if found >= 0:
            self.line = found + 1
            found = text.rfind("\n\n", seen - 1 if seen else 0, found + 1)
            if found >= 0:
                self.gap = found + 2
        found = text.rfind("`", seen, stop)
        if found >= 0:
            self.tick = found
        found = text.rfind("<", seen, stop)
        if found >= 0:
            self.angle = found
        self.seen = stop

    def _item_text(self, start: int, char: str) -> int | None:
        """Return where the text behind the marker at ``start`` begins, None if it is not that simple."""
        text = self.text
        start += 1
        if char in DIGITS:
            last = start + LONGEST_NUMBER
            while start < last and text[start] in DIGITS:
                start += 1
            if text[start] not in _DELIMITERS:
                return None
            start += 1
        if text[start] != " ":
            return None
        start += 1
        char = text[start]
        if char in _NO_ITEM_TEXT or (char in _BULLETS and text[start + 1] in _WHITE):
            return None
        return start

    def _paragraph(self, stop: int, known: int, *, clear: bool) -> str | None:
        """Look at the lines of text from the last empty line to the stop, if they are nothing else."""
        start = self.gap
        if start < known:
            if not clear:
                return None
            start = known
        if stop - start > _FARTHEST:
            return None
        text = self.text
        line = start
        while line < stop:
            if text[line] in _MARKS:
                return None
            line = text.find("\n", line, stop) + 1
            if not line:
                break
        return self._spans(start, stop)

    def _spans(self, start: int, stop: int) -> str | None:
        """Match back-ticks from ``start``, where a run of prose begins, if nothing else could hide one."""
        text = self.text
        if stop - start > _FARTHEST or text[start] == "[":
            return None
        before = text[start:stop]
        if "\\" in before or "](" in before or "][" in before:
            return None
        end = text.find("\n", stop, stop + _FARTHEST)
        if end < 0:
            end = stop + _FARTHEST
        tick = text.find("`", start, stop)
        while tick >= 0:
            after = tick + 1
            while text.startswith("`", after):
                after += 1
            close = text.find(text[tick:after], after, end)
            if close < 0:
                return None  # the next line may close it
            behind = close + after - tick
            if text.startswith("`", behind):
                return None
            if behind > stop:
                return "code-span"
            tick = text.find("`", behind, stop)
        return ""
