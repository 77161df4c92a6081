"""How fast the tokenizer is beside a Markdown parser, and that its time grows with the text and not faster.

The ratios are to markdown-it-py's parse of the same ordinary Markdown in the same run.  Each family of
hostile texts is read from 64 KiB to some mebibytes: the worst growth for a doubling, and how far the whole
span is from linear.
"""

from __future__ import annotations

import gc
import time
from itertools import pairwise
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from benchmarks.rows import Row
from benchmarks.texts import ordinary
from refseal.tokenizer import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KIB = 1024
MIB = 1024 * KIB

SMALLEST = 64 * KIB

MOST_PER_DOUBLING = 2.4
MOST_OVER_LINEAR = 1.3
SHORTEST_SECONDS = 0.004  # what takes less is the clock's noise

RATIOS = {"a reference every 2,000 bytes": (2000, 15), "a reference every 190 bytes": (190, 7)}
"""Bytes from one reference to the next, and how many times faster than the parser we have to be."""


def fill(unit: str, size: int) -> str:
    """Repeat ``unit`` up to ``size`` characters."""
    return (unit * (size // len(unit) + 1))[:size]


def ramp(size: int) -> str:
    """Return back-tick runs of ever greater length."""
    runs: list[str] = []
    total = 0
    while total < size:
        runs.append("`" * (len(runs) + 1))
        total += len(runs) + 1
    return " ".join(runs)


LAST = " `x\n <y @a.md"
"""Ends a text so that nothing before it can be passed over at a glance."""


def repeat(unit: str, before: str = "", last: str = LAST) -> Callable[[int], str]:
    """Return what makes a text of one piece again and again."""
    return lambda size: before + fill(unit, size) + last


FAMILIES: dict[str, Callable[[int], str]] = {
    "back-tick runs": lambda size: ramp(size) + LAST,
    "one run": repeat("`"),
    "unclosed spans": repeat("`a ``b "),
    "lone ticks": repeat("` "),
    "spans and references": repeat("`a` @b.md "),
    "escapes and ticks": repeat("\\`"),
    "comment opens": repeat("<!--"),
    "comment opens in a line": repeat("<!--a ", "x "),
    "comments": repeat("<!-- a --> @x.md\n"),
    "nested quotes": repeat(">"),
    "nested quotes, spaced": repeat("> "),
    "deep quotes, then lines": lambda size: (
        fill("> ", size // 2) + "a <b\n" + fill("> b\n", size // 2) + LAST
    ),
    "nested lists": repeat("- "),
    "nested stars": repeat("* "),
    "nested numbers": repeat("1. "),
    "nested mix": repeat("> - 1. + "),
    "deep list, blank lines": lambda size: (
        fill("- ", size // 2) + "a <b\n" + fill("\n", size // 2) + "  @a.md"
    ),
    "deep list, spaces": lambda size: fill("- ", size // 2) + "a <b\n" + fill(" \n", size // 2) + "  @a.md",
    "deep list in a quote": lambda size: (
        "> " + fill("- ", size // 2) + "a <b\n" + fill(">\n", size // 2) + LAST
    ),
    "deep list, lazy lines": lambda size: fill("- ", size // 2) + "a <b\n" + fill("b @x.md\n", size // 2),
    "rules in quotes": repeat("> - - -\n", "<b\n"),
    "lines in a deep list": lambda size: (
        "".join("  " * level + "- a <b\n" for level in range(int(size**0.5))) + LAST
    ),
    "@ run": repeat("@"),
    "@a run": repeat("@a"),
    "@a list": repeat("@a,"),
    "@a words": repeat("@a "),
    "@ and dots": repeat(".", "@"),
    "@ and kept spaces": repeat("\\ ", "@a"),
    "@ behind underscores": repeat("_" * 50 + "@a "),
    "escaped @": repeat("\\@a.md "),
    "keywords": repeat("@import x "),
    "quoted paths": repeat('@"a/b '),
    "brackets": repeat("[", last="`@a.md`]("),
    "closing brackets": lambda size: fill("[", size // 2) + fill("]", size // 2) + "`@a.md` ][ <y",
    "[a](": repeat("[a](", last="`@a.md"),
    "[a](b": repeat("[a](b", last="`@a.md)"),
    "[a](b with title": repeat('[a](b "', last="`@a.md)"),
    "[a](<b": repeat("[a](<b", last="`@a.md)"),
    "[a][": repeat("[a][", last="x" * 2000 + "`@a.md`"),
    "links in links": lambda size: fill("[", size // 6) + fill("a](b)", size * 5 // 6) + "`c` @a.md",
    "definitions": repeat("[a]: b\n", last="[x][a`] `@a.md`"),
    "definitions apart": repeat("[a]: b\n\n", last="[x][a`] `@a.md`"),
    "definitions, underlined": repeat("[a]: b\n===\n", last="`@a.md`"),
    "<a": repeat("<a "),
    "<a with value": repeat("<a b='", "x "),
    "<a with two quotes": repeat("<a x=' k=\" c=' b=\"", "x "),
    "<": repeat("<"),
    "<a:": repeat("<a:"),
    "<?": repeat("<?", "x "),
    "<? in quotes": repeat("> <?\n", last="@a.md ?>"),
    "<![CDATA[": repeat("<![CDATA[", "x "),
    "HTML opens": repeat("<div>\n"),
    "HTML opens apart": repeat("<div>\n\n"),
    "<pre> opens": repeat("<pre>\n\n"),
    "</p in <pre>": repeat("</p </", "<pre>\n"),
    "fences": repeat("```\n"),
    "fences in HTML": repeat("<div>\n```\n@a.md\n```\n"),
    "fence marks in a line": repeat("``` ", "x "),
    "fence in a list": lambda size: "- ```\n" + fill("  x\n", size) + "  @a.md",
    "one long line": repeat("a"),
    "one long line of references": repeat("word @a.md word "),
    "the same with ticks": repeat("word ` @a.md word "),
    "tabs": repeat("\t"),
    "tabs behind markers": repeat("-\t"),
    "lines of tabs": repeat("\t\n", "<b\n"),
    "NULs": repeat("\0"),
    "NULs and references": repeat("\0@a.md"),
    "pipes": repeat("|"),
    "table": repeat("| a `x` | @b.md |\n"),
    "headings": repeat("# a `x` @b.md\n"),
    "CR LF": repeat("a @b.md\r\n"),
    "CR": repeat("a @b.md\r"),
    "Chinese path": repeat("\u6587", "@"),
    "e-mail addresses": repeat("a@b.c "),
}


def seconds(text: str, repeats: int) -> float:
    """Give the best of some runs, in seconds of this process alone.

    Without the collector of cycles, as in the hook and in `timeit`: it looks at whatever this program holds.
    """
    best = float("inf")
    gc.disable()
    for _ in range(repeats):
        start = time.process_time()
        tokenize(text)
        best = min(best, time.process_time() - start)
    gc.enable()
    return best


def throughput() -> Iterator[Row]:
    """Read 1 MiB of ordinary Markdown, by turns with the parser."""
    parser = MarkdownIt("commonmark")
    for name, (every, least) in RATIOS.items():
        text = ordinary(MIB, every)
        ours = theirs = float("inf")
        for _ in range(3):
            ours = min(ours, seconds(text, 5))
            start = time.process_time()
            parser.parse(text)
            theirs = min(theirs, time.process_time() - start)
        detail = f"{len(text) / ours / 1e6:.1f} MB/s against {len(text) / theirs / 1e6:.1f}"
        yield Row("tokenizer beside markdown-it-py", name, theirs / ours, at_least=least, detail=detail)
    plain = text.replace("@", "")
    yield Row("tokenizer beside markdown-it-py", "1 MiB without @", seconds(plain, 20) * 1e6, "us")


def growth(largest: int) -> Iterator[Row]:
    """Read each family at 64 KiB and every doubling up to ``largest`` bytes."""
    sizes = []
    size = SMALLEST
    while size <= largest:
        sizes.append(size)
        size *= 2
    for name, make in FAMILIES.items():
        measured = []
        for size in sizes:
            text = make(size)
            measured.append((seconds(text, 3 if size <= MIB else 2), len(text)))
        timed = [(took, length) for took, length in measured if took >= SHORTEST_SECONDS]
        doubling = max(
            (after / before * 2 * shorter / longer for (before, shorter), (after, longer) in pairwise(timed)),
            default=0.0,
        )
        span = timed[-1][0] / timed[-1][1] / (timed[0][0] / timed[0][1]) if timed else 0.0
        detail = f"{measured[-1][0] / measured[-1][1] * 1e9:.1f} ns a character"
        yield Row("tokenizer, for a doubling", name, doubling, at_most=MOST_PER_DOUBLING, detail=detail)
        yield Row("tokenizer, whole span over linear", name, span, at_most=MOST_OVER_LINEAR, detail=detail)
