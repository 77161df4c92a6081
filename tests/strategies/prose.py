"""Long documents as people write them, and the specification's own examples inside containers.

The pieces of `markdown` meet each other at random, and little of what they begin goes on.  Here blocks are
whole for the most part, so that what one leaves behind is there when the next is read, and a slip is a slip:
a fence that is never closed, an indentation that does not fit, a quote mark that is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORDS = ("the", "guide", "of", "every", "project", "tells how", "to build", "and", "test it")

_SPECIAL = (
    *("`code`", "``a`b``", "`` ` ``", "*so*", "**very much**", "a_b", "it's", '"so"', "|", "&lt;", "x < y"),
    *("[here](docs/a.md)", "[here](<a b>)", '[x](y "t`")', "[x](a`b)", "[guide][ref]", "[ref`x]", "[ref]"),
    *("<b>bold</b>", "<!-- note -->", "<https://x.org/`a>", '<a href="x`">', "<a href='x\">", "![i](`)"),
    *("`", "\\`", "``", "<", "<!--", "-->", "\\\\`", "$x", "  \nso"),
)
"""Spans, links and tags, some of which hide a back-tick, and the marks that people leave alone."""

_words = st.sampled_from(_WORDS)
_text = st.lists(st.one_of(_words, _words, _words, st.sampled_from(_SPECIAL)), min_size=2, max_size=9)
_sentences = st.builds(
    lambda words, joint, at: " ".join(words[:at]) + joint + " ".join(words[at:]),
    _text,
    st.sampled_from([" ", " ", "\n"]),
    st.integers(1, 5),
)
_one_line = _text.map(" ".join).map(lambda text: text.replace("\n", " "))

_CODE = ("$ make", "- a\n\n    b", "```\nx", "~~~", "", "# c\n<!--", "</pre>")

_FRAMES = (
    *("<div>\n{}\n</div>", "<details>\n<summary>x</summary>\n\n{}\n\n</details>", "<b>\n{}\n</b>"),
    *(
        "<!-- {} -->",
        "<!--\n{}\n\n{}\n-->",
        "<!-- {}\n--> {}",
        "<pre>\n{}\n\n{}\n</pre>",
        "<style>{}</style>",
    ),
    *(
        "<script>\n{}\n</script>",
        "<table>\n  <tr>\n    <td>\n\n{}\n\n    </td>",
        '<p align="center">\n  {}\n</p>',
    ),
    *("<?php {} ?>", "<!DOCTYPE html>\n{}", '<img src="a"\n  alt="{}">\n{}', "<textarea>\n{}\n</TEXTAREA>"),
    *(
        "| a | `b|c` |\n|---|:-:|\n| {} | `x` |",
        "{}\n---",
        "{}\n===",
        "{}\n- - -",
        "***\n{}",
        "## {}",
        "{}\n--",
    ),
    *("    {}", "\t{}", "     {}\n\n    {}", "  \t{}", "{}\n    {}", "{}\n\n\n{}"),
)
"""HTML blocks, tables, headings, rules and indented code, around text."""

_DEFINITIONS = (
    *("[ref]: docs/a.md", "[ref`x]: <a b> 'title'", '[it`s]:\n  /url\n  "title\n  more`"', "[a]: b 'c' d"),
    *("[ref]: ", "[x y`]: /u\n[z]: `", "[ref`x]: y\n[open"),
)


def _fenced(mark: str, body: str, *, closed: bool) -> str:
    return f"{mark}\n{body}\n{mark.rstrip('sh x')}" if closed else f"{mark}\n{body}"


_leaves = st.one_of(
    _sentences,
    _sentences,
    st.builds(
        _fenced,
        st.sampled_from(["```", "~~~", "````", "```sh", "~~~~ x"]),
        st.one_of(st.sampled_from(_CODE), _sentences),
        closed=st.sampled_from([True] * 9 + [False]),
    ),
    st.builds(lambda frame, text: frame.replace("{}", text), st.sampled_from(_FRAMES), _one_line),
    st.sampled_from(_DEFINITIONS),
)

_MARKERS = ("- ", "* ", "1. ", "-   ", "10. ", "+ ", "-\t", "1)\t", "> ", ">", ">\t", "  ", "2. ", "-  - ")


def within(text: str, marker: str, rest: str, lazy: frozenset[int]) -> str:
    """Put a text into a container: ``rest`` goes before all lines but the first and the ``lazy`` ones."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if number == 0:
            lines[0] = marker + line
        elif number not in lazy and (line or rest.startswith(">")):
            lines[number] = rest + line
    return "\n".join(lines)


def _contained(texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def indented(marker: str) -> st.SearchStrategy[str]:
        if marker.startswith(">"):
            return st.sampled_from([marker, "> ", ">"])
        width = len(marker.expandtabs(4))
        return st.sampled_from([" " * width, " " * width, "\t", " " * (width - 1), " " * (width + 1), "    "])

    slips = st.one_of(st.just(frozenset[int]()), st.frozensets(st.integers(1, 12), max_size=2))
    return st.sampled_from(_MARKERS).flatmap(
        lambda marker: st.builds(within, texts, st.just(marker), indented(marker), slips)
    )


_GAPS = ("\n\n", "\n\n", "\n\n", "\n", "\n\n\n", "\n \n", "\n\t\n")


def _joined(texts: list[str], gaps: list[str]) -> str:
    return texts[0] + "".join(gap + text for gap, text in zip(gaps, texts[1:], strict=False))


def _series(texts: st.SearchStrategy[str], least: int, most: int) -> st.SearchStrategy[str]:
    gaps = st.lists(st.sampled_from(_GAPS), min_size=most, max_size=most)
    return st.builds(_joined, st.lists(texts, min_size=least, max_size=most), gaps)


_blocks = st.recursive(_leaves, lambda inner: _contained(_series(inner, 1, 3)), max_leaves=6)


def ordinary_documents() -> st.SearchStrategy[str]:
    """Documents of up to 25 blocks; in one of four, four spaces have become a tab."""
    return st.builds(
        lambda text, tabs: text.replace("    ", "\t") if tabs else text,
        _series(_blocks, 3, 25),
        st.sampled_from([False, False, False, True]),
    )


def examples_in_containers(examples: Sequence[str]) -> st.SearchStrategy[str]:
    """Several of ``examples`` after each other, each by itself or in containers, and all of them in some."""
    one = st.sampled_from(examples).map(lambda text: text.rstrip("\n"))
    boxed = st.one_of(one, _contained(one), _contained(_contained(one)))
    several = _series(boxed, 1, 4)
    return st.one_of(several, _contained(several))
