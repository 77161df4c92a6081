"""Property: whatever goes into a block, a strict independent parser gets back exactly that, and it fits.

Documents, names and lists made of the renderer's own syntax are decoded from the bytes.  With room for all
they come back exactly, each seal occurs twice; within a limit everything is shown, named or counted, and
not a byte is above it; and one changed character changes the marker (`tests.seal.properties`).
"""

from __future__ import annotations

from typing import Final

from fuzz.choices import Choices
from refseal.seal import SECTIONS, SMALLEST_LIMIT, Document, LeftOut, NativeFile
from tests.seal.properties import check_fit, check_marker_changes, check_round_trip
from tests.strategies.blocks import CHARACTERS, SYNTAX, Input

PIECES: Final = (*SYNTAX, *CHARACTERS, "a", "line\n", "\n", "")
REASONS: Final = ("depth", "missing", "host-limit", 'x" "y', "a\nb", "")
FILLERS: Final = ("a line of text\n", "no line end ", "\u202e", "😀\n")
MOST: Final = 5


def check(data: bytes) -> None:
    """Render one input, read it back, and render it again within a limit."""
    choices = Choices(data)
    mode = choices.below(4)
    limit = SMALLEST_LIMIT + choices.below(3000)
    given = Input(
        [NativeFile(_text(choices), _text(choices)) for _ in range(choices.pick((0, 0, 1, 2, 25)))],
        [_text(choices) for _ in range(choices.pick((0, 0, 0, 1, 3, 22)))],
        [_document(choices) for _ in range(choices.below(MOST))],
        [_left_out(choices) for _ in range(choices.pick((0, 0, 1, 2, 25)))],
    )
    if mode == 0:
        check_fit(given, limit)
    elif mode == 1 and any(document.text for document in given.documents):
        which = next(index for index, document in enumerate(given.documents) if document.text)
        position = choices.below(len(given.documents[which].text))
        check_marker_changes(given, which, position, choices.pick(PIECES))
    elif len(given.left_out) <= 20:  # more are only counted: the round trip names them all
        check_round_trip(given)


def _text(choices: Choices) -> str:
    if choices.chance(16):
        return choices.take(choices.below(24)).decode("utf-8", "surrogateescape")
    return "".join(choices.pick(PIECES) for _ in range(choices.below(8)))


def _document(choices: Choices) -> Document:
    text = _text(choices)
    if choices.chance(4):
        text += choices.pick(FILLERS) * choices.below(300) + _text(choices)
    return Document(
        choices.pick(SECTIONS),
        _text(choices),
        text,
        more=choices.chance(3),
        invalid=choices.pick((0, 0, 1, 3)),
        first_line=choices.pick((1, 1, 2, 120)),
        total_lines=choices.pick((None, 0, 7, 10_000)),
        via=[_text(choices) for _ in range(choices.pick((0, 0, 1, 3)))],
    )


def _left_out(choices: Choices) -> LeftOut:
    source = _text(choices) if choices.chance(2) else None
    return LeftOut(_text(choices), source, choices.pick(REASONS), _text(choices) if choices.chance(2) else "")
