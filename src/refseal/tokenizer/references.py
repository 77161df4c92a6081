"""Where an ``@`` begins a reference and where the path behind it ends: the characters alone.

Whether the place is prose is not asked here (`blocks`, `inlines`): a text has few ``@`` and much structure,
so the few are found first.
"""

from __future__ import annotations

from refseal.codepoints import NEWER_PUNCTUATION, is_invisible, within

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = "0123456789"

NO_BOUNDARY = frozenset(_LETTERS + _DIGITS + ".-+/@\"'")
"""An ``@`` behind one of these is an e-mail address, a version, a URL, a matrix of ``@@@`` or quoted text."""

_PUNCTUATION = frozenset("PS")
"""The general categories of Unicode that CommonMark 0.31 calls punctuation: P and S."""

_WHITE_SPACE = frozenset(
    " \t\n\f\r\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
"""What CommonMark 0.31 calls Unicode white space: the category Zs, tabs, line ends and form feeds."""

_APOSTROPHES = frozenset("'\u2019")

ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")

_ENDS = frozenset(' |<>`"@' + "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0)))))
"""What no path runs over: a space, controls, and the marks of tables, tags, spans and quotes."""

_PLAIN = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in _ENDS and chr(code) != "]")
"""ASCII that any path may hold, whatever stands beside it."""

_PLAIN_SET = frozenset(_PLAIN)

_TRAILING = frozenset(
    ".,;:!?)]}*_~'" + "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00bb\u203a\u2013\u2014\u2026"
)
"""Punctuation of the sentence around a reference, taken off its end: curly and angle quotes, dashes and the
ellipsis included, which editors put where somebody typed ASCII."""

_FULL_WIDTH = (
    (0x3001, 0x3003),  # ideographic comma, full stop, ditto mark
    (0x3008, 0x3011),  # angle, corner and lenticular brackets
    (0x3014, 0x301F),  # tortoise shell and white brackets, wave dash, quotation marks
    (0x3030, 0x3030),  # wavy dash
    (0x303D, 0x303D),  # part alternation mark
    (0x30A0, 0x30A0),  # katakana double hyphen
    (0x30FB, 0x30FB),  # katakana middle dot, which separates the items of a list
    (0xFE10, 0xFE19),  # vertical forms
    (0xFE30, 0xFE52),  # compatibility forms
    (0xFE54, 0xFE61),  # small forms
    (0xFE63, 0xFE63),
    (0xFE68, 0xFE68),
    (0xFE6A, 0xFE6B),
    (0xFF01, 0xFF03),  # full-width forms of ASCII punctuation
    (0xFF05, 0xFF0A),
    (0xFF0C, 0xFF0F),
    (0xFF1A, 0xFF20),
    (0xFF3B, 0xFF3D),
    (0xFF3F, 0xFF3F),
    (0xFF5B, 0xFF65),  # brackets, bar, tilde, and the half-width forms of the ideographic marks
)
FULL_WIDTH = frozenset(chr(code) for first, last in _FULL_WIDTH for code in range(first, last + 1))
"""Full-width punctuation marks: East Asian text sets them without a space behind the path."""

_WINDOW = 64  # code points looked at in one step: longer than most paths, short enough to copy for nothing


def is_boundary(text: str, at: int) -> bool:
    """Say whether an ``@`` at ``at`` may begin a reference, as far as the characters before it tell.

    A backslash is no boundary here; `reading` treats the escape apart.
    """
    if at == 0:
        return True
    before = text[at - 1]
    if before in NO_BOUNDARY or before == "\\":
        return False
    return before != "_" or _opens_emphasis(text, at)


def _opens_emphasis(text: str, at: int) -> bool:
    """Say whether the run of ``_`` before the ``@`` at ``at`` can open emphasis, by the rules of CommonMark.

    The ``@`` being punctuation, that takes white space, punctuation or nothing at all before the run.
    """
    run = at - 1
    while run > 0 and text[run - 1] == "_":
        run -= 1
    if run == 0:
        return True
    before = text[run - 1]
    if before == "\\":
        # An escaped underscore is a letter of prose; the run begins behind it, if anything is left of it.
        backslashes = 1
        while run - 1 - backslashes >= 0 and text[run - 1 - backslashes] == "\\":
            backslashes += 1
        return backslashes % 2 == 0 or run + 1 < at
    return before in _WHITE_SPACE or _is_punctuation(before)


def _is_punctuation(char: str) -> bool:
    """Say whether CommonMark 0.31 calls a character punctuation: one of Unicode's categories P and S.

    A NUL is one, for it is read as U+FFFD (section 2.3).
    """
    if char.isascii():
        return char in ASCII_PUNCTUATION or char == "\0"
    import unicodedata  # noqa: PLC0415 - wanted for a letter, a run of `_` and an `@` in a row: next to never

    return unicodedata.category(char)[0] in _PUNCTUATION or within(char, NEWER_PUNCTUATION)


def path_end(text: str, at: int) -> int:
    """Return where the path of the ``@`` at ``at`` stops, its trailing punctuation still on."""
    end = at + 1
    size = len(text)
    while end < size:
        window = text[end : end + _WINDOW]
        end += len(window) - len(window.lstrip(_PLAIN))
        while end < size:
            char = text[end]
            if char in _PLAIN_SET:
                break
            if char == " ":
                if text[end - 1] != "\\":
                    return end
            elif char == "]":
                if text[end + 1 : end + 2] in ("(", "["):
                    return end
            elif char in _ENDS or char in FULL_WIDTH or char.isspace():
                return end
            end += 1
    return end


def trimmed_end(text: str, at: int, end: int) -> int:
    """Return where the token of the ``@`` at ``at`` ends, given where its path stops.

    Taken off: one backslash before what stopped the path, then punctuation, possessives and invisible
    characters, and a backslash that escaped one of them.  A space that was kept by a backslash stays.
    """
    first = at + 1
    if end > first and text[end - 1] == "\\":
        end -= 1
    while end > first:
        if text[end - 1] == "s" and end - 2 >= first and text[end - 2] in _APOSTROPHES:
            end -= 1  # and the apostrophe below, with what escaped it
        char = text[end - 1]
        if char in _TRAILING:
            end -= 1
            if end > first and text[end - 1] == "\\" and char in ASCII_PUNCTUATION:
                end -= 1
        elif not char.isascii() and is_invisible(char):
            end -= 1
        else:
            break
    return end


def split(token: str) -> tuple[str, str]:
    """Return the path and the fragment of a token that begins with ``@``."""
    path = token[1:]
    fragment = ""
    mark = path.find("#", path.rfind("/") + 1)
    if mark >= 0:
        path, fragment = path[:mark], path[mark + 1 :]
    if "\\ " in path:
        path = path.replace("\\ ", " ")
    return path, fragment
