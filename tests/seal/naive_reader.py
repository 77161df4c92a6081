"""Reads a block as somebody would who knows one rule: what a tag with a seal opens, the same seal closes.

It knows no preamble, no section, no list, no attribute and no digest, so that nothing which the strict parser
demands besides can be what keeps a body inside.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_OPENING = re.compile(r"<([a-z]+):([0-9a-f]+)(.*)>\n")


class Read(NamedTuple):
    """The elements as (tag, attributes, body), and all that stands outside of them, in one piece."""

    elements: list[tuple[str, str, str]]
    outside: str


def read(text: str) -> Read:
    """Take the elements out of a text, from its first character to its last."""
    elements = []
    outside = []
    position = 0
    while (opening := _OPENING.search(text, position)) is not None:
        tag, seal, attributes = opening.groups()
        closing = f"\n</{tag}:{seal}>\n"
        end = text.index(closing, opening.end())
        outside.append(text[position : opening.start()])
        elements.append((tag, attributes, text[opening.end() : end]))
        position = end + len(closing)
    return Read(elements, "".join([*outside, text[position:]]))
