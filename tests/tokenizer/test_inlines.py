"""Which brackets make a link, told by what it hides: a back-tick in it opens no code span (section 6.3)."""

from __future__ import annotations

import pytest

from refseal.tokenizer.inlines import classify

CODE, TEXT = "code-span", ""

LABELS = {"a", "b`c", "é`"}


def reason(text: str, *, is_paragraph: bool = True) -> str:
    return classify(text, [text.rindex("@")], lambda: LABELS, is_paragraph=is_paragraph)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[x](`) @`", TEXT),
        ("x](`) @`", CODE),
        ("[[a](b)](` @`)", CODE),  # a link in a link: the outer is none
        ("[x ![a](b)](`) @`", TEXT),  # an image in a link
        ("[x \\![a](b)](`) @`", CODE),  # an escaped mark makes no image
        ("[x <![a](b)](`) @`", TEXT),
        ("[x `y`![a](b)](`) @`", TEXT),
        ("![[a](b)](`) @`", TEXT),  # a link in an image
        ("![![a](b)](`) @`", TEXT),
        ("[[x](b) [y](c)](`) @`", CODE),
        ("[x](b) [y](`) @`", TEXT),
        ("[x](b) ![y](`) @`", TEXT),
        ("[q] [[x](b) [y](`) @`", TEXT),
        ("[](`) @`", TEXT),
        ('[x](<b>"`") @`', CODE),  # a title needs a blank before it
        ('[x](<b> "`") @`', TEXT),
        ("[x](b '`') @`", TEXT),
        ("[x](b (`)) @`", TEXT),
        ("[x](b '`' ) @`", TEXT),
        ("[x](b '`' c) @`", CODE),
        ("[x](\n b\n'`'\n) @`", TEXT),
        ("[x](\n\n`) @`", CODE),
        ("[x](<`>) @`", TEXT),
        ("[x](<`) @`", CODE),
        ("[x](`( @`", CODE),
        ("[x](`(y)) @`", TEXT),
        ("[x][b`c] @`", TEXT),
        ("[x][B`C] @`", TEXT),
        ("[x][É`] @`", TEXT),
        ("[x][d`] @`", CODE),
        ("[a][d`] @`", CODE),  # followed by a label, it is that label which counts
        ("[a][][`] @`", CODE),
        ("[b`c][] @`", CODE),  # the span begins before the bracket that would close the link
        ("![x][b`c] @`", TEXT),
        ("[[x]][b`c] @`", TEXT),
        ("[x][b`c][d`] @`", CODE),
        ("[x\\][b`c] @`", CODE),
        ("[x]\\[b`c](q) @`", CODE),
        ("`\\` @`", TEXT),
        ("\\`[x](`) @`", TEXT),
        ("<a@b.c`> @`", CODE),
        ("[[a][]](`) @`", CODE),
        ("[[a]](`) @`", CODE),
        ("[[d]](`) @`", TEXT),
        ("[[d][a]](`) @`", CODE),
        ("[[a][d]](`) @`", TEXT),
        ("x" * 600 + "[[a]](`) @`", CODE),
        ("<`@b.c> @`", TEXT),
        ("<ab:`> @`", TEXT),
        ("<> <ab:`> @`", TEXT),
        ("< <ab:`> @`", TEXT),
        ("<!> ` @`", CODE),
    ],
)
def test_what_is_a_link_hides_its_back_tick(text: str, expected: str) -> None:
    assert reason(text) == expected


@pytest.mark.parametrize("text", ["[x](b) ` @`", "![[x](b)] ` @`", "` @`", "<b> ` @`", "[x] ` @`"])
def test_labels_are_asked_for_only_if_one_could_matter(text: str) -> None:
    def labels() -> frozenset[str]:
        raise AssertionError

    assert classify(text, [text.index("@")], labels, is_paragraph=True) == [CODE]


@pytest.mark.parametrize(
    ("size", "expected"), [(1, CODE), (998, CODE), (999, CODE), (1000, TEXT), (1001, TEXT)]
)
def test_a_link_of_its_own_label_holds_up_to_999_characters(size: int, expected: str) -> None:
    label = "e" * size
    text = f"12[[{label}]](`) @` ]["
    assert classify(text, [text.index("@")], lambda: {label}, is_paragraph=True) == [expected]
