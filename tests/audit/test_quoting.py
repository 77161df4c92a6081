"""An excerpt fits its columns whatever stands in the line, and the caret stands under the place."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refseal.audit.quoting import AFTER, BEFORE, excerpt, excerpt_of, for_people
from refseal.seal.escaping import escape

LINES = st.text(
    st.sampled_from("ab .@#\\:<\"`'\u202e\U000e0041\x1b\udcff") | st.characters(exclude_characters="\n\r"),
    max_size=120,
)


@given(LINES, st.integers(1, 121))
def test_excerpt_fits_and_the_caret_is_under_the_place(line: str, column: int) -> None:
    shown, caret = excerpt(excerpt_of(line, column))
    assert caret <= BEFORE
    assert len(shown) - caret <= AFTER
    rest = line[column - 1 :].rstrip()
    if rest and not rest.startswith((":", "#")):  # what might be a runner's command is escaped as a whole
        assert shown[caret:].startswith(for_people(escape(rest[0])))


def test_line_of_nothing_but_escapes_is_cut_between_two_of_them() -> None:
    shown, caret = excerpt(excerpt_of("\U000e0041" * 50, 25))
    assert shown[:caret] == "..." + "\\u{E0041}" * 2
    assert shown[caret:] == "\\u{E0041}" * 4 + "..."


def test_short_line_is_whole() -> None:
    assert excerpt(excerpt_of("  see @a.md now", 7)) == ("see @a.md now", 4)
