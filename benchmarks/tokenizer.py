"""How fast the tokenizer is beside a Markdown parser, and that its time grows with the text and not faster.

The ratios are to markdown-it-py's parse of the same ordinary Markdown in the same run.  Each family of
hostile texts is read from 64 KiB to some mebibytes: the worst growth for a doubling, and how far the whole
span is from linear.

Growth is counted in user mode alone.  The rest is the kernel's work of finding and clearing new pages, which
follows the memory that is asked for (and so is linear where the tokenizer is), but costs a page of a small
text, which was there before, nothing, and on a virtual machine some microseconds each otherwise.  What the
tokenizer does itself, the way to memory that is in no cache included, is user mode.  The kernel tells the two
apart by looking in every few milliseconds: hence batches of calls.
"""

from __future__ import annotations

import gc
import resource
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
LEAST_NANOSECONDS = 15  # a character, of a first call: below it the memory's speed decides what is hopeless
HOPELESS = 4  # times the shortest text's time a character: longer texts would take hours, and change nothing
BATCH_SECONDS = 0.25  # some sixty looks of a kernel that looks in 250 times a second
FEWEST_ROUNDS = 2
MOST_ROUNDS = 8

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
    "[a](b with title in parentheses": repeat("[a](b (x", last="`@a.md)"),
    "one title of escapes": repeat("\\(", before="`[a](b (", last=") @x.md"),
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
    """Read each family at 64 KiB and every doubling up to ``largest`` bytes.

    Whatever else the machine does can only add to a time.  So the best of some rounds counts, and a family
    that misses a bound is given more of them; one that truly grows faster never gets there.  What takes a few
    nanoseconds a character is searched and copied and no more: there the step from one cache to the next
    shows as growth.
    """
    sizes = []
    size = SMALLEST
    while size <= largest:
        sizes.append(size)
        size *= 2
    for name, make in FAMILIES.items():
        gc.disable()
        batches: list[Batch] = []
        for size in sizes:
            batches.append(Batch(make(size)))
            if batches[-1].first > batches[0].first * HOPELESS:
                break
        for done in range(1, MOST_ROUNDS + 1):
            for batch in batches:  # by turns, so that a busy minute strikes all sizes
                batch.run()
            doubling, span = growth_of([(batch.best, len(batch.text)) for batch in batches])
            holds = doubling <= MOST_PER_DOUBLING and span <= MOST_OVER_LINEAR
            if done >= FEWEST_ROUNDS and (holds or len(batches) < len(sizes)):
                break
        gc.enable()
        last = batches[-1]
        detail = f"{last.best / len(last.text) * 1e9:.1f} ns a character at {len(last.text) // KIB} KiB"
        yield Row("tokenizer, for a doubling", name, doubling, at_most=MOST_PER_DOUBLING, detail=detail)
        yield Row("tokenizer, whole span over linear", name, span, at_most=MOST_OVER_LINEAR, detail=detail)


def growth_of(measured: list[tuple[float, int]]) -> tuple[float, float]:
    """Return the worst growth for a doubling and that of the whole span over linear.

    ``measured`` are seconds and lengths, the shortest text first.
    """
    doubling = max(
        (after / before * 2 * shorter / longer for (before, shorter), (after, longer) in pairwise(measured)),
        default=0.0,
    )
    (first, shortest), (last, longest) = measured[0], measured[-1]
    return doubling, last / longest / (first / shortest)


class Batch:
    """Calls with one text that together take long enough to be timed, and the best time of one call so far.

    The first call only tells how many make a batch, and has the allocator grow; ``first`` is what it took, in
    nanoseconds a character and at least `LEAST_NANOSECONDS`.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.best = float("inf")
        start = time.process_time()
        tokenize(text)
        took = time.process_time() - start
        self.first = max(took / len(text) * 1e9, LEAST_NANOSECONDS)
        self.calls = 1 + int(BATCH_SECONDS / max(took, BATCH_SECONDS / 10_000))

    def run(self) -> None:
        """Time one batch."""
        self.best = min(self.best, self._seconds(self.calls))

    def _seconds(self, calls: int) -> float:
        start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        for _ in range(calls):
            tokenize(self.text)
        return (resource.getrusage(resource.RUSAGE_SELF).ru_utime - start) / calls
