"""An instruction file that scope found."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, Literal

    from refseal.pathguard import File, Place, Refusal

    Family = Literal["project", "overlay"]
    Origin = Literal["home", "chain", "twin", "ancestor"]

OVERLAY: Final = "AGENTS.local.md"
"""The overlay's name.  Reserved: no refseal setting can make it a fallback name."""

PROJECT_NAMES: Final = ("AGENTS.override.md", "AGENTS.md")
"""The project family in Codex's order; configured fallback names come after them."""


WHITE_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""White_Space of Unicode (PropList.txt), which is what Codex trims by; Python's `str.strip` takes more."""


def is_blank(data: bytes) -> bool:
    """Tell whether a file's bytes are nothing but white space to Codex; a byte order mark is text to it."""
    return not data.decode("utf-8", "replace").strip(WHITE_SPACE)


class Instruction:
    """One instruction file: read, or refused with its reason.

    ``family``     "project" (override, AGENTS.md, fallback names) or "overlay" (AGENTS.local.md)
    ``origin``     "home" (Codex home), "chain" (project root to cwd), "twin" (its counterpart in the main
                   worktree) or "ancestor" (above the main root)
    ``directory``  path of the directory in which the name was looked up: lexical for "chain" and "home",
                   as Codex spells it; canonical for the others
    ``name``       the file's name in that directory
    ``file``       the `pathguard.File`, or None if it was refused
    ``refusal``    the `pathguard.Refusal`, or None if it was read
    ``place``      what its references are relative to: the real directory of the file; None if refused
    ``seat``       the place in which the name was looked up, another one than ``place`` if it is a link; None
                   if the directory could not be opened
    """

    __slots__ = ("directory", "family", "file", "name", "origin", "place", "refusal", "seat")

    def __init__(
        self,
        family: Family,
        origin: Origin,
        directory: str,
        name: str,
        *,
        file: File | None = None,
        refusal: Refusal | None = None,
        place: Place | None = None,
        seat: Place | None = None,
    ) -> None:
        self.family = family
        self.origin = origin
        self.directory = directory
        self.name = name
        self.file = file
        self.refusal = refusal
        self.place = place
        self.seat = seat

    @property
    def path(self) -> str:
        """The canonical path of what was read; of a refused file the path that was tried."""
        if self.file is not None:
            return self.file.path
        return self.directory.rstrip("/") + "/" + self.name
