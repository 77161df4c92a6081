"""Bytes of a file -> text, with nothing lost and nothing guessed."""

from __future__ import annotations

import codecs  # loaded by every interpreter before its first line: costs nothing

_BOM = b"\xef\xbb\xbf"
_UTF_16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_SHOWN_BYTES = {0xDC00 + byte: f"\\x{byte:02x}" for byte in range(0x80, 0x100)}
"""The surrogates by which Python carries undecodable bytes, and how each byte is shown."""

_GROWTH = len(r"\xNN") - 1
"""How much longer a text gets by one shown byte."""


class Decoded:
    r"""The text of a file, and the number of its bytes that are no UTF-8 and stand in it as ``\xNN``."""

    __slots__ = ("invalid", "text")

    def __init__(self, text: str, invalid: int) -> None:
        self.text = text
        self.invalid = invalid


def decode(data: bytes, *, more: bool = False) -> Decoded:
    r"""Read ``data`` as UTF-8; a byte order mark at the start is dropped, each invalid byte becomes ``\xNN``.

    With ``more`` the data are the head of a longer file: a character that their end cuts is dropped, because
    its bytes are not invalid.
    """
    text, _ = codecs.utf_8_decode(data.removeprefix(_BOM), "surrogateescape", not more)
    if text.isascii():
        return Decoded(text, 0)
    try:
        text.encode()
    except UnicodeEncodeError:
        shown = text.translate(_SHOWN_BYTES)
        return Decoded(shown, (len(shown) - len(text)) // _GROWTH)
    return Decoded(text, 0)


def is_binary(data: bytes) -> bool:
    """Whether ``data`` are no text for us: a NUL byte, or the byte order mark of UTF-16."""
    return b"\0" in data or data.startswith(_UTF_16_BOMS)
