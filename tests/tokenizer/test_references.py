"""Where a reference begins and ends: the characters alone."""

from __future__ import annotations

import unicodedata

import pytest

from refseal.codepoints import NEWER_PUNCTUATION, within
from refseal.tokenizer import tokenize
from refseal.tokenizer.references import is_boundary

ZERO_WIDTH_SPACE = "\u200b"


def paths(text: str) -> list[str]:
    return [reference.path for reference in tokenize(text).references]


@pytest.mark.parametrize(
    "before",
    [
        *(
            "",
            " ",
            "x\t",
            "\xa0",
            "(",
            "[",
            "{",
            "*",
            "**",
            "~~",
            ":",
            ",",
            ";",
            "|",
            ">",
            "=",
            "#",
            "&",
            "!",
        ),
        *("_", "__", " _", "(_", "*_", "\uff0c_", "\u2014", "\u201c", "\u2018", "\u00ab", "\uff08"),
        *("\u53c2\u8003", "\u00e9", ZERO_WIDTH_SPACE),
    ],
)
def test_begins_at_a_boundary(before: str) -> None:
    assert paths(f"{before}@docs/a.md") == ["docs/a.md"]


@pytest.mark.parametrize(
    "before",
    ["a", "Z", "7", ".", "-", "+", "/", "@", '"', "'", "a_", "a__", "\u53c2_", "\\_", "\\\\", "user", "HEAD"],
)
def test_does_not_begin_elsewhere(before: str) -> None:
    assert paths(f"{before}@docs/a.md") == []


@pytest.mark.parametrize("before", ["\\__", "\\\\_", "x \\\\\\__"])
def test_takes_an_escaped_underscore_for_text_before_one_that_opens_emphasis(before: str) -> None:
    assert paths(f"{before}@a.md") == ["a.md"]


@pytest.mark.parametrize(
    "behind",
    [
        *(" x", "\nx", "\tx", "\rx", "\xa0x", "\u3000x", "\u2028x", "\x00x", "\x1bx", "\x85x", ""),
        *("|x", "<x", ">x", "`x", '"x', "](x)", "][x]"),
        *("\u3002x", "\uff0cx", "\u3001x", "\uff09x", "\u300bx", "\uff1ax"),
    ],
)
def test_ends_at_white_space_and_at_what_no_path_holds(behind: str) -> None:
    assert paths(f"@docs/a.md{behind}") == ["docs/a.md"]


@pytest.mark.parametrize(
    "behind",
    [
        *".,;:!?)]}*_~'",
        *(
            "\u2019",
            "\u201d",
            "\u00bb",
            "\u2026",
            "\u2014",
            "'s",
            "\u2019s",
            "\u2019s.",
            "**'s,",
            ").",
            "***",
            '."',
        ),
        *(ZERO_WIDTH_SPACE, "\ufeff", "\u00ad.", ".\u200d", "\U000e0041", "\\*", "\\_)", "\\\nx"),
    ],
)
def test_leaves_out_what_belongs_to_the_sentence(behind: str) -> None:
    assert paths(f"see @docs/a.md{behind} next") == ["docs/a.md"]


@pytest.mark.parametrize(
    "path",
    [
        "[id].md",
        "app/[slug]/(group)/page.md",
        "docs/{a,b}.md",
        "a'b.md",
        "it's/a.md",
        "a;b&c=d%20e$f^g.md",
        "docs/\u89c4\u8303.md",
        "\u00e9t\u00e9/a\u0301.md",
        "a\u200b.md",
        "C:\\Users\\me\\NOTES.md",
        "\\\\server\\share\\a.md",
        "~/notes.md",
        "../a.md",
        "/etc/hosts.txt",
        "docs/",
        "a/b:c.md",
        "x\udcffy.md",
        "a\u2014b.md",
    ],
)
def test_keeps_what_names_are_made_of(path: str) -> None:
    assert paths(f"- @{path} and more") == [path]


@pytest.mark.parametrize(
    "text",
    [
        "@",
        "@ x",
        "@.",
        "@...",
        "@)",
        "@@a.md",
        "@#fragment",
        "@x.md@",
        "@x.md@@",
        "@scope/pkg@1.2",
        "@scope/pkg@^1.2.3",
        "@@@ref:x.md@@@",
        "HEAD@{1}",
        "a@b.md",
        "git@host.md:x",
        "v1.0@x.md",
        "https://x.org/@u/a.md",
        "'@a.md'",
        '"@a.md"',
        '@"a.md"',
        "\\@a.md",
        "\\\\@a.md",
        "@a\\@b.md",
    ],
)
def test_finds_nothing_in_what_is_none(text: str) -> None:
    assert paths(text) == []


