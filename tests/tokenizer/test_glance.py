"""A glance says nothing that a closer look would not."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from refseal.tokenizer import blocks
from refseal.tokenizer.glance import Glance
from refseal.tokenizer.reading import contexts
from tests.strategies.markdown import documents


def _without_a_glance(text: str, stops: list[int]) -> list[str]:
    with (
        patch.object(Glance, "tell", lambda *_, **__: []),
        patch.object(Glance, "is_at_margin", lambda *_: False),
        patch.object(blocks, "landing", lambda _, at, __: at),
    ):
        return contexts(text, stops)[0]


PLAIN = (
    "- a",
    "1. a",
    "> a",
    "# a",
    "a",
    "- `a`",
    "a `b",
    "`c` d",
    "  - a",
    "_a_",
    "**a**",
    "~~a~~",
    "[a]: b",
    "a <b",
)
"""Lines that a glance has an opinion about."""

plain_documents = st.lists(
    st.one_of(st.sampled_from(PLAIN), st.sampled_from(("", "", "```", "~~~", "<!--", "x -->", "<p>")))
)


@given(st.one_of(documents(max_lines=12), plain_documents.map("\n".join)), st.data())
def test_a_glance_and_a_jump_change_nothing(text: str, data: st.DataObject) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    letters = [at for at, char in enumerate(plain) if char.isalpha()]
    assume(letters)
    stops = sorted(data.draw(st.sets(st.sampled_from(letters), min_size=1, max_size=12)))
    # A letter may stand in what would be a rule, an underline or a heading's mark; an @ never does.
    marked = "".join("@" if at in stops else char for at, char in enumerate(plain))
    assert contexts(marked, stops)[0] == _without_a_glance(marked, stops)


@given(st.one_of(documents(max_lines=12), plain_documents.map("\n".join)), st.data())
@example("> ", [0])
@example("12", [1])
@example("*", [0])
@example("\n\n", [2])
@example("- ", [2])
def test_any_character_and_the_end_may_be_asked_about(text: str, data: st.DataObject | list[int]) -> None:
    """Marks of blocks too, of which the text may hold no more than a part."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    offsets = st.sets(st.integers(0, len(plain)), min_size=1, max_size=12)
    stops = data if isinstance(data, list) else sorted(data.draw(offsets))
    assert contexts(plain, stops)[0] == _without_a_glance(plain, stops)


@pytest.mark.parametrize(
    "text",
    [
        *("x\n\n- `a` @b.md\n", "- *a* @b.md", "a `b` @c.md", "> a @b.md", "12. @a.md"),
        "\n\na `b` @c.md",
        "x\n\n" * 200 + "a `b` @c.md",  # far from the start of the text, but not from its own
        "x\n\n" * 200 + "- a `b` @c.md",
    ],
)
def test_plain_sight_is_enough(text: str) -> None:
    """What most documents are made of is not read line by line."""
    with patch.object(blocks, "walk", side_effect=AssertionError):
        assert contexts(text, [text.index("@")])[0] == [""]
