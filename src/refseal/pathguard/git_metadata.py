"""What belongs to git itself: never read as a document, whatever it is called on this disk.

The aliases are those that git refuses in a tree: a case-insensitive disk opens ``.GIT`` as ``.git``, HFS+
drops code points that cannot be seen, NTFS drops dots and spaces at the end, takes ``:`` for a stream and
knows ``.git`` as ``git~1`` too.  All are refused on all platforms: a verdict must not depend on the disk.
"""

from __future__ import annotations

import stat

from refseal.system import os

_STREAM = ":"
_NTFS_DROPPED = ". "

GIT_ENTRIES = frozenset(
    {
        "auto_merge", "bisect_log", "branches", "cherry_pick_head", "commit_editmsg", "commondir", "config",
        "config.worktree", "description", "fetch_head", "gitdir", "head", "hooks", "index", "info", "lfs",
        "logs", "merge_head", "merge_mode", "merge_msg", "merge_rr", "modules", "notes", "objects",
        "orig_head", "packed-refs", "rebase-apply", "rebase-merge", "rebase_head", "refs", "reftable",
        "revert_head", "rr-cache", "sequencer", "shallow", "squash_msg", "svn", "tag_editmsg", "worktrees",
    }
)  # fmt: skip
"""What git keeps in a repository's directory, folded: only before one of these is a directory asked whether
it is one, so that an ordinary walk pays nothing."""


def fold(name: str) -> str:
    """Write ``name`` as a disk might that knows fewer differences: no case, nothing that cannot be seen.

    Full case folding also takes the letters that APFS holds equal to ASCII ones (the long s, the Kelvin
    sign, ligatures).
    """
    if name.isascii():
        return name.lower()
    from ..codepoints import HFS_IGNORABLE  # noqa: PLC0415, TID252 - few names need it; from outside this room

    return "".join(char for char in name if char not in HFS_IGNORABLE).casefold()


def is_git_name(folded: str) -> bool:
    r"""Whether a folded component is ``.git`` under one of its names, or holds one between backslashes."""
    if "git" not in folded:
        return False
    if "\\" in folded:
        return any(is_git_name(part) for part in folded.split("\\"))
    plain = folded.partition(_STREAM)[0].rstrip(_NTFS_DROPPED)
    return plain == ".git" or (plain.startswith("git~") and plain[4:].isdigit())


def is_bare_name(folded: str) -> bool:
    """Whether a folded directory name says that git's own files are in it: ``x.git``, ``.bare``."""
    return folded.endswith(".git") or folded == ".bare"


_COPY_ENDINGS = (".lock", "~", ".bak", ".old", ".orig")
"""What git, editors and people put behind the name of a copy."""


def may_be_git_entry(name: str) -> bool:
    """Whether git keeps something of that name; a copy (``config.lock``, ``config~``) counts as well."""
    folded = fold(name)
    if folded.endswith(_COPY_ENDINGS):
        folded = folded.rpartition(".")[0] or folded.rstrip("~")
    return folded in GIT_ENTRIES


def holds_repository(directory: int) -> bool:
    """Whether the directory held as ``directory`` is one of git's own: a repository's, or a worktree's.

    A repository has ``HEAD``, ``objects`` and ``refs``; a linked worktree's directory ``HEAD`` and
    ``commondir``.
    """
    return holds_entry(directory, b"HEAD") and (
        holds_entry(directory, b"commondir") or holds_objects_and_refs(directory)
    )


def holds_objects_and_refs(directory: int) -> bool:
    """Whether the directory held as ``directory`` has the two directories of every repository."""
    return _is_directory(directory, b"objects") and _is_directory(directory, b"refs")


def holds_entry(directory: int, name: bytes) -> bool:
    """Whether anything is called ``name`` in the directory held as ``directory``."""
    try:
        os.stat(name, dir_fd=directory, follow_symlinks=False)
    except OSError:
        return False
    return True


def _is_directory(directory: int, name: bytes) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode)
    except OSError:
        return False
