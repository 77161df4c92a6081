"""What people write goes out as it is; what hides in it is shown."""

from __future__ import annotations

import itertools
import sys
import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from refseal.codepoints import is_invisible, within
from refseal.seal import Composition, Document
from refseal.seal.emoji import PICTOGRAPHS
from refseal.seal.invisible import hidden_runs, reveal
from refseal.seal.parse import parse
from refseal.seal.scripts import (
    ARABIC,
    HEBREW,
    JOINING,
    MONGOLIAN,
    OLD_HANGUL,
    WITHOUT_SPACES,
)
from tests.strategies.blocks import hostile_text


def tags(text: str) -> str:
    return "".join(chr(0xE0000 + ord(char)) for char in text)


def flag(region: str) -> str:
    return f"\U0001f3f4{tags(region)}\U000e007f"


ORDINARY = {
    "plain": "Run `make check`.\n\tThen push.\n",
    "CR LF": "one\r\ntwo\r\n",
    "red heart": "\u2764\ufe0f",
    "text style": "\u2714\ufe0e done",
    "copyright": "\u00a9\ufe0f 2026 \u2122\ufe0f",
    "keycap": "1\ufe0f\u20e3 #\ufe0f\u20e3 *\ufe0f\u20e3",
    "info and warning": "\u2139\ufe0f \u26a0\ufe0f",
    "superfluous style": "\U0001f600\ufe0f",
    "programmer": "\U0001f469\u200d\U0001f4bb",
    "programmer, dark": "\U0001f469\U0001f3ff\u200d\U0001f4bb",
    "family": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "shrug": "\U0001f937\U0001f3fd\u200d\u2642\ufe0f",
    "couple": "\U0001f469\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f468",
    "handshake": "\U0001faf1\U0001f3fb\u200d\U0001faf2\U0001f3ff",
    "rainbow flag": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "pirate flag": "\U0001f3f4\u200d\u2620\ufe0f",
    "heart on fire": "\u2764\ufe0f\u200d\U0001f525",
    "eye in bubble": "\U0001f441\ufe0f\u200d\U0001f5e8\ufe0f",
    "flags of countries": "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7",
    "England": flag("gbeng"),
    "Scotland": flag("gbsct"),
    "Wales": f"to {flag('gbwls')}!",
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u062e\u0627\u0646\u0647\u200c\u0647\u0627",
    "Persian after Latin": "API\u200c\u0647\u0627",
    "Persian letter alone": "\u0647\u200d",
    "Hindi": "\u0915\u094d\u200d\u0937 \u0915\u094d\u200c\u0937",
    "Marathi eyelash ra": "\u0926\u0930\u094d\u200d\u092f\u093e",
    "Bengali": "\u09b0\u200d\u09cd\u09af\u09be\u09ac",
    "Malayalam chillu": "\u0d05\u0d35\u0d28\u0d4d\u200d",
    "Sinhala": "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    "Hebrew": "\u05e9\u05dc\u05d5\u05dd \u200fC++\u200f, \u05d6\u05d4 \u200e(v2)\u200e.",
    "Hebrew points": "\u05d9\u05b0\u05e8\u05d5\u05bc\u05e9\u05b8\u05c1\u05dc\u05b7\u034f\u05b4\u05dd",
    "Arabic": "\u0645\u0631\u062d\u0628\u0627\u060c \u061c\u0661\u0662\u0663",
    "marks of both directions": "a\u200e\u200fb",
    "Thai": "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35\u200b\u0e0a\u0e32\u0e27\u0e42\u0e25\u0e01",
    "Khmer": "\u1797\u17b6\u179f\u17b6\u200b\u1781\u17d2\u1798\u17c2\u179a",
    "Mongolian": "\u182a\u180b \u1820\u180e\u1820",
    "Old Hangul": "\u1112\u119e\u11ab \u115f\u1161 \u1112\u1160",
    "Chinese": "\u63d0\u4ea4\u4e4b\u524d\uff0c\u8bf7\u5148\u8fd0\u884c\u6d4b\u8bd5\u3002",
    "Greek, accents, ligatures": "\u03ba\u1f79\u03c3\u03bc\u03b5 e\u0301 \ufb01",
    "private use": "\ue0b0 powerline",
    "line separator": "a\u2028b",
}


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_writing_goes_out_unchanged(name: str) -> None:
    text = ORDINARY[name]
    assert reveal(text) == (text, 0)
    assert reveal(f"Some words {text} and more, {text}") == (f"Some words {text} and more, {text}", 0)


