"""Single places that a rule decides, each with the rule: what a near miss of it would get wrong."""

from __future__ import annotations

import pytest

from refseal.tokenizer import blocks
from refseal.tokenizer.layout import line_end
from refseal.tokenizer.links import title_end
from refseal.tokenizer.reading import contexts
from refseal.tokenizer.references import trimmed_end
from tests.oracles.agreement import Tally, compare, with_probes
from tests.oracles.parsers import both
from tests.tokenizer.oracle_marks import needs_commonmark
from tests.tokenizer.test_policies import hints, inert, references

CODE, FENCE, INDENTED, RAW = "code-span", "fence", "indented-code", "html-raw"

# A rule, a text with an `@` at each place, and what hides each.
RULES = [
    ("a heading ends with its line, that of six marks too", "###### `a\n@ b` c", [""]),
    ("a mark of seven is none", "####### `a\n@ b` c", [CODE]),
    ("a tab ends the mark of a heading", "#\t`a\n@ b` c", [""]),
    ("a fence may begin the text", "```\n\n@\n\n```\n", [FENCE]),
    ("an empty item is closed by an empty line", "-\n\n     @", [INDENTED]),
    ("an empty line closes the inner of two quotes", "> > - a\n>\n> >      @", [INDENTED]),
    ("an empty line closes a quote within two items", "- - > - a\n\n    >      @", [INDENTED]),
    ("a rule takes three marks behind the containers", "- > --\n      @", [""]),
    ("a comment in a list ends at its first mark", "- <!--\n  x --> @ --> @", ["", ""]),
    ("a comment ends at its first mark", "<!--\nx --> @\ny --> @", ["", ""]),
    ("what ends a comment is looked for behind its beginning", "-->\n<!-- a\nb --> @\n@", ["", ""]),
    ("a line in an item goes on with the paragraph", "- `a @\n- b `c\nd` e `f @ g` h", ["", CODE]),
    ("a heading's back-tick pairs with none behind it", "# `a @ w` h\nb @ x `c`", [CODE, ""]),
    ("a link hides the back-tick in its label", "[`b]: /u\n\nx [a][`b] @ ` c", [""]),
    ("a span begins in the text of a link", "[`a]: /u\n\nx ![`a] @ b `", [CODE]),
    ("a definition in plain sight counts", "[a]: /u\n\nx [c][a](`) @ `", [CODE]),
    ("so does one behind all that is asked about", "x [c][a](`) @ `\n\n[a]: /u", [CODE]),
    ("neither the first nor the last definition", "[b]: /u\n\n[a]: /v\n\n[d]: /w\n\n[c][a](`) @ `", [CODE]),
    ("one of a paragraph's definitions is as good as another", "[a]: /u\n[b]: /v\n\n[c][b](`) @ `", [CODE]),
    ("a definition may take three lines", "[c][a](`) @ `\n\nb\n\n[a]:\n/u\n't'", [CODE]),
    ("a definition may stand in a quote", "> [a]: /u\n\n[c][a](`) @ `", [CODE]),
    ("a definition may stand in an item", "- b\n\n  [a]: /u\n\n[c][a](`) @ `", [CODE]),
    ("a definition may stand behind a heading", "# b\n[a]: /u\n\n[c][a](`) @ `", [CODE]),
    ("a definition interrupts no paragraph", "b\n[a]: /u\n\n[c][a](`) @ `", [""]),
    ("a link of its own label leaves the one around it none", "[b [a]](`) @ `\n\n[a]: /u", [CODE]),
    ("an image with an empty label behind it is complete", "[a]: /u\n\n![a][](`) @ `", [CODE]),
    ("an image in a link leaves it a link, behind any mark", "[<![a](b)](`c) @ d `", [""]),
    ("so it does behind CDATA without an end", "[<![CDATA[a]](b)](`c) @ d `", [""]),
    ("no definition stands behind a comment", "<!-- x -->[`a]: u\n\nx [c][`a] @ b `", [CODE]),
    ("an address in angle brackets ends", "x <ab:c`@ d`", [CODE]),
    ("an address without its bracket is none", "x <ab:c`@`", [CODE]),
    ("an address holds no bracket", "x <ab:c`<d>`@ e`", [""]),
    ("an instruction may end where it begins", "x <??> @ y ?>", [""]),
    ("a comment may hold nothing", "x <!----> @ y -->", [""]),
    ("CDATA may hold nothing", "x <![CDATA[]]> @ y ]]>", [""]),
    ("a declaration may be a letter", "x <!X> @ y >", [""]),
    ("what ends a declaration stands behind it", "a> <!A @ y>", [RAW]),
    ("the mark of a quote ends no declaration in it", "> <!X\n> y\n> z>`\n> `@`", [CODE]),
    ("nor does that of an empty line", "> <!X\n>\n> >`\n> `@`", [CODE]),
    ("nor in an item of a quote", "> - <!X\n>   y\n>   z>`\n>   `@`", [CODE]),
    ("a declaration in a quote hides what could open there", "> <!X\n> y\n> <pre>\n> z>\n>\n> @", [""]),
    ("an instruction may be a block of one line", "<?> `\n\n    @", [INDENTED]),
]

