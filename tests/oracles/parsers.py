"""Two parsers of CommonMark that say what became of a probe: markdown-it-py and commonmark.js."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

HERE = Path(__file__).parent

PROBE = "@zq7x.md"
"""What is put into a text.  `MARK` is the part that no escape, entity or delimiter can touch."""

MARK = "zq7x"

TEXT = "text"
CODE = "code"
COMMENT = "comment"
RAW = "raw"
POLICY = "policy"  # in an HTML block that refseal's own policy takes for prose
NOWHERE = "nowhere"  # not in the output: an unused link definition
MIXED = "mixed"  # twice in the output, in different places
CRASH = "crash"  # the parser could not take the text: markdown-it-py runs off the end of some


class Answer(NamedTuple):
    """Where the probe was, and the content of every HTML block of the document."""

    place: str
    html_blocks: tuple[str, ...]


def _verbatim(block: str) -> bool:
    head = block.lstrip(" ")[:10].lower()
    for tag in ("<pre", "<script", "<style", "<textarea"):
        rest = head[len(tag) :]
        if head.startswith(tag) and (not rest or rest[0] == ">" or rest[0].isspace()):
            return True
    return False


def _in_html_block(block: str) -> str:
    if _verbatim(block):
        return RAW
    if block.lstrip(" ").startswith("<!--"):
        end = block.find("-->", block.index("<!--") + 2)
        return POLICY if 0 <= end < block.index(MARK) else COMMENT
    return POLICY


def _in_html_inline(tag: str) -> str:
    return COMMENT if tag.startswith("<!--") else RAW


def _answer(places: list[str], blocks: Sequence[str]) -> Answer:
    distinct = sorted(set(places))
    place = distinct[0] if len(distinct) == 1 else MIXED if distinct else NOWHERE
    return Answer(place, tuple(blocks))


class MarkdownItOracle:
    """markdown-it-py in its CommonMark mode."""

    def __init__(self) -> None:
        self.parser = MarkdownIt("commonmark")

    def ask(self, texts: Sequence[str]) -> list[Answer]:
        return [self._ask(text) for text in texts]

    def _ask(self, text: str) -> Answer:
        places: list[str] = []
        blocks: list[str] = []
        try:
            parsed = self.parser.parse(text)
        except IndexError:
            return Answer(CRASH, ())
        for token in self._tokens(parsed):
            if token.type == "html_block":
                blocks.append(token.content)
            if any(MARK in str(value) for value in token.attrs.values()):
                places.append(TEXT)
            if token.type in ("inline", "image"):
                continue  # their children say it
            if MARK in token.content:
                if token.type in ("code_inline", "fence", "code_block"):
                    places.append(CODE)
                elif token.type == "html_inline":
                    places.append(_in_html_inline(token.content))
                elif token.type == "html_block":
                    places.append(_in_html_block(token.content))
                else:
                    places.append(TEXT)
            elif MARK in token.info:
                places.append(CODE)
        return _answer(places, blocks)

    def _tokens(self, tokens: Sequence[Token]) -> Iterator[Token]:
        for token in tokens:
            yield token
            yield from self._tokens(token.children or [])


class CommonmarkOracle:
    """commonmark.js, the reference parser, in one node process that answers line by line."""

    def __init__(self) -> None:
        node = shutil.which("node")
        if node is None:
            raise FileNotFoundError("node is not installed")
        self.process = subprocess.Popen(
            [node, str(HERE / "commonmark_oracle.mjs"), MARK],
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
        return [_answer([_js_place(*node) for node in found], blocks) for found, blocks in json.loads(line)]

    def close(self) -> None:
        self.process.communicate()


def _js_place(kind: str, literal: str) -> str:
    if kind in ("code", "code_block", "info"):
        return CODE
    if kind == "html_inline":
        return _in_html_inline(literal)
    if kind == "html_block":
        return _in_html_block(literal)
    return TEXT


def why_no_commonmark() -> str | None:
    """Return why commonmark.js cannot be asked here, None if it can."""
    if shutil.which("node") is None:
        return "node is not installed"
    if not (HERE / "node_modules" / "commonmark").is_dir():
        return "commonmark.js is not installed: run `npm ci` in tests/oracles"
    return None


def spec_examples() -> list[tuple[int, str]]:
    """Return the examples of the CommonMark specification, by number, from the npm package of its text."""
    path = HERE / "node_modules" / "commonmark-spec" / "spec.txt"
    examples: list[tuple[int, str]] = []
    fence = "`" * 32
    rest = path.read_text("utf-8")
    while True:
        _, found, rest = rest.partition(f"\n{fence} example")
        if not found:
            return examples
        _, _, rest = rest.partition("\n")
        example, _, rest = rest.partition(f"\n{fence}\n")
        markdown, _, _ = f"\n{example}".partition("\n.\n")
        examples.append((len(examples) + 1, markdown[1:].replace("\u2192", "\t") + "\n"))
