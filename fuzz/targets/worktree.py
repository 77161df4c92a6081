"""Property: nothing that an attacker writes into a tree links it to somebody else's repository.

A forged tree (gitfiles, back-links, copies and hard links of genuine ones, repositories, links) is decoded
from the bytes and written beside a repository with one genuine worktree (`fuzz.properties.linkage`).
"""

from __future__ import annotations

from fuzz.choices import Choices
from fuzz.properties.linkage import Repositories, cannot_be_forged


def check(data: bytes) -> None:
    """Forge one tree and judge two of its directories."""
    choices = Choices(data)
    with Repositories() as repositories:
        directories = repositories.forge(choices)
        for directory in {repositories.evil, choices.pick(directories)}:
            cannot_be_forged(repositories, directory)
