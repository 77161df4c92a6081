"""Where the tokenizer differs from CommonMark on purpose, and what it says about near misses."""

from __future__ import annotations

import pytest

from refseal.tokenizer import tokenize
from refseal.tokenizer.blocks import walk


def references(text: str) -> list[str]:
    return [reference.path for reference in tokenize(text).references]


def inert(text: str) -> list[tuple[str, str]]:
    return [(found.path, found.reason) for found in tokenize(text).inert]


def hints(text: str) -> list[tuple[str, int, int, str]]:
    return [(hint.kind, hint.line, hint.column, hint.text) for hint in tokenize(text).hints]


@pytest.mark.parametrize(
    "text",
    [
        "<details>\n<summary>x</summary>\n@a.md\n</details>",
        "<td>@a.md</td>",
        "<p>\n    @a.md\n</p>",
        "<custom-tag>\n@a.md",
        "</div> @a.md",
        "> <div>\n> @a.md\n",
        "- <div>\n  @a.md\n",
        "<div>\n- `x\n\n@a.md `",
    ],
)
def test_html_blocks_are_prose(text: str) -> None:
    assert references(text) == ["a.md"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<div>\n`@a.md`\n</div>", "code-span"),
        ("<div>\n<!-- @a.md -->\n</div>", "html-comment"),
        ("<div>\n<a href=@a.md>\n</div>", "html-raw"),
        ("<div>\n```\n@a.md\n```\n</div>", "fence"),
        ("<div>\n~~~\n\n@a.md\n~~~\n</div>", "fence"),
        ("> <div>\n> ```\n> @a.md\n> ```\n", "fence"),
        ("> <div>\n> <a\n> href=@a.md>\n", "html-raw"),
        ("<?php\n\n@a.md\n?>", "html-raw"),
        ("> <?php\n>\n> @a.md\n> ?>", "html-raw"),
        ("<![CDATA[\n@a.md\n]]>", "html-raw"),
        ("<!DOCTYPE\n@a.md >", "html-raw"),
        ("<pre>\n\n@a.md\n</pre>", "html-raw"),
        ("<SCRIPT>\n@a.md", "html-raw"),
        ("<style>\n@a.md\n</style>", "html-raw"),
        ("<textarea>\n@a.md\n</textarea>", "html-raw"),
        ("<pre>\n</pre> @a.md", "html-raw"),
    ],
)
def test_inline_rules_and_fences_hold_in_html_blocks(text: str, reason: str) -> None:
    assert inert(text) == [("a.md", reason)]
    assert references(text) == []


def test_an_html_block_goes_on_behind_a_fence_in_it() -> None:
    """Indentation makes no code there, as it made none before the fence."""
    assert references("<div>\n```\nx\n```\n    @a.md") == ["a.md"]
    assert references("<div>\n```\n\n```\n    @a.md") == []
    assert references("- <div>\n  ```\n  x\n  ```\n      @a.md") == ["a.md"]


@pytest.mark.parametrize(
    "text", ["<?\n\n@a.md", "<!X\n\n@a.md", "<![CDATA[\n\n@a.md", "a\n<? @a.md", "> <?\n> @a.md\n\n?>"]
)
def test_html_that_never_ends_hides_nothing(text: str) -> None:
    assert references(text) == ["a.md"]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- x --> @a.md `b",
        "<!-- x\n--> @a.md",
        "<!--> @a.md",
        "- <!-- x\n  --> @a.md",
        "<!-- a --> <!-- b --> @a.md",
        "<!-- ` --> @a.md `b`",
    ],
)
def test_what_follows_a_comment_on_its_line_is_prose(text: str) -> None:
    assert references(text) == ["a.md"]


def test_what_follows_a_comment_is_read_by_the_inline_rules_up_to_the_end_of_the_line() -> None:
    text = "<!-- x --> `@a.md` <!-- @b.md --> `@c.md\n@d.md` \\@e.md"
    assert references(text) == ["c.md", "d.md"]
    assert inert(text) == [("a.md", "code-span"), ("b.md", "html-comment"), ("e.md", "escaped")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("`@a.md`", "code-span"),
        ("``\n@a.md ` ``", "code-span"),
        ("```\n@a.md", "fence"),
        ("~~~ @a.md\n~~~", "fence"),
        ("    @a.md", "indented-code"),
        ("\t@a.md", "indented-code"),
        ("-     @a.md", "indented-code"),
        ("<!-- @a.md", "html-comment"),
        ("x <!-- @a.md -->", "html-comment"),
        ("x <b c=@a.md>", "html-raw"),
        ("x \\@a.md", "escaped"),
        ("`\\@a.md`", "code-span"),
    ],
)
def test_inert_references_keep_their_reason(text: str, reason: str) -> None:
    assert inert(text) == [("a.md", reason)]
    assert references(text) == []


