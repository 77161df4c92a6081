"""Code points that a reviewer cannot see, as data: what each of the three layers asks of Unicode.

The tables are written out rather than asked of `unicodedata`, because a verdict (and the bytes of a block)
must not depend on the Unicode version of whichever interpreter runs the hook.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Ranges: TypeAlias = tuple[tuple[int, int], ...]

DEFAULT_IGNORABLE: Ranges = (
    (0x00AD, 0x00AD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x061C, 0x061C),  # Arabic letter mark
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian variation selectors and vowel separator
    (0x200B, 0x200F),  # zero width space, ZWNJ, ZWJ, LRM, RLM
    (0x202A, 0x202E),  # bidi embeddings and overrides
    (0x2060, 0x206F),  # word joiner, invisible operators, bidi isolates, deprecated format characters
    (0x3164, 0x3164),  # Hangul filler
    (0xFE00, 0xFE0F),  # variation selectors 1 to 16
    (0xFEFF, 0xFEFF),  # zero width no-break space, the byte order mark
    (0xFFA0, 0xFFA0),  # half-width Hangul filler
    (0xFFF0, 0xFFF8),  # unassigned specials
    (0x1BCA0, 0x1BCA3),  # shorthand format controls
    (0x1D173, 0x1D17A),  # musical format controls
    (0xE0000, 0xE0FFF),  # tags, variation selectors 17 to 256, and the unassigned rest of the plane's head
)
"""Default_Ignorable_Code_Point of the Unicode Character Database 17.0 (DerivedCoreProperties.txt)."""

CONTROLS: Ranges = (
    (0x0000, 0x0008),
    (0x000B, 0x000C),
    (0x000E, 0x001F),
    (0x007F, 0x009F),
)
"""General category Cc (UnicodeData.txt) but for TAB, LF and CR, which text is laid out with."""

ASCII_CONTROLS = bytes(code for first, last in CONTROLS for code in range(first, last + 1) if code < 0x80)
"""The invisible characters of ASCII, as bytes: for `bytes.translate`, which looks at a whole text at once."""

ANNOTATIONS: Ranges = ((0xFFF9, 0xFFFB),)
"""Interlinear annotation anchors: format characters (Cf) without a glyph that are not Default_Ignorable."""

INVISIBLE: Ranges = tuple(sorted(DEFAULT_IGNORABLE + CONTROLS + ANNOTATIONS))
"""Everything that `is_invisible` answers for."""

HFS_IGNORABLE: frozenset[str] = frozenset(
    map(chr, (*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF))
)
"""Code points that HFS+ drops from a name before it compares it; the list git keeps for `.git` (utf8.c)."""

NEWER_PUNCTUATION: Ranges = (
    (0x1B4E, 0x1B4F), (0x1B7F, 0x1B7F), (0x20C1, 0x20C4), (0x2427, 0x2429), (0x2B96, 0x2B96), (0x2E60,
    0x2E63), (0x2FFC, 0x2FFF), (0x31E4, 0x31E5), (0x31EF, 0x31EF), (0xFBC3, 0xFBD2), (0xFD90, 0xFD91),
    (0xFDC8, 0xFDCE), (0x10D6E, 0x10D6E), (0x10D8E, 0x10D8F), (0x10EC9, 0x10ECA), (0x10ED0, 0x10ED8),
    (0x113D4, 0x113D5), (0x113D7, 0x113D8), (0x11B00, 0x11B09), (0x11BE1, 0x11BE1), (0x11F43, 0x11F4F),
    (0x16D6D, 0x16D6F), (0x1CC00, 0x1CCEF), (0x1CCFA, 0x1CCFC), (0x1CD00, 0x1CEB3), (0x1CEBA, 0x1CED0),
    (0x1CED2, 0x1CED4), (0x1CEDD, 0x1CEFD), (0x1D1EB, 0x1D1FF), (0x1D253, 0x1D25A), (0x1D25D, 0x1D25E),
    (0x1D260, 0x1D27F), (0x1DB00, 0x1DB1C), (0x1E5FF, 0x1E5FF), (0x1F1AE, 0x1F1AE), (0x1F6D8, 0x1F6D9),
    (0x1F6DC, 0x1F6DC), (0x1F774, 0x1F77F), (0x1F7D9, 0x1F7DB), (0x1F7F1, 0x1F7FF), (0x1F8B2, 0x1F8BB),
    (0x1F8C0, 0x1F8C1), (0x1F8D0, 0x1F8D8), (0x1FA54, 0x1FA57), (0x1FA75, 0x1FA77), (0x1FA87, 0x1FA8F),
    (0x1FAAD, 0x1FAAF), (0x1FABB, 0x1FABF), (0x1FAC6, 0x1FAC6), (0x1FAC8, 0x1FAC8), (0x1FACC, 0x1FACF),
    (0x1FADA, 0x1FADD), (0x1FADF, 0x1FADF), (0x1FAE8, 0x1FAEB), (0x1FAEF, 0x1FAEF), (0x1FAF7, 0x1FAFA),
    (0x1FBCB, 0x1FBEF), (0x1FBFA, 0x1FBFA),
)  # fmt: skip
"""Punctuation and symbols (categories P and S) that Unicode has had since 15.0: CPython 3.11 has 14.0."""

_PLANE_14 = 0xE0000
"""Where the one long range begins: below it a set of some two hundred characters answers at once."""

_BELOW_PLANE_14 = frozenset(
    chr(code) for first, last in INVISIBLE if first < _PLANE_14 for code in range(first, last + 1)
)

_PLANE_14_LEAD = b"\xf3\xa0"
"""The first two UTF-8 bytes of U+E0000 to U+E0FFF, and of nothing else."""


def within(char: str, ranges: Ranges) -> bool:
    """Whether the code point of ``char`` lies in one of ``ranges``, which are sorted and inclusive."""
    code = ord(char)
    low, high = 0, len(ranges)
    while low < high:
        middle = (low + high) // 2
        first, last = ranges[middle]
        if code < first:
            high = middle
        elif code > last:
            low = middle + 1
        else:
            return True
    return False


def is_invisible(char: str) -> bool:
    """Whether a reviewer cannot see this one character, wherever it stands.

    Default-ignorable code points (tags, zero width characters, variation selectors, bidi controls with LRM,
    RLM and ALM, soft hyphens, byte order marks), annotation anchors, and the C0 and C1 controls other than
    TAB, LF and CR.  White space and lone surrogates are not invisible in this sense.
    """
    return char in _BELOW_PLANE_14 or _PLANE_14 <= ord(char) <= 0xE0FFF


def has_invisible(text: str) -> bool:
    """Whether any character of ``text`` is invisible; plain ASCII without controls is answered at once."""
    if text.isascii():
        return not text.isprintable() and not _BELOW_PLANE_14.isdisjoint(text)
    return not _BELOW_PLANE_14.isdisjoint(text) or _PLANE_14_LEAD in text.encode("utf-8", "surrogatepass")
