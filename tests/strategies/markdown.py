"""Markdown documents grown from the pieces that its block and inline structure are made of."""

from __future__ import annotations

from hypothesis import strategies as st

CONTAINERS = (
    *("> ", ">", ">\t", ">   ", "> > "),
    *("- ", "-\t", "-", "* ", "+ ", "-     ", "-\t\t", "- - "),
    *("1. ", "2. ", "10) ", "1)\t"),
    *(" ", "  ", "   ", "    ", "\t", " \t", "      "),
)
"""Markers of quotes and items, and indentation that may continue them or make code."""

BLOCKS = (
    *("```", "```` ", "~~~", "~~~~", "``` x", "~~~ `x`"),
    *("# ", "## ", "#", "---", "===", "***", "- ", "1. "),
    *(
        "<pre>",
        "</pre>",
        "<script>",
        "</script>",
        "<textarea ",
        "</style>",
        "<div>",
        "</div>",
        "<td>",
        "<hr",
        "<li>",
    ),
    *("<!--", "-->", "<!-- c -->", "<!-->", "<!--->", "<?", "?>", "<!X", ">", "<![CDATA[", "]]>"),
    *("[a]: ", "[b`]: /u", "[a`b]: u", "[a]: <", "[\u00e9`]: /u", "[a  b`]: u"),
)
"""What opens or closes a block at the start of a line, and not elsewhere."""

INLINES = (
    *(
        "a",
        "foo",
        "bar ",
        " ",
        "  ",
        "\t",
        "|",
        "*",
        "_",
        "**",
        "+",
        "-",
        "=",
        "!",
        "x=y",
        "&lt;",
        "\u00a0",
        "\ufeff",
    ),
    *("`", "``", "\\", "\\`", "\\<", "\\[", "\\\\`", "`\\`"),
    *(
        "<",
        "<b>",
        "</b>",
        "<b ",
        '<a href="',
        '">',
        "<a b='",
        "'",
        '"',
        "<br/>",
        "/>",
        "<b\u00a0",
        "<a/>",
        "<a `>",
    ),
    *(
        "<http://x`y>",
        "<a@b.c>",
        "<`@b>",
        "<m@a-.b>",
        "<ht tp:`>",
        "<!d `>",
        "<?`?>",
        "<a b=c`d>",
        '<a b="`">',
    ),
    *("[", "]", "(", ")", "![", "](", "][", "[a]", "[a`b]", "[c][a`b]", "[c](d`e)", "[a](<b`>)", "![i](`)"),
    *(
        "[a](b\\`c)",
        "[a](b (`)",
        "[a](b '`')",
        "[\\]`](x`)`",
        "[A\tB`]",
        "[\u00c9`]",
        "(t)",
        "'t'",
        '"t"',
        "/url",
    ),
)
"""Text, code spans, tags, autolinks, and links with what they hide."""

EMPTY_LINES = ("", "", " ", "\t", ">", "-", "   ")

LINE_ENDS = ("\n", "\r\n", "\r")

_content = st.lists(st.sampled_from(BLOCKS + INLINES), min_size=1, max_size=5).map("".join)
_margin = st.lists(st.sampled_from(CONTAINERS), max_size=3).map("".join)
_line = st.one_of(
    st.builds(str.__add__, _margin, _content),
    _content,
    st.sampled_from(EMPTY_LINES),
)


def documents(max_lines: int = 8) -> st.SearchStrategy[str]:
    """Documents with LF, CR LF or CR at the ends of their lines, with and without one at their own end."""
    return st.builds(
        lambda lines, line_end, last: line_end.join(lines) + (line_end if last else ""),
        st.lists(_line, min_size=1, max_size=max_lines),
        st.sampled_from(LINE_ENDS),
        st.booleans(),
    )


DEFINITIONS = (
    *("[a]: /u", "[a]: <>", "[a]: u 't'", "[a]:\n/u", "[a]: u\n(t)", "[a`b]: u", "[\u00c9]: u", "[a\\]`]: u"),
    *("[a]:", "[a]: u t", "[ ]: u", "[a] : u", "    [a]: u"),
)
"""Definitions of links, and what is none."""

REFERENCES_TO_DEFINITIONS = (
    *("[a]", "[a][]", "[c][a]", "[c][a](`)", "![c][a](`)", "[a](`)", "[c`d][a]", "[[c][a](`)](`)", "[a`b]"),
    *("[a\\]`]", "[\u00e9](`)", "[c](`)", "`", "``", "`", "\\", "(`)", "](`)", "][a]", "]", "["),
    *("<b", ">", "b", " ", "\n", "\n> "),
)
"""Links that are such only by a definition, and what they hide or do not."""


def documents_with_definitions() -> st.SearchStrategy[str]:
    """Documents of LF lines in which a definition, what refers to it, and back-ticks come together."""
    definition = st.builds(str.__add__, _margin, st.sampled_from(DEFINITIONS))
    paragraph = st.lists(st.sampled_from(REFERENCES_TO_DEFINITIONS), min_size=2, max_size=8).map("".join)
    part = st.one_of(definition, paragraph, paragraph)
    return st.builds(
        lambda parts, gap: gap.join(parts),
        st.lists(part, min_size=2, max_size=5),
        st.sampled_from(("\n", "\n\n")),
    )


def places(most: int = 4) -> st.SearchStrategy[tuple[str, list[int]]]:
    """Grown documents, each with a few ascending offsets in it."""
    return places_in(documents(), most)


@st.composite
def places_in(draw: st.DrawFn, texts: st.SearchStrategy[str], most: int = 4) -> tuple[str, list[int]]:
    """Draw one of ``texts`` and a few ascending offsets in it, none of which parts a CR from its LF."""
    text = draw(texts)
    offsets = draw(st.sets(st.integers(0, len(text)), min_size=1, max_size=most))
    return text, sorted(at for at in offsets if text[at - 1 : at + 1] != "\r\n")
