"""A document as far as it fits: where it is cut, and what its tag says about that."""

from __future__ import annotations

from refseal.codepoints import is_invisible, within
from refseal.seal.escaping import CUT, MAX_CHARACTERS, escape
from refseal.seal.invisible import reveal
from refseal.seal.seals import Element

TYPE_CHECKING = False
if TYPE_CHECKING:
    from refseal.seal.documents import Document

_ZWJ = "\u200d"
_BETWEEN = ", "

_MAX_CLUSTER = 16
"""Characters that a cut steps back for an emoji: a family of four has eleven, a flag seven."""

SMALLEST_BODY = 64
"""Bytes: less of a longer document than this says nothing; its name in the list says more."""


class Part:
    """The head of a document, ready to be placed.

    ``text`` is what is shown of it, raw; ``whole`` whether nothing of the file follows it.
    """

    __slots__ = ("element", "text", "whole")

    def __init__(self, document: Document, text: str) -> None:
        body, hidden = reveal(text)
        self.text = text
        self.whole = not document.more and len(text) == len(document.text)
        cut = not self.whole and not text.endswith("\n")
        last = document.first_line - 1 + _count_lines(text)
        path = escape(document.path)
        attributes = f' path="{path}"'
        if not self.whole or document.first_line > 1:
            attributes += _extent(document, last, cut=cut)
        if hidden:
            attributes += f' hidden-characters="{hidden}"'
        if document.invalid:
            attributes += f' invalid-bytes="{document.invalid}"'
        if document.via:
            attributes += f' via="{_chain(document.via)}"'
        self.element = Element("file", path, attributes, body, "" if self.whole else _rest(last, cut=cut))


def all_of(document: Document) -> Part:
    """Give all that was read of a document; where the file goes on, to the end of the last whole line.

    Of a single line that goes on, a CR at its end is left out: the LF that it belongs to was not read.
    """
    text = document.text
    if document.more:
        end = text.rfind("\n") + 1
        text = text[:end] if end else text.removesuffix("\r")
    return Part(document, text)


def head_of(document: Document, whole: Part, room: int) -> Part | None:
    """Give as many lines of a document as fit an element of ``room`` bytes; None if nothing worth it does.

    ``whole`` is what `all_of` gave.  A first line that is longer than the room is cut at a character.  The
    tag of a longer part, which says more, may be reckoned with: some bytes of the room are then left over.
    """
    available = room - (whole.element.size() - len(whole.element.body.encode()))
    while available >= SMALLEST_BODY:
        text = _whole_lines(whole, available) or _characters(whole.text, available)
        part = Part(document, text)
        excess = part.element.size() - room
        if excess <= 0:
            return part if text else None
        available -= excess  # the tag of a part says more than that of the whole
    return None


def _whole_lines(whole: Part, room: int) -> str:
    data = whole.element.body.encode()
    end = data.rfind(b"\n", 0, room) + 1
    lines = data.count(b"\n", 0, end)
    if not lines:
        return ""
    # A line end is never hidden, and no escape makes one: both texts have the same lines.
    rest = whole.text.split("\n", lines)[lines]
    return whole.text[: len(whole.text) - len(rest)]


def _characters(text: str, room: int) -> str:
    """Give the longest head of ``text`` that fits into ``room`` bytes when everything in it is shown."""
    low, high = 0, min(len(text), room)
    while low < high:
        middle = (low + high + 1) // 2
        if len(reveal(text[:middle])[0].encode()) <= room:
            low = middle
        else:
            high = middle - 1
    return text[: _apart(text, low)]


def _apart(text: str, end: int) -> int:
    """Give the place at or shortly before ``end`` where nothing that belongs together is torn."""
    if end == len(text):
        return end
    from refseal.seal.emoji import BLACK_FLAG, KEYCAP, MODIFIERS  # noqa: PLC0415 - few documents are cut so

    for place in range(end, max(0, end - _MAX_CLUSTER), -1):
        before, after = text[place - 1], text[place]
        torn = before in (_ZWJ, BLACK_FLAG, "\r") or after == KEYCAP
        # A byte that is no UTF-8 is shown as `\xNN`.
        torn = torn or text.rfind("\\x", max(0, place - 3), place + 1) >= 0
        if not (torn or is_invisible(after) or within(after, MODIFIERS)):
            return place
    return end


def _count_lines(text: str) -> int:
    return text.count("\n") + (text != "" and not text.endswith("\n"))


def _extent(document: Document, last: int, *, cut: bool) -> str:
    """Say which lines of how many are shown, in a place that no body can write to."""
    extent = f' lines="{document.first_line}-{last}"'
    if not document.more:
        extent += f' of="{document.first_line - 1 + _count_lines(document.text)}"'
    elif document.total_lines is not None:
        extent += f' of="{max(last, document.total_lines)}"'
    if document.more:
        extent += ' more="yes"'
    if cut:
        extent += ' cut="yes"'
    return extent


def _rest(last: int, *, cut: bool) -> str:
    """Tell how to read on: our own words and a number, because they stand outside every tag."""
    if cut:
        return f"[Line {last} is cut here. To read the rest, open the file at line {last}.]\n"
    return f"[Cut here. To read the rest, open the file at line {last + 1}.]\n"


def _chain(via: tuple[str, ...]) -> str:
    """Show the chain of paths, the nearest last; of one that is too long the nearest part, after a mark."""
    if len(via) == 1:
        return escape(via[0], also=",")
    room = MAX_CHARACTERS - len(CUT)
    shown: list[str] = []
    for path in reversed(via):
        name = escape(path, MAX_CHARACTERS - len(CUT + _BETWEEN), also=",")
        room -= len(name + _BETWEEN)
        if room < 0:
            return CUT + _BETWEEN + _BETWEEN.join(reversed(shown))
        shown.append(name)
    return _BETWEEN.join(reversed(shown))
