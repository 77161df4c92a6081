r"""Strings from a repository that stand outside a body: one line, no delimiter, nothing unseen, nothing lost.

A path, a token, a reason or a first line stands in an attribute, a list or a report, between delimiters that
it must not be able to write.  One set of escapes serves all of those places, so that no caller can choose the
wrong one::

    \          -> \\                 the escape character itself, which makes the rest injective
    byte 0xFF  -> \xff               bytes that are not UTF-8 (surrogateescape)
    anything unsafe -> \u{202E}      quotes, < > `, line ends, controls, bidi and invisible characters, …

Everything else, and that includes any script, goes out as it is.
"""

from __future__ import annotations

from refseal.codepoints import is_invisible
from refseal.seal.sha256 import sha256

MAX_CHARACTERS = 120
"""The longest display of one string outside a body: a name must not crowd out what it names."""

CUT = "…"
"""Stands where a display was cut; a repository's own one is escaped, so that it cannot be faked."""

_FINGERPRINT_DIGITS = 16
"""Of the SHA-256 of a string whose display was cut: two long names that differ in the middle stay apart."""

_DELIMITERS = "\"'<>`\t\n\r\u2028\u2029" + CUT
_UNSAFE_ASCII = frozenset("\"'<>`\\")
_FIRST_SURROGATE, _LAST_SURROGATE = "\ud800", "\udfff"
_FIRST_BYTE, _LAST_BYTE = "\udc80", "\udcff"


def show(char: str) -> str:
    r"""Give the visible escape of one character: ``\xNN`` for an undecodable byte, else ``\u{X}``."""
    if _FIRST_BYTE <= char <= _LAST_BYTE:
        return f"\\x{ord(char) - 0xDC00:02x}"
    return f"\\u{{{ord(char):X}}}"


_SHOWN = {char: show(char) for char in _DELIMITERS} | {"\\": r"\\"}


def _escape_char(char: str, also: str) -> str:
    shown = _SHOWN.get(char)
    if shown is not None:
        return shown
    if char in also or is_invisible(char) or _FIRST_SURROGATE <= char <= _LAST_SURROGATE:
        return show(char)
    return char


def escape(text: str, limit: int = MAX_CHARACTERS, *, also: str = "") -> str:
    """Show hostile text on one line, in at most ``limit`` characters (40 or more).

    ``also`` names further characters that separate things where the text will stand.  A display that would
    be longer keeps both ends of the text and has 64 bits of its SHA-256 between two ``…``; up to there the
    text can be had back from its display.
    """
    if len(text) <= limit:
        if _is_plain(text, also):
            return text
        shown = "".join([_escape_char(char, also) for char in text])
        if len(shown) <= limit:
            return shown
    fingerprint = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_FINGERPRINT_DIGITS]
    middle = f"{CUT}{fingerprint}{CUT}"
    half = (limit - len(middle)) // 2
    head = _fill(text[:half], half, also)
    tail = _fill(text[: -half - 1 : -1], half, also)[::-1]
    return "".join(head) + middle + "".join(tail)


def escape_start(text: str, limit: int = MAX_CHARACTERS) -> str:
    """Show the start of hostile text on one line: ``limit`` characters at most, ``…`` at the end if cut."""
    start = text[: limit + 1]
    if _is_plain(start, ""):
        return start if len(start) <= limit else start[: limit - len(CUT)] + CUT
    shown = _fill(start, limit, "")
    if len(shown) < len(text):
        shown = _fill(text[:limit], limit - len(CUT), "")
        return "".join(shown) + CUT
    return "".join(shown)


def _is_plain(text: str, also: str) -> bool:
    """Whether ``text`` is shown as it is, as nearly every name is; not every such text is found."""
    return text.isascii() and text.isprintable() and _UNSAFE_ASCII.union(also).isdisjoint(text)


def _fill(text: str, room: int, also: str) -> list[str]:
    """Escape characters of ``text``, in order, until the next one would not fit into ``room`` characters."""
    filled = []
    for char in text:
        shown = _escape_char(char, also)
        room -= len(shown)
        if room < 0:
            break
        filled.append(shown)
    return filled
