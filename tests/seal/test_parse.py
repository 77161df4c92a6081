"""The parser accepts what the renderer writes, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refseal.seal import Composition, Document, LeftOut, NativeFile
from refseal.seal.block import render
from refseal.seal.marker import digest_of, mark
from refseal.seal.parse import ParseError, parse
from tests.seal.properties import AMPLE
from tests.strategies.blocks import Input, compose, hostile_text, inputs


def remarked(text: str) -> str:
    """Give an edited block the marker that belongs to it, as a forger would."""
    rest = text.partition("\n\n")[2]
    return mark(digest_of(rest.encode("utf-8", "surrogatepass")), "\n\n", rest)


def example() -> str:
    composition = Composition(AMPLE, [NativeFile("AGENTS.md", "# Rules")], ["a notice"])
    composition.add(Document("overlay", "AGENTS.local.md", "See @docs/a.md\n"))
    composition.add(Document("inherited", "../AGENTS.md", "l3\n", first_line=3))
    composition.add(Document("referenced", "docs/a.md", "text\n", more=True, via=("AGENTS.local.md", "b.md")))
    composition.leave_out(LeftOut("docs/b.md", "AGENTS.local.md", "sensitive", "why"))
    block = composition.finish()
    assert block is not None
    return block.text


EXAMPLE = example()


def test_the_example_says_all_of_it() -> None:
    block = parse(EXAMPLE)
    assert [document.path for document in block.documents] == ["AGENTS.local.md", "../AGENTS.md", "docs/a.md"]
    assert [document.lines for document in block.documents] == [None, (3, 3), (1, 1)]
    assert block.documents[2].via == ("AGENTS.local.md", "b.md")
    assert [tuple(entry) for entry in block.native] == [("AGENTS.md", "# Rules")]
    assert [tuple(entry) for entry in block.left_out] == [
        ("docs/b.md", "AGENTS.local.md", "sensitive", "why")
    ]
    assert block.notices == ("a notice",)


def test_no_character_of_a_block_can_be_changed() -> None:
    start = EXAMPLE.index("<agents_md")
    for offset, char in enumerate(EXAMPLE):
        for new in ("", "x" + char, "y" if char == "x" else "x"):
            edited = EXAMPLE[:offset] + new + EXAMPLE[offset + 1 :]
            with pytest.raises(ParseError):
                parse(edited)
            if offset >= start:
                with pytest.raises(ParseError):
                    parse(remarked(edited))


@given(inputs(), st.data())
def test_no_edit_survives_even_with_a_new_marker(given_input: Input, data: st.DataObject) -> None:
    text = compose(given_input, AMPLE).text
    if text is None or not parse(text).seals:
        return
    first = text.index("<agents_md")
    start = data.draw(st.integers(first, len(text)))
    end = min(len(text), start + data.draw(st.integers(0, 40)))
    edited = text[:start] + data.draw(hostile_text(max_size=3)) + text[end:]
    if edited == text:
        return
    with pytest.raises(ParseError):
        parse(remarked(edited))


@given(st.one_of(st.text(), hostile_text(max_size=30)))
def test_any_other_text_is_refused_with_a_parse_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse(text)
    with pytest.raises(ParseError):
        parse(EXAMPLE + text if text else "")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (' path="docs/a.md"', ' path="docs/b.md"'),
        (' lines="1-1" more="yes"', ' lines="1-2" more="yes"'),
        (' lines="1-1" more="yes"', ""),
        (' lines="3-3" of="3"', ' lines="3-3" of="4"'),
        ("at line 2.]", "at line 9.]"),
        ("## Local overlays", "## Referenced documents"),
        ("sensitive", "missing"),
        ('files="1"', 'files="2"'),
        ("See @docs", "See \x1b@docs"),
        ("See @docs", "See \u202e@docs"),
        ("\n\n</agents_md", "\nmore\n\n</agents_md"),
        ("Added by refseal", "Obey refseal"),
    ],
)
def test_a_likely_forgery_is_refused(old: str, new: str) -> None:
    assert old in EXAMPLE
    with pytest.raises(ParseError):
        parse(remarked(EXAMPLE.replace(old, new)))


@pytest.mark.parametrize("digits", [19, 5_000])
def test_a_count_that_no_block_can_have_is_refused_as_a_forgery(digits: int) -> None:
    """CPython's `int` refuses what is longer than some thousand digits with an error of its own."""
    line = f"\n## Not included\nNot listed here: {'9' * digits} files.\n"
    with pytest.raises(ParseError):
        parse(render([line])[0])
    parse(render([line.replace("9" * digits, "9" * 18)])[0])


REST = EXAMPLE.index("<agents_md")
FILE = EXAMPLE.index("<file:")
SEAL = EXAMPLE[FILE + 6 : FILE + 38]


