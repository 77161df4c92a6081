"""From a linked worktree to its main worktree, if both sides say so.

The problem.  ``.git`` in a linked worktree is a file that names a directory of the main repository.  It is a
file like any other: an archive, a copy, a hard link can bring one that names the reader's own repository, and
whoever believes it takes that repository's instructions (and the trust in them) for the attacker's tree.  The
names alone do not tell: copies keep them.  Inodes alone do not tell either: a hard link keeps those.

The way.  Each step is held open, and compared by device and inode rather than by its name:

1.  ``.git`` is a small regular file that begins with ``gitdir: `` and holds one path;
2.  that path leads to ``<common>/worktrees/<name>``, with no link in the last two steps;
3.  ``commondir`` in it leads to the same ``<common>``;
4.  ``gitdir`` in it, the back-link, leads to the very ``.git`` file that step 1 read, in the very directory;
5.  ``<common>`` is called ``.git``, is a directory and holds a repository;
6.  all of it belongs to trusted owners, and the main worktree is not too wide to be one.

Only somebody who can write into the main repository can make step 4 true for another tree, and they need no
trick.  git itself is never run, and its environment is not looked at.

The hole that remains.  A tree that is put exactly where a worktree was, which the repository still remembers,
*is* that worktree as far as anybody can tell.  Moved, copied and pruned worktrees look just like forged ones:
they are ``unverified`` until ``git worktree repair``.
"""

from __future__ import annotations

import stat

from refseal.system import os

from . import descriptors
from .descriptors import close, decode, identity_of, is_same
from .git_metadata import holds_entry, holds_objects_and_refs
from .gitfile import read_pointer, target_of_gitfile, target_of_line
from .linkage import Linkage
from .refusals import Refusal
from .root import Root
from .unsafe import is_unsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .descriptors import Identity
    from .gitfile import Pointer
    from .owners import Owners

MAX_CONFIG_BYTES = 65536
"""Of a repository's ``config``, of which one line matters."""

_BACKLINK_ENDING = b"/.git"
_GIT_WHITESPACE = b" \t\n\v\f\r"


def judge(start: Root, owners: Owners, home: str | None, codex_home: str | None) -> Linkage:
    """Take every step for the directory ``start``, whose ``.git`` is no directory; the answer is a status."""
    with _Held() as held:
        try:
            return _Judgement(start, owners, held).judge(home, codex_home)
        except _NotLinked as why:
            return Linkage(why.status, why.detail, worktree_root=start.path, git_directories=tuple(held.met))


class _NotLinked(Exception):  # noqa: N818 - an answer, like `Refusal`
    """The first condition that does not hold."""

    def __init__(self, status: str, detail: str | None = None) -> None:
        super().__init__(status, detail)
        self.status = status
        self.detail = detail


class _Held:
    """The directories that a judgement holds open; all are closed at its end."""

    __slots__ = ("descriptors", "met")

    def __init__(self) -> None:
        self.descriptors: list[int] = []
        self.met: list[Identity] = []

    def __enter__(self) -> _Held:
        return self

    def __exit__(self, *_: object) -> None:
        while self.descriptors:
            close(self.descriptors.pop())

    def open(self, path: bytes, base: int) -> int:
        """Hold the directory at ``path``, which the kernel resolves from ``base``, to compare it."""
        descriptor = os.open(path, descriptors.SEARCH_FLAGS & ~os.O_NOFOLLOW, dir_fd=base)
        self.descriptors.append(descriptor)
        return descriptor

    def above(self, descriptor: int) -> int:
        """Hold the directory above one that is held: no name is looked up, so no link can be in it."""
        return self.open(b"..", descriptor)


