"""The parts of a link: labels, destinations, titles, and the definitions at the head of a paragraph.

They matter to prose for what they hide: a back-tick in a destination or a label opens no code span.
"""

from __future__ import annotations

LONGEST_LABEL = 999
"""Code points between the brackets of a label: the specification's own bound."""

_DEEPEST_PARENTHESES = 32  # of a destination; what cmark allows, and what keeps a run of `[a](` linear

_CONTROLS = frozenset("".join(map(chr, range(0x21))) + "\x7f")

_BLANK = " \t"


def label_end(text: str, at: int) -> int:
    """Return where the label that begins with the ``[`` at ``at`` ends, behind its ``]``; else -1."""
    window = text[at + 1 : at + 2 + LONGEST_LABEL]
    close = window.find("]")
    if close < 0:
        return -1
    inside = window[:close]
    if "\\" not in inside:
        return -1 if "[" in inside else at + 2 + close
    here = 0
    while here < len(window):
        char = window[here]
        if char == "\\":
            here += 2
            continue
        if char == "]":
            return at + 2 + here
        if char == "[":
            return -1
        here += 1
    return -1


def normal(label: str) -> str:
    """Return a label, brackets and all, in the form in which labels are compared; empty if it is blank."""
    words = label[1:-1].replace("\t", " ").replace("\n", " ").split(" ")
    return " ".join(word for word in words if word).casefold()


def destination_end(text: str, at: int) -> int:
    """Return where the destination that begins at ``at`` ends, -1 if there is none; it may be empty."""
    size = len(text)
    if text.startswith("<", at):
        here = at + 1
        while here < size:
            char = text[here]
            if char == "\\" and text[here + 1 : here + 2] != "\n":
                here += 1
            elif char == ">":
                return here + 1
            elif char in "<\n":
                return -1
            here += 1
        return -1
    depth = 0
    here = at
    while here < size:
        char = text[here]
        if char == "\\":
            following = text[here + 1 : here + 2]
            if following and following not in _CONTROLS:
                here += 1
        elif char == "(":
            depth += 1
            if depth > _DEEPEST_PARENTHESES:
                return -1
        elif char == ")":
            if not depth:
                break
            depth -= 1
        elif char in _CONTROLS:
            break
        here += 1
    return -1 if depth else here


def title_end(text: str, at: int) -> int:
    """Return where the title that begins at ``at`` ends, behind its closing mark; -1 if there is none."""
    opener = text[at : at + 1]
    if not opener or opener not in "\"'(":
        return -1
    closer = ")" if opener == "(" else opener
    here = at + 1
    while True:
        end = text.find(closer, here)
        if end < 0:
            return -1
        if opener == "(":
            # Only escaped parentheses may stand inside.
            inner = text.find("(", here, end)
            if inner >= 0:
                if not _escaped(text, inner, at):
                    return -1
                here = inner + 1
                continue
        if not _escaped(text, end, at):
            return end + 1
        here = end + 1


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


def _line_end(text: str, at: int) -> int:
    """Return where the next line begins if nothing but blanks stands before it, else -1."""
    size = len(text)
    while at < size and text[at] in _BLANK:
        at += 1
    if at == size:
        return at
    return at + 1 if text[at] == "\n" else -1


def definition(text: str, at: int) -> tuple[int, str]:
    """Return where the link reference definition at ``at`` ends, and its label; (-1, "") if there is none."""
    none = (-1, "")
    close = label_end(text, at)
    if close < 0 or not text.startswith(":", close):
        return none
    start = skip_blank(text, close + 1)
    end = destination_end(text, start)
    if end <= start:
        return none
    title = skip_blank(text, end)
    finish = -1
    if title > end:
        closed = title_end(text, title)
        if closed > 0:
            finish = _line_end(text, closed)
    if finish < 0:
        finish = _line_end(text, end)
    label = normal(text[at:close])
    return (finish, label) if finish >= 0 and label else none


def definitions(text: str) -> tuple[int, list[str]]:
    """Return where the definitions at the head of a paragraph end, and their labels."""
    labels: list[str] = []
    at = 0
    while text.startswith("[", at):
        end, label = definition(text, at)
        if end < 0:
            break
        labels.append(label)
        at = end
    return at, labels
