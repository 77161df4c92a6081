"""HTML blocks are prose to refseal: its policy says of them what a parser of inlines alone says.

No parser of CommonMark looks into such a block.  So one of them names the blocks, and then reads the content
of each once more, as it would read a paragraph's.
"""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.oracles.agreement import ours, policy_moves_blocks, with_probes
from tests.oracles.parsers import Places, all_tokens, is_comment, is_verbatim, probe
from tests.strategies.markdown import INLINES, places_in

PARSER = MarkdownIt("commonmark")

_lines = st.lists(st.sampled_from(INLINES), max_size=6).map("".join)
_openings = st.sampled_from(
    ["<div>", "<td>", "</div> ", "<p align='x'>\n", "<details><summary>", "<table>\n\t"]
)
_blocks = st.builds(
    lambda opening, lines, definition: (
        opening + "\n".join(line for line in lines if line.strip()) + definition
    ),
    _openings,
    st.lists(_lines, min_size=1, max_size=4),
    st.sampled_from(["", "", "\n\n[a`b]: u\n[`]: v"]),
)


def expected(text: str) -> dict[int, str] | None:
    """Say where the probes in HTML blocks are, by number; None where the parser or a policy is at odds."""
    environment: dict[str, object] = {}
    try:
        tokens = list(all_tokens(PARSER.parse(text, environment)))
        blocks = [token.content for token in tokens if token.type == "html_block"]
        places = Places()
        if policy_moves_blocks(blocks):
            return None
        for block in blocks:
            if is_verbatim(block) or is_comment(block):
                continue
            for token in all_tokens(PARSER.parseInline(block, environment)):
                places.see_token(token)
    except IndexError:  # it runs off the end of some texts
        return None
    return places.places


@given(places_in(_blocks, most=6))
@example(("<div>\n`a` ` b\n", [10, 12]))
@example(("<div>[a](`) `\n", [11, 13]))
def test_inline_rules_hold_in_html_blocks_as_a_parser_of_inlines_has_them(
    grown: tuple[str, list[int]],
) -> None:
    text = with_probes(*grown)
    # Where that parser sides against the specification (see `test_disagreements`) it says nothing here.
    if any(odd in text for odd in ("--->", "<!-->", "\ufeff", "\u00a0", "][")):
        return
    mine = ours(text, len(grown[1]))
    for number, place in (expected(text) or {}).items():
        assert mine[number] == place, probe(number)
