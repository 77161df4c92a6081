"""A directory is linked to a main worktree only if that main worktree itself names it.

BASE/main is somebody's repository with one genuine linked worktree, BASE/linked.  BASE/evil is written by an
attacker, who can read all names and copy or hard-link any file, but writes nothing into BASE/main.  Whatever
BASE/evil holds, no directory in it is ever linked to BASE/main; and BASE/linked stays linked.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import TYPE_CHECKING, Final

from fuzz.properties import disk
from refseal.pathguard import Linkage, Owners, find_linkage
from refseal.pathguard.linkage import DETAILS, STATUSES

if TYPE_CHECKING:
    from fuzz.choices import Choices

# What an attacker puts together to paths: genuine places, forged ones, and what a path must not do.
STEPS: Final = (
    "..", ".", "main", ".git", "worktrees", "wt", "linked", "evil", "fake", "x", "", "modules", "~",
    "\0", "\n", "link", "a b", "HEAD", "commondir",
)  # fmt: skip
FILES: Final = (".git", "gitdir", "commondir", "HEAD", "config", "fake", "x")
ENDINGS: Final = ("\n", "", "\r\n", "/", "\n\n", " \n", "\0", "\nx", "/.\n")
MAX_ENTRIES: Final = 16


class Repositories:
    """The three directories on a real disk; a context manager that removes them."""

    def __init__(self) -> None:
        place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108
        self.base = os.path.realpath(tempfile.mkdtemp(prefix="refseal-", dir=place))
        self.main = os.path.join(self.base, "main")
        self.linked = os.path.join(self.base, "linked")
        self.evil = os.path.join(self.base, "evil")
        _make_repository(os.path.join(self.main, ".git"))
        worktree = os.path.join(self.main, ".git", "worktrees", "wt")
        os.makedirs(worktree)
        for path in (self.linked, self.evil):
            os.mkdir(path)
        _write(os.path.join(self.linked, ".git"), f"gitdir: {worktree}\n")
        _write(os.path.join(worktree, "gitdir"), f"{self.linked}/.git\n")
        _write(os.path.join(worktree, "commondir"), "../..\n")
        _write(os.path.join(worktree, "HEAD"), "ref: refs/heads/wt\n")

    def __enter__(self) -> Repositories:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.base, ignore_errors=True)

    def forge(self, choices: Choices) -> list[str]:
        """Write BASE/evil.  Return the directories in it, itself first."""
        directories = [self.evil]
        for _ in range(choices.below(MAX_ENTRIES)):
            kind = choices.below(8)
            parent = choices.pick(directories)
            name = choices.pick((*FILES, "worktrees", "wt", "link", "modules"))
            path = os.path.join(parent, name)
            try:
                if kind == 0:
                    os.mkdir(path)
                    directories.append(path)
                elif kind == 1:
                    _make_repository(path)
                    directories.append(path)
                elif kind == 2:
                    os.symlink(self.path(choices), path)
                elif kind == 3:
                    os.link(self.genuine(choices), path)
                elif kind == 4:
                    with open(self.genuine(choices), encoding="latin-1") as file:
                        _write(path, file.read())
                elif kind == 5:
                    _write(path, choices.line().decode("latin-1"))
                else:
                    start = "gitdir: " if name in {".git", "fake"} else ""
                    _write(path, start + self.path(choices) + choices.pick(ENDINGS))
            except (OSError, ValueError):
                continue  # taken, or no name on this file system
        return directories

    def genuine(self, choices: Choices) -> str:
        """One of the files that hold the genuine linkage together."""
        worktree = os.path.join(self.main, ".git", "worktrees", "wt")
        return choices.pick((
            os.path.join(self.linked, ".git"), os.path.join(worktree, "gitdir"),
            os.path.join(worktree, "commondir"),
        ))  # fmt: skip

    def path(self, choices: Choices) -> str:
        """Some path that an attacker would try."""
        start = choices.pick((
            "", f"{self.main}/.git/worktrees/wt", f"{self.main}/.git", f"{self.evil}/", f"{self.linked}/.git",
            "/", "../", "../main/.git/worktrees/wt", f"{self.evil}/fake/worktrees/x", f"{self.evil}/.git",
        ))  # fmt: skip
        return start + "".join(
            choices.pick(STEPS) + choices.pick(("/", "/", "", "//")) for _ in range(choices.below(6))
        )


def _make_repository(path: str) -> None:
    os.makedirs(os.path.join(path, "objects"))
    os.makedirs(os.path.join(path, "refs"))
    _write(os.path.join(path, "HEAD"), "ref: refs/heads/main\n")


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    os.write(descriptor, text.encode("latin-1", "replace"))
    os.close(descriptor)


def cannot_be_forged(repositories: Repositories, directory: str) -> None:
    """Judge one directory of BASE/evil, and the genuine worktree beside it."""
    before = disk.held()
    found = _judge(directory)
    assert found.main_root != repositories.main, "a forged directory was adopted by somebody's repository"
    if found.main_root is not None:
        # Whatever it is linked to is the attacker's own, and both are written there.
        assert found.main_root.startswith(repositories.evil + "/") or found.main_root == repositories.evil
    genuine = _judge(repositories.linked)
    assert (genuine.status, genuine.main_root) == ("linked", repositories.main)
    assert disk.held() == before, "a descriptor leaked"


def _judge(directory: str) -> Linkage:
    found = find_linkage(directory, Owners.of_process(), home=None, codex_home=None)
    assert found.status in STATUSES
    assert (found.detail in DETAILS) == (found.status == "unverified")
    assert (found.main_root is not None) == (found.status == "linked")
    return found
