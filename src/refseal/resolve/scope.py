"""Which instruction files belong to a directory, and the roots beneath which they may be read."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .instruction import Instruction


class Directory:
    """One directory of the chain from the project root to cwd.

    ``path``     as Codex spells it: lexical
    ``project``  the winner of the project family here (read or refused), None if the family is absent
    ``overlay``  the same for the overlay
    ``passed``   (name, code) of the candidates before the winner that do not exist or are no regular file
    """

    __slots__ = ("overlay", "passed", "path", "project")

    def __init__(self, path: str) -> None:
        self.path = path
        self.project: Instruction | None = None
        self.overlay: Instruction | None = None
        self.passed: list[tuple[str, str]] = []


class Scope:
    """The instruction files of a directory, and the roots that hold them open.

    ``cwd``           as given: lexical
    ``project_root``  path of the root of the chain: lexical
    ``chain``         root first, cwd last
    ``home``          like a directory of the chain, for Codex home; None: there is none
    ``linkage``       the `pathguard.Linkage` of the repository that holds cwd
    ``unsafe``        the project root is too wide to be a root: documents reach their own directory alone
    ``instructions``  everything found, in the order of the block: Codex home, ancestors, chain or twins
    """

    __slots__ = ("chain", "cwd", "home", "instructions", "linkage", "project_root", "unsafe")

    cwd: str
    project_root: str
    chain: list[Directory]
    home: Directory | None
    linkage: Any
    unsafe: bool
    instructions: list[Instruction]
