"""Bytes become text with nothing lost and nothing guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refseal.seal import decode, is_binary

TABLE = [
    (b"", "", 0),
    (b"plain\n", "plain\n", 0),
    (b"\xef\xbb\xbfa", "a", 0),
    (b"\xef\xbb\xbf\xef\xbb\xbfa", "\ufeffa", 0),
    (b"a\xef\xbb\xbf", "a\ufeff", 0),
    ("é文😀".encode(), "é文😀", 0),
    (b"caf\xe9", r"caf\xe9", 1),
    (b"\xff\xfe\xfd", r"\xff\xfe\xfd", 3),
    (b"\xc3", r"\xc3", 1),
    (b"\xe6\x96", r"\xe6\x96", 2),
    (b"\xed\xa0\x80", r"\xed\xa0\x80", 3),  # a surrogate is no UTF-8
    (b"\xc0\x80", r"\xc0\x80", 2),  # nor is an overlong NUL
    (b"\xf4\x90\x80\x80", r"\xf4\x90\x80\x80", 4),  # nor what lies behind the last code point
    (b"\r\n\r", "\r\n\r", 0),
]


@pytest.mark.parametrize(("data", "text", "invalid"), TABLE)
def test_table(data: bytes, text: str, invalid: int) -> None:
    decoded = decode(data)
    assert (decoded.text, decoded.invalid) == (text, invalid)


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_character_cut_by_the_end_of_what_was_read_is_no_invalid_byte(cut: int) -> None:
    data = "a😀".encode()[: 1 + cut]
    assert decode(data, more=True).text == "a"
    assert decode(data, more=True).invalid == 0
    assert decode(data).invalid == cut


def test_an_invalid_byte_before_the_cut_is_still_shown() -> None:
    decoded = decode(b"\xffa\xe6\x96", more=True)
    assert (decoded.text, decoded.invalid) == (r"\xffa", 1)


@given(st.binary())
def test_any_bytes_have_a_text_that_can_be_encoded(data: bytes) -> None:
    decoded = decode(data)
    decoded.text.encode()
    body = data.removeprefix(b"\xef\xbb\xbf")
    assert decoded.invalid == sum(
        1 for char in body.decode("utf-8", "surrogateescape") if "\udc80" <= char <= "\udcff"
    )


@given(st.text().filter(lambda text: not text.startswith("\ufeff")))
def test_valid_text_comes_back(text: str) -> None:
    assert decode(text.encode()).text == text


@pytest.mark.parametrize(
    ("data", "binary"),
    [
        (b"", False),
        (b"text", False),
        (b"a\0b", True),
        ("text".encode("utf-16"), True),
        ("text".encode("utf-16-be"), True),
        (b"\xfe\xff\x4e\x2d", True),
        (b"\xef\xbb\xbftext", False),
        (b"caf\xe9", False),
    ],
)
def test_binary_is_a_nul_or_utf_16(data: bytes, binary: bool) -> None:  # noqa: FBT001
    assert is_binary(data) is binary


def test_invalid_bytes_are_counted_in_whole_numbers() -> None:
    found = decode(b"a\xffb\xfe")
    assert (found.invalid, type(found.invalid)) == (2, int)
