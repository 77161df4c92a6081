"""Settled verdicts: what hides each character of many documents, and how much of them is read to say so.

`tests/vectors/verdicts.jsonl` holds them; ``python -m tests.tokenizer.settled`` writes it anew.  It needs
both parsers, which have to agree with the tokenizer about probes in the same documents.  A test that compares
with what is written down needs none, and asks about every character in less time than they take for a few.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from refseal.tokenizer import blocks
from refseal.tokenizer.reading import contexts
from tests.oracles.agreement import Tally, compare, with_probes
from tests.oracles.parsers import both
from tests.strategies.markdown import BLOCKS, CONTAINERS, EMPTY_LINES, documents
from tests.strategies.prose import ordinary_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

VERDICTS = Path(__file__).parent.parent / "vectors" / "verdicts.jsonl"

LETTERS = {
    "": ".",
    "code-span": "c",
    "fence": "f",
    "indented-code": "i",
    "html-comment": "h",
    "html-raw": "r",
}

_PROBES = 6
"""Put into each document, one at a time, about which the parsers have to agree."""

_SHORTEST = 12

_LONGEST = 700  # characters of a document: what is quadratic in it stays quick


class Row(NamedTuple):
    """A document whose line ends are LF, and what was settled about it.

    ``verdicts``  a letter of `LETTERS` for each character and for the end
    ``lines``     how many lines are looked into, if each character is asked about alone
    ``glances``   how many characters are settled without any
    """

    text: str
    verdicts: str
    lines: int
    glances: int


def rows() -> list[Row]:
    return [Row(*json.loads(line)) for line in VERDICTS.read_text("utf-8").splitlines()]


def together(text: str) -> str:
    """Return the verdicts on all characters and the end, all asked about at once."""
    return "".join(LETTERS[reason] for reason in contexts(text, list(range(len(text) + 1)))[0])


def alone(text: str) -> Row:
    """Return the verdicts on each asked about alone, and what they took."""
    letters = []
    read = [0]
    glances = 0
    line, add = blocks._Walk._line, blocks._Walk._add

    def counted_line(walk: blocks._Walk, at: int, end: int) -> None:
        read[0] += 1
        line(walk, at, end)

    def counted_add(walk: blocks._Walk, start: int, end: int) -> None:
        read[0] += 1
        add(walk, start, end)

    with (
        patch.object(blocks._Walk, "_line", counted_line),
        patch.object(blocks._Walk, "_add", counted_add),
    ):
        for at in range(len(text) + 1):
            before = read[0]
            letters.append(LETTERS[contexts(text, [at])[0][0]])
            glances += read[0] == before
    return Row(text, "".join(letters), read[0], glances)


_plain_lines = (
    *(
        "- a",
        "1. `a",
        "> a` b",
        "# a",
        "a",
        "- `a` b",
        "a `b",
        "`c` d",
        "  - a",
        "_a_",
        "   a\\`",
        "12) ``a` b``",
    ),
    *(
        "+ [a]: b",
        "[a]: b",
        "a [b](c`",
        "a][b",
        "*a",
        "  > `a`",
        "1234567890. a",
        "- - a",
        "10.a",
        "==",
        "a <b",
    ),
    *("", "", "", "```", "~~~", "<!--", "x -->", "<p>", "</pre>", "<pre>", "\t- a", " "),
)

_indented = st.lists(
    st.builds(
        lambda margin, text: "".join(margin) + text,
        st.lists(st.sampled_from(CONTAINERS), max_size=3),
        st.sampled_from(
            (*BLOCKS, *EMPTY_LINES, "a", "`", "b`", "*  * *", "_ _ _", "``` `", "a <!-- b", "<p", "--\t")
        ),
    ),
    min_size=3,
    max_size=9,
).map("\n".join)


def _texts(seed: int) -> list[str]:
    """Return documents of several kinds, always the same ones."""
    kinds = (
        (220, documents(10)),
        (160, st.lists(st.sampled_from(_plain_lines), min_size=2, max_size=12).map("\n".join)),
        (220, _indented),
        (90, ordinary_documents()),
    )
    grown: list[str] = []
    for count, kind in kinds:

        @settings(
            max_examples=count,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(kind)
        def collect(text: str) -> None:
            grown.append(text)

        collect()
    shuffled = sorted({text.replace("\r\n", "\n").replace("\r", "\n")[:_LONGEST] for text in grown})
    random.Random(seed).shuffle(shuffled)
    return shuffled


def _settled() -> Iterator[Row]:
    draw = random.Random(1)
    for text in _texts(1):
        probed = [(with_probes(text, [draw.randrange(len(text) + 1)]), 1) for _ in range(_PROBES)]
        tally = Tally()
        compare(probed, *both(), tally)
        assert not tally.faults, tally.faults
        row = alone(text)
        assert row.verdicts == together(text), text
        if len(text) >= _SHORTEST and not tally.disagreed:
            yield row


def main() -> None:
    with VERDICTS.open("w", encoding="utf-8") as file:
        for row in _settled():
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
