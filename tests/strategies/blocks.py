"""Inputs of the renderer, made of the very strings that would break out of it."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from refseal.seal import SECTIONS, Composition, Document, LeftOut, NativeFile

SYNTAX = [
    "<!-- refseal sha256:",
    " -->",
    "<!-- refseal sha256:" + 64 * "0" + " -->\n\n",
    "<agents_md_extra_context>\n",
    "\n</agents_md_extra_context>",
    "<file:",
    "</file:",
    "<native:",
    "</native:",
    "<omitted:",
    "</omitted:",
    ">\n",
    '" lines="1-1" of="1"',
    ' more="yes"',
    "</file:" + 32 * "0" + ">",
    "</fi",
    "\n## Local overlays\n",
    "\n## Not included\n",
    "notice: x",
    "\nand 3 more\n",
    "\nand 3 more files\n",
    '"a" from "b": missing\n',
    "[Cut here. To read the rest, open the file at line 2.]\n",
    "Not listed here: 3 files.\n",
    "\\u{202E}",
    "\\x",
    "\\",
    "…",
    ", ",
]
"""Our own tags, marker, headings and escapes, whole and in parts."""

CHARACTERS = [
    *"\0\t\n\r\x1b\x7f\x85\xa0\xad",
    "\r\n",
    *"\"'<>`&/",
    *"\u061c\u180b\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202e\u2060\u2066\u2069\ufe0e\ufe0f\ufeff",
    *"\ud800\udbff\udc00\udc80\udcff",
    *"\U000e0041\U000e007f\U000e0100",
    *"aé文שم😀🏴👍🏽",
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "👩\u200d💻",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian, with the ZWNJ it is spelled with
]


def hostile_text(learnt: list[str] | None = None, *, max_size: int = 12) -> st.SearchStrategy[str]:
    """Text of our own syntax, hard characters, what was ``learnt`` of an earlier block, and anything else."""
    pieces = st.sampled_from([*SYNTAX, *CHARACTERS, *(learnt or [])])
    anything = st.text(max_size=4)
    surrogates = st.text(st.characters(categories=["Cs"]), max_size=2)
    return st.lists(st.one_of(pieces, pieces, anything, surrogates), max_size=max_size).map("".join)


class Input(NamedTuple):
    """Everything that a composition is given, in order."""

    native: list[NativeFile]
    notices: list[str]
    documents: list[Document]
    left_out: list[LeftOut]


class Rendered(NamedTuple):
    """What came of it: the block's text, and for each document what the composition said it would show."""

    text: str | None
    shown: list[tuple[Document, str, bool]]
    left_out: int


def compose(given: Input, limit: int) -> Rendered:
    """Do what a resolver does: add each document, leave out by name what is not included."""
    composition = Composition(limit, given.native, given.notices)
    shown = []
    left_out = len(given.left_out)
    for document in given.documents:
        answer = composition.add(document)
        if answer.included:
            shown.append((document, answer.text, answer.whole))
        else:
            composition.leave_out(LeftOut(document.path, None, "host-limit"))
            left_out += 1
    for name in given.left_out:
        composition.leave_out(name)
    block = composition.finish()
    return Rendered(block.text if block is not None else None, shown, left_out)


def documents(learnt: list[str] | None = None, *, filler: int = 0) -> st.SearchStrategy[Document]:
    """Documents; with ``filler`` their texts are up to that many times as long."""
    text = hostile_text(learnt, max_size=20)
    if filler:
        text = st.builds(
            lambda head, line, times, end: head + line * times + end,
            text,
            st.one_of(text, st.just("a line of text\n"), st.just("no line end ")),
            st.integers(0, filler),
            text,
        )
    return st.builds(
        lambda section, path, text, more, invalid, first_line, total, via: Document(
            section,
            path,
            text,
            more=more,
            invalid=invalid,
            first_line=first_line,
            total_lines=total,
            via=via,
        ),
        st.sampled_from(SECTIONS),
        hostile_text(learnt),
        text,
        st.booleans(),
        st.integers(0, 3),
        st.sampled_from([1, 1, 1, 2, 120]),
        st.none() | st.integers(0, 10_000),
        st.lists(hostile_text(learnt, max_size=4), max_size=4),
    )


def inputs(
    learnt: list[str] | None = None, *, filler: int = 0, most: int = 5, names: int = 4
) -> st.SearchStrategy[Input]:
    """Whole inputs, with up to ``most`` documents and ``names`` entries in each list."""
    text = hostile_text(learnt)
    return st.builds(
        Input,
        st.lists(st.builds(NativeFile, text, text), max_size=names),
        st.lists(text, max_size=min(names, 3)),
        st.lists(documents(learnt, filler=filler), max_size=most),
        st.lists(
            st.builds(LeftOut, text, st.none() | text, st.sampled_from(["depth", "missing"]) | text, text),
            max_size=names,
        ),
    )
