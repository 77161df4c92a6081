"""How fast the tokenizer is beside a Markdown parser, and that its time grows with the text and not faster.

Run ``python benchmarks/tokenizer.py [MIB]``: first the ratio to markdown-it-py's parse of the same ordinary
Markdown in the same run, then, for each family of hostile texts, the time from 64 KiB to MIB (8) mebibytes,
the worst growth for a doubling, and how far the whole span is from linear.  Exit status 1: a bound is missed.
"""

from __future__ import annotations

import random
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from markdown_it import MarkdownIt

from refseal.tokenizer import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable

KIB = 1024
MIB = 1024 * KIB

SMALLEST = 64 * KIB

MOST_PER_DOUBLING = 2.4
MOST_OVER_LINEAR = 1.3
SHORTEST_SECONDS = 0.004  # what takes less is the clock's noise

RATIOS = {"sparse": (2000, 15), "every 190 bytes": (190, 7)}
"""Bytes from one reference to the next, and how many times faster than the parser we have to be."""

WORDS = (  # noqa: SIM905 - easier to read as words than as strings
    "the build runs on every push and uses a cache so that tests finish early when nothing changed please"
    " read this first before you edit files in the module handlers are registered at start up"
).split()


def sentence(rng: random.Random, words: int) -> str:
    """Return so many words with a full stop."""
    return " ".join(rng.choice(WORDS) for _ in range(words)).capitalize() + "."


def block(rng: random.Random) -> str:
    """Return one ordinary block: heading, paragraph, list, code, table, quote, HTML or numbered steps."""
    kind = rng.random()
    if kind < 0.12:
        return "#" * rng.randint(1, 4) + " " + sentence(rng, 4)[:-1]
    if kind < 0.45:
        return "\n".join(sentence(rng, rng.randint(9, 14)) for _ in range(rng.randint(1, 5)))
    if kind < 0.7:
        heads = ("- **Note**: ", "- `npm run x` ", "- ", "- ", "  - ")
        return "\n".join(
            rng.choice(heads) + sentence(rng, rng.randint(5, 12)) for _ in range(rng.randint(2, 8))
        )
    if kind < 0.8:
        lines = [f"x = call({line})  # {sentence(rng, 3)}" for line in range(rng.randint(2, 12))]
        return "\n".join(["```" + rng.choice(["sh", "python", ""]), *lines, "```"])
    if kind < 0.86:
        rows = [f"| `{rng.choice(WORDS)}` | {sentence(rng, 5)} |" for _ in range(rng.randint(2, 6))]
        return "\n".join(["| Name | What |", "|------|------|", *rows])
    if kind < 0.9:
        return f"> {sentence(rng, 12)}\n> {sentence(rng, 8)}"
    if kind < 0.93:
        return f"[link](https://example.com/a) and `code` with <b>bold</b> {sentence(rng, 10)}"
    if kind < 0.95:
        return f"<details>\n<summary>{sentence(rng, 3)}</summary>\n\n{sentence(rng, 12)}\n\n</details>"
    return f"1. {sentence(rng, 9)}\n2. {sentence(rng, 8)}\n\n   {sentence(rng, 10)}"


def ordinary(size: int, every: int) -> str:
    """Return ordinary Markdown with a reference about every so many bytes."""
    rng = random.Random(7)
    references = (
        "See @docs/guide.md for details.",
        "(@docs/core.md)",
        "Read `config.toml` and @docs/setup.md first.",
    )
    blocks = []
    length = since = 0
    while length < size:
        text = block(rng)
        since += len(text)
        while since > every:
            text += ("\n\n" if text.endswith(("```", "|", ">")) else " ") + rng.choice(references)
            since -= every
        blocks.append(text)
        length += len(text) + 2
    return "\n\n".join(blocks)


def fill(unit: str, size: int) -> str:
    """Repeat ``unit`` up to ``size`` characters."""
    return (unit * (size // len(unit) + 1))[:size]


def ramp(size: int) -> str:
    """Return back-tick runs of ever greater length."""
    runs = []
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
    """Give the best of some runs, in seconds of this process alone."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        tokenize(text)
        best = min(best, time.process_time() - start)
    return best


def show_ratios() -> bool:
    """Print how many times faster than markdown-it-py we are on 1 MiB; say if that is enough."""
    parser = MarkdownIt("commonmark")
    enough = True
    for name, (every, least) in RATIOS.items():
        text = ordinary(MIB, every)
        ours = seconds(text, 5)
        theirs = float("inf")
        for _ in range(2):
            start = time.process_time()
            parser.parse(text)
            theirs = min(theirs, time.process_time() - start)
        count = len(tokenize(text).references)
        ratio = theirs / ours
        print(
            f"{name:16} {count:5} references  {ours * 1000:7.1f} ms  markdown-it-py {theirs * 1000:7.1f} ms"
            f"  ratio {ratio:6.1f} (at least {least})"
        )
        enough &= ratio >= least
    print(f"without @                          {seconds(text.replace('@', ''), 20) * 1e6:7.0f} µs")
    return enough


def show_growth(largest: int) -> bool:
    """Print the growth table; say if every family keeps within the bounds."""
    sizes = []
    size = SMALLEST
    while size <= largest:
        sizes.append(size)
        size *= 2
    print(f"\n{'':28}" + "".join(f"{size // KIB:>8}K" for size in sizes) + "   ns/char  doubling  span")
    within = True
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
        missed = doubling > MOST_PER_DOUBLING or span > MOST_OVER_LINEAR
        within &= not missed
        print(
            f"{name:28}"
            + "".join(f"{took * 1000:9.1f}" for took, _ in measured)
            + f"  {measured[-1][0] / measured[-1][1] * 1e9:8.1f}  {doubling:8.2f}  {span:4.2f}"
            + ("  TOO MUCH" if missed else ""),
            flush=True,
        )
    return within


def main() -> int:
    """Print both tables; return the exit status."""
    largest = int(sys.argv[1]) * MIB if len(sys.argv) > 1 else 8 * MIB
    enough = show_ratios()
    return 0 if show_growth(largest) and enough else 1


if __name__ == "__main__":
    sys.exit(main())
