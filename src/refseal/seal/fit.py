"""The fit: what of everything gets into a block that the host will show whole.

A host cuts a text that is too long somewhere in its middle, and closing tags with it.  So the block is
planned, in bytes of its final form, from the first document on.  Documents come in the order of their
importance, and each is decided upon at once, because the references of a document count only as far as it is
shown.  Three things are kept back from documents:

- the room for the counts in which every list can end, always;
- the native map's share, which is known from the start;
- a share for the names of what is left out, from the first thing on that is left out or cut.  Until then a
  document that fits whole may have it: its text is worth more than names that may never come.

What is left over in the end goes to the lists.
"""

from __future__ import annotations

from refseal.seal import lists
from refseal.seal.block import FRAME_SIZE, HEADINGS, Block, render, size_of
from refseal.seal.cut import all_of, head_of
from refseal.seal.documents import SECTIONS
from refseal.seal.seals import Unsealable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from refseal.seal.cut import Part
    from refseal.seal.documents import Document, LeftOut, NativeFile
    from refseal.seal.seals import Element

BYTES_PER_TOKEN = 4
"""The host's measure: a token is four UTF-8 bytes, the last one perhaps fewer."""

SMALLEST_LIMIT = 200
"""Tokens: with less there is no room for the frame and the counts, and no block comes out at all."""

_SHARE = 8
"""Each list may keep back an eighth of the block: about sixteen names of the default 10,000 bytes."""


class Shown:
    """What the block will show of a document.

    ``text`` is that part of its raw text, ``whole`` whether nothing of the file follows it.  ``included`` is
    False where no part of it is in the block: the caller then leaves it out by name.
    """

    __slots__ = ("included", "text", "whole")

    def __init__(self, text: str, *, whole: bool, included: bool) -> None:
        self.text = text
        self.whole = whole
        self.included = included


class Composition:
    """A block in the making, never above ``limit`` tokens (`SMALLEST_LIMIT` or more) when it is finished.

    ``native`` are the files that the host has loaded, in its order.  ``notices`` are lines of our own, raw:
    a name in them need not be escaped.
    """

    def __init__(self, limit: int, native: Sequence[NativeFile] = (), notices: Sequence[str] = ()) -> None:
        self._capacity = limit * BYTES_PER_TOKEN
        self._share = self._capacity // _SHARE
        self._used = FRAME_SIZE
        self._parts: dict[str, list[Part]] = {section: [] for section in SECTIONS}
        self._documents: dict[str, list[Document]] = {section: [] for section in SECTIONS}
        self._natives = len(native)
        self._native = [lists.native_entry(file) for file in native[: lists.MAX_ENTRIES]]
        self._notices = len(notices)
        self._notice = [lists.notice_entry(notice) for notice in notices[: lists.MAX_ENTRIES]]
        self._left_out = 0
        self._names: list[str] = []
        self._short = False
        self._native_room = size_of(self._native_within(self._share))

    def add(self, document: Document) -> Shown:
        """Take a document, the most important first, and tell how much of it the block will show."""
        room = self._capacity - self._used - self._native_room
        if not self._parts[document.section]:
            room -= len(HEADINGS[document.section])
        part: Part | None = all_of(document)
        if part is not None and part.element.size() > room - self._kept_for_names(short=self._short):
            self._short = True
            part = head_of(document, part, room - self._kept_for_names(short=True))
        if part is None or not (part.text or part.whole):
            return Shown("", whole=False, included=False)
        if not self._parts[document.section]:
            self._used += len(HEADINGS[document.section])
        self._used += part.element.size()
        self._parts[document.section].append(part)
        self._documents[document.section].append(document)
        return Shown(part.text, whole=part.whole, included=True)

    def leave_out(self, left_out: LeftOut) -> None:
        """Take the name of something that is not in the block; after `MAX_ENTRIES` they are counted."""
        self._left_out += 1
        if len(self._names) < lists.MAX_ENTRIES:
            self._names.append(lists.left_out_entry(left_out))

    def finish(self) -> Block | None:
        """Render the block; None if there is nothing to say, or no room to say it (`SMALLEST_LIMIT`).

        Raises `Unsealable` where no seal can be had, which no input is known to bring about.
        """
        documents = tuple(document for section in SECTIONS for document in self._documents[section])
        parts = [part for section in SECTIONS for part in self._parts[section]]
        if not (documents or self._natives or self._notices or self._left_out):
            return None
        room = self._capacity - self._used
        omitted = self._omitted_within(room - self._native_room)
        native = self._native_within(room - size_of(omitted))
        if size_of(native) + size_of(omitted) > room:
            return None  # only below SMALLEST_LIMIT
        try:
            text, digits = render([*native, *self._sections(), *omitted])
        except Unsealable:
            # Documents are what people asked for, names are not: give the seals other surroundings.
            native, omitted = self._native_within(0), self._omitted_within(0)
            text, digits = render([*native, *self._sections(), *omitted])
        cut = tuple(document for document, part in zip(documents, parts, strict=True) if not part.whole)
        return Block(text, digits, documents, cut)

    def _sections(self) -> list[str | Element]:
        placed: list[str | Element] = []
        for section in SECTIONS:
            if self._parts[section]:
                placed.append(HEADINGS[section])
                placed += [part.element for part in self._parts[section]]
        return placed

    def _kept_for_names(self, *, short: bool) -> int:
        """Give the bytes that documents must leave to what is not included."""
        least = size_of(lists.omitted_section([], self._notices, [], lists.WIDEST_COUNT, 0))
        if short:
            return max(least, self._share)
        if not (self._notices or self._left_out):
            return least
        return max(least, size_of(self._omitted_within(self._share)))

    def _native_within(self, room: int) -> list[str | Element]:
        """Lay out the native map with as many names as fit ``room`` bytes; at least its count."""
        if not self._natives:
            return []
        for listed in range(len(self._native), 0, -1):
            section = lists.native_section(self._native, self._natives, listed)
            if size_of(section) <= room:
                return section
        return lists.native_section(self._native, self._natives, 0)

    def _omitted_within(self, room: int) -> list[str | Element]:
        """Lay out notices, then names, as many as fit ``room`` bytes; at least their counts."""
        if not (self._notices or self._left_out):
            return []
        for notices in range(len(self._notice), -1, -1):
            section = self._omitted(notices, len(self._names))
            if size_of(section) <= room:
                return section
            if notices and size_of(self._omitted(notices, 0)) > room:
                continue  # with some of the names it is longer still
            for listed in range(len(self._names) - 1, -1, -1):
                section = self._omitted(notices, listed)
                if size_of(section) <= room:
                    return section
        return self._omitted(0, 0)

    def _omitted(self, notices: int, listed: int) -> list[str | Element]:
        return lists.omitted_section(
            self._notice[:notices], self._notices, self._names, self._left_out, listed
        )
