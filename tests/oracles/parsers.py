"""Two parsers of CommonMark that say what became of probes: markdown-it-py and commonmark.js."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from markdown_it.token import Token

HERE = Path(__file__).parent

MARK = "zq7x"
"""The part of a probe that no escape, entity or delimiter can touch; four digits follow it."""

TEXT = "text"
CODE = "code"
COMMENT = "comment"
RAW = "raw"
POLICY = "policy"  # in an HTML block that refseal's own policy takes for prose
NOWHERE = "nowhere"  # not in the output: an unused link definition
MIXED = "mixed"  # twice in the output, in different places

_KINDS = {
    "code": CODE,
    "code_inline": CODE,
    "code_block": CODE,
    "fence": CODE,
}


def probe(number: int) -> str:
    """Return the reference that is put into a text to see what becomes of it there."""
    return f"@{MARK}{number:04}.md"


class Answer(NamedTuple):
    """Where the probes of a text were, by number, and the content of each of its HTML blocks."""

    places: dict[int, str]
    html_blocks: tuple[str, ...]

    def place(self, number: int) -> str:
        return self.places.get(number, NOWHERE)


class Places:
    """Collects where probes are seen."""

    def __init__(self) -> None:
        self.places: dict[int, str] = {}

    def see(self, kind: str, held: str) -> None:
        at = held.find(MARK)
        while at >= 0:
            number = int(held[at + len(MARK) : at + len(MARK) + 4])
            place = self._place(kind, held, at)
            if self.places.setdefault(number, place) != place:
                self.places[number] = MIXED
            at = held.find(MARK, at + 1)

    def see_token(self, token: Token) -> None:
        """See what a token of markdown-it-py holds itself; of some their children say it."""
        for value in token.attrs.values():
            self.see("link", str(value))
        self.see("fence", token.info)
        if token.type not in ("inline", "image"):
            self.see(token.type, token.content)

    def _place(self, kind: str, held: str, at: int) -> str:
        if kind == "html_inline":
            return COMMENT if held.startswith("<!--") else RAW
        if kind == "html_block":
            if is_verbatim(held):
                return RAW
            if is_comment(held):
                return POLICY if 0 <= held.find("-->", held.index("<!--") + 2) < at else COMMENT
            return POLICY
        return _KINDS.get(kind, TEXT)


def is_verbatim(block: str) -> bool:
    """Say whether an HTML block is one of those whose content is code: `<pre>` and its like."""
    head = block.lstrip(" \t")[:10].lower()
    for tag in ("<pre", "<script", "<style", "<textarea"):
        rest = head[len(tag) :]
        if head.startswith(tag) and (not rest or rest[0] == ">" or rest[0].isspace()):
            return True
    return False


def is_comment(block: str) -> bool:
    return block.lstrip(" \t").startswith("<!--")


class MarkdownItOracle:
    """markdown-it-py in its CommonMark mode."""

    def __init__(self) -> None:
        self.parser = MarkdownIt("commonmark")

    def ask(self, texts: Sequence[str]) -> list[Answer | None]:
        """Answer for each text; None where the parser runs off the end of one and raises."""
        return [self._ask(text) for text in texts]

    def _ask(self, text: str) -> Answer | None:
        try:
            tokens = self.parser.parse(text)
        except IndexError:
            return None
        places = Places()
        html_blocks = []
        for token in all_tokens(tokens):
            if token.type == "html_block":
                html_blocks.append(token.content)
            places.see_token(token)
        return Answer(places.places, tuple(html_blocks))


def all_tokens(tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from all_tokens(token.children or [])


class CommonmarkOracle:
    """commonmark.js, which its authors keep beside the specification, in one process of node."""

    def __init__(self) -> None:
        reason = why_no_commonmark()
        if reason:
            raise FileNotFoundError(reason)
        self.process = subprocess.Popen(
            ["node", str(HERE / "commonmark_oracle.mjs"), MARK],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def ask(self, texts: Sequence[str]) -> list[Answer]:
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(list(texts)) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise EOFError("the oracle's process has ended")
        answers = []
        for nodes, html_blocks in json.loads(line):
            places = Places()
            for kind, held in nodes:
                places.see(kind, held)
            answers.append(Answer(places.places, tuple(html_blocks)))
        return answers

    def close(self) -> None:
        self.process.communicate()


@cache
def both() -> tuple[MarkdownItOracle, CommonmarkOracle]:
    """Return both parsers; the second one's process lives as long as this one."""
    commonmark = CommonmarkOracle()
    atexit.register(commonmark.close)
    return markdown_it(), commonmark


@cache
def markdown_it() -> MarkdownItOracle:
    """Return the parser that is always there."""
    return MarkdownItOracle()


@cache
def why_no_commonmark() -> str | None:
    """Return why commonmark.js cannot be asked here, None if it can."""
    if shutil.which("node") is None:
        return "node is not installed"
    for package in ("commonmark", "commonmark-spec"):
        if not (HERE / "node_modules" / package).is_dir():
            return f"the npm package {package} is not installed: run `npm ci` in tests/oracles"
    return None


def spec_examples() -> list[str]:
    """Return the Markdown of every example in the CommonMark specification, in its order."""
    spec = (HERE / "node_modules" / "commonmark-spec" / "spec.txt").read_text("utf-8")
    fence = "`" * 32
    examples = []
    for piece in spec.split(f"\n{fence} example\n")[1:]:
        example = piece.partition(f"\n{fence}\n")[0]
        markdown = f"\n{example}".partition("\n.\n")[0][1:]
        examples.append(markdown.replace("\u2192", "\t") + "\n")
    return examples
