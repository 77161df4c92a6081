"""The marks of fences and list items, as sections 4.5 and 5.2 of CommonMark 0.31 have them."""

from __future__ import annotations

import pytest

from refseal.tokenizer import inlines, links
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


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (r"[a\]b] x", 6),
        (r"[\\]]", 4),
        (r"[\\\]] x", 6),
        ("[a[b]", None),
        (f"[{'a' * links.LONGEST_LABEL}]", links.LONGEST_LABEL + 2),
        (f"[{'a' * links.LONGEST_LABEL}a]", None),
    ],
)
def test_a_label_ends_at_the_first_bracket_that_is_not_escaped(text: str, end: int | None) -> None:
    assert links.label_end(text, 0) == end


@pytest.mark.parametrize("label", ["[a b]", "[a\nb]", "[ A\t\n B ]", "[a  b]"])
def test_labels_are_equal_but_for_case_and_white_space(label: str) -> None:
    assert links.normal(label) == "a b"


@pytest.mark.parametrize(
    ("inside", "is_one"),
    [
        ("http://a:80/x", True),
        ("a1+.-:x", True),
        ("ab:", True),
        ("a:x", False),
        ("1b:x", False),
        ("ab:c d", False),
        ("a b:c:d", False),
    ],
)
def test_an_autolink_s_scheme_ends_at_its_first_colon(inside: str, *, is_one: bool) -> None:
    assert inlines.is_autolink(inside) == is_one


@pytest.mark.parametrize("label", ["[\u00a0]", "[a\u00a0b]", "[a\x0bb]", "[a\x1fb]"])
def test_other_white_space_is_part_of_a_label(label: str) -> None:
    assert links.normal(label) == label[1:-1]
