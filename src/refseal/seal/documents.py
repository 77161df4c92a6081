"""What goes into a block: documents, native files, and the names of what was left out.

All strings in these are raw, as the repository spelled them; the renderer alone escapes them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SECTIONS = ("overlay", "inherited", "referenced")
"""The kinds of documents, in the order in which the block has them."""


class Document:
    r"""A document whose body can enter the block.

    ``section`` is one of `SECTIONS`.  ``path`` is the name to show, ``text`` the decoded text that was read,
    ``more`` that the file goes on behind it, ``invalid`` the number of bytes that ``text`` shows as ``\xNN``.
    ``first_line`` is the 1-based number of the text's first line in its file, ``total_lines`` the file's
    number of lines, where ``more`` hides it and the caller knows it.  ``via`` are the paths of the documents
    that led here, outermost first.
    """

    __slots__ = ("first_line", "invalid", "more", "path", "section", "text", "total_lines", "via")

    def __init__(
        self,
        section: str,
        path: str,
        text: str,
        *,
        more: bool = False,
        invalid: int = 0,
        first_line: int = 1,
        total_lines: int | None = None,
        via: Iterable[str] = (),
    ) -> None:
        if section not in SECTIONS:
            raise ValueError(f"no such section: {section}")
        self.section = section
        self.path = path
        self.text = text
        self.more = more
        self.invalid = invalid
        self.first_line = first_line
        self.total_lines = total_lines
        self.via = tuple(via)


class NativeFile:
    """A file that the host has loaded itself: its path, and its first line to know it by."""

    __slots__ = ("first_line", "path")

    def __init__(self, path: str, first_line: str = "") -> None:
        self.path = path
        self.first_line = first_line


class LeftOut:
    """A document that is not in the block: its token or path, the path of who asked, and why.

    ``reason`` is a reason code, ``detail`` what there is to say besides.
    """

    __slots__ = ("detail", "reason", "source", "target")

    def __init__(self, target: str, source: str | None, reason: str, detail: str = "") -> None:
        self.target = target
        self.source = source
        self.reason = reason
        self.detail = detail
