"""What rules look at: a text, a verdict on a reference, a file as it lies on the disk, a session.

A subject holds facts and no opinions.  Everything in it that a repository supplied is raw.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from refseal.audit.confusables import look
from refseal.audit.hidden import hidden_by_kind
from refseal.audit.zones import Zones
from refseal.seal.decoding import decode
from refseal.tokenizer import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from refseal.audit.quoting import Excerpt
    from refseal.tokenizer import Tokens

CODE = frozenset({"fence", "indented-code", "code-span"})
"""Zones whose text is shown as it stands."""

_LINE_END = re.compile(r"\r\n|\n|\r")


class Text:
    """One document as it was read, and everything that rules ask of its text.

    ``path`` is relative to the root.  ``data`` are the bytes that were read, ``more`` tells that the file
    goes on behind them.  ``text`` is what they say, in UTF-16 too (``wide_codec`` then names the codec);
    ``invalid`` the number of bytes that are no UTF-8.

    Some rule asks for these of every text:

    ``tokens``  what the resolver's own tokenizer finds in it
    ``hidden``  the offsets of everything that nobody sees, by kind
    ``look``    the text as a person sees it; it has the same lines, but not the same offsets
    """

    def __init__(self, path: str, data: bytes, *, more: bool = False) -> None:
        self.path = path
        self.data = data
        self.more = more
        decoded = decode(data, more=more)
        self.text = decoded.text
        self.invalid = decoded.invalid
        self.wide_codec = _wide_codec(data)
        if self.wide_codec is not None:
            # Agents read it as UTF-8, full of NULs, and models read it all the same.
            self.text = data.decode(self.wide_codec, "replace").removeprefix("\ufeff")
        self.tokens: Tokens = tokenize(self.text)
        self.hidden: dict[str, list[int]] = hidden_by_kind(self.text)
        self.look = look(self.text)

    @cached_property
    def zones(self) -> Zones:
        """Which parts of the text are code or comment."""
        return Zones(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        return _line_starts(self.text)

    @cached_property
    def _look_starts(self) -> list[int]:
        return self._starts if self.look is self.text else _line_starts(self.look)

    def place(self, offset: int) -> tuple[int, int]:
        """Return 1-based line and column (code points) of a 0-based offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offsets_of(self, offsets: Iterable[int]) -> list[int]:
        """Return what ascending offsets in `look` stand for in the text; time is linear in both."""
        if self.look is self.text:
            return list(offsets)
        found: list[int] = []
        number = 0
        ends: Sequence[int] = ()
        for offset in offsets:
            line = bisect_right(self._look_starts, offset)
            if line != number:
                number, ends = line, _ends_in_look(self.line(line))
            index = bisect_right(ends, offset - self._look_starts[line - 1])
            found.append(self._starts[line - 1] + min(index, max(len(ends) - 1, 0)))
        return found

    def line(self, number: int) -> str:
        """Return the 1-based line without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def offset(self, line: int, column: int) -> int:
        """Return the 0-based offset of a 1-based place."""
        return self._starts[line - 1] + column - 1

    def outside_code(self, offsets: list[int]) -> list[int]:
        """Return those of ascending offsets that do not lie in code, where a comment is no comment."""
        zones = self.zones.at_all(offsets)
        return [offset for offset, zone in zip(offsets, zones, strict=True) if zone not in CODE]

    def comments(self) -> Iterator[tuple[int, str]]:
        """Yield offset and body of each HTML comment."""
        return self.zones.comments()

    def first_invalid(self) -> tuple[int, int]:
        """Return the place of the first byte that is no UTF-8."""
        try:
            self.data.decode()
        except UnicodeDecodeError as error:
            before = self.data[: error.start]
            start = before.rfind(b"\n") + 1
            return before.count(b"\n") + 1, len(before[start:].decode("utf-8", "replace")) + 1
        return 1, 1


def _wide_codec(data: bytes) -> str | None:
    """Return the codec of UTF-16 or UTF-32 text, with a mark or without; None for anything else."""
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return codec
    if data and 3 * data.count(0) >= len(data):
        return "utf-16-be" if data[:1] == b"\0" else "utf-16-le"
    return None


_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


def _ends_in_look(raw: str) -> Sequence[int]:
    """Return for each character of a line where it ends in the line's look."""
    seen = look(raw)
    if seen is raw:
        return range(1, len(raw) + 1)
    return list(accumulate(len(look(char)) for char in raw))


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in _LINE_END.finditer(text))]


