"""The parts of a link: labels, destinations, titles, and the definitions at the head of a paragraph.

They matter to prose for what they hide: a back-tick in a destination or a label opens no code span.
"""

from __future__ import annotations

LONGEST_LABEL = 999
"""Code points between the brackets of a label: the specification's own bound."""

_CONTROLS_TO_BLANK = dict.fromkeys((*range(0x20), 0x7F), " ")

_BLANK = " \t"

_TITLE_MARKS = frozenset("\"'(")


def label_end(text: str, at: int) -> int | None:
    """Return where the label that begins with the ``[`` at ``at`` ends, behind its ``]``, if it is one."""
    window = text[at + 1 : at + 2 + LONGEST_LABEL]
    close = window.find("]")
    if close < 0:
        return None
    inside = window[:close]
    if "\\" not in inside:
        return None if "[" in inside else at + 2 + close
    here = 0
    while here < len(window):
        char = window[here]
        if char == "\\":
            here += 2
            continue
        if char == "]":
            return at + 2 + here
        if char == "[":
            return None
        here += 1
    return None


def normal(label: str) -> str:
    """Return a label, brackets and all, in the form in which labels are compared; empty if it is blank."""
    words = label[1:-1].replace("\t", " ").replace("\n", " ").split(" ")
    return " ".join(word for word in words if word).casefold()


class Destinations:
    """Tells where destinations end in one text, reading its parentheses once, however many are asked for.

    A run of `[a](` asks at each of its parentheses, and each answer lies at the far end of the run.
    """

    __slots__ = ("blank", "matches", "parentheses", "plain", "seen", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.plain = text.translate(_CONTROLS_TO_BLANK)
        self.seen = -1  # where `blank` was looked for
        self.blank = -1
        self.parentheses: list[int] = []  # the unescaped ones
        # From the index of one that opens to that of the one that closes it.
        self.matches: dict[int, int] = {}
        self._match()

    def _match(self) -> None:
        text = self.plain
        parentheses = self.parentheses
        opened: list[int] = []
        before = 0
        opening = text.find("(")
        closing = text.find(")")
        while opening >= 0 or closing >= 0:
            if closing < 0 or 0 <= opening < closing:
                at = opening
                opening = text.find("(", at + 1)
            else:
                at = closing
                closing = text.find(")", at + 1)
            if opened and " " in text[before:at]:
                opened.clear()  # no destination runs over a blank
            before = at
            if _escaped(text, at, -1):
                continue
            if text[at] == "(":
                opened.append(len(parentheses))
            elif opened:
                self.matches[opened.pop()] = len(parentheses)
            parentheses.append(at)

    def end(self, at: int) -> int | None:
        """Return where the destination that begins at ``at`` ends, if there is one; it may be empty.

        To be asked in ascending order.
        """
        text = self.text
        if text.startswith("<", at):
            return _bracketed_end(text, at)
        if not self.seen <= at <= self.blank:
            self.seen = at
            self.blank = self.plain.find(" ", at)
            if self.blank < 0:
                self.blank = len(text)
        parentheses = self.parentheses
        index = _index(parentheses, at)
        while index < len(parentheses) and parentheses[index] < self.blank:
            if text[parentheses[index]] == ")":
                return parentheses[index]
            match = self.matches.get(index)
            if match is None:
                return None
            index = match + 1
        return self.blank


def _index(places: list[int], at: int) -> int:
    """Return the index of the first of the sorted ``places`` that is not before ``at``."""
    low = 0
    high = len(places)
    while low < high:
        middle = (low + high) // 2
        if places[middle] < at:
            low = middle + 1
        else:
            high = middle
    return low


def _bracketed_end(text: str, at: int) -> int | None:
    """Return where the destination in angle brackets at ``at`` ends, if it is one."""
    size = len(text)
    here = at + 1
    while here < size:
        char = text[here]
        if char == "\\" and text[here + 1 : here + 2] != "\n":
            here += 1
        elif char == ">":
            return here + 1
        elif char in "<\n":
            return None
        here += 1
    return None


def title_end(text: str, at: int) -> int | None:
    """Return where the title that begins at ``at`` ends, behind its closing mark, if there is one."""
    opener = text[at : at + 1]
    if opener not in _TITLE_MARKS:
        return None
    closer = ")" if opener == "(" else opener
    here = at + 1
    # Only escaped parentheses may stand between two: none is looked for behind the next that opens, which may
    # be that of a title that is asked for as well.
    inner = text.find("(", here) if opener == "(" else -1
    while True:
        end = text.find(closer, here, inner) if inner >= 0 else text.find(closer, here)
        if end >= 0:
            if not _escaped(text, end, at):
                return end + 1
            here = end + 1
        elif inner >= 0 and _escaped(text, inner, at):
            here = inner + 1
            inner = text.find("(", here)
        else:
            return None


def _escaped(text: str, at: int, low: int) -> bool:
    """Say whether an odd number of backslashes stands before ``at``, none of them at or before ``low``."""
    here = at
    while here - 1 > low and text[here - 1] == "\\":
        here -= 1
    return (at - here) % 2 == 1


def skip_blank(text: str, at: int) -> int:
    """Skip spaces and tabs and, among them, at most one line end."""
    size = len(text)
    lines = 0
    while at < size:
        char = text[at]
        if char == "\n":
            if lines:
                break
            lines = 1
        elif char not in _BLANK:
            break
        at += 1
    return at


def _next_line(text: str, at: int) -> int | None:
    """Return where the next line begins if nothing but blanks stands before it."""
    size = len(text)
    while at < size and text[at] in _BLANK:
        at += 1
    if at == size:
        return at
    return at + 1 if text[at] == "\n" else None


def _definition(text: str, at: int, destinations: Destinations) -> tuple[int, str] | None:
    """Return where the link reference definition at ``at`` ends, and its label, if there is one."""
    close = label_end(text, at)
    if close is None or not text.startswith(":", close):
        return None
    start = skip_blank(text, close + 1)
    end = destinations.end(start)
    if end is None or end == start:
        return None
    title = skip_blank(text, end)
    finish = None
    if title > end:
        closed = title_end(text, title)
        if closed is not None:
            finish = _next_line(text, closed)
    if finish is None:
        finish = _next_line(text, end)
    label = normal(text[at:close])
    return (finish, label) if finish is not None and label else None


def definitions(text: str) -> tuple[int, list[str]]:
    """Return where the definitions at the head of a paragraph end, and their labels."""
    labels: list[str] = []
    destinations = Destinations(text)
    at = 0
    while text.startswith("[", at):
        found = _definition(text, at, destinations)
        if found is None:
            break
        at, label = found
        labels.append(label)
    return at, labels
