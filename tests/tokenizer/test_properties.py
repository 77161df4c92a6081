"""What holds for every text."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import assume, example, given
from hypothesis import strategies as st

from refseal.tokenizer import Reference, tokenize
from refseal.tokenizer.reading import contexts
from tests.strategies.markdown import LINE_ENDS, documents

if TYPE_CHECKING:
    from collections.abc import Sequence

any_text = st.text(st.characters(exclude_categories=()), max_size=200)

busy_text = st.lists(
    st.one_of(
        st.sampled_from(
            (
                *("@", "@a.md", "@docs/b.md", "\\", "\\ ", "_", ".", "'s", "](", "#", '"', "import "),
                *("\n", "\r\n", "\r", "\0", "\ufeff", "\udc80", "\ud800", "\u200b", "\u3002"),
                *("`", "```\n", "<!--", "-->", "<b ", "> ", "- ", "    "),
            )
        ),
        st.characters(exclude_categories=()),
    ),
    max_size=40,
).map("".join)

texts = st.one_of(
    any_text,
    busy_text,
    st.builds(
        lambda text, word: text.replace("a", word), documents(), st.sampled_from(["@a.md", " @b.md ", "(@c)"])
    ),
)


def _seen(references: Sequence[Reference]) -> list[tuple[str, str, int, int]]:
    return [(found.token, found.path, found.line, found.column) for found in references]


@given(texts)
@example("\ufeff@a.md\r\n\r@b.md\n\r\n@c.md")
@example("@\ud800.md `\udfff")
def test_tokens_are_the_text_at_their_offsets(text: str) -> None:
    tokens = tokenize(text)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for found in [*tokens.references, *tokens.inert]:
        assert text[found.start : found.end] == found.token
        assert found.token[0] == "@"
        assert found.path
        assert lines[found.line - 1].startswith(found.token, found.column - 1)


@given(texts)
def test_everything_is_in_document_order_and_nothing_overlaps(text: str) -> None:
    tokens = tokenize(text)
    for listed in (tokens.references, tokens.inert):
        for before, after in pairwise(listed):
            assert before.end <= after.start
    places = [(hint.line, hint.column) for hint in tokens.hints]
    assert places == sorted(places)


@given(texts, st.sampled_from(LINE_ENDS))
def test_line_ends_do_not_matter(text: str, line_end: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    changed = tokenize(plain.replace("\n", line_end))
    unchanged = tokenize(plain)
    assert _seen(changed.references) == _seen(unchanged.references)
    assert _seen(changed.inert) == _seen(unchanged.inert)
    assert [str(hint) for hint in changed.hints] == [str(hint) for hint in unchanged.hints]


@given(texts)
def test_a_byte_order_mark_is_no_text(text: str) -> None:
    plain = text.removeprefix("\ufeff")
    marked = tokenize(f"\ufeff{plain}")
    unmarked = tokenize(plain)
    assert _seen(marked.references) == _seen(unmarked.references)
    assert _seen(marked.inert) == _seen(unmarked.inert)


@given(documents(max_lines=12), st.data())
def test_a_place_is_what_it_is_whoever_else_is_asked_about(text: str, data: st.DataObject) -> None:
    """Nothing that is kept from one stop to the next changes what is said of it."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    letters = [at for at, char in enumerate(plain) if char.isalpha()]  # markers and white space are no stops
    assume(letters)
    stops = sorted(data.draw(st.sets(st.sampled_from(letters), min_size=1, max_size=12)))
    together = contexts(plain, stops)[0]
    assert together == [contexts(plain, [stop])[0][0] for stop in stops]


@given(texts, texts)
def test_what_follows_an_empty_line_does_not_change_references_before_it(text: str, more: str) -> None:
    """Unless it is a link definition, which is good for the whole document."""
    before = tokenize(text)
    after = tokenize(f"{text}\n\n{more.replace(']:', ']')}")
    if "[" not in text and not any(hint.kind.startswith("unclosed") for hint in before.hints):
        count = len(before.references)
        assert _seen(after.references[:count]) == _seen(before.references)