class Verdict:
    """The resolver's answer for one reference, with what surrounds it.

    ``excerpt``            of its line; None where no rule could want it
    ``is_alone``           its line says nothing else
    ``is_document``        its name is that of a document
    ``names_credential``   its path, as it is written, names a credential
    ``is_local``           it stands in an overlay that git does not track
    """

    __slots__ = (
        "column", "excerpt", "is_alone", "is_document", "is_local", "line", "names_credential", "path",
        "reason", "token", "verdict",
    )  # fmt: skip

    def __init__(
        self,
        token: str,
        path: str,
        verdict: str,
        reason: str,
        *,
        line: int = 1,
        column: int = 1,
        excerpt: Excerpt | None = None,
        is_alone: bool = False,
        is_document: bool = False,
        names_credential: bool = False,
        is_local: bool = False,
    ) -> None:
        self.token = token
        self.path = path
        self.verdict = verdict
        self.reason = reason
        self.line = line
        self.column = column
        self.excerpt = excerpt
        self.is_alone = is_alone
        self.is_document = is_document
        self.names_credential = names_credential
        self.is_local = is_local


class File:
    """One instruction file as it lies on the disk.

    ``path``             relative to the root
    ``text``             what it says, or None if the guard refused it, with ``refusal`` and ``where``
    ``is_link``          its name is that of a symbolic link
    ``names``, ``mode``  number of hard links and permission bits; 1 and 0 if it was refused
    ``is_overlay``       it is an `AGENTS.local.md`
    ``tracked``          git's index has it; ``tracked_as_link``: as a symbolic link
    ``hides``            names of its directory that Codex would have read had it not been there
    """

    __slots__ = (
        "hides", "is_link", "is_overlay", "mode", "names", "path", "refusal", "text", "tracked",
        "tracked_as_link", "where",
    )  # fmt: skip

    def __init__(
        self,
        path: str,
        text: Text | None = None,
        *,
        refusal: str | None = None,
        where: str = "",
        is_link: bool = False,
        names: int = 1,
        mode: int = 0,
        is_overlay: bool = False,
        tracked: bool = False,
        tracked_as_link: bool = False,
        hides: tuple[str, ...] = (),
    ) -> None:
        self.path = path
        self.text = text
        self.refusal = refusal
        self.where = where
        self.is_link = is_link
        self.names = names
        self.mode = mode
        self.is_overlay = is_overlay
        self.tracked = tracked
        self.tracked_as_link = tracked_as_link
        self.hides = hides


class Session:
    """What a session in one directory would be: its root, its linkage, and what Codex cuts.

    ``root_path``      the project root, relative to the audited one (``.``), or absolute if it lies outside
    ``git_path``       its ``.git``, spelled likewise
    ``is_nested``      the project root lies inside the audited root
    ``git_is_bogus``   its ``.git`` is empty or no repository
    ``cuts``           path and 1-based first missing line of each file that Codex cuts off
    ``shortened``      path, last line and exhausted budget of each document that is included in part
    """

    __slots__ = (
        "cuts", "git_is_bogus", "git_path", "is_nested", "root_path", "shortened", "unsafe",
        "worktree_detail", "worktree_status",
    )  # fmt: skip

    def __init__(
        self,
        *,
        root_path: str = ".",
        git_path: str = ".git",
        is_nested: bool = False,
        git_is_bogus: bool = False,
        unsafe: bool = False,
        worktree_status: str = "none",
        worktree_detail: str | None = None,
        cuts: tuple[tuple[str, int], ...] = (),
        shortened: tuple[tuple[str, int, str], ...] = (),
    ) -> None:
        self.root_path = root_path
        self.git_path = git_path
        self.is_nested = is_nested
        self.git_is_bogus = git_is_bogus
        self.unsafe = unsafe
        self.worktree_status = worktree_status
        self.worktree_detail = worktree_detail
        self.cuts = cuts
        self.shortened = shortened