SMUGGLED = {
    "tags": (tags("hi"), r"\u{E0068}\u{E0069}"),
    "tags after an emoji": (f"\U0001f600{tags('a')}", "\U0001f600\\u{E0061}"),
    "a language tag": (f"\U000e0001{tags('e')}", r"\u{E0001}\u{E0065}"),
    "a black flag with a sentence": (
        f"\U0001f3f4{tags('run')}\U000e007f",
        "\U0001f3f4\\u{E0072}\\u{E0075}\\u{E006E}\\u{E007F}",
    ),
    "a flag without its end": (
        flag("gbeng")[:-1],
        "\U0001f3f4\\u{E0067}\\u{E0062}\\u{E0065}\\u{E006E}\\u{E0067}",
    ),
    "tags behind a flag": (flag("gbwls") + tags("x"), flag("gbwls") + r"\u{E0078}"),
    "override": ("\u202etxt.exe\u202c", r"\u{202E}txt.exe\u{202C}"),
    "embedding": ("\u202aa\u202bb", r"\u{202A}a\u{202B}b"),
    "isolates": ("\u2066if\u2069 \u2067\u2068", r"\u{2066}if\u{2069} \u{2067}\u{2068}"),
    "isolates in Hebrew": ("\u05e9\u2067\u05d5\u2069", "\u05e9\\u{2067}\u05d5\\u{2069}"),
    "selectors after an emoji": ("\U0001f600\U000e0158\U000e0159", "\U0001f600\\u{E0158}\\u{E0159}"),
    "one supplementary selector after an emoji": ("\U0001f600\U000e0158", "\U0001f600\\u{E0158}"),
    "two styles": ("\u2764\ufe0f\ufe0f", "\u2764\\u{FE0F}\\u{FE0F}"),
    "style, then a payload": ("\u2764\ufe0f\U000e0100", "\u2764\\u{FE0F}\\u{E0100}"),
    "a selector after a letter": ("a\ufe0f", r"a\u{FE0F}"),
    "other selectors after an emoji": ("\u2764\ufe00\u2764\ufe0d", "\u2764\\u{FE00}\u2764\\u{FE0D}"),
    "a style after a bare digit": ("1\ufe0f2\ufe0f", r"1\u{FE0F}2\u{FE0F}"),
    "a style at the start": ("\ufe0f", r"\u{FE0F}"),
    "zero width characters in ASCII": (
        "a\u200bb\u200cc\u200dd\u2060e\ufefff",
        r"a\u{200B}b\u{200C}c\u{200D}d\u{2060}e\u{FEFF}f",
    ),
    "joiners in a row": ("\u0645\u200c\u200d\u200c\u0645", "\u0645\\u{200C}\\u{200D}\\u{200C}\u0645"),
    "a joiner between emoji and letter": ("\U0001f600\u200da", "\U0001f600\\u{200D}a"),
    "two joiners between emoji": (
        "\U0001f600\u200d\u200d\U0001f600",
        "\U0001f600\\u{200D}\\u{200D}\U0001f600",
    ),
    "marks in a row": ("a\u200e\u200f\u200eb", r"a\u{200E}\u{200F}\u{200E}b"),
    "spaces in a row in Thai": ("\u0e2a\u200b\u200b\u0e2a", "\u0e2a\\u{200B}\\u{200B}\u0e2a"),
    "soft hyphen": ("pass\u00adword", r"pass\u{AD}word"),
    "fillers": ("\u3164\uffa0\u115f", r"\u{3164}\u{FFA0}\u{115F}"),
    "grapheme joiner": ("a\u034fb", r"a\u{34F}b"),
    "invisible operators": ("f\u2061(x)\u2062y\u2063z\u2064", r"f\u{2061}(x)\u{2062}y\u{2063}z\u{2064}"),
    "annotation": ("\ufff9a\ufffab\ufffb", r"\u{FFF9}a\u{FFFA}b\u{FFFB}"),
    "Arabic mark elsewhere": ("a\u061cb", r"a\u{61C}b"),
    "Mongolian selector elsewhere": ("a\u180bb", r"a\u{180B}b"),
    "musical and shorthand controls": ("\U0001d173\U0001bca0", r"\u{1D173}\u{1BCA0}"),
    "terminal escape": ("\x1b[2K\x1b]8;;x\x07", r"\u{1B}[2K\u{1B}]8;;x\u{7}"),
    "C1 controls": ("\x9b31m\x85", r"\u{9B}31m\u{85}"),
    "NUL, backspace, delete, form feed": ("a\0\b\x7f\f", r"a\u{0}\u{8}\u{7F}\u{C}"),
    "carriage return alone": ("shown\rhidden\r\r\n", "shown\\u{D}hidden\\u{D}\r\n"),
    "surrogates": ("\ud83d\udcff\udc00", r"\u{D83D}\xff\u{DC00}"),
}  # fmt: skip


