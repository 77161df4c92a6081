"""Scripts whose spelling needs characters that draw nothing: ranges of blocks (Unicode 17.0, Blocks.txt)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from refseal.codepoints import Ranges

JOINING: Ranges = (
    (0x0600, 0x06FF),  # Arabic (Persian, Urdu, …)
    (0x0700, 0x077F),  # Syriac, Arabic Supplement
    (0x07C0, 0x07FF),  # NKo
    (0x0840, 0x08FF),  # Mandaic, Syriac Supplement, Arabic Extended
    (0x0900, 0x0DFF),  # Devanagari to Sinhala
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x1800, 0x18AF),  # Mongolian
    (0x1A20, 0x1AAF),  # Tai Tham
    (0x1B00, 0x1C4F),  # Balinese, Sundanese, Batak, Lepcha
    (0x1CD0, 0x1CFF),  # Vedic Extensions
    (0xA840, 0xA87F),  # Phags-pa
    (0xA8E0, 0xA8FF),  # Devanagari Extended
    (0xA980, 0xA9FF),  # Javanese, Myanmar Extended-B
    (0xAA60, 0xAA7F),  # Myanmar Extended-A
    (0xABC0, 0xABFF),  # Meetei Mayek
    (0xFB50, 0xFDFF),  # Arabic Presentation Forms-A
    (0xFE70, 0xFEFE),  # Arabic Presentation Forms-B, without the byte order mark that ends the block
    (0x10AC0, 0x10AFF),  # Manichaean
    (0x10B80, 0x10BAF),  # Psalter Pahlavi
    (0x10D00, 0x10D3F),  # Hanifi Rohingya
    (0x10F30, 0x10FDF),  # Sogdian to Chorasmian
    (0x11000, 0x11FFF),  # Brahmi and its descendants
    (0x1E900, 0x1E95F),  # Adlam
)
"""Where ZWNJ and ZWJ decide how letters join."""

ARABIC: Ranges = ((0x0600, 0x06FF), (0x0750, 0x077F), (0x0870, 0x08FF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFE))
"""Where the Arabic letter mark belongs."""

WITHOUT_SPACES: Ranges = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x0F00, 0x0FFF),  # Tibetan
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x1950, 0x19FF),  # Tai Le, New Tai Lue, Khmer Symbols
    (0x1A20, 0x1AAF),  # Tai Tham
    (0x1B00, 0x1B7F),  # Balinese
    (0xA980, 0xA9FF),  # Javanese, Myanmar Extended-B
    (0xAA60, 0xAADF),  # Myanmar Extended-A, Tai Viet
)
"""Where ZERO WIDTH SPACE is the only mark of a word's end."""

MONGOLIAN: Ranges = ((0x1807, 0x180A), (0x1820, 0x18AA))
"""Letters that the Mongolian variation selectors and the vowel separator follow."""

HEBREW: Ranges = ((0x0591, 0x05F4),)
"""Where the combining grapheme joiner keeps points in their order."""

OLD_HANGUL: Ranges = ((0x1100, 0x115E), (0x1161, 0x11FF), (0xA960, 0xA97C), (0xD7B0, 0xD7FB))
"""Conjoining jamo, without the two fillers that stand in for a missing one."""
