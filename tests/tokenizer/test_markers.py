"""The marks of fences and list items, as sections 4.5 and 5.2 of CommonMark 0.31 have them."""

from __future__ import annotations

import pytest

from refseal.tokenizer.markers import closes_fence, fence_at, interrupts, list_marker


@pytest.mark.parametrize(
    ("line", "here", "fence"),
    [
        ("```", 0, "```"),
        ("``", 0, ""),
        ("~~~", 0, "~~~"),
        ("~~", 0, ""),
        ("`````", 0, "`````"),
        ("``` python", 0, "```"),
        ("``` a`b", 0, ""),  # an info string of back-ticks holds none
        ("~~~ a`b ~", 0, "~~~"),
        ("> ````x", 2, "````"),
        ("``` ```", 0, ""),
        ("```~~~", 0, "```"),
    ],
)
def test_a_run_of_three_or_more_opens_a_fence(line: str, here: int, fence: str) -> None:
    assert fence_at(line, here) == fence


@pytest.mark.parametrize(
    ("line", "here", "fence", "closes"),
    [
        ("```", 0, "```", True),
        ("````", 0, "```", True),
        ("```", 0, "````", False),
        ("~~~", 0, "```", False),
        ("``` \t", 0, "```", True),
        ("``` x", 0, "```", False),
        ("``` X", 0, "```", False),
        ("```\x0c", 0, "```", False),  # only spaces and tabs are blank
        ("> ~~~~", 2, "~~~", True),
        ("> ~~~~", 0, "~~~", False),
    ],
)
def test_as_many_of_the_same_and_nothing_behind_them_close_it(
    line: str, here: int, fence: str, *, closes: bool
) -> None:
    assert closes_fence(line, here, fence) is closes


@pytest.mark.parametrize(
    ("line", "here", "length"),
    [
        ("- a", 0, 1),
        ("* a", 0, 1),
        ("+ a", 0, 1),
        ("-", 0, 1),
        ("-a", 0, 0),
        ("> - a", 2, 1),
        ("1. a", 0, 2),
        ("1) a", 0, 2),
        ("1: a", 0, 0),
        ("1.", 0, 2),
        ("1.a", 0, 0),
        ("12) a", 0, 3),
        ("123456789. a", 0, 10),
        ("1234567890. a", 0, 0),
        ("> 7. a", 2, 2),
        ("7", 0, 0),
        ("a. b", 0, 0),
        ("X b", 0, 0),
        ("\u0663. a", 0, 0),  # digits are ASCII
    ],
)
def test_a_bullet_or_up_to_nine_digits_and_a_space_mark_an_item(line: str, here: int, length: int) -> None:
    assert list_marker(line, here, line[here]) == length


@pytest.mark.parametrize(
    ("line", "here", "after", "may"),
    [
        ("- a", 0, 1, True),
        ("-", 0, 1, False),
        ("- \t", 0, 1, False),
        ("- X", 0, 1, True),
        ("- \x0c", 0, 1, True),
        ("1. a", 0, 2, True),
        ("2. a", 0, 2, False),
        ("01) a", 0, 3, True),
        ("10. a", 0, 3, False),
        ("1.", 0, 2, False),
        ("> 1. a", 2, 4, True),
        ("> 11. a", 2, 5, False),
    ],
)
def test_an_item_interrupts_a_paragraph_if_it_says_something_and_counts_from_one(
    line: str, here: int, after: int, *, may: bool
) -> None:
    assert interrupts(line, here, after) is may
