"""Property: every reference is the text at its place, and stands where a Markdown reader sees prose.

A document of Markdown's own pieces is decoded from the bytes, with probes put into it.  Each probe is where
markdown-it-py sees it (in doubt commonmark.js), offsets, lines and columns are the text's own, and neither
line ends, a byte order mark nor the other references change what is found (`tests.tokenizer.properties`).
"""

from __future__ import annotations

from typing import Final

from fuzz.choices import Choices
from refseal.tokenizer import tokenize
from tests.oracles.parsers import MARK
from tests.strategies.markdown import BLOCKS, CONTAINERS, EMPTY_LINES, INLINES, LINE_ENDS
from tests.tokenizer import properties

REFERENCES: Final = (
    "@a.md", " @docs/b.md ", "(@c.md)", "_@d.md_", "\\@e.md", "@f\\ g.md", "@h.md's", "@i", "@j.md#k",
    "x@l.md", "@m.md,@n.md", "@\u200bo.md", '@"p q.md"', "@import r.md", "@s.md\u3002", "@../t.md",
)  # fmt: skip
MOST_LINES: Final = 8
MOST_PIECES: Final = 6


def check(data: bytes) -> None:
    """Tokenize one document and hold what is found against the text, and against one more reading of it.

    Which one the first byte says, for each costs several times what the rest does: half of all documents go
    to the Markdown readers.
    """
    choices = Choices(data)
    mode = choices.below(4)
    line_end = choices.pick(LINE_ENDS)
    probes = choices.take(1 + choices.below(3))
    if choices.chance(4):
        text = choices.rest().decode("utf-8", "surrogateescape")
    else:
        lines = [_line(choices)]
        while choices.left and len(lines) < MOST_LINES:  # so that no byte is without effect
            lines.append(_line(choices))
        text = line_end.join(lines)
    text = text.replace(MARK, "")
    tokens = tokenize(text)
    properties.check_tokens_are_the_text_at_their_places(text, tokens)
    properties.check_form(text, tokens)
    properties.check_order(tokens)
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    places = sorted({probe * (len(plain) + 1) // 256 for probe in probes})
    if mode == 1:
        properties.check_a_place_is_what_it_is_whoever_else_is_asked_about(plain, places)
    elif mode == 2:
        other = LINE_ENDS[(LINE_ENDS.index(line_end) + 1) % len(LINE_ENDS)]
        properties.check_line_ends_do_not_matter(text, tokens, other)
        properties.check_byte_order_mark_is_no_text(text, tokens)
    else:
        properties.check_agrees_with_markdown_readers(plain, places)


def _line(choices: Choices) -> str:
    if choices.chance(6):
        return choices.pick(EMPTY_LINES)
    margin = "".join(choices.pick(CONTAINERS) for _ in range(choices.pick((0, 0, 1, 1, 2, 3))))
    pieces = choices.pick((INLINES, REFERENCES, INLINES + BLOCKS))
    first = choices.pick(BLOCKS) if choices.chance(3) else ""
    return margin + first + "".join(choices.pick(pieces) for _ in range(choices.below(MOST_PIECES)))
