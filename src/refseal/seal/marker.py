"""The marker: the first line of everything we inject, by which a later look at a session finds it again.

``<!-- refseal sha256:HEX -->``, where HEX is the SHA-256, as 64 lower-case digits, of the UTF-8 bytes of
everything that follows the marker and its separator: an empty line in a block, one space in a withdrawal.
Equal markers therefore mean equal texts, and a marker says nothing about who wrote the text.
"""

from __future__ import annotations

from refseal.seal.sha256 import sha256

_BEFORE = "<!-- refseal sha256:"
_AFTER = " -->"
_DIGITS = 64
_LENGTH = len(_BEFORE) + _DIGITS + len(_AFTER)

BLOCK_SEPARATOR = "\n\n"
"""Between a marker and a block: the marker stands alone in the first line."""

LINE_SEPARATOR = " "
"""Between a marker and a sentence."""

SIZE = _LENGTH + len(BLOCK_SEPARATOR)
"""Bytes that a block's marker and the empty line take."""


def digest_of(rest: bytes) -> str:
    """Give the marker's digits for what will follow it, as UTF-8."""
    return sha256(rest).hexdigest()


def mark(digits: str, separator: str, rest: str) -> str:
    """Put the marker with ``digits`` before ``rest``."""
    return f"{_BEFORE}{digits}{_AFTER}{separator}{rest}"


def marker_of(text: str) -> str | None:
    """Give the digits of the marker that ``text`` starts with, if they are those of the rest of it.

    The text is then one that refseal rendered, or one that somebody made up in its likeness.
    """
    digits = text[len(_BEFORE) : len(_BEFORE) + _DIGITS]
    for separator in (BLOCK_SEPARATOR, LINE_SEPARATOR):
        head = mark(digits, separator, "")
        if text.startswith(head) and len(head) == _LENGTH + len(separator):
            try:
                rest = text[len(head) :].encode()
            except UnicodeEncodeError:  # a lone surrogate: nothing that we have written
                return None
            return digits if digest_of(rest) == digits else None
    return None
