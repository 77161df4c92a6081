"""What holds for every text, as plain functions: hypothesis and the fuzzing engine both run them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from refseal.tokenizer import Inert, Reference, tokenize
from refseal.tokenizer.reading import contexts
from tests.oracles.agreement import Tally, compare, ours, with_probes
from tests.oracles.parsers import both, markdown_it, why_no_commonmark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from refseal.tokenizer import Tokens

Seen = list[tuple[str, str, int, int]]


def seen(references: Sequence[Reference]) -> Seen:
    return [(found.token, found.path, found.line, found.column) for found in references]


def check_tokens_are_the_text_at_their_places(text: str, tokens: Tokens) -> None:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for found in [*tokens.references, *tokens.inert]:
        assert text[found.start : found.end] == found.token
        assert found.token[0] == "@"
        assert found.path
        assert lines[found.line - 1].startswith(found.token, found.column - 1)


def check_form(text: str, tokens: Tokens) -> None:
    """No reference begins inside a word, runs over what ends a path, or keeps the sentence's punctuation."""
    for found in [*tokens.references, *tokens.inert]:
        before = text[found.start - 1] if found.start else "\n"
        assert not (before.isascii() and before.isalnum())
        assert before not in ".-+/@\"'"
        assert before != "\\" or isinstance(found, Inert), "an escaped reference counts"
        path = found.token[1:].replace("\\ ", "")
        assert not any(char in '|<>`"@' or char.isspace() or char < " " for char in path)
        assert found.token[-1] not in ".,;:!?)]}*_~'"


def check_order(tokens: Tokens) -> None:
    """Everything is in document order and nothing overlaps."""
    for listed in (tokens.references, tokens.inert):
        for before, after in pairwise(listed):
            assert before.end <= after.start
    places = [(hint.line, hint.column) for hint in tokens.hints]
    assert places == sorted(places)


def check_line_ends_do_not_matter(text: str, tokens: Tokens, line_end: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    changed = tokenize(plain.replace("\n", line_end))
    assert seen(changed.references) == seen(tokens.references)
    assert seen(changed.inert) == seen(tokens.inert)
    assert [str(hint) for hint in changed.hints] == [str(hint) for hint in tokens.hints]


def check_byte_order_mark_is_no_text(text: str, tokens: Tokens) -> None:
    """Of two the second is text, so that what begins with one is left alone."""
    if text.startswith("\ufeff"):
        return
    marked = tokenize(f"\ufeff{text}")
    assert seen(marked.references) == seen(tokens.references)
    assert seen(marked.inert) == seen(tokens.inert)


def check_a_place_is_what_it_is_whoever_else_is_asked_about(text: str, stops: Sequence[int]) -> None:
    """Nothing that is kept from one stop to the next changes what is said of it; line ends are LF."""
    asked = sorted(set(stops))
    together = contexts(text, asked)[0]
    assert together == [contexts(text, [stop])[0][0] for stop in asked]


def check_agrees_with_markdown_readers(text: str, offsets: Sequence[int]) -> None:
    """Each probe is where markdown-it-py sees it or, where that is in doubt, where commonmark.js does.

    markdown-it-py has faults (`test_disagreements`), so where it contradicts the tokenizer the second parser
    is asked.  Where that one is not installed, as in a fuzzing engine's bundle, texts are left out that hold
    what those faults take.
    """
    probed = with_probes(text, offsets)
    count = len(offsets)
    first = markdown_it().ask([probed])[0]
    if first is None or ours(probed, count) == [first.place(number) for number in range(count)]:
        return
    tally = Tally()
    if why_no_commonmark() is None:
        compare([(probed, count)], *both(), tally)
    elif not _IN_DOUBT.search(probed):
        compare([(probed, count)], markdown_it(), markdown_it(), tally)
    assert not tally.faults, tally.faults


_IN_DOUBT = re.compile(
    r"[^\n -~]|(?m:^.* {4})|\]:|--->|\(\(|javascript:|vbscript:|file:|data:", re.IGNORECASE
)
"""What the smallest texts of `test_disagreements` have in common, and a little more."""
