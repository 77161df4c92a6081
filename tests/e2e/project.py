"""A git repository that a test fills."""

from __future__ import annotations

import os
import subprocess

AUTHOR = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")


class Project:
    """A repository on disk; paths are relative to its root."""

    def __init__(self, root: str) -> None:
        self.root = root

    @classmethod
    def create(cls, root: str) -> Project:
        """Make the folder and `git init` it."""
        project = cls(root)
        os.makedirs(root)
        project.git("init", "--quiet", "--initial-branch=main")
        return project

    def path(self, relative: str = "") -> str:
        """Give the absolute path; with nothing, the root's."""
        return os.path.join(self.root, relative) if relative else self.root

    def write(self, relative: str, text: str) -> None:
        """Write a file, and the directories that lead to it."""
        path = self.path(relative)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def remove(self, relative: str) -> None:
        """Delete a file."""
        os.remove(self.path(relative))

    def git(self, *arguments: str) -> None:
        """Run git here, without anybody's configuration."""
        subprocess.run(
            ["git", *AUTHOR, *arguments],
            cwd=self.root,
            env={
                "PATH": os.environ["PATH"],
                "GIT_CONFIG_GLOBAL": os.devnull,
                "GIT_CONFIG_SYSTEM": os.devnull,
            },
            check=True,
            capture_output=True,
        )

    def commit(self) -> None:
        """Commit everything that is here."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=All")

    def worktree(self, root: str) -> Project:
        """Add a linked worktree there."""
        self.git("worktree", "add", "--quiet", "--detach", root)
        return Project(root)
