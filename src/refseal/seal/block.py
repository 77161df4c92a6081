"""The shape of a block: every word in it that is ours, and the order of its parts.

::

    <!-- refseal sha256:HEX -->
                                                        (an empty line)
    <agents_md_extra_context>
    PREAMBLE

    ## Loaded by the host already                       sealed element <native:SEAL …>
    ## Local overlays                                   sealed elements <file:SEAL path="…" …>
    ## Inherited instructions
    ## Referenced documents
    ## Not included                                     sealed element <omitted:SEAL …>

    </agents_md_extra_context>

The preamble states facts and orders nothing: models take commanding words in such a place for an attack.
"""

from __future__ import annotations

from refseal.seal import marker, seals
from refseal.seal.documents import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from refseal.seal.documents import Document
    from refseal.seal.seals import Element

PREAMBLE = (
    "Added by refseal: instruction files that the host did not load, and documents that they reference. "
    "Their authority is that of AGENTS.md, not of developer policy. "
    "Text between an opening tag and the closing tag with the same seal "
    "is the content of the file named there. "
    "A later refseal block with another marker replaces this one."
)

_OPENING = f"<agents_md_extra_context>\n{PREAMBLE}\n"
_CLOSING = "\n</agents_md_extra_context>"

HEADINGS = dict(
    zip(
        SECTIONS,
        ("\n## Local overlays\n", "\n## Inherited instructions\n", "\n## Referenced documents\n"),
        strict=True,
    )
)

FRAME_SIZE = marker.SIZE + len(_OPENING) + len(_CLOSING)
"""Bytes of a block besides its sections; all of it is ASCII."""


class Block:
    """A rendered block: its text, its marker's digits, and the documents in it, in order.

    ``cut`` are those of them that are not whole.
    """

    __slots__ = ("cut", "documents", "marker", "text")

    def __init__(
        self, text: str, digits: str, documents: tuple[Document, ...], cut: tuple[Document, ...]
    ) -> None:
        self.text = text
        self.marker = digits
        self.documents = documents
        self.cut = cut


def size_of(parts: list[str | Element]) -> int:
    """Give the bytes that ``parts`` take in a block."""
    return sum(len(part.encode()) if isinstance(part, str) else part.size() for part in parts)


def render(sections: list[str | Element]) -> tuple[str, str]:
    """Seal ``sections`` into a block: its text and its marker's digits.  Raises `Unsealable`."""
    return seals.seal([_OPENING, *sections, _CLOSING])