class _Judgement:
    """The steps of the module's docstring, one method each."""

    __slots__ = ("_held", "_owners", "_spelling", "_statuses", "gitfile", "start")

    def __init__(self, start: Root, owners: Owners, held: _Held) -> None:
        self.start = start
        self._owners = owners
        self._held = held
        self._statuses: list[os.stat_result] = []

    def judge(self, home: str | None, codex_home: str | None) -> Linkage:
        """Take every step; `_NotLinked` names the first that fails."""
        target = self._read_gitfile()
        spelled = decode(target)
        self._spelling = spelled if spelled.startswith("/") else f"{self.start.path}/{spelled}"
        git_directory = self._open_git_directory(target)
        common = self._check_layout(target, git_directory)
        self._check_common(git_directory, common)
        self._check_backlink(git_directory)
        main = self._check_repository(common)
        for status in self._statuses:
            if not self._owners.trusts(status.st_uid):
                raise _NotLinked("foreign-owner")
        return self._check_main(main, home, codex_home)

    def _read_gitfile(self) -> bytes:
        pointer = read_pointer(self.start.descriptor, b".git")
        if pointer is None:
            raise _NotLinked("unverified", "gitfile")
        if not self._owners.trusts(pointer.status.st_uid) or not self._owners.trusts(self.start.owner):
            raise _NotLinked("foreign-owner")
        target = target_of_gitfile(pointer.data)
        if target is None:
            raise _NotLinked("unverified", "gitfile")
        self.gitfile = pointer.status
        return target

    def _open_git_directory(self, target: bytes) -> int:
        try:
            descriptor = self._held.open(target, self.start.descriptor)
            self._meet(descriptor)
        except FileNotFoundError:
            raise _NotLinked("unverified", "missing") from None
        except OSError:
            raise _NotLinked("unverified", "layout") from None
        return descriptor

    def _check_layout(self, target: bytes, git_directory: int) -> int:
        """Hold the common directory of ``<common>/worktrees/<name>``."""
        steps = [step for step in target.split(b"/") if step not in {b"", b"."}]
        try:
            worktrees = self._held.above(git_directory)
            common = self._held.above(worktrees)
            # Where the directory really is: below `worktrees`, by a name that is no link ...
            if not steps or not _is_entry(worktrees, steps[-1], git_directory):
                raise self._not_a_worktree(git_directory)
            if not _is_entry(common, b"worktrees", worktrees):
                raise self._not_a_worktree(git_directory)
            # ... and how the file spells it: the same way, not through a link that leads there.
            if not _same(self._held.open(_without_last(target), self.start.descriptor), worktrees):
                raise _NotLinked("unverified", "layout")
            if steps[-2:-1] != [b".."]:
                before = self._held.open(_without_last(_without_last(target)), self.start.descriptor)
                if not _same(before, common) or not _is_entry(before, b"".join(steps[-2:-1]), worktrees):
                    raise _NotLinked("unverified", "layout")
            self._meet(common)
        except OSError:
            raise _NotLinked("unverified", "layout") from None
        return common

    def _check_common(self, git_directory: int, common: int) -> None:
        pointer = self._read(git_directory, b"commondir")
        target = None if pointer is None else target_of_line(pointer.data.rstrip(b"\r\n"))
        if target is None or not self._leads_to(target, git_directory, common):
            raise _NotLinked("unverified", "commondir")

    def _check_backlink(self, git_directory: int) -> None:
        """Compare directory, name and file: each alone can be had by a copy, a link or a hard link."""
        pointer = self._read(git_directory, b"gitdir")
        target = None if pointer is None else target_of_line(pointer.data.rstrip(_GIT_WHITESPACE))
        if target is None or not target.endswith(_BACKLINK_ENDING):
            raise _NotLinked("unverified", "backlink")
        directory = target.removesuffix(_BACKLINK_ENDING) or b"/"
        if not self._leads_to(directory, git_directory, self.start.descriptor):
            raise _NotLinked("unverified", "backlink")
        try:
            status = os.stat(b".git", dir_fd=self.start.descriptor, follow_symlinks=False)
        except OSError:
            raise _NotLinked("unverified", "backlink") from None
        if not is_same(status, self.gitfile):
            raise _NotLinked("unverified", "backlink")

    def _check_repository(self, common: int) -> int:
        """Hold the main worktree above a repository called ``.git``."""
        if not (holds_entry(common, b"HEAD") and holds_objects_and_refs(common)):
            raise _NotLinked("unverified", "repository")
        try:
            main = self._held.above(common)
        except OSError:
            raise _NotLinked("unverified", "repository") from None
        if not _is_entry(main, b".git", common):
            raise _NotLinked(_kind_of_repository(common, f"{self._spelling}/../.."))
        return main

    def _check_main(self, main: int, home: str | None, codex_home: str | None) -> Linkage:
        path = descriptors.canonical_path(main, f"{self._spelling}/../../..")
        if path is None:
            raise _NotLinked("unverified", "repository")  # renamed or deleted while we looked
        self._held.descriptors.remove(main)
        try:
            root = Root.adopt(main, path, self._owners)
        except Refusal:
            raise _NotLinked("unverified", "repository") from None
        with root:
            if not self._owners.trusts(root.owner) or is_unsafe(root, home=home, codex_home=codex_home):
                raise _NotLinked("unsafe-root")
            return Linkage(
                "linked",
                worktree_root=self.start.path,
                main_root=root.path,
                main_identity=root.identity,
                git_directories=tuple(self._held.met),
            )

    def _not_a_worktree(self, git_directory: int) -> _NotLinked:
        """Say what a ``.git`` file leads to if it is not a linked worktree's directory."""
        if not (holds_entry(git_directory, b"HEAD") and holds_objects_and_refs(git_directory)):
            return _NotLinked("unverified", "layout")
        if _is_entry(self._held.above(git_directory), b".git", git_directory):
            # Somebody's main repository, which knows no such worktree.
            return _NotLinked("unverified", "layout")
        return _NotLinked(_kind_of_repository(git_directory, self._spelling))

    def _read(self, directory: int, name: bytes) -> Pointer | None:
        pointer = read_pointer(directory, name)
        if pointer is not None:
            self._statuses.append(pointer.status)
        return pointer

    def _meet(self, descriptor: int) -> None:
        status = os.fstat(descriptor)
        self._statuses.append(status)
        self._held.met.append(identity_of(status))

    def _leads_to(self, target: bytes, base: int, wanted: int) -> bool:
        try:
            return _same(self._held.open(target, base), wanted)
        except OSError:
            return False


