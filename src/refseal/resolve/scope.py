"""Which instruction files belong to a directory, read beneath the roots that `locating` has opened.

The host's rule gives the chain: from the nearest lexical ancestor of cwd that holds a marker, down to cwd.
Each directory has two families, each by itself: project (the first of override, AGENTS.md and the fallback
names that is a regular file) and overlay.  In a linked worktree a family that is absent is looked for in the
directory's twin in the main worktree, and the directories above the main root are looked at likewise
(`main_worktree`).  Codex home has both families too.

`locating.locate` makes a `Scope`: its roots are open, and no file is read yet, because a host's configuration
may lie in the project, and must be judged before its files are.  Then `Scope.read_instructions` reads.
"""

from __future__ import annotations

from refseal.pathguard import Place, Refusal, Root, read
from refseal.pathguard.reach import join
from refseal.pathguard.repository import may_exist

from .authority import Authority
from .instruction import OVERLAY, PROJECT_NAMES, Instruction, is_blank
from .territory import Territories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Final

    from refseal.pathguard import File, Linkage, Owners

    from .instruction import Family, Origin
    from .settings import Settings

ABSENT: Final = frozenset({"missing", "directory", "not-regular"})
"""Refusals after which the host, too, goes on to a family's next name: there is no such regular file."""

FAILED: Final = frozenset({"unreadable", "symlink-loop", "not-a-directory", "too-long"})
"""Refusals of what the host cannot read either: errors of the kernel other than "no such file".

In a project such a name ends the family, and the host's reading of the project.  In Codex home it counts as
absent.
"""

LINKED: Final = frozenset({"symlink-escape", "symlink-absolute"})
"""Refusals of a link that leads out of the root it lies in."""


class Directory:
    """One directory of the chain from the project root to cwd, or Codex home.

    ``path``     as the host spells it: lexical
    ``project``  the winner of the project family here (read or refused), None if the family is absent
    ``overlay``  the same for the overlay
    ``passed``   (name, code) of the candidates before the winner: they do not exist or are no regular file
    """

    __slots__ = ("overlay", "passed", "path", "place", "project")

    def __init__(self, path: str, place: Place | None) -> None:
        self.path = path
        self.place = place
        self.project: Instruction | None = None
        self.overlay: Instruction | None = None
        self.passed: list[tuple[str, str]] = []


