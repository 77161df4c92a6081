"""The parts of tags, links and blocks, held against their grammar, which is short where time does not matter.

The regular expressions are what CommonMark 0.31 says in words (sections 4.6, 4.7, 6.3, 6.5 and 6.6).  Each is
asked about every place of a few thousand small texts, always the same ones.
"""

from __future__ import annotations

import random
import re

import pytest

from refseal.tokenizer import glance, html, inlines, links
from tests.strategies.markdown import BLOCKS, CONTAINERS, INLINES

SPACE = f"[{re.escape(''.join(sorted(html.SPACE)))}]"
ATTRIBUTE = (
    rf"{SPACE}+[A-Za-z_:][A-Za-z0-9_.:-]*"
    rf"(?:{SPACE}*={SPACE}*(?:[^\x00-\x20\"'=<>`]+|'[^']*'|\"[^\"]*\"))?"
)
OPEN_TAG = rf"<[A-Za-z][A-Za-z0-9-]*(?:{ATTRIBUTE})*{SPACE}*/?>"
CLOSING_TAG = rf"</[A-Za-z][A-Za-z0-9-]*{SPACE}*>"
TAG = re.compile(f"{OPEN_TAG}|{CLOSING_TAG}")

NAMES = "|".join(sorted(html._BLOCK_NAMES))
KINDS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"<(?:pre|script|style|textarea)(?:{SPACE}|>|\Z)",
        r"<!--",
        r"<\?",
        r"<![A-Z]",
        r"(?-i:<!\[CDATA\[)",
        rf"</?(?:{NAMES})(?:{SPACE}|/?>|\Z)",
        rf"(?:{OPEN_TAG}|{CLOSING_TAG}){SPACE}*\Z",
    )
]

LABEL = re.compile(r"\[(?:[^\\\[\]]|\\.)*\]", re.DOTALL)
TITLE = re.compile(r'"(?:[^"\\]|\\.)*"' + r"|'(?:[^'\\]|\\.)*'" + r"|\((?:[^()\\]|\\.)*\)", re.DOTALL)
BRACKETED = re.compile(r"<(?:[^<>\n\\]|\\[^\n])*>")
BLANK = re.compile(r"[ \t]*(?:\n[ \t]*)?")
LINE_END = re.compile(r"[ \t]*(?:\n|\Z)")

AUTOLINK = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\x00-\x20\x7f]*"
    r"|[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@"
    r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*"
)

SMALL = (
    *(
        "<",
        ">",
        "</",
        "/>",
        "a",
        "b=",
        "=",
        "'",
        '"',
        " ",
        "\t",
        "\n",
        "\\",
        "`",
        "-",
        "_",
        ":",
        ".",
        "1",
        "é",
        "\u2003",
    ),
    *("<!", "<?", "<![CDATA[", "<![cdata[", "<!a", "<!A", "<!Z", "<!--", "]]>", "?>", "--"),
    *(
        "<pre",
        "</pre>",
        "</PRE>",
        "<script",
        "</script>",
        "<textarea",
        "</textarea>",
        "<style",
        "</STYLE>",
        "</styl>",
    ),
    *(
        "<blockquote",
        "<figcaption",
        "</ul",
        "<h1",
        "<H6>",
        "<h7",
        "<div/",
        "<XX",
        "<prex",
        "<a1-",
        "</a",
        "<_a",
        "<1",
    ),
    *(
        "[",
        "]",
        "(",
        ")",
        "[a]:",
        "[a]",
        "\\]",
        "\\[",
        "\\(",
        "\\)",
        '\\"',
        "\\'",
        "\\\\",
        "\\>",
        "\\<",
        "(a",
        "a)",
        "\x7f",
        "\x01",
    ),
    *("http:", "a@b", "x.y", "a+b:", "-a", "a-", "<a:", "[a\\"),
)

RARE = ("<td/>", "X", "<a b=", "<a\\\nb>", "\u00a0")
"""What one slip in the grammar would take for something else."""


def grown(pieces: tuple[str, ...], most: int, count: int) -> list[str]:
    draw = random.Random(8)
    return sorted({"".join(draw.choices(pieces, k=draw.randint(1, most))) for _ in range(count)})


