"""The settled cases, as far as the tokenizer alone decides them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from refseal.codepoints import has_invisible
from refseal.tokenizer import tokenize

VECTORS = Path(__file__).parent.parent / "vectors"


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(row) for row in (VECTORS / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("row", _rows("references.jsonl"), ids=lambda row: str(row["id"]))
def test_finds_what_a_row_includes_in_its_order(row: dict[str, Any]) -> None:
    paths = dict.fromkeys(reference.path for reference in tokenize(row["text"]).references)
    assert [path for path in paths if path in row["included"]] == row["included"]


@pytest.mark.parametrize("row", _rows("references.jsonl"), ids=lambda row: str(row["id"]))
def test_takes_nothing_for_a_document_that_a_row_does_not_include(row: dict[str, Any]) -> None:
    """No other path ends like a document, unless the row expects a finding about it."""
    others = [
        reference.path
        for reference in tokenize(row["text"]).references
        if reference.path not in row["included"] and reference.path.endswith((".md", ".txt"))
    ]
    assert not others or not row["quiet"]


TOKEN_ROWS = [row for row in _rows("paths.jsonl") if row["kind"] == "token"]


@pytest.mark.parametrize("row", TOKEN_ROWS, ids=lambda row: str(row["id"]))
def test_takes_the_tokens_of_a_settled_row_and_no_others(row: dict[str, Any]) -> None:
    verdict, *expected = row["expected"].split()
    paths = [reference.path for reference in tokenize(row["reference"]).references]
    if verdict == "tokens":
        assert paths == expected
    else:  # the invisible character stays in the one path, for the guard to refuse it
        assert (verdict, expected) == ("refuse", ["invisible-character"])
        assert [has_invisible(path) for path in paths] == [True]


def test_there_are_as_many_settled_rows_as_were_settled() -> None:
    assert (len(_rows("references.jsonl")), len(TOKEN_ROWS)) == (68, 12)
