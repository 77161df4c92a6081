"""Holds the tokenizer against both parsers, probe by probe."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from refseal.tokenizer.reading import contexts
from tests.oracles import parsers
from tests.oracles.parsers import CODE, COMMENT, MIXED, NOWHERE, POLICY, RAW, TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.oracles.parsers import Answer, CommonmarkOracle, MarkdownItOracle

PLACES = {
    "": TEXT,
    "code-span": CODE,
    "fence": CODE,
    "indented-code": CODE,
    "html-comment": COMMENT,
    "html-raw": RAW,
}

_NOT_COMPARED = {POLICY, NOWHERE, MIXED}


class Fault(NamedTuple):
    """A probe that the tokenizer places where it should not be."""

    text: str
    probe: str
    markdown_it: str
    commonmark: str
    refseal: str


class Tally:
    """How many probes were compared, on how many the parsers disagreed, and the tokenizer's faults."""

    def __init__(self) -> None:
        self.compared = 0
        self.disagreed = 0
        self.left_to_policy = 0
        self.faults: list[Fault] = []

    def __str__(self) -> str:
        return (
            f"{self.compared} probes compared, {len(self.faults)} faults; the parsers disagreed on "
            f"{self.disagreed}; {self.left_to_policy} left to policy or not in the output"
        )


def with_probes(text: str, offsets: Sequence[int]) -> str:
    """Put a numbered probe at each of the ascending ``offsets``."""
    pieces = []
    before = 0
    for number, offset in enumerate(offsets):
        pieces += [text[before:offset], parsers.probe(number)]
        before = offset
    return "".join([*pieces, text[before:]])


def ours(text: str, count: int) -> list[str]:
    """Say where the tokenizer places the first ``count`` probes of a text, all asked at once."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    stops = [plain.index(parsers.probe(number)) for number in range(count)]
    return [PLACES[reason] for reason in contexts(plain, stops)[0]]


def policy_moves_blocks(html_blocks: Sequence[str]) -> bool:
    """Say whether one of the HTML blocks that are prose to refseal changes what is behind it.

    A fence inside one is a fence to refseal; and one whose end mark never comes is no block to it.
    """
    for block in html_blocks:
        if parsers.is_verbatim(block) or parsers.is_comment(block):
            continue
        if "```" in block or "~~~" in block:
            return True
        head = block.lstrip(" \t")
        mark = (
            "?>" if head[1:2] == "?" else "]]>" if head.startswith("<![") else ">" if head[1:2] == "!" else ""
        )
        if mark not in head[1:]:
            return True
    return False


def compare(
    texts: Sequence[tuple[str, int]],
    markdown_it: MarkdownItOracle,
    commonmark: CommonmarkOracle | MarkdownItOracle,
    tally: Tally,
) -> None:
    """Ask all three about texts with a number of probes each.

    Where both parsers agree the tokenizer has to; where they do not, with one of them.
    """
    plain = [text for text, _ in texts]
    for (text, count), first, second in zip(
        texts, markdown_it.ask(plain), commonmark.ask(plain), strict=True
    ):
        if first is None or second is None or policy_moves_blocks(first.html_blocks + second.html_blocks):
            tally.left_to_policy += count
            continue
        for number, mine in enumerate(ours(text, count)):
            _judge(text, number, first, second, mine, tally)


def _judge(text: str, number: int, first: Answer, second: Answer, mine: str, tally: Tally) -> None:
    places = {first.place(number), second.place(number)}
    tally.compared += 1
    if len(places) > 1:
        tally.disagreed += 1
    if places & _NOT_COMPARED:
        tally.left_to_policy += 1
    elif mine not in places:
        fault = Fault(text, parsers.probe(number), first.place(number), second.place(number), mine)
        tally.faults.append(fault)
