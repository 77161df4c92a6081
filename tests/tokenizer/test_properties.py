"""What holds for every text."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refseal.tokenizer import tokenize
from refseal.tokenizer.reading import contexts
from tests.strategies.markdown import LINE_ENDS, documents
from tests.tokenizer import properties

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


@given(texts)
@example("\ufeff@a.md\r\n\r@b.md\n\r\n@c.md")
@example("@\ud800.md `\udfff")
def test_tokens_are_the_text_at_their_offsets(text: str) -> None:
    properties.check_tokens_are_the_text_at_their_places(text, tokenize(text))


@given(texts)
@example("a@b.md -@c.md \\@d.md")
@example("@a.md. @b\\ c.md, @c.md|@d.md")
def test_references_begin_and_end_as_references_do(text: str) -> None:
    properties.check_form(text, tokenize(text))


@given(texts)
def test_everything_is_in_document_order_and_nothing_overlaps(text: str) -> None:
    properties.check_order(tokenize(text))


@given(texts, st.sampled_from(LINE_ENDS))
def test_line_ends_do_not_matter(text: str, line_end: str) -> None:
    properties.check_line_ends_do_not_matter(text, tokenize(text), line_end)


@given(texts)
def test_a_byte_order_mark_is_no_text(text: str) -> None:
    properties.check_byte_order_mark_is_no_text(text, tokenize(text))


@given(documents(max_lines=12), st.data())
@example("[x](\0`) @a.md `", None)
@example("[\0]: x\n\n[a][\ufffd`] @a.md `", None)
def test_a_null_is_a_replacement_character(text: str, data: st.DataObject | None) -> None:
    """CommonMark 0.31, 2.3; whatever stands in for it while a text of ASCII is read."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    if data is not None:
        for at in data.draw(st.sets(st.integers(0, len(plain)), max_size=4)):
            plain = plain[:at] + "\0" + plain[at + 1 :]
    stops = list(range(len(plain)))
    assert contexts(plain, stops)[0] == contexts(plain.replace("\0", "\ufffd"), stops)[0]


@given(documents(max_lines=12), st.data())
def test_a_place_is_what_it_is_whoever_else_is_asked_about(text: str, data: st.DataObject) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    stops = data.draw(st.sets(st.integers(0, len(plain)), min_size=1, max_size=12))
    properties.check_a_place_is_what_it_is_whoever_else_is_asked_about(plain, sorted(stops))


@pytest.mark.parametrize(
    ("text", "stops"),
    [
        ("<br/>\n * \n", [0, 1]),  # the mark of a tag
        ("<b>(t)\n\t      ```][", [1, 5, 9, 17]),  # what stands before a line of a paragraph
    ],
)
def test_a_mark_is_what_it_is_whoever_else_is_asked_about(text: str, stops: list[int]) -> None:
    properties.check_a_place_is_what_it_is_whoever_else_is_asked_about(text, stops)


@given(texts, texts)
def test_what_follows_an_empty_line_does_not_change_references_before_it(text: str, more: str) -> None:
    """Unless it is a link definition, which is good for the whole document."""
    before = tokenize(text)
    after = tokenize(f"{text}\n\n{more.replace(']:', ']')}")
    if "[" not in text and not any(hint.kind.startswith("unclosed") for hint in before.hints):
        count = len(before.references)
        assert properties.seen(after.references[:count]) == properties.seen(before.references)
