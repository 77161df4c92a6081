"""What Codex has loaded of its own accord, mapped to the files it came from.

The text that Codex put in front of the model names no files: Codex home's document, a separator, and the
project documents of each directory, root first, joined by empty lines and cut at a budget.  Which files those
are is never guessed by searching for a body in it, which a body that quotes another would fool.  Instead
the whole concatenation is built anew from the files, by Codex's rules, and compared:

* equal: all of them are native.
* the loaded text is a proper prefix of it: a *proved cut*.  The lines that are missing can be restored.
* anything else: the files changed since Codex read them, or the user gave this session other rules (`-c`,
  a profile).  They count as loaded, and nothing is restored.

Where Codex loaded no project text, the project's native files contribute nothing: the user may have said no
in one of many ways that cannot be seen from here.

Without a transcript the rules alone say what Codex must have loaded.
"""

from __future__ import annotations

from refseal.pathguard.names import MAX_COMPONENT_BYTES
from refseal.resolve.instruction import WHITE_SPACE
from refseal.resolve.native_view import Loaded as Native
from refseal.resolve.native_view import NativeView
from refseal.resolve.scope import FAILED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from refseal.codex.history import Loaded
    from refseal.resolve.instruction import Instruction
    from refseal.resolve.scope import Directory

HOME_SEPARATOR: Final = "\n\n--- project-doc ---\n\n"
"""Between Codex home's document and the first project document."""

SEPARATOR: Final = "\n\n"
"""Between project documents."""


class Source:
    """One native file as Codex sees it: its bytes decoded as Codex decodes them."""

    __slots__ = ("data", "instruction", "more", "text")

    def __init__(self, instruction: Instruction) -> None:
        """Take an instruction; ``more`` is True where we have not (all of) its bytes."""
        file = instruction.file
        self.instruction = instruction
        self.more = file is None or bool(file.more)
        self.data: bytes = b"" if file is None else file.data
        self.text = self.data.decode("utf-8", "replace")

    @property
    def is_blank(self) -> bool:
        """Whether Codex passes the file over, uncharged."""
        return not self.more and not self.text.strip(WHITE_SPACE)


def native_view(
    home: Instruction | None,
    chain: Sequence[Directory],
    *,
    budget: int,
    loaded: Loaded | None,
    trusted: bool,
    notices: Sequence[str] = (),
) -> NativeView:
    """Say what Codex has loaded.

    ``home``     Codex home's own document
    ``chain``    the directories from project root to cwd, with what Codex would choose in each
    ``budget``   Codex's byte budget for project documents
    ``loaded``   what the transcript says that Codex loaded, or None if it does not say
    ``trusted``  whether the project may contribute; if not, Codex loads nothing of it either, and where an
                 older one (up to at least 0.145) did, the block still says nothing of it
    """
    homes = [] if home is None else [Source(home)]
    projects = [directory.project for directory in chain if directory.project is not None]
    sources = [Source(project) for project in projects if not _is_too_deep(project)]
    notices = list(notices)
    if loaded is not None and loaded.text is None:
        homes = []
    nothing = not trusted or (budget == 0 if loaded is None else loaded.directory is None)
    # At any error but "not found" Codex gives up all project documents.
    broken = [source for source in sources if _is_broken(source.instruction)]
    if broken and (nothing or loaded is None):
        nothing = True
        notices.extend(
            f"Codex loaded no project instructions, because it could not read {source.instruction.path}"
            for source in broken[:1]
            if trusted
        )
    natives = [Native(source.instruction) for source in homes if not source.is_blank]
    sources = [source for source in sources if not source.is_blank]
    if not nothing:
        if loaded is None or loaded.text is None:
            natives += _mirror(sources, budget)[0]
        else:
            homes = [source for source in homes if not source.is_blank]
            natives += _compare(homes, sources, loaded.text, budget)
    return NativeView(natives, trusted=trusted, notices=notices)


def _is_broken(instruction: Instruction) -> bool:
    return instruction.refusal is not None and instruction.refusal.code in FAILED


def _is_too_deep(instruction: Instruction) -> bool:
    """Tell whether only we do not look so deep: it is not known whether there is a file at all."""
    if instruction.refusal is None or instruction.refusal.code != "too-long":
        return False
    return len(instruction.name.encode("utf-8", "surrogateescape")) <= MAX_COMPONENT_BYTES


def _mirror(sources: list[Source], budget: int) -> tuple[list[Native], str | None]:
    """Say what the rules let Codex load, and the text that comes of it; None if we have not all of its bytes.

    A file of which the budget leaves nothing but white space is passed over, and costs nothing.
    """
    natives = []
    shown: list[str] = []
    is_known = True
    left = budget
    for index, source in enumerate(sources):
        if source.more and len(source.data) <= left:
            # Its size is not known, so neither is whether anything after it was cut.
            natives += [Native(later.instruction) for later in sources[index:]]
            is_known = False
            break
        part = source.data[:left].decode("utf-8", "replace")
        if not part.strip(WHITE_SPACE):
            natives.append(Native(source.instruction, 1))
            continue
        natives.append(Native(source.instruction, _first_missing(part, source)))
        shown.append(part)
        left -= min(left, len(source.data))
    if is_known and not shown:
        return [], ""
    return natives, SEPARATOR.join(shown) if is_known else None


def _compare(homes: list[Source], sources: list[Source], text: str, budget: int) -> list[Native]:
    """Find the files in what Codex loaded."""
    whole = [Native(source.instruction) for source in sources]
    for source in homes:
        start = source.text.strip(WHITE_SPACE) + HOME_SEPARATOR
        if not text.startswith(start):
            return whole
        text = text[len(start) :]
    natives, expected = _mirror(sources, budget)
    if text == expected:
        return natives
    rebuilt = SEPARATOR.join(source.text for source in sources)
    length = len(text)
    if not rebuilt.startswith(text):
        # A cut within a character, which has more than one byte, leaves one replacement character behind.
        length -= 1
        if (
            not text.endswith("\ufffd")
            or not rebuilt.startswith(text[:length])
            or rebuilt[length : length + 1].isascii()
        ):
            return whole
    return _cut(sources, length)


def _cut(sources: list[Source], length: int) -> list[Native]:
    """Tell which lines are missing after the first ``length`` characters of the concatenation.

    The budget is another than the configuration says.  A text that ends with a file is no proof of a cut:
    Codex knew nothing of the files after it, or was told to leave them out.
    """
    natives = []
    for index, source in enumerate(sources):
        size = len(source.text)
        if length < size or (length == size and source.more):
            natives.append(Native(source.instruction, _first_missing(source.text[:length], source)))
            natives += [Native(later.instruction, 1) for later in sources[index + 1 :]]
            break
        natives.append(Native(source.instruction))
        if length < size + len(SEPARATOR):
            break
        length -= size + len(SEPARATOR)
    return natives


def _first_missing(shown: str, source: Source) -> int | None:
    """Return the first line (1-based) that was not shown whole; None if only white space is missing."""
    if not source.text.startswith(shown):  # cut within a character
        shown = shown[:-1]
    if not source.more and not source.text[len(shown) :].strip(WHITE_SPACE):
        return None
    return shown.count("\n") + 1