TEXTS = grown((*SMALL, *RARE), 9, 900) + grown(INLINES, 6, 500)
GROUPS = [TEXTS[at::10] for at in range(10)]

each_group = pytest.mark.parametrize("texts", GROUPS, ids=range(len(GROUPS)))


def end(pattern: re.Pattern[str], text: str, at: int) -> int | None:
    found = pattern.match(text, at)
    return found.end() if found else None


@each_group
def test_a_tag_ends_where_the_grammar_ends_it(texts: list[str]) -> None:
    for text in texts:
        for at in (place.start() for place in re.finditer("<", text)):
            assert html.tag_end(text, at) == end(TAG, text, at), text[at:]


@each_group
def test_a_line_opens_the_kind_of_html_block_that_the_grammar_says(texts: list[str]) -> None:
    for text in texts:
        line = text.replace("\n", "")
        for at in (place.start() for place in re.finditer("<", line)):
            kinds = [kind for kind, pattern in enumerate(KINDS, 1) if pattern.match(line, at)]
            assert html.block_kind(line, at) == (kinds or [0])[0], line[at:]


@each_group
def test_verbatim_html_ends_at_the_first_of_the_closing_tags(texts: list[str]) -> None:
    closing = re.compile(r"</(?:pre|script|style|textarea)>", re.IGNORECASE)
    for text in ["</pre >" + text for text in texts]:
        for start in range(0, len(text), 3):
            for stop in (start, start + 2, len(text) - 1, len(text)):
                places = [at.start() for at in closing.finditer(text, start) if at.start() + 2 <= stop]
                expected = places[0] if places else None
                assert html.verbatim_end(text, start, stop) == expected, (text, start, stop)


@each_group
def test_labels_titles_and_blanks_end_where_the_grammar_ends_them(texts: list[str]) -> None:
    for text in texts:
        for at in range(len(text) + 1):
            if text.startswith("[", at):
                assert links.label_end(text, at) == end(LABEL, text, at), text[at:]
            assert links.title_end(text, at) == end(TITLE, text, at), text[at:]
            assert links.skip_blank(text, at) == end(BLANK, text, at), text[at:]
            assert links._next_line(text, at) == end(LINE_END, text, at), text[at:]


def escaped(text: str, at: int) -> bool:
    before = text[:at]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def destination_end(text: str, at: int) -> int | None:
    """Read a destination as its definition reads: no control, no space, and parentheses in pairs."""
    if text.startswith("<", at):
        return end(BRACKETED, text, at)
    open_ones = 0
    while at < len(text) and text[at] > " " and text[at] != "\x7f":
        if text[at] in "()" and not escaped(text, at):
            open_ones += 1 if text[at] == "(" else -1
            if open_ones < 0:
                return at
        at += 1
    return None if open_ones else at


@each_group
def test_a_destination_ends_where_its_parentheses_and_blanks_end_it(texts: list[str]) -> None:
    for text in texts:
        asked = links.Destinations(text)
        for at in range(len(text) + 1):
            expected = destination_end(text, at)
            assert asked.end(at) == expected, (text, at)
            assert links.Destinations(text).end(at) == expected, (text, at)


def definition(text: str, at: int) -> tuple[int, str] | None:
    close = end(LABEL, text, at)
    if close is None or not text.startswith(":", close):
        return None
    label = " ".join(re.split("[ \t\n]+", text[at + 1 : close - 1])).strip(" ").casefold()
    start = end(BLANK, text, close + 1)
    assert start is not None  # it may be empty
    target = destination_end(text, start)
    if target is None or target == start or not label:
        return None
    title = end(BLANK, text, target)
    assert title is not None
    closed = end(TITLE, text, title) if title > target else None
    last = None if closed is None else end(LINE_END, text, closed)
    if last is None:
        last = end(LINE_END, text, target)
    return None if last is None else (last, label)


DEFINITION_PIECES = (
    *("[a]:", "[A\tb ]:", "[ ]:", "[b`]:", " ", " ", "\n", "\n", "\t", "x", "<x y>", "<>", "<x", "(x)", "(x"),
    *(
        '"t"',
        "'t'",
        "(t)",
        '"t',
        '"t\nu"',
        "[a]: x\n",
        "[b]: y\n",
        "[a]: x 't'\n",
        "[\u1e9e]: x\n",
        "\\",
        "[a]",
    ),
)
DEFINITIONS = [
    ["[a]:" * (number % 3 > 0) + text for number, text in enumerate(grown(DEFINITION_PIECES, 8, 900)[at::6])]
    for at in range(6)
]