@pytest.mark.parametrize(
    ("edited", "said", "at"),
    [
        ("x" + EXAMPLE, "no marker", 0),
        (EXAMPLE + "\ud800", "lone surrogate", len(EXAMPLE)),
        (EXAMPLE + "x", "the marker is not the digest of the block", REST),
        (remarked(EXAMPLE + "x"), "text after the block", len(EXAMPLE)),
        (remarked(EXAMPLE.replace("Added", "Adds")), "no preamble", REST),
        (remarked(EXAMPLE[: -len("</agents_md_extra_context>")]), "no end of the block", len(EXAMPLE) - 27),
        (
            remarked(EXAMPLE.replace(f"</file:{SEAL}>", f"</file {SEAL}>")),
            f"no closing tag for {SEAL}",
            EXAMPLE.index("\n", FILE) + 1,
        ),
        (
            remarked(EXAMPLE.replace("See @docs", f"See {SEAL}")),
            f"{SEAL} occurs outside its two tags",
            FILE + 6,
        ),
        (
            remarked(EXAMPLE.replace("See @docs", "See \x1b")),
            "a hidden character in a body",
            EXAMPLE.index("@docs"),
        ),
        (
            remarked(EXAMPLE.replace('lines="3-3" of="3"', 'lines="3-4" of="4"')),
            "the tag's lines are not those of the body",
            EXAMPLE.index("<file:", FILE + 1),
        ),
        (
            remarked(EXAMPLE.replace("Relative paths in", "Paths in")),
            "no sentence on relative paths",
            EXAMPLE.index("Relative paths in"),
        ),
        (
            remarked(EXAMPLE[:FILE] + EXAMPLE[FILE:].replace("<file:", "<fill:", 1)),
            "no opening tag of a file",
            FILE,
        ),
        (
            remarked(EXAMPLE.replace("[Cut here.", "[Cut.")),
            "no sentence on how to read the rest",
            EXAMPLE.index("[Cut here."),
        ),
        (
            remarked(EXAMPLE.replace(' lines="3-3" of="3"', ' lines="3-3"')),
            "a part of a file without its number of lines",
            EXAMPLE.index("<file:", FILE + 1),
        ),
        (
            remarked(EXAMPLE.replace("at line 2.]", "at line 9.]")),
            "the sentence does not fit the tag",
            EXAMPLE.index("[Cut here."),
        ),
        (
            remarked(EXAMPLE.replace("[Cut here. To", "[Line 2 is cut here. To")),
            "the sentence does not fit the tag",
            EXAMPLE.index("[Cut here."),
        ),
        (
            remarked(EXAMPLE.replace("text\n\n</file", "text\n</file")),
            "the body's end does not fit the tag",
            EXAMPLE.index("[Cut here.") - 1,
        ),
        (
            remarked(EXAMPLE.replace("native:", "omitted:")),
            "another list than native",
            EXAMPLE.index("<native:"),
        ),
        (
            remarked(EXAMPLE.replace('files="1">\n"AGENTS.md"', 'files="2">\n"AGENTS.md"')),
            "a list does not add up",
            EXAMPLE.index("<native:"),
        ),
        (
            remarked(EXAMPLE.replace('"# Rules"\n', '"# Rules"\nmore\n')),
            "a line that is no entry of its list",
            EXAMPLE.index("<native:"),
        ),
        (
            remarked(EXAMPLE.replace("sensitive", "missing")),
            "the seals are not those of the contents",
            REST,
        ),
        (
            remarked(EXAMPLE.replace("notice: a notice\n", "notice: a notice\n" * 21)),
            "too many entries",
            EXAMPLE.index("<omitted:"),
        ),
    ],
)
def test_a_text_that_is_no_block_says_what_is_wrong_and_where(edited: str, said: str, at: int) -> None:
    with pytest.raises(ParseError) as error:
        parse(edited)
    assert (str(error.value), error.value.offset) == (f"{said} at {at}", at)


@pytest.mark.parametrize(
    ("via", "shown"),
    [
        (("AGENTS.local.md",), ("AGENTS.local.md",)),
        (("a, b.md", 'c".md', ""), (r"a\u{2C} b.md", r"c\u{22}.md", "")),
        (("far/" * 10 + "a.md", "near/" * 10 + "b.md"), ("far/" * 10 + "a.md", "near/" * 10 + "b.md")),
        (("far/" * 20 + "a.md", "near/" * 10 + "b.md"), ("…", "near/" * 10 + "b.md")),
        (("n" * 120,), ("n" * 120,)),
        (("a.md", "n" * 117), ("…", "n" * 117)),
        (("a.md", "n" * 111), ("a.md", "n" * 111)),
        (("a.md", "n" * 112), ("…", "n" * 112)),
        (("X, b.md", "XX.md"), (r"X\u{2C} b.md", "XX.md")),
    ],
)
def test_a_chain_shows_its_nearest_part(via: tuple[str, ...], shown: tuple[str, ...]) -> None:
    composition = Composition(AMPLE)
    composition.add(Document("referenced", "x.md", "text\n", via=via))
    block = composition.finish()
    assert block is not None
    assert parse(block.text).documents[0].via == shown
    assert len(", ".join(shown)) <= 120


def test_of_a_chain_whose_nearest_path_is_too_long_both_ends_of_it_are_shown() -> None:
    composition = Composition(AMPLE)
    composition.add(Document("referenced", "x.md", "text\n", via=("a.md", "n" * 118)))
    block = composition.finish()
    assert block is not None
    mark, shown = parse(block.text).documents[0].via
    assert (mark, len(shown)) == ("…", 116)
    assert shown.startswith("n" * 49 + "…")
    assert shown.endswith("…" + "n" * 49)
