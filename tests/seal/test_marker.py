"""Markers find our own texts again, blocks and withdrawals alike."""

from __future__ import annotations

import hashlib

import pytest

from refseal.seal import Composition, Document, is_withdrawal, marker_of, withdrawal


def block_text(body: str = "x\n") -> str:
    composition = Composition(2500)
    composition.add(Document("overlay", "AGENTS.local.md", body))
    block = composition.finish()
    assert block is not None
    assert block.marker == marker_of(block.text)
    return block.text


def test_the_marker_is_the_digest_of_all_that_follows_the_empty_line() -> None:
    text = block_text()
    first, empty, rest = text.split("\n", 2)
    assert empty == ""
    assert first == f"<!-- refseal sha256:{hashlib.sha256(rest.encode()).hexdigest()} -->"


def test_a_withdrawal_is_one_line_with_a_marker_of_its_own() -> None:
    text = withdrawal()
    assert "\n" not in text
    assert is_withdrawal(text)
    assert not is_withdrawal(block_text())
    digits = marker_of(text)
    assert digits is not None
    assert digits == hashlib.sha256(text.partition(" --> ")[2].encode()).hexdigest()
    assert "withdrawn" in text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<!-- refseal sha256:",
        "x" + withdrawal(),
        withdrawal() + "\n",
        withdrawal().replace("--> ", "-->\n"),
        block_text() + " ",
        block_text().replace("x\n", "y\n"),
        block_text().replace("refseal sha256:", "refseal sha256: "),
        block_text() + "\ud800",
        "<!-- refseal sha256:" + "0" * 64 + " -->\n\n",
    ],
)
def test_what_we_have_not_written_has_no_marker(text: str) -> None:
    assert marker_of(text) is None