def test_what_follows_a_letter_is_not_even_inert_when_it_is_escaped() -> None:
    assert inert("me\\@example.md and \\makeatletter\\@a.md") == []


@pytest.mark.parametrize(
    "text",
    [
        "<https://x.md?(@a.md>",
        "[t](@a.md)",
        '[t](x "(@a.md)")',
        "[t]: @a.md",
        "| `x` | @a.md |",
        "# @a.md",
        "@a.md\n===",
        "![@a.md](b)",
        "<@a.md>",
        "\\`@a.md\\`",
    ],
)
def test_links_tables_and_headings_are_prose(text: str) -> None:
    assert references(text) == ["a.md"]


def test_hints_at_a_quoted_path() -> None:
    assert hints('See @"my docs/a.md" here') == [("quoted-path", 1, 5, '@"my docs/a.md"')]
    assert hints('@"/a"') == [("quoted-path", 1, 1, '@"/a"')]
    assert hints('@"a.md"') == [("quoted-path", 1, 1, '@"a.md"')]


@pytest.mark.parametrize("text", ['@"hello"', '"@b.md"', '`@"a.md"`', '@"a\nb.md"', 'a@"b.md"', '@"a.md'])
def test_does_not_hint_at_other_quotes(text: str) -> None:
    assert hints(text) == []


@pytest.mark.parametrize(("size", "hinted"), [(4093, 1), (4096, 0)])
def test_hints_at_no_quoted_path_that_is_longer_than_paths_are(size: int, hinted: int) -> None:
    assert len(hints(f'@"{"a" * (size - 3)}.md"')) == hinted


def test_a_null_is_shown_and_no_control_any_more() -> None:
    assert references("[x](\0`) @a.md `") == ["a.md"]


def test_hints_at_keywords_before_a_path() -> None:
    assert hints("@import Xa/b.md") == [("import-keyword", 1, 1, "@import Xa/b.md")]
    assert hints("x\n  @import AGENTS.md, y") == [("import-keyword", 2, 3, "@import AGENTS.md")]
    for quoted in (
        "'docs/a.md'",
        "'docs/a",
        "\u201cdocs/a.md\u201d",
        "\u2018docs/a.md\u2019",
        "\u00abdocs/a.md\u00bb",
    ):
        assert hints(f"@import {quoted};") == []  # a style sheet's; it is no path as it stands
    assert hints("@include\tdocs/x.py") == [("import-keyword", 1, 1, "@include docs/x.py")]


@pytest.mark.parametrize(
    "text",
    [
        *('@import "a.css";', "@import url(a/b.css);", "@import x", "@include mixin-name;", "`@import a.md`"),
        *("@import @a.md", "@import https://x.org/a.css", "@imports a.md", "@import\na.md"),
    ],
)
def test_does_not_hint_at_other_keywords(text: str) -> None:
    assert hints(text) == []


def test_hints_at_what_swallows_documents_up_to_the_end() -> None:
    assert hints("@y.md\n  ```sh\n@x.md\n") == [("unclosed-fence", 2, 3, "```sh")]
    assert hints("a\n- ~~~\n  @x.md") == [("unclosed-fence", 2, 3, "~~~")]
    assert hints("a\n<!-- b\n\n@x.md") == [("unclosed-comment", 2, 1, "<!-- b")]


@pytest.mark.parametrize(
    "text",
    [
        "```\n@x.md\n```",
        "```\n@app.get(1)",
        "<!-- @x.md -->",
        "> ```\n> @x.md\n\ny",
        "```\n\\@x.md",
        "@x.md\n```\ny",
    ],
)
def test_does_not_hint_at_what_swallows_nothing(text: str) -> None:
    assert hints(text) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("> ```\n>     ```\n> @x.md", "fence"),  # four columns in, no fence is closed
        ("#a `\n@x.md`", "code-span"),  # no heading without a space
        ("####### a `\n@x.md`", "code-span"),  # and none of seven marks
        ("-\t# `@x.md`", "code-span"),
        ("-->\n\n> <!-- a\n> @x.md\n> -->", "html-comment"),  # an end that stands before it ends nothing
        ("`a\n===\x0c\n@x.md`", "code-span"),  # a form feed is not blank
    ],
)
def test_where_a_line_s_end_or_margin_decides(text: str, reason: str) -> None:
    assert inert(text) == [("x.md", reason)]


def test_three_letters_in_html_are_no_fence() -> None:
    assert references("<div>\nXXX\n@x.md") == ["x.md"]


def test_a_fence_in_html_in_an_item_is_where_it_is() -> None:
    assert hints("- <div>\n  ~~~\n  @x.md") == [("unclosed-fence", 2, 3, "~~~")]


def test_a_paragraph_begins_behind_its_markers_and_tabs() -> None:
    assert walk("  -\t- 1@x", [7]).units[0].pieces == [(6, 9)]
