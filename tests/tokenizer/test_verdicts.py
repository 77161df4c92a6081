"""What was settled once about every character of many documents still holds, and takes no more reading."""

from __future__ import annotations

import pytest

from tests.tokenizer.settled import LETTERS, alone, rows, together

ROWS = rows()

_AT_ONCE = 25  # documents of one test: few tests, and each of them quick


@pytest.mark.parametrize("first", range(0, len(ROWS), 100))
def test_every_character_has_its_verdict(first: int) -> None:
    for row in ROWS[first : first + 100]:
        assert together(row.text) == row.verdicts, row.text


@pytest.mark.parametrize("first", range(0, len(ROWS), _AT_ONCE))
def test_each_alone_has_the_same_after_as_many_lines(first: int) -> None:
    """That what need not be read is not read shows in nothing but the lines that are."""
    for row in ROWS[first : first + _AT_ONCE]:
        assert alone(row.text) == row


def test_all_verdicts_are_among_them() -> None:
    assert set("".join(row.verdicts for row in ROWS)) == set(LETTERS.values())
    assert len(ROWS) >= 500
