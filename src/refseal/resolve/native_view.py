"""What the host says: which instruction files it has loaded already, and whether a project may contribute."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .instruction import Instruction


class Loaded:
    """A native file: the host has put it in front of the model, whole or up to a proved cut.

    ``first_missing_line`` is 1-based: that line and all after it are what the host cut off (a line that was
    cut in its middle counts as missing).  None: nothing is missing.  1: the host loaded none of it, and that
    is proved to be its budget's doing.
    """

    __slots__ = ("first_missing_line", "instruction")

    def __init__(self, instruction: Instruction, first_missing_line: int | None = None) -> None:
        self.instruction = instruction
        self.first_missing_line = first_missing_line


class NativeView:
    """What the host says: files already loaded, whether the project may contribute, lines of its own.

    ``loaded``   native files in the order in which the model sees them.  A project file of Codex home or of
                 the chain that is not in here contributes nothing: the host, or its user, left it out.
    ``trusted``  False: the user calls this project untrusted.  Nothing of the project enters the block.
    ``notices``  the host's own lines for the block (an unreadable file, an untrusted project).
    """

    __slots__ = ("loaded", "notices", "trusted")

    def __init__(
        self, loaded: Sequence[Loaded] = (), *, trusted: bool = True, notices: Sequence[str] = ()
    ) -> None:
        self.loaded = tuple(loaded)
        self.trusted = trusted
        self.notices = tuple(notices)