@pytest.mark.parametrize("between", [",", ", ", ";", "(", ")", "*", " ", "\u3001", "\u3002", "|", "]("])
def test_finds_two_where_something_stands_between_them(between: str) -> None:
    found = paths(f"@a.md{between}@b.md")
    assert found[-1] == "b.md"
    if between != "(":  # an opening parenthesis is part of a name
        assert found == ["a.md", "b.md"]


def test_keeps_spaces_that_a_backslash_keeps() -> None:
    (reference,) = tokenize("@Design\\ Docs/my\\ style.md, x").references
    assert (reference.token, reference.path) == ("@Design\\ Docs/my\\ style.md", "Design Docs/my style.md")


def test_keeps_a_space_by_the_backslash_alone_that_stands_before_it() -> None:
    assert paths("@a\\\\ b.md") == ["a\\ b.md"]


@pytest.mark.parametrize(
    ("token", "path", "fragment"),
    [
        ("@a.md#rule", "a.md", "rule"),
        ("@a.md#rule#more", "a.md", "rule#more"),
        ("@c#/a.md", "c#/a.md", ""),
        ("@c#/a.md#x", "c#/a.md", "x"),
        ("@a.md#x/y", "a.md#x/y", ""),
        ("@a.md#", "a.md", ""),
        ("@README#top", "README", "top"),
    ],
)
def test_splits_a_fragment_off_the_last_component(token: str, path: str, fragment: str) -> None:
    (reference,) = tokenize(f"see {token}.").references
    assert (reference.token, reference.path, reference.fragment) == (token, path, fragment)


@pytest.mark.parametrize("path", ["README", "maria", "a-b", "TG:NOTE", "user_1"])
def test_calls_a_path_without_slash_dot_or_tilde_a_word(path: str) -> None:
    (reference,) = tokenize(f"@{path}").references
    assert reference.is_word


@pytest.mark.parametrize("path", ["a.md", "org/team", "~me", "~/x", ".rules", "C:\\x", "docs/"])
def test_calls_nothing_else_a_word(path: str) -> None:
    (reference,) = tokenize(f"@{path}").references
    assert not reference.is_word


@pytest.mark.parametrize(
    ("path", "is_glob"), [("docs/*.md", True), ("a?.md", True), ("**/a.md", True), ("a.md", False)]
)
def test_knows_globs(path: str, *, is_glob: bool) -> None:
    (reference,) = tokenize(f"@{path} x").references
    assert reference.is_glob is is_glob


@pytest.mark.parametrize(
    "text", ["@import docs/a.md", "@include docs/a.md", "@import x", '@import "a.css";', "@include\tx"]
)
def test_takes_keywords_with_something_behind_them_for_mentions(text: str) -> None:
    assert paths(text) == []


def test_takes_a_keyword_alone_for_a_word_like_others() -> None:
    assert paths("the @import rule's @include") == ["include"]
    assert paths("@import\nx") == ["import"]


def test_reads_a_reference_behind_a_keyword() -> None:
    assert paths("@import @docs/a.md") == ["docs/a.md"]


def test_counts_lines_and_columns_from_one_in_code_points() -> None:
    text = "\ufeff@a.md\r\n\U0001f600 @b.md\r  \u00e9 (@c.md)\n\n@d.md"
    found = [(reference.path, reference.line, reference.column) for reference in tokenize(text).references]
    assert found == [("a.md", 1, 1), ("b.md", 2, 3), ("c.md", 3, 6), ("d.md", 5, 1)]


@pytest.mark.parametrize("char", ["\x0b", "\x1c", "\x1f", "\x85", "\u2028", "\u200b", "\u0e01", "\U00016ea0"])
def test_what_is_no_white_space_to_commonmark_opens_no_emphasis(char: str) -> None:
    assert not is_boundary(f"a{char}_@", 3)


@pytest.mark.parametrize(
    "char", [" ", "\t", "\n", "\f", "\xa0", "\u2003", "\u3000", "\0", "+", "\u20ac", "\u3002"]
)
def test_white_space_and_punctuation_open_emphasis(char: str) -> None:
    assert is_boundary(f"a{char}_@", 3)


def test_punctuation_is_the_same_to_every_interpreter() -> None:
    """What the table lists is punctuation or unassigned, whatever version of Unicode this interpreter has."""
    for code in range(0x80, 0x110000):
        category = unicodedata.category(chr(code))
        if category not in ("Cn", "Cs", "Co"):
            listed = within(chr(code), NEWER_PUNCTUATION)
            assert not listed or category[0] in "PS", hex(code)
    newer = ("\U0001fa75", "\u31ef", "\U0001fae8", "\u20c1")  # of Unicode 15.0, 15.1 and later
    assert all(is_boundary(f"a{char}_@", 3) for char in newer)
