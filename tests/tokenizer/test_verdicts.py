"""What was settled once about every character of many documents still holds, and takes no more reading."""

from __future__ import annotations

import pytest

from tests.oracles.parsers import spec_examples
from tests.tokenizer.oracle_marks import needs_commonmark
from tests.tokenizer.settled import (
    LETTERS,
    alone,
    at_every_offset,
    example_rows,
    rows,
    together,
    token_rows,
    tokens_of,
)

ROWS = rows()
TOKEN_ROWS = token_rows()
EXAMPLES = example_rows()

_HINT = 4  # values of a hint; a reference has more

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


@pytest.mark.parametrize("first", range(0, len(TOKEN_ROWS), 100))
def test_every_text_has_its_tokens(first: int) -> None:
    for text, tokens in TOKEN_ROWS[first : first + 100]:
        assert tokens_of(text) == tokens, text


def test_every_reason_and_hint_is_among_them() -> None:
    last = {str(token[-1]) for _, tokens in TOKEN_ROWS for token in tokens if len(token) > _HINT}
    assert {*LETTERS, "escaped"} == last
    kinds = {token[0] for _, tokens in TOKEN_ROWS for token in tokens if len(token) == _HINT}
    assert kinds == {"quoted-path", "import-keyword", "unclosed-fence", "unclosed-comment"}


@needs_commonmark
@pytest.mark.parametrize("first", range(0, len(EXAMPLES), 50))
def test_a_probe_at_any_offset_of_the_specification_s_examples_has_its_verdict(first: int) -> None:
    """The text of the examples comes with the specification, which is installed beside that parser."""
    examples = spec_examples()
    assert len(examples) == len(EXAMPLES)
    for example, verdicts in list(zip(examples, EXAMPLES, strict=True))[first : first + 50]:
        assert at_every_offset(example) == verdicts, example
