"""The sealed renderer: every text that a repository supplies is inside exactly one pair of its own tags.

Data flows once, from left to right::

    decoding      bytes of a file -> text
    documents     what a caller brings: documents, native files, names of what was left out
    fit           Composition: what of it the host will show, decided in order, in bytes
      cut           one document as far as it fits
      invisible     what a reviewer cannot see, shown; writing: where some of that belongs
        emoji       code points of pictures; scripts: those of scripts that need what draws nothing
      lists         the native map and the list of what is not included; escaping: names on one line
    block         the frame and the order of parts
      seals         names for tags that nothing inside the block can contain; sha256: without `hashlib`
      marker        the first line; withdrawal: the one line that takes a block back
    parse         block -> documents: the strict reader of audits and tests, sharing no code with the above

The text comes from documents and goes into a block; nothing here opens, lists or asks anything.
"""

from refseal.seal.block import Block
from refseal.seal.decoding import Decoded, decode, is_binary
from refseal.seal.documents import SECTIONS, Document, LeftOut, NativeFile
from refseal.seal.escaping import escape
from refseal.seal.fit import SMALLEST_LIMIT, Composition, Shown
from refseal.seal.marker import marker_of
from refseal.seal.seals import Unsealable
from refseal.seal.withdrawal import is_withdrawal, withdrawal

__all__ = [
    "SECTIONS",
    "SMALLEST_LIMIT",
    "Block",
    "Composition",
    "Decoded",
    "Document",
    "LeftOut",
    "NativeFile",
    "Shown",
    "Unsealable",
    "decode",
    "escape",
    "is_binary",
    "is_withdrawal",
    "marker_of",
    "withdrawal",
]