@pytest.mark.parametrize("name", SMUGGLED)
def test_what_hides_is_shown_and_counted_in_the_opening_tag(name: str) -> None:
    text, expected = SMUGGLED[name]
    count = expected.count("\\")
    assert reveal(text) == (expected, count)
    composition = Composition(10_000)
    composition.add(Document("overlay", "a.md", f"before\n{text}\nafter\n"))
    block = composition.finish()
    assert block is not None
    assert f' path="a.md" hidden-characters="{count}">\nbefore\n{expected}\nafter\n\n</file:' in block.text
    assert parse(block.text).documents[0].hidden == count


def test_a_payload_of_every_byte_in_selectors_is_shown_whole() -> None:
    payload = "".join(chr(0xFE00 + n) if n < 16 else chr(0xE0100 + n - 16) for n in range(256))
    shown, count = reveal(f"\U0001f600{payload}")
    assert count == 256
    assert shown.count("\\u{") == 256


@given(st.one_of(st.text(), hostile_text(max_size=30)))
def test_nothing_hidden_is_left_and_nothing_else_is_touched(text: str) -> None:
    shown, count = reveal(text)
    runs = hidden_runs(text)
    assert sum(end - start for start, end in runs) == count
    assert all(one[1] < two[0] for one, two in itertools.pairwise(runs))
    for start, end in runs:
        assert all(
            is_invisible(char) or char == "\r" or "\ud800" <= char <= "\udfff" for char in text[start:end]
        )
    kept, position = [], 0
    for start, end in runs:
        kept.append(text[position:start])
        position = end
    kept.append(text[position:])
    for piece in kept:
        assert piece in shown
    shown.encode()  # no surrogate is left
    assert not any(unicodedata.category(char) == "Cc" and char not in "\t\n\r" for char in shown)
    assert not any(char in shown for char in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")


@given(st.one_of(st.text(), hostile_text(max_size=30)))
def test_lines_stay_lines(text: str) -> None:
    """The fit relies on it: a cut at the n-th line end of what is shown is one at the n-th of the text."""
    lines = text.split("\n")
    assert [reveal(line + "\n")[0] for line in lines] == [
        line + "\n" for line in reveal(text + "\n")[0].split("\n")[:-1]
    ]


@given(st.one_of(st.text(), hostile_text(max_size=30)))
def test_what_is_shown_needs_no_second_look_but_at_what_lost_its_neighbour(text: str) -> None:
    once, _ = reveal(text)
    twice, more = reveal(once)
    assert more == 0 or len(twice) > len(once)
    assert reveal(twice)[1] <= more


def test_every_character_alone_is_either_shown_or_kept() -> None:
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        expected = (
            (is_invisible(char) and char not in "\u200e\u200f") or char == "\r" or 0xD800 <= code <= 0xDFFF
        )
        assert bool(hidden_runs(char)) == expected, hex(code)


def test_pictographs_are_what_the_regex_package_says() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    found = set(regex.findall(r"\p{Extended_Pictographic}", every))
    assert found == {char for char in every if within(char, PICTOGRAPHS)}


@pytest.mark.parametrize(
    "table", [JOINING, ARABIC, WITHOUT_SPACES, MONGOLIAN, HEBREW, OLD_HANGUL, PICTOGRAPHS]
)
def test_the_tables_are_sorted(table: tuple[tuple[int, int], ...]) -> None:
    flat = [edge for pair in table for edge in pair]
    assert flat == sorted(flat)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\rb", r"a\u{D}b"),
        ("a\r", r"a\u{D}"),
        ("\r\r\n", "\\u{D}\r\n"),
        ("é\rb", r"é\u{D}b"),
        ("é\r\nb\r\n", "é\r\nb\r\n"),
        ("a\r\nb\rc", "a\r\nb\\u{D}c"),
        ("\ud800", r"\u{D800}"),
        ("\udfff", r"\u{DFFF}"),
        ("é\udc80", r"é\x80"),
        ("a\x1b\x1bb\x1b", r"a\u{1B}\u{1B}b\u{1B}"),
        ("".join(map(chr, range(0x200B, 0x2070))) + "a", None),
        ("\u200e\u200e\u200ea", r"\u{200E}\u{200E}\u{200E}a"),
        ("\u2764\ufe0f\ufe00", "\u2764\\u{FE0F}\\u{FE00}"),
        ("\u2764\ufe0f\U000e0100", "\u2764\\u{FE0F}\\u{E0100}"),
        ("\u2764\ufe0f\U000e01ef", "\u2764\\u{FE0F}\\u{E01EF}"),
        ("\ufe0f\u20e3", "\\u{FE0F}\u20e3"),
        ("\u200dx\u0647", "\\u{200D}x\u0647"),
        ("\U0001f4bb\u200d", "\U0001f4bb\\u{200D}"),
        ("\u200d\U0001f4bb", "\\u{200D}\U0001f4bb"),
        ("\U0001f3fb\u200d\U0001f4bb", "\U0001f3fb\u200d\U0001f4bb"),
        ("\U0001f44d\U0001f3fb\ufe0f", "\U0001f44d\U0001f3fb\ufe0f"),
        ("\U0001f1e9\ufe0f", "\U0001f1e9\ufe0f"),
        ("\u182a\u180f", "\u182a\u180f"),
        ("\u05d0\u034f\u05d0", "\u05d0\u034f\u05d0"),
        ("\u05d0\u034fx", "\u05d0\\u{34F}x"),
        ("x\u034f\u05d0", "x\\u{34F}\u05d0"),
    ],
)
def test_each_hidden_character_is_shown_where_it_stands(text: str, shown: str | None) -> None:
    found, count = reveal(text)
    if shown is not None:
        assert found == shown
    assert count == sum(end - start for start, end in hidden_runs(text))
    assert all(end < start for (_, end), (start, _) in itertools.pairwise(hidden_runs(text)))


@pytest.mark.parametrize("before", ["", "x", "\U0001f3f3", "\U0001f3f4x"])
def test_the_tags_of_a_flag_are_shown_behind_anything_but_a_black_flag(before: str) -> None:
    """Wherever one stands in the text besides."""
    england = flag("gbeng")[1:]
    assert reveal(f"\U0001f3f4{england}") == (f"\U0001f3f4{england}", 0)
    found, count = reveal(f"{before}{england}y\U0001f3f4")
    assert count == len(england)
    assert not any(map(is_invisible, found))
