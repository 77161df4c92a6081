"""How a directory is tied to a main worktree: the question, and its answer where git's metadata is no file.

Most repositories have a directory called ``.git``, and are no linked worktree.  Only where it is a file, or a
link, are the steps of `worktree` taken.
"""

from __future__ import annotations

import stat

from refseal.system import os

from . import descriptors
from .descriptors import encode, identity_of
from .names import MAX_NAME_BYTES
from .refusals import Refusal
from .root import Root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .descriptors import Identity
    from .owners import Owners

STATUSES = frozenset(
    {"none", "linked", "submodule", "bare", "separate-git-dir", "unverified", "unsafe-root", "foreign-owner"}
)
"""What a `Linkage` can say; stable, part of the public contract."""

DETAILS = frozenset({"gitfile", "layout", "commondir", "backlink", "repository", "missing"})
"""Which step of an ``unverified`` one failed; stable too."""


class Linkage:
    """How the directory that git's metadata was found from is tied to a main worktree.

    ``status``             one of `STATUSES`; only ``linked`` names a main worktree
    ``detail``             one of `DETAILS` if ``unverified``, else None
    ``worktree_root``      the canonical path of the directory that holds ``.git``, or None if there is none
    ``main_root``          the canonical path of the main worktree if ``linked``, else None
    ``main_identity``      its device and inode: whoever opens it by its path compares them
    ``git_directory``      the identity of the repository's common directory, where it is known
    ``git_directories``    the identities of every git directory that was met: nothing there is a document
    """

    __slots__ = ("detail", "git_directories", "main_identity", "main_root", "status", "worktree_root")

    def __init__(
        self,
        status: str,
        detail: str | None = None,
        *,
        worktree_root: str | None = None,
        main_root: str | None = None,
        main_identity: Identity | None = None,
        git_directories: tuple[Identity, ...] = (),
    ) -> None:
        self.status = status
        self.detail = detail
        self.worktree_root = worktree_root
        self.main_root = main_root
        self.main_identity = main_identity
        self.git_directories = git_directories

    @property
    def git_directory(self) -> Identity | None:
        """The last git directory that was met: the common one, where the walk came to it."""
        return self.git_directories[-1] if self.git_directories else None


def find_linkage(directory: str, owners: Owners, *, home: str | None, codex_home: str | None) -> Linkage:
    """Judge the nearest ``.git`` at or above the absolute ``directory``, by its spelling as Codex goes up.

    The one `Refusal` is ``unsupported-platform``; whatever the disk says or does not say is a status.
    """
    if not descriptors.SUPPORTED:
        raise Refusal("unsupported-platform", directory)
    for path in _upwards(directory):
        try:
            # Most directories have no `.git`, and are not worth a root.
            os.stat(encode(f"{path.rstrip('/')}/.git"), follow_symlinks=False)
            start = Root.open(path, owners)
        except (OSError, ValueError, Refusal):
            continue
        with start:
            found = _judge_entry(start, owners, home, codex_home)
        if found is not None:
            return found
    return Linkage("none")


def _upwards(directory: str) -> list[str]:
    """List ``directory`` and all above it, innermost first."""
    if not directory.startswith("/") or "\0" in directory or len(directory) > MAX_NAME_BYTES:
        return []
    if ".." in directory.split("/"):  # not to be shortened as text: a link may stand before it
        from os.path import realpath  # noqa: PLC0415 - Codex does not spell a directory so

        try:
            directory = realpath(directory)
        except (OSError, ValueError):
            return []
    parts = [part for part in directory.split("/") if part and part != "."]
    return ["/" + "/".join(parts[:size]) for size in range(len(parts), -1, -1)]


def _judge_entry(start: Root, owners: Owners, home: str | None, codex_home: str | None) -> Linkage | None:
    """Judge the ``.git`` of ``start``; None if it has none."""
    try:
        status = os.stat(b".git", dir_fd=start.descriptor, follow_symlinks=False)
    except FileNotFoundError:
        return None
    except OSError:
        return Linkage("unverified", "gitfile", worktree_root=start.path)
    if stat.S_ISDIR(status.st_mode):
        return Linkage("none", worktree_root=start.path, git_directories=(identity_of(status),))
    if stat.S_ISLNK(status.st_mode) and _leads_nowhere(start.descriptor):
        return None
    from .worktree import judge  # noqa: PLC0415 - most repositories have a directory there

    return judge(start, owners, home, codex_home)


def _leads_nowhere(directory: int) -> bool:
    """Whether the link ``.git`` is broken: then git and Codex go on upwards."""
    try:
        os.stat(b".git", dir_fd=directory)
    except OSError:
        return True
    return False
