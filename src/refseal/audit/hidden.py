"""Characters that a reviewer cannot see, sorted by what they can do, and the message that they spell."""

from __future__ import annotations

from refseal.seal.invisible import hidden_runs

TAGS = "tags"
BIDI = "bidi"
CONTROL = "control"
OTHER = "other"

MINIMUM_PAYLOAD = 3
"""Characters of a decoded message below which it is noise that happens to decode."""

MAX_PAYLOAD = 4_096
"""Hidden characters of one place that are decoded; a report quotes 120 of them."""

_BITS = (
    ("\u200b", "\u200c"),  # zero width space and non-joiner
    ("\u200b", "\u200d"),
    ("\u200c", "\u200d"),
    ("\u2062", "\u2064"),  # invisible times and plus
    ("\u2062", "\u2063"),
    ("\u200e", "\u200f"),  # the two direction marks
    ("\u2060", "\u200b"),
    ("\ufe00", "\ufe01"),  # the first two variation selectors
)
"""Pairs of characters that published ways of hiding text use for the bits 0 and 1."""


def kind_of(char: str) -> str:
    """Return what a hidden character can do: one of `TAGS`, `BIDI`, `CONTROL`, `OTHER`."""
    code = ord(char)
    if 0xE0000 <= code <= 0xE007F:
        return TAGS
    if 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069:
        return BIDI
    if code < 0x20 or 0x7F <= code <= 0x9F:
        return CONTROL
    return OTHER


def hidden_by_kind(text: str) -> dict[str, list[int]]:
    """Return the 0-based offsets of everything hidden in ``text``, by kind, each in order."""
    found: dict[str, list[int]] = {}
    for start, end in hidden_runs(text):
        for index in range(start, end):
            found.setdefault(kind_of(text[index]), []).append(index)
    return found


def decode_tags(chars: str) -> str:
    """Return the ASCII that Unicode tags spell: U+E0041 is `A`."""
    return "".join(chr(ord(char) - 0xE0000) for char in chars if 0xE0020 <= ord(char) <= 0xE007E)


def decode(chars: str) -> str | None:
    """Return the message that hidden characters other than tags spell, or None.

    Known ways: a variation selector for each byte; two invisible characters as the bits of a byte.
    """
    chars = chars[: 8 * MAX_PAYLOAD]
    message = _as_text(bytes(value for char in chars if (value := _selector(char)) is not None))
    if message is not None:
        return message
    for zero, one in _BITS:
        bits = "".join("0" if char == zero else "1" for char in chars if char in (zero, one))
        for pattern in (bits, bits.translate({48: "1", 49: "0"})):
            message = _as_text(bytes(int(pattern[i : i + 8], 2) for i in range(0, len(pattern) - 7, 8)))
            if message is not None:
                return message
    return None


def _selector(char: str) -> int | None:
    code = ord(char)
    if 0xFE00 <= code <= 0xFE0F:
        return code - 0xFE00
    if 0xE0100 <= code <= 0xE01EF:
        return code - 0xE0100 + 16
    return None


def _as_text(data: bytes) -> str | None:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    sensible = sum(char.isalnum() or char in " .,:;!?/_-" for char in text)
    return text if len(text) >= MINIMUM_PAYLOAD and 4 * sensible >= 3 * len(text) else None
