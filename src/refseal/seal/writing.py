"""Where people's writing has characters that cannot be seen: in emoji, and beside letters that need them."""

from __future__ import annotations

from refseal.codepoints import is_invisible, within
from refseal.seal.emoji import (
    BLACK_FLAG,
    FLAG_LETTERS,
    FLAG_TAGS,
    KEYCAP,
    KEYCAP_BASES,
    MODIFIERS,
    PICTOGRAPHS,
)
from refseal.seal.scripts import ARABIC, HEBREW, JOINING, MONGOLIAN, OLD_HANGUL, WITHOUT_SPACES

_ZWSP, _ZWNJ, _ZWJ, _LRM, _RLM = "\u200b", "\u200c", "\u200d", "\u200e", "\u200f"
_ALM = "\u061c"
_CGJ = "\u034f"
_TEXT_STYLE, _EMOJI_STYLE = "\ufe0e", "\ufe0f"

_MAX_MARKS = 2
"""LRM and RLM in a row that are left alone: one closes a run of each direction; more of them spell bits."""


def end_of_flag(text: str, index: int) -> int:
    """Where the flag ends whose first tag is at ``index``; -1 if there is none."""
    if index and text[index - 1] == BLACK_FLAG:
        for tags in FLAG_TAGS:
            if text.startswith(tags, index):
                return index + len(tags)
    return -1


def belongs(text: str, index: int) -> bool:
    """Whether the suspect at ``index`` is where people's writing has it."""
    char = text[index]
    before = text[index - 1] if index else ""
    after = text[index + 1] if index + 1 < len(text) else ""
    if char == "\r":
        return after == "\n"
    if char in (_LRM, _RLM):
        return _marks_around(text, index) <= _MAX_MARKS
    if char in (_EMOJI_STYLE, _TEXT_STYLE):
        return _styles_emoji(char, before, after)
    if char == _ZWJ and _joins_emoji(text, index):
        return True
    if char in (_ZWJ, _ZWNJ):
        apart = before not in (_ZWJ, _ZWNJ) and after not in (_ZWJ, _ZWNJ)
        return apart and (_in(before, JOINING) or _in(after, JOINING))
    if char == _ZWSP:
        return _in(before, WITHOUT_SPACES) and after != _ZWSP
    if char == _ALM:
        return _in(before, ARABIC) or _in(after, ARABIC)
    if char == _CGJ:
        return _in(before, HEBREW) and _in(after, HEBREW)
    if "\u180b" <= char <= "\u180f":
        return _in(before, MONGOLIAN)
    if char in "\u115f\u1160":
        return _in(before, OLD_HANGUL) or _in(after, OLD_HANGUL)
    return False


def _in(char: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return char != "" and within(char, ranges) and not is_invisible(char)


def _marks_around(text: str, index: int) -> int:
    """Count the LRM and RLM in a row around ``index``, up to one more than are left alone."""
    count = 1
    for step in (-1, 1):
        other = index + step
        while count <= _MAX_MARKS and 0 <= other < len(text) and text[other] in (_LRM, _RLM):
            count += 1
            other += step
    return count


def _styles_emoji(char: str, before: str, after: str) -> bool:
    """Whether a variation selector alone follows an emoji; after a digit only as part of a keycap."""
    if after != "" and ("\ufe00" <= after <= "\ufe0f" or "\U000e0100" <= after <= "\U000e01ef"):
        return False
    if before != "" and before in KEYCAP_BASES:
        return char == _EMOJI_STYLE and after == KEYCAP
    return _in(before, PICTOGRAPHS) or _in(before, MODIFIERS) or _in(before, FLAG_LETTERS)


def _joins_emoji(text: str, index: int) -> bool:
    """Whether the ZWJ at ``index`` joins two emoji, the first perhaps with a style or a skin tone."""
    if index + 1 >= len(text) or not _in(text[index + 1], PICTOGRAPHS):
        return False
    base = index - 1
    if base > 0 and (text[base] == _EMOJI_STYLE or _in(text[base], MODIFIERS)):
        base -= 1
    return base >= 0 and (_in(text[base], PICTOGRAPHS) or _in(text[base], MODIFIERS))
