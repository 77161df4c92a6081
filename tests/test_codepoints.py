"""The tables against two independent readings of Unicode: the interpreter's, and the `regex` package's."""

from __future__ import annotations

import itertools
import sys
import unicodedata

import pytest
import regex

from refseal.codepoints import (
    CONTROLS,
    DEFAULT_IGNORABLE,
    HFS_IGNORABLE,
    INVISIBLE,
    has_invisible,
    is_invisible,
    within,
)

EVERY = [chr(code) for code in range(sys.maxunicode + 1)]


def test_the_ranges_are_sorted_and_do_not_touch() -> None:
    flat = [edge for pair in INVISIBLE for edge in pair]
    assert flat == sorted(flat)
    assert all(first <= last for first, last in INVISIBLE)
    assert all(one[1] < two[0] for one, two in itertools.pairwise(INVISIBLE))


def test_default_ignorable_is_what_the_regex_package_says() -> None:
    found = set(regex.findall(r"\p{Default_Ignorable_Code_Point}", "".join(EVERY)))
    assert found == {char for char in EVERY if within(char, DEFAULT_IGNORABLE)}


def test_controls_are_category_cc_without_the_three_that_lay_out_text() -> None:
    expected = {char for char in EVERY if unicodedata.category(char) == "Cc"} - set("\t\n\r")
    assert expected == {char for char in EVERY if within(char, CONTROLS)}


def test_is_invisible_is_the_union_of_the_tables() -> None:
    assert [char for char in EVERY if is_invisible(char)] == [
        char for char in EVERY if within(char, INVISIBLE)
    ]


def test_every_format_character_is_invisible_but_those_with_a_glyph() -> None:
    # Prepended Arabic, Syriac and Kaithi number signs are drawn; Egyptian joiners arrange signs around them.
    drawn = [(0x600, 0x605), (0x6DD, 0x6DD), (0x70F, 0x70F), (0x890, 0x891), (0x8E2, 0x8E2)]
    drawn += [(0x110BD, 0x110BD), (0x110CD, 0x110CD), (0x13430, 0x1343F)]
    for char in EVERY:
        if unicodedata.category(char) == "Cf" and not within(char, tuple(drawn)):
            assert is_invisible(char), hex(ord(char))


@pytest.mark.parametrize(
    "char", ["a", " ", "\t", "\n", "\r", "\u00a0", "é", "ש", "\u3000", "\ud800", "😀", "\u2028"]
)
def test_what_can_be_seen_or_lays_out_text_is_visible(char: str) -> None:
    assert not is_invisible(char)
    assert not has_invisible(f"a{char}b")


@pytest.mark.parametrize(
    "char",
    [
        "\0",
        "\x1b",
        "\x7f",
        "\x85",
        "\xad",
        "\u200b",
        "\u200e",
        "\u202e",
        "\u2066",
        "\ufe0f",
        "\ufeff",
        "\U000e0041",
    ],
)
@pytest.mark.parametrize("context", ["", "plain", "żółć", "\udc80", "😀"])
def test_one_invisible_character_is_found_in_any_text(char: str, context: str) -> None:
    assert is_invisible(char)
    assert has_invisible(context + char + context)


def test_has_invisible_agrees_with_is_invisible_for_every_character() -> None:
    assert [char for char in EVERY if has_invisible(char)] == [char for char in EVERY if is_invisible(char)]


def test_the_hfs_list_has_the_sixteen_code_points_that_git_knows() -> None:
    assert len(HFS_IGNORABLE) == 16
    assert {"\u200c", "\u200f", "\u202a", "\u202e", "\u206a", "\u206f", "\ufeff"} <= HFS_IGNORABLE
    assert all(is_invisible(char) for char in HFS_IGNORABLE)
    assert "\u200b" not in HFS_IGNORABLE
    assert "\u2069" not in HFS_IGNORABLE
