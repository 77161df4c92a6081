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

from refseal.tokenizer import blocks, tokenize
from refseal.tokenizer.reading import contexts
from tests.oracles.agreement import Tally, compare, with_probes
from tests.oracles.parsers import both, spec_examples
from tests.strategies.markdown import BLOCKS, CONTAINERS, EMPTY_LINES, INLINES, documents
from tests.strategies.prose import ordinary_documents
from tests.tokenizer.properties import check_form, check_order, check_tokens_are_the_text_at_their_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VERDICTS = Path(__file__).parent.parent / "vectors" / "verdicts.jsonl"
TOKENS = VERDICTS.with_name("tokens.jsonl")
EXAMPLES = VERDICTS.with_name("specification-verdicts.txt")

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


_inlines = st.builds(
    lambda lines, end: "\n".join("".join(line) for line in lines) + end,
    st.lists(st.lists(st.sampled_from(INLINES), min_size=2, max_size=9), min_size=1, max_size=3),
    st.sampled_from(["", "", "\n\n[a]: b\n[a`b]: c\n[c]: `d"]),
)

_token_texts = st.lists(
    st.sampled_from(
        (
            *(
                "@",
                "@a.md",
                "@a.md",
                " @docs/b.md ",
                " @c ",
                "\\",
                "\\@d.md",
                "_",
                ".",
                "'s",
                "](",
                "#x",
                '"',
                "x",
            ),
            *(
                '@"a b.md"',
                ' @"c',
                "@import ",
                " @include a/b",
                " @import x.TXT",
                "@import\t",
                "@#",
                "/",
                "@ ",
            ),
            *(
                "\n",
                "\r\n",
                "\r",
                "\n\n",
                "\0",
                "\ufeff",
                "\u200b",
                "\u3002",
                "\u2019",
                "\u00e9",
                " ",
                " ",
                "*",
                "(",
            ),
            *(
                "`",
                "```\n",
                "~~~ @e.md\n",
                "<!--",
                "-->",
                "<b c=",
                "x <b>",
                "<pre>\n",
                "> ",
                "- ",
                "    ",
                "http:",
                "url(",
                "[a]: ",
                "@x@",
            ),
        )
    ),
    min_size=3,
    max_size=14,
).map("".join)


def _drawn(kind: st.SearchStrategy[str], count: int) -> list[str]:
    """Return ``count`` texts of a kind, always the same ones."""
    grown: list[str] = []

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
    return grown


def _texts() -> list[str]:
    """Return documents of several kinds, line ends made LF, in no order."""
    kinds = (
        (documents(10), 220),
        (st.lists(st.sampled_from(_plain_lines), min_size=2, max_size=12).map("\n".join), 160),
        (_indented, 220),
        (_inlines, 260),
        (ordinary_documents(), 90),
    )
    grown = [text for kind, count in kinds for text in _drawn(kind, count)]
    shuffled = sorted({text.replace("\r\n", "\n").replace("\r", "\n")[:_LONGEST] for text in grown})
    random.Random(1).shuffle(shuffled)
    return shuffled


def _settled() -> Iterator[Row]:
    draw = random.Random(1)
    for text in _texts():
        probed = [(with_probes(text, [draw.randrange(len(text) + 1)]), 1) for _ in range(_PROBES)]
        tally = Tally()
        compare(probed, *both(), tally)
        assert not tally.faults, tally.faults
        row = alone(text)
        assert row.verdicts == together(text), text
        if len(text) >= _SHORTEST and not tally.disagreed:
            yield row


def at_every_offset(example: str) -> str:
    """Return the verdict on a probe at each offset of a text, in turn."""
    probed = [with_probes(example, [offset]) for offset in range(len(example) + 1)]
    return "".join(LETTERS[contexts(text, [at])[0][0]] for at, text in enumerate(probed))


def example_rows() -> list[str]:
    """Return for each example of the specification its verdicts, without the example itself."""
    return EXAMPLES.read_text("utf-8").splitlines()


def _settled_examples() -> Iterator[str]:
    for example in spec_examples():
        tally = Tally()
        compare([(with_probes(example, [at]), 1) for at in range(len(example) + 1)], *both(), tally)
        assert not tally.faults, tally.faults
        yield at_every_offset(example)


def tokens_of(text: str) -> list[list[object]]:
    """Return everything that a text is found to hold, as JSON has it."""
    tokens = tokenize(text)
    found: list[list[object]] = [
        [one.token, one.path, one.fragment, one.start, one.line, one.column, getattr(one, "reason", "")]
        for one in (*tokens.references, *tokens.inert)
    ]
    return found + [[hint.kind, hint.line, hint.column, hint.text] for hint in tokens.hints]


def token_rows() -> list[tuple[str, list[list[object]]]]:
    """Return texts, and the tokens that were settled for each; no second opinion has been asked on them."""
    return [tuple(json.loads(line)) for line in TOKENS.read_text("utf-8").splitlines()]


def _settled_tokens() -> Iterator[tuple[str, list[list[object]]]]:
    for text in sorted(set(_drawn(_token_texts, 500))):
        tokens = tokenize(text)
        check_tokens_are_the_text_at_their_places(text, tokens)
        check_form(text, tokens)
        check_order(tokens)
        yield text, tokens_of(text)


def _write(path: Path, rows: Iterable[object]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


def main() -> None:
    _write(VERDICTS, _settled())
    _write(TOKENS, _settled_tokens())
    EXAMPLES.write_text("".join(f"{row}\n" for row in _settled_examples()), "utf-8")


if __name__ == "__main__":
    main()
