"""The two lists of the block, each in a sealed element of its own: what is loaded already, what is not here.

Names come from the repository, so they stand between tags like any body; where there is no room for names,
a count of our own words stands there instead.
"""

from __future__ import annotations

from refseal.seal.escaping import escape, escape_start
from refseal.seal.seals import Element

TYPE_CHECKING = False
if TYPE_CHECKING:
    from refseal.seal.documents import LeftOut, NativeFile

MAX_ENTRIES = 20
"""Names in one list; more would be read by nobody and are counted."""

MAX_FIRST_LINE = 80
"""Characters of a native file's first line: enough to know the file by."""

MAX_NOTICE = 240
"""Characters of a notice: a sentence of ours with perhaps a name in it."""

_NATIVE = "\n## Loaded by the host already\n"
_NATIVE_BASE = "Relative paths in each of these files are relative to that file's directory.\n"
_OMITTED = "\n## Not included\n"

WIDEST_COUNT = 10**9
"""A count that none will exceed: what room is kept for, before the real one is known."""


def native_entry(file: NativeFile) -> str:
    """Give the line of a native file."""
    line = f'"{escape(file.path)}"'
    if file.first_line:
        line += f' "{escape_start(file.first_line, MAX_FIRST_LINE)}"'
    return line


def left_out_entry(left_out: LeftOut) -> str:
    """Give the line of a document that was left out."""
    line = f'"{escape(left_out.target)}"'
    if left_out.source is not None:
        line += f' from "{escape(left_out.source)}"'
    line += f": {escape(left_out.reason)}"
    if left_out.detail:
        line += f' "{escape(left_out.detail)}"'
    return line


def notice_entry(notice: str) -> str:
    """Give the line of a notice."""
    return f"notice: {escape(notice, MAX_NOTICE)}"


def native_section(entries: list[str], total: int, listed: int) -> list[str | Element]:
    """Lay out the native map with the first ``listed`` of its ``total`` files, or with their count alone."""
    if not listed:
        return [_NATIVE + _counts(total, 0)]
    body = entries[:listed]
    if listed < total:
        body.append(f"and {_number(total - listed, 'more file')}")
    return [_NATIVE + _NATIVE_BASE, Element("native", "", f' files="{total}"', "\n".join(body))]


def omitted_section(
    notices: list[str], all_notices: int, entries: list[str], total: int, listed: int
) -> list[str | Element]:
    """Lay out the notices and the first ``listed`` of ``total`` names, or the counts of both alone."""
    if not listed and not notices:
        return [_OMITTED + _counts(total, all_notices)]
    body = list(notices)
    if len(notices) < all_notices:
        body.append(f"and {_number(all_notices - len(notices), 'more notice')}")
    body += entries[:listed]
    if listed < total:
        body.append(f"and {_number(total - listed, 'more file')}")
    return [_OMITTED, Element("omitted", "", f' files="{total}"', "\n".join(body))]


def _counts(files: int, notices: int) -> str:
    counts = _number(files, "file")
    if notices:
        counts += f" and {_number(notices, 'notice')}"
    return f"Not listed here: {counts}.\n"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
