"""Where the two parsers of CommonMark disagree, family by family: what the specification says is what holds.

Other texts of the same families turn up in grown documents; there the tokenizer only has to agree with one of
the two.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.oracles.agreement import ours
from tests.oracles.parsers import CODE, COMMENT, RAW, TEXT, both, probe
from tests.tokenizer.oracle_marks import needs_commonmark


class Family(NamedTuple):
    """A smallest text (``{}`` stands for the probe), what each parser makes of it, and why we take which."""

    name: str
    text: str
    markdown_it: str
    commonmark: str
    refseal: str
    why: str


FAMILIES = (
    Family(
        "a link to a scheme that one parser thinks unsafe",
        *("[a](javascript:`){}`", CODE, TEXT, TEXT),
        "which schemes are safe is no matter of syntax: it is a link, and hides the back-tick",
    ),
    Family(
        "a tab inside a link",
        *("[a](\t`){}`", TEXT, CODE, TEXT),
        "spaces, tabs and up to one line end may stand around a destination",
    ),
    Family(
        "a tab behind the colon of a definition",
        *("[a]:\t`u\n{}`", TEXT, CODE, TEXT),
        "spaces, tabs and up to one line end may stand before its destination",
    ),
    Family(
        "a control character in a destination",
        *("[a](\x1c`){}`", CODE, TEXT, CODE),
        "a destination without angle brackets holds no ASCII control character: this is no link",
    ),
    Family(
        "parentheses nested deeper than 32",
        *("[a](" + "(" * 33 + "`" + ")" * 33 + "){}`", CODE, TEXT, TEXT),
        "any number of balanced parentheses is a destination; a parser may set a limit",
    ),
    Family(
        "an indented line behind a definition",
        *("[a]: u\n    {}", CODE, TEXT, TEXT),
        "definitions are taken from a paragraph when it ends, and indented code interrupts none",
    ),
    Family(
        "a lazy line that is indented and looks like an item",
        *("> > a\n    - {}", CODE, TEXT, TEXT),
        "four columns in, no item begins: the line goes on with the paragraph",
    ),
    Family(
        "a lazy line that is indented and looks like a quote",
        *("   - a\n    >{}", CODE, TEXT, TEXT),
        "four columns in, no quote begins: the line goes on with the paragraph",
    ),
    Family(
        "an indented quote mark behind an empty quote",
        *(">\n    > {}", TEXT, CODE, CODE),
        "four columns in, no quote begins, and there is no paragraph to go on with",
    ),
    Family(
        "a tab behind a marker inside quotes",
        *(">> - \t{}", CODE, TEXT, TEXT),
        "columns count from the start of the line: the tab ends at the eighth, four behind the marker",
    ),
    Family(
        "a tab of which a quote takes a part",
        *(">> >\t {}", TEXT, CODE, CODE),
        "the mark takes one column of the tab; what is left of it and the space make four",
    ),
    Family(
        "a number other than 1 behind a lazy line",
        *("> [a]: u\n`\n2. {}`", CODE, TEXT, TEXT),
        "the line is outside the quote, where there is no paragraph that the item would interrupt",
    ),
    Family(
        "a lazy line that is indented and looks like a heading",
        *(">> a\n\t# {}", CODE, TEXT, TEXT),
        "four columns in, no heading begins: the line goes on with the paragraph",
    ),
    Family(
        "a lazy line that is indented and looks like a fence",
        *(">> a\n\t```{}", CODE, TEXT, TEXT),
        "four columns in, no fence begins: the line goes on with the paragraph",
    ),
    Family(
        "a lazy line that is indented and looks like HTML",
        *(">> a\n    <div>{}", CODE, TEXT, TEXT),
        "four columns in, no HTML block begins: the line goes on with the paragraph",
    ),
    Family(
        "a line that is indented, but less than its item, and looks like a rule",
        *("-    a\n    ---\n    {}", CODE, TEXT, TEXT),
        "four columns in, no rule begins: both lines go on with the paragraph",
    ),
    Family(
        "a number other than 1 behind a definition",
        *("[a]: u\n0) b\n\n    {}", TEXT, CODE, CODE),
        "until it ends the definition is a paragraph, which no such item interrupts: no item is open",
    ),
    Family(
        "a lazy line behind a definition",
        *("> [a]: u\n`\n> {}`", TEXT, CODE, CODE),
        "until it ends the definition is a paragraph: the line goes on with it, and so does the span",
    ),
    Family(
        "a back-tick in the label of a full reference",
        *("[a][b`c]{}`\n\n[b`c]: u", CODE, TEXT, TEXT),
        "a label is not read as text: the link is complete before the back-tick could open a span",
    ),
    Family(
        "a byte order mark in a tag",
        *("a <b\ufeffc={}>", TEXT, RAW, RAW),
        "neither is white space to the specification; refseal takes the white space of its own parser",
    ),
    Family(
        "a comment that ends in three dashes",
        *("a <!-- {}--->", TEXT, COMMENT, COMMENT),
        "since 0.31 a comment is anything up to the first -->",
    ),
    Family(
        "a line separator before a back-tick in the info string",
        *("```\u2028{}`", TEXT, CODE, TEXT),
        "no info string of a back-tick fence holds a back-tick, and U+2028 ends no line",
    ),
    Family(
        "a form feed where nothing else stands",
        *("a\n- \x0c\n\n    {}", TEXT, CODE, TEXT),
        "only spaces and tabs are blank: the item is not empty, so that it may interrupt a paragraph",
    ),
)


@needs_commonmark
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: str(family.name))
def test_takes_the_side_of_the_specification(family: Family) -> None:
    text = family.text.replace("{}", probe(0))
    markdown_it, commonmark = (parser.ask([text])[0] for parser in both())
    assert markdown_it is not None
    assert commonmark is not None
    places = (markdown_it.place(0), commonmark.place(0), ours(text, 1)[0])
    assert places == (family.markdown_it, family.commonmark, family.refseal)