# The same for policies (`blocks`): the specification sees raw HTML there.
POLICIES = [
    ("a block whose first line ends it leaves the next one alone", "<?> `\n@ x `", [""]),
    ("a block that nothing ends behind it is none", "?>\n\n<?\n\n    @", [INDENTED]),
    ("a fence in HTML leaves it open", "<div>\n```\na\n```\n    @", [""]),
    ("a line of other white space is not empty", "<div>\n```\n\f\n```\n    @", [""]),
    ("an empty line in a fence ends the HTML around it", "<div>\n```\na\n\n```\n    @", [INDENTED]),
    ("so does one of blanks", "<div>\n```\na\n \t\n```\n    @", [INDENTED]),
]


def _ask(text: str) -> list[str]:
    return contexts(text, [at for at, char in enumerate(text) if char == "@"])[0]


@pytest.mark.parametrize(("text", "hidden"), [row[1:] for row in RULES], ids=[row[0] for row in RULES])
def test_a_rule_decides_a_place(text: str, hidden: list[str]) -> None:
    assert _ask(text) == hidden


@pytest.mark.parametrize(("text", "hidden"), [row[1:] for row in POLICIES], ids=[row[0] for row in POLICIES])
def test_a_policy_decides_a_place(text: str, hidden: list[str]) -> None:
    assert _ask(text) == hidden


@needs_commonmark
def test_the_parsers_decide_alike_where_a_rule_does() -> None:
    tally = Tally()
    texts = []
    for _, text, _ in RULES:
        parts = text.split("@")
        offsets = [sum(map(len, parts[: number + 1])) for number in range(len(parts) - 1)]
        texts.append((with_probes("".join(parts), offsets), len(offsets)))
    compare(texts, *both(), tally)
    assert not tally.faults
    assert tally.compared > len(RULES)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (">1\t2 @", [(1, 6)]),
        (">\t1\t2 @", [(2, 7)]),
        ("-\t1\t2 @", [(2, 7)]),
        ("-\t12. @", [(6, 7)]),
        ("- 1\t2\t@", [(2, 7)]),
        ("-\t1\t2 @\n-1`\t2 @", [(2, 7), (8, 15)]),
        ("> <a\n>1\t2 @", [(2, 4), (6, 11)]),
        ("> -\t-\t1\t@", [(6, 9)]),
    ],
)
def test_a_line_of_prose_begins_behind_its_containers(text: str, pieces: list[tuple[int, int]]) -> None:
    """Tabs before, between and behind the markers, and text that looks like a marker."""
    (unit,) = blocks.walk(text, [text.rindex("@")]).units
    assert unit.pieces == pieces


@pytest.mark.parametrize(("text", "at", "end"), [("", 0, 0), ("\n", 0, 0), ("ab\nc", 1, 2), ("ab", 1, 2)])
def test_a_line_ends_at_its_lf_or_with_the_text(text: str, at: int, end: int) -> None:
    assert line_end(text, at) == end


@pytest.mark.parametrize(
    ("title", "end"),
    [
        (r"(a ( \( b)", None),
        (r"(a \( b)", 8),
        (r"(a \()", 6),
        (r"(a \) \( \) b)", 14),
        (r"(a \) \( ( )", None),
        (r"(a \( ", None),
        (r"(a \( ( b) (", None),
        (r"'a\''", 5),
        (r"'a\\\'b'", 8),
        (r"'a\\\\'b'", 7),
    ],
)
def test_a_title_ends_at_its_first_mark_that_is_not_escaped(title: str, end: int | None) -> None:
    assert title_end(title, 0) == end


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("_@a.md x_", ["a.md"]),
        ("a\\_@b.md", []),
        ("\\_@a.md \\", []),
        ("\\\\_@a.md", ["a.md"]),
        ("\u3000_@a.md", ["a.md"]),
        ("\u20ac_@a.md", ["a.md"]),
        ("\u00e9_@a.md", []),
    ],
)
def test_underscores_open_emphasis_or_belong_to_a_word(text: str, found: list[str]) -> None:
    assert references(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [("\\@a.md", [("a.md", "escaped")]), ("a\\@b.md", []), ("\\\\@a.md", []), ("\\\\\\@a.md", [])],
)
def test_an_escape_is_one_backslash_where_a_reference_might_begin(
    text: str, found: list[tuple[str, str]]
) -> None:
    assert inert(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('@"" b.md"', []),
        ("@import http://a.example/b", []),
        ("@import /.", [("import-keyword", 1, 1, "@import /")]),
        ("@a.md\n```\n@b", []),
        ("-\t```\n\t@a.md", [("unclosed-fence", 1, 3, "```")]),
        ("-\t<div>\n\t```\n\t@a.md", [("unclosed-fence", 2, 2, "```")]),
        ("<pre>\n@a.md", []),
        ("x\n<!-- y\n@a.md", [("unclosed-comment", 2, 1, "<!-- y")]),
    ],
)
def test_hints_stand_where_their_cause_does(text: str, found: list[tuple[str, int, int, str]]) -> None:
    assert hints(text) == found


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("@s", 2),
        ("@'s", 1),
        ("@\u2019s", 1),
        ("@a's", 2),
        ("@a\\'s", 2),
        ("@...", 1),
        ("@\\.", 1),
        ("@\\", 1),
    ],
)
def test_nothing_is_taken_off_before_the_sign(text: str, end: int) -> None:
    assert trimmed_end(text, 0, len(text)) == end


def test_the_end_of_the_text_stands_in_no_fence_that_was_opened_right_before_it() -> None:
    text = "````@b.md  @a.md\n"
    assert contexts(text, [text.index("\n")])[0] == [""]
