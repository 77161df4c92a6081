"""What a text looks like to a person: letters of other scripts, styles and widths as the ASCII they resemble.

This is for reading, not for deciding what a file is: a rule compares the look of a text with what it
searches for, so that a Cyrillic letter, a full-width bracket or a zero-width joiner in the middle of a word
hides nothing.
"""

from __future__ import annotations

import unicodedata

from refseal.codepoints import ASCII_CONTROLS, is_invisible

_PAIRS = (
    # Cyrillic
    ("АВЕЅІЈКМНОРСТУХҮԌԚԜһасеіјорѕухүԁԛԝгпԍҽ", "ABESIJKMHOPCTYXYGQWhaceijopsuxydqwrnGe"),
    # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳαγικνορτυχϲ", "ABEZHIKMNOPTYXCjayiKvopTuxc"),
    # Armenian, Latin letters that are not ASCII, and letter-like signs
    ("ՕՍԼոսհցօɡıɑʀɴʟᴀᴇɪᴏᴜᴠᴡᴢꜱɩʏᴛᴍᴘᴊᴋᴅᴄʙɢʜ", "OULnuhgogiaRNLAEIOUVWZSiYTMPJKDCBGH"),
    # Cherokee
    ("ᎪᎡᎢᎬᎷᎻᏀᏃᏆᏚᏞᏟᏢᏦᏔᏒᏙᎠᎩᎳ", "ARTEMHGZISLCPKWRVDYW"),
    # Punctuation: dots, dashes, slashes, brackets, bars
    ("․。｡‐‑‒–—−﹘∕⁄⧸⟋‹›〈〉⟨⟩❬❭ǀ∣❘｜", "...-------////<><><><>||||"),
)


def _table() -> dict[int, str]:
    table: dict[int, str] = {}
    for foreign, ascii_ in _PAIRS:
        for char, look in zip(foreign, ascii_, strict=True):
            table[ord(char)] = look
    return table


_LOOKS = _table()


def look(text: str) -> str:
    """Return ``text`` as a person sees it, as far as possible in ASCII; plain ASCII comes back as it is.

    Invisible characters and controls vanish, compatibility forms (full-width, bold, ligatures) become plain,
    accents vanish, and look-alikes of other scripts become the ASCII character that they resemble.
    """
    if text.isascii():
        # A NUL in the middle of a tag hides the tag from a search as well.
        seen = text.encode().translate(None, ASCII_CONTROLS).decode()
        return text if len(seen) == len(text) else seen
    seen = "".join(char for char in text if char in "\t\n\r" or not is_invisible(char))
    plain = unicodedata.normalize("NFKC", seen.translate(_LOOKS)).translate(_LOOKS)
    return "".join(char for char in unicodedata.normalize("NFD", plain) if not unicodedata.combining(char))


def foreign_letters(text: str) -> list[str]:
    """Return the letters of ``text`` that are not ASCII but look like an ASCII letter or digit, in order."""
    if text.isascii():
        return []
    return [char for char in text if ord(char) > 127 and char.isalnum() and _looks_ascii(char)]


def _looks_ascii(char: str) -> bool:
    plain = unicodedata.normalize("NFKC", _LOOKS.get(ord(char), char))
    return plain.isascii() and plain.isalnum()
