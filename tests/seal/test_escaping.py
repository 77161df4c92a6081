"""Names on one line: no delimiter, nothing unseen, nothing lost."""

from __future__ import annotations

import hashlib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refseal.codepoints import is_invisible
from refseal.seal import escape
from refseal.seal.escaping import MAX_CHARACTERS, escape_start
from refseal.seal.parse import unescape
from tests.strategies.blocks import hostile_text

TABLE = [
    ("docs/a.md", "docs/a.md"),
    ("", ""),
    ("with space.md", "with space.md"),
    ("[id].md", "[id].md"),
    ("a\nb.md", r"a\u{A}b.md"),
    ("a\\nb", r"a\\nb"),
    (r"\u{A}", r"\\u{A}"),
    (r"\xff", r"\\xff"),
    ("\udcff\udcfe.md", r"\xff\xfe.md"),
    ("\ud800", r"\u{D800}"),
    ("\udc7f", r"\u{DC7F}"),
    ("\udc80", r"\x80"),
    ("\udfff", r"\u{DFFF}"),
    ("XY.md", "XY.md"),
    ("XY\n.md", r"XY\u{A}.md"),
    ("\x1b[31mred.md", r"\u{1B}[31mred.md"),
    ("-->.md", r"--\u{3E}.md"),
    ("`x`.md", r"\u{60}x\u{60}.md"),
    ('"><b>.md', r"\u{22}\u{3E}\u{3C}b\u{3E}.md"),
    ("it's", r"it\u{27}s"),
    ("\u202egnp.md", r"\u{202E}gnp.md"),
    ("\u200e\u200f\u200b\ufeff", r"\u{200E}\u{200F}\u{200B}\u{FEFF}"),
    ("\u2764\ufe0f", "\u2764\\u{FE0F}"),
    ("\U000e0041", r"\u{E0041}"),
    ("a\u2028b\u2029c\x85", r"a\u{2028}b\u{2029}c\u{85}"),
    ("a…b", r"a\u{2026}b"),
    ("\t\r\x7f\0", r"\u{9}\u{D}\u{7F}\u{0}"),
    ("Größe/文書/שלום/😀.md", "Größe/文書/שלום/😀.md"),
]


@pytest.mark.parametrize(("text", "shown"), TABLE)
def test_table(text: str, shown: str) -> None:
    assert escape(text) == shown
    assert escape_start(text) == shown
    assert unescape(shown) == text


ANY = st.one_of(
    st.text(st.characters()), hostile_text(max_size=20), st.text(st.characters(categories=["Cs", "Cf"]))
)


@given(ANY)
def test_it_can_be_undone(text: str) -> None:
    assert unescape(escape(text, 10**6)) == text


@given(ANY, st.integers(40, 300))
def test_one_line_within_the_limit_and_nothing_that_could_end_or_hide_it(text: str, limit: int) -> None:
    for shown in (escape(text, limit), escape_start(text, limit), escape(text, limit, also=",")):
        assert len(shown) <= limit
        shown.encode()
        assert not set(shown) & set("\"'<>`\n\r\t\u2028\u2029")
        assert not any(is_invisible(char) for char in shown)
        assert not any(unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} for char in shown)


@given(ANY, ANY)
def test_two_texts_have_two_displays(one: str, two: str) -> None:
    assert (escape(one) == escape(two)) == (one == two)


def test_long_names_that_differ_only_in_the_middle_stay_apart() -> None:
    names = ["d/" * 100 + middle + "/e" * 100 for middle in ("x", "y")]
    shown = [escape(name) for name in names]
    assert shown[0] != shown[1]
    for name, display in zip(names, shown, strict=True):
        assert len(display) <= MAX_CHARACTERS
        head, fingerprint, tail = display.split("…")
        assert name.startswith(head)
        assert name.endswith(tail)
        assert len(fingerprint) == 16


def test_a_cut_keeps_as_much_of_both_ends_as_fits() -> None:
    name = "".join(f"{number:03}" for number in range(100))
    fingerprint = hashlib.sha256(name.encode()).hexdigest()[:16]
    assert escape(name) == f"{name[:51]}…{fingerprint}…{name[-51:]}"
    assert escape_start("X" * 121) == "X" * 119 + "…"
    assert escape_start("é" + "X" * 120) == "é" + "X" * 118 + "…"


def test_a_short_text_whose_display_is_long_keeps_both_ends() -> None:
    head, _fingerprint, tail = escape("\u200b" * 40).split("…")
    assert head == tail == r"\u{200B}" * 6


def test_a_cut_never_falls_into_an_escape() -> None:
    for length in range(200):
        shown = escape("\u202e" * length + "x" * (length % 7))
        unescape(shown.replace("…", ""))
        assert shown.replace("\\u{202E}", "").strip("x…0123456789abcdef") == ""


def test_a_separator_that_is_named_is_escaped() -> None:
    assert escape("a, b.md", also=",") == r"a\u{2C} b.md"


def test_only_a_cut_start_ends_with_the_mark() -> None:
    assert escape_start("x" * 120) == "x" * 120
    assert escape_start("x" * 121) == "x" * 119 + "…"
    assert escape_start("x" * 119 + "\n") == "x" * 119 + "…"
    assert (
        escape_start("x" * 119 + "…") == "x" * 119 + "…"
    )  # cut as well: the escape of the last would not fit


def test_a_display_of_exactly_the_limit_is_whole_and_one_more_is_cut() -> None:
    assert escape("x" * 120) == "x" * 120
    assert escape("x" * 115 + "\n") == "x" * 115 + r"\u{A}"
    assert "…" in escape("x" * 116 + "\n")
    assert len(escape("x" * 116 + "\n")) <= MAX_CHARACTERS