@pytest.mark.parametrize("texts", DEFINITIONS, ids=range(len(DEFINITIONS)))
def test_definitions_are_read_one_after_the_other_as_long_as_there_are_some(texts: list[str]) -> None:
    for text in texts:
        at, labels = 0, []
        while text.startswith("[", at):
            found = definition(text, at)
            if found is None:
                break
            at, label = found
            labels.append(label)
        assert links.definitions(text) == (at, labels), text


HOST = "a" * 63
AUTOLINKS = (
    *(
        f"a@{HOST}",
        f"a@{HOST}a",
        f"a@{HOST}.{HOST}",
        f"a@b.{HOST}a",
        f"{'a' * 32}:",
        f"{'a' * 33}:",
        "a@",
        "@a",
        "a@b.",
    ),
    *(
        "a@.b",
        "a@-b",
        "a@b-",
        "a@b-c",
        "a@b_c",
        "a b@c",
        "a@b@c",
        "Z9@zZ09",
        "zA:x y",
        "zA:\x7f",
        "zA:\x01",
        "zA:~",
        "aa:\u00e9",
    ),
    *(
        "aX:",
        "AZ+.-09:",
        "X:",
        "0a:",
        "a_:",
        "",
        ":",
        "+a:",
        "ab",
        "é@b",
        "a.!#$%&'*+/=?^_`{|}~-@b",
        "a(@b",
        "X@X",
        "a@X-X",
        "Xa:x",
    ),
)


@pytest.mark.parametrize("inside", AUTOLINKS)
def test_an_autolink_is_an_absolute_uri_or_a_mailbox(inside: str) -> None:
    assert inlines.is_autolink(inside) == (AUTOLINK.fullmatch(inside) is not None)


@each_group
def test_autolinks_are_what_the_grammar_says(texts: list[str]) -> None:
    for text in texts:
        for inside in re.split("[<>\n]", text):
            assert inlines.is_autolink(inside) == (AUTOLINK.fullmatch(inside) is not None), inside


MARGIN = re.escape(glance.MARGIN)
OPENER = re.compile(
    rf"^[{MARGIN}]*(```|~~~|<(?=[!?]|pre|script|style|textarea))", re.IGNORECASE | re.MULTILINE
)
LINES = [
    grown(
        (*CONTAINERS, *BLOCKS, "\n", "\n", "\n", "\n\n", "a", " ", "``", "`", "~", "<b>", "<P", "X"), 14, 500
    )[at::5]
    for at in range(5)
]
each_lines = pytest.mark.parametrize("texts", LINES, ids=range(len(LINES)))


@each_lines
def test_an_opener_is_found_wherever_nothing_but_a_margin_stands_before_it(texts: list[str]) -> None:
    for text in texts:
        places = [found.start(1) for found in OPENER.finditer(text)]
        asked = glance.Openers(text)
        for at in range(len(text) + 1):
            expected = min([place for place in places if place >= at], default=len(text))
            assert asked.after(at) == expected, (text, at)
            assert glance.Openers(text).after(at) == expected, (text, at)


@each_lines
def test_reading_begins_anew_at_text_behind_an_empty_line(texts: list[str]) -> None:
    for text in texts:
        lands = [found.end() for found in re.finditer(r"(?<=\n)\n(?=[^ \t\n])", text)]
        for at in range(len(text) + 1):
            for goal in (at, at + 1, at + 2, (at + len(text)) // 2, len(text) - 1, len(text)):
                expected = max([land for land in lands if at + 2 <= land <= goal], default=at)
                assert glance.landing(text, at, goal) == expected, (text, at, goal)


@pytest.mark.parametrize("size", [1, 2, 3, 12, 63, 64, 65, 998, 999, 1000, 1001])
def test_a_label_holds_up_to_999_characters(size: int) -> None:
    plain, escape = "a" * size, "\\]" + "a" * (size - 2)
    for inside in (plain, escape if size > 1 else plain):
        assert links.label_end(f"x[{inside}]y", 1) == (size + 3 if size <= 999 else None)