class Scope:
    """The instruction files of a directory, and the roots that hold them open; close it.

    ``cwd``           lexical: as given, without `.`, `..` and doubled slashes
    ``project_root``  path of the root of the chain: lexical
    ``chain``         root first, cwd last
    ``codex_home``    like a directory of the chain; None: there is none
    ``linkage``       the `pathguard.Linkage` of the repository that holds cwd
    ``unsafe``        the project root is too wide to be a root: documents reach their own directory alone
    ``instructions``  everything found, in the order of the block: Codex home, ancestors, chain or twins
    ``unread``        paths of directories that there was no time to look into, or not wholly
    ``problems``      one line for each extra root that could not be used, for the user
    """

    def __init__(self, cwd: str, settings: Settings, home: str | None) -> None:
        self.cwd = cwd
        self.settings = settings
        self.home = home
        self.project_root = cwd
        self.chain: list[Directory] = []
        self.codex_home: Directory | None = None
        self.linkage: Linkage
        self.unsafe: bool
        self.owners: Owners
        self.instructions: list[Instruction] = []
        self.unread: list[str] = []
        self.problems: list[str] = []
        self.territories = Territories()
        self.authority = Authority(self.territories, home)
        self._to_close: list[Root] = []
        self._is_late: Callable[[], bool]  # see `read_instructions`

    def hold(self, root: Root) -> None:
        """Take over a root that is no territory of its own."""
        self._to_close.append(root)

    def close(self) -> None:
        """Give up every root; nothing of this scope can be read any more."""
        self.territories.close()
        for root in self._to_close:
            root.close()

    def __enter__(self) -> Scope:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # --- reading

    def read_instructions(
        self, fallback_filenames: Sequence[str], native_bytes: int, is_late: Callable[[], bool]
    ) -> None:
        """Read every instruction file of the scope, as long as there is time.

        ``fallback_filenames``  further names of the project family; the overlay's name may be among them
                                (the host then loads it itself)
        ``native_bytes``        what the host may have loaded of one file: so much is read, and as much behind
                                it as refseal may restore
        ``is_late``             asked before each file: no further one is read then
        """
        self._is_late = is_late
        names = (*PROJECT_NAMES, *(name for name in fallback_filenames if name not in PROJECT_NAMES))
        limit = native_bytes + self.settings.max_file_bytes
        home, main = self.codex_home, self.territories.of_kind("main")
        above = main[0].root.path.rpartition("/")[0] + "/" if main else None
        # A reading that hangs leaves here what it is at, and all that comes after it.
        self.unread = [*([] if home is None else [home.path]), *([] if above is None else [above])]
        self.unread += [directory.path for directory in self.chain]
        if home is not None:
            self._read_codex_home(home, limit)
            self._have_read(home.path)
        if above is not None:
            from .main_worktree import read_ancestors  # noqa: PLC0415 - few sessions are in a linked worktree

            read_ancestors(self, main[0].root.path, names)
            self._have_read(above)
        for directory in self.chain:
            self._read_chain(directory, names, limit)
            self._have_read(directory.path)

    def _have_read(self, path: str) -> None:
        if not self._is_late():
            self.unread.remove(path)

    def _read_codex_home(self, directory: Directory, limit: int) -> None:
        for name in PROJECT_NAMES:
            found = self._read("project", "home", directory, name, limit)
            if found is None:
                continue
            if found.refusal is not None and found.refusal.code in FAILED:
                directory.passed.append((name, found.refusal.code))
                continue
            if found.file is not None and not found.file.more and is_blank(found.file.data):
                directory.passed.append(
                    (name, "empty")
                )  # unlike in a project, a blank override hides nothing
                continue
            directory.project = found
            self.instructions.append(found)
            break
        directory.overlay = self._read("overlay", "home", directory, OVERLAY, self.settings.max_file_bytes)
        if directory.overlay is not None:
            self.instructions.append(directory.overlay)

    def _read_chain(self, directory: Directory, names: Sequence[str], limit: int) -> None:
        for name in names:
            directory.project = self._read("project", "chain", directory, name, limit)
            if directory.project is not None:
                break
        cap = self.settings.max_file_bytes
        directory.overlay = self._read("overlay", "chain", directory, OVERLAY, cap)
        project, overlay = directory.project, directory.overlay
        if (project is None or overlay is None) and (twin := self._twin(directory)) is not None:
            if project is None:
                project = self.read_first("project", "twin", twin, names)
            if overlay is None:
                overlay = self.read_first("overlay", "twin", twin, (OVERLAY,))
        self.instructions += [found for found in (project, overlay) if found is not None]

    def _twin(self, directory: Directory) -> Directory | None:
        main = self.territories.of_kind("main")
        if not main:
            return None
        from .main_worktree import twin_of  # noqa: PLC0415 - few sessions are in a linked worktree

        return twin_of(self, main[0].root.path, directory)

    def read_first(
        self, family: Family, origin: Origin, directory: Directory, names: Iterable[str]
    ) -> Instruction | None:
        """Read the first of ``names`` that is there, in a directory of which the host loads nothing.

        None if there is no such regular file, or no time.
        """
        for name in names:
            found = self._read(family, origin, directory, name, self.settings.max_file_bytes)
            if found is not None:
                return found
        return None

    def _read(
        self, family: Family, origin: Origin, directory: Directory, name: str, limit: int
    ) -> Instruction | None:
        """Read one candidate; None if there is no such regular file, or no time."""
        if self._is_late():
            return None
        try:
            place, file = self._open(family, origin, directory, name, limit)
        except Refusal as refusal:
            if refusal.code in ABSENT:
                directory.passed.append((name, refusal.code))
                return None
            if not may_exist(join(directory.path, (name,))):  # the directory was refused, whatever is in it
                directory.passed.append((name, "missing"))
                return None
            return Instruction(family, origin, directory.path, name, refusal=refusal, seat=directory.place)
        return Instruction(family, origin, directory.path, name, file=file, place=place, seat=directory.place)

    def _open(
        self, family: Family, origin: Origin, directory: Directory, name: str, limit: int
    ) -> tuple[Place, File]:
        place = directory.place
        if place is None:
            raise Refusal("missing", name)
        try:
            file = read(name, place, self.authority.reach_of(place.root), limit)
        except Refusal as refusal:
            if refusal.code not in LINKED:
                raise
            if origin == "home" and self.territories.holding(place.root).kind == "home":
                from .home_links import read_linked  # noqa: PLC0415 - few people have one

                return read_linked(self, name, place, limit)
            if family != "overlay" or not self._is_untracked(place, name):
                raise
            file = read(name, place, self.authority.reach_of(place.root, local=True), limit)
        return self._settle(file), file

    def _settle(self, file: File) -> Place:
        """Return what the file's references are relative to."""
        return self.territories.narrow(file.place, self.authority.reach_of(file.root))

    def has_codex_home_in_project(self) -> bool:
        """Tell whether Codex home lies in the project, or in its main worktree, and is not the usual one."""
        place = self.codex_home.place if self.codex_home is not None else None
        return place is not None and self.territories.holding(place.root).tier == "project"

    def is_of_project(self, instruction: Instruction) -> bool:
        """Tell whether an instruction file comes from the project, or through it from the main worktree.

        One of Codex home does if it, or what it leads to, lies in the project.
        """
        if instruction.origin != "home":
            return True
        place = instruction.place or instruction.seat
        return place is not None and self.territories.holding(place.root).tier == "project"

    def is_local(self, overlay: Instruction) -> bool:
        """Tell whether an overlay was written on this machine: git has metadata here and does not track it.

        If the name is a link, neither that nor what it leads to may be tracked.
        """
        if overlay.seat is None or overlay.file is None:
            return False
        if not self._is_untracked(overlay.seat, overlay.name):
            return False
        return not overlay.file.linked or self._is_untracked(overlay.file.place, overlay.file.name)

    def _is_untracked(self, place: Place, name: str) -> bool:
        from .tracking import is_untracked  # noqa: PLC0415 - reads an index: only if somebody has to know

        return self.authority.has_more_if_local(place.root) and is_untracked(place, name, self.owners)
