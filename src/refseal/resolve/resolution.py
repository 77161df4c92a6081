"""What came of a scope: the documents, what became of every reference, and the block."""

from __future__ import annotations

from .reasons import verdict_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from refseal.pathguard import File, Place
    from refseal.seal import Block, LeftOut
    from refseal.tokenizer import Reference, Tokens

    from .instruction import Instruction


class Source:
    """A document whose references are expanded.

    ``file``         what was read
    ``place``        the directory that its references are relative to
    ``instruction``  None for a referenced document
    ``section``      "overlay", "inherited", "referenced"; "native": the host shows it, the block does not
    ``depth``        0 for an instruction file
    ``chain``        canonical paths that led to it, the instruction file first, itself last
    ``text``         decoded, from its first line to the last that the model sees
    ``is_cut``       the last line of it goes on in the file
    ``local``        of an overlay: git does not track it; None: nobody had to know
    ``tokens``       of the text; None until they were asked for, or if there is no `@` in it
    """

    __slots__ = (
        "chain", "depth", "file", "instruction", "is_cut", "local", "place", "section", "text", "tokens",
    )  # fmt: skip

    def __init__(
        self,
        file: File,
        place: Place,
        section: str,
        depth: int,
        chain: tuple[str, ...],
        instruction: Instruction | None = None,
    ) -> None:
        self.file = file
        self.place = place
        self.section = section
        self.depth = depth
        self.chain = (*chain, file.path)
        self.instruction = instruction
        self.text = ""
        self.is_cut = False
        self.tokens: Tokens | None = None
        self.local: bool | None = None

    @property
    def path(self) -> str:
        """Its canonical path."""
        return self.file.path


class Resolved:
    """One reference and what became of it.

    ``source``     the document that holds it
    ``reference``  the tokenizer's: token, path, line, column
    ``reason``     a reason code
    ``resolved``   the canonical path of the file that it names; None where none was opened
    ``depth``      that of the file: one more than its source's
    ``chain``      canonical paths from the instruction file to the source
    """

    __slots__ = ("reason", "reference", "resolved", "source")

    def __init__(self, source: Source, reference: Reference, reason: str, resolved: str | None) -> None:
        self.source = source
        self.reference = reference
        self.reason = reason
        self.resolved = resolved

    @property
    def verdict(self) -> str:
        """Included, skipped or blocked."""
        return verdict_of(self.reason)

    @property
    def depth(self) -> int:
        """Number of references between the file and an instruction file."""
        return self.source.depth + 1

    @property
    def chain(self) -> tuple[str, ...]:
        """Canonical paths from the instruction file to the document that holds the reference."""
        return self.source.chain


class Resolution:
    """Everything that came of a scope.

    ``block``       the sealed block; None: there is nothing to say
    ``references``  every reference that was met, in the order in which it was; mentions are none
    ``sources``     every document whose references were looked for, native ones too, in order of expansion
    ``documents``   those of them that are in the block, in its order
    ``left_out``    what the block names as not included (`seal.LeftOut`)
    ``refused``     instruction files that could not be read, native ones too
    ``notices``     our own lines in the block
    """

    __slots__ = ("block", "documents", "left_out", "notices", "references", "refused", "sources")

    def __init__(self, notices: Sequence[str]) -> None:
        self.block: Block | None = None
        self.references: list[Resolved] = []
        self.sources: list[Source] = []
        self.documents: list[Source] = []
        self.left_out: list[LeftOut] = []
        self.refused: list[Instruction] = []
        self.notices = list(notices)