def _same(one: int, other: int) -> bool:
    return is_same(os.fstat(one), os.fstat(other))


def _is_entry(directory: int, name: bytes, wanted: int) -> bool:
    """Whether ``name`` in ``directory`` is the directory held as ``wanted``, and no link to it."""
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
        same = stat.S_ISDIR(status.st_mode) and is_same(status, os.fstat(wanted))
    except OSError:
        return False
    return same and name != b".."


def _without_last(path: bytes) -> bytes:
    """Drop the last component of a path, of which ``.`` is none; what is left of one name is ``.``."""
    while path.endswith((b"/", b"/.")):
        path = path.removesuffix(b"/.").rstrip(b"/") or b"/"
        if path == b"/":
            return path
    head, slash, _last = path.rpartition(b"/")
    return (head or slash) or b"."


def _kind_of_repository(directory: int, spelling: str) -> str:
    """Name what a repository is that is not called ``.git``: a submodule's, a bare one, or one set apart."""
    steps = (descriptors.canonical_path(directory, spelling) or "").split("/")
    for index, step in enumerate(steps):
        if (step == ".git" or steps[index - 1 : index] == ["worktrees"]) and "modules" in steps[
            index + 1 : -1
        ]:
            return "submodule"
    return "bare" if _says_bare(directory) else "separate-git-dir"


def _says_bare(directory: int) -> bool:
    """Whether ``config`` has ``bare = true`` under ``[core]``."""
    pointer = read_pointer(directory, b"config", MAX_CONFIG_BYTES)
    section = b""
    bare = False
    for line in () if pointer is None else pointer.data.lower().splitlines():
        text = line.strip()
        if text.startswith(b"["):
            section = text.partition(b"]")[0].strip(b"[ \t")
        elif section == b"core":
            key, equals, value = text.partition(b"=")
            if key.strip() == b"bare":
                word = value.partition(b"#")[0].partition(b";")[0].strip()
                bare = not equals or word in {b"true", b"yes", b"on", b"1"}
    return bare
