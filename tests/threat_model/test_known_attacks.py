"""Attacks that were published against tools of this kind, rebuilt as they were, and refused."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from refseal.pathguard import Owners, Place, Reach, Refusal, Root, find_linkage, read

if TYPE_CHECKING:
    from pathlib import Path

SECRET = b"of somebody else"


def answer(root: Path, token: str) -> str:
    """Return what the guard says to a token at the top of a root: the path, or the refusal's code."""
    with Root.open(str(root), Owners.of_process()) as opened:
        try:
            file = read(token, Place(opened), Reach((opened,)), 100)
        except Refusal as refusal:
            return refusal.code
        assert file.data != SECRET
        return os.path.relpath(file.path, root)


@pytest.fixture(name="root")
def make_root(tmp_path: Path) -> Path:
    """Make a project with one document, and beside it what belongs to somebody else."""
    root = tmp_path / "project"
    for directory in (root, tmp_path / "project-secret", tmp_path / "outside"):
        directory.mkdir()
        (directory / "s.md").write_bytes(SECRET)
    (root / "s.md").write_bytes(b"of the project")
    return root


@pytest.mark.parametrize("slashes", ["/", "//", "/."])
def test_trailing_slash_follows_no_link_cve_2026_39822(root: Path, slashes: str) -> None:
    """`openat("link/", O_NOFOLLOW)` follows the link: the kernel resolves what a slash stands behind."""
    (root / "link").symlink_to("../outside/")
    (root / "chain").symlink_to("link/")
    (root / "file").symlink_to("../outside/s.md")
    for name in ("link", "chain"):
        assert answer(root, f"{name}{slashes}s.md") == "symlink-escape"
        assert answer(root, f"{name}{slashes}") == "symlink-escape"
    assert answer(root, f"file{slashes}") == "symlink-escape"
    # The premise: what holds the guard back is not the kernel.
    held = os.open(root, os.O_RDONLY)
    try:
        os.close(os.open("link/", os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY, dir_fd=held))
    finally:
        os.close(held)


def test_path_beyond_path_max_is_walked_and_not_given_up_on_cve_2025_4517(root: Path) -> None:
    """`realpath` leaves unresolved what is longer than PATH_MAX, and a check of the result then passes."""
    here, short = os.open(root, os.O_RDONLY), []
    for letter in "abcdefghijklmnop":
        os.mkdir("d" * 247, dir_fd=here)
        os.symlink("d" * 247, letter, dir_fd=here)
        deeper = os.open("d" * 247, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
        short.append(letter)
    os.symlink("../" * len(short), "l" * 254, dir_fd=here)
    descriptor = os.open("s.md", os.O_WRONLY | os.O_CREAT, dir_fd=here)
    os.close(descriptor)
    os.close(here)
    long_way = "/".join([*short, "l" * 254])
    assert answer(root, f"{long_way}/../outside/s.md") == "symlink-escape"
    assert answer(root, f"{long_way}/s.md") == "s.md"  # back at the top: the very document
    (root / "escape").symlink_to(f"{long_way}/../outside")
    assert answer(root, "escape/s.md") == "symlink-escape"
    inside = answer(root, "/".join([*short, "s.md"]))
    assert inside == "/".join(["d" * 247] * len(short) + ["s.md"])


def test_name_that_begins_like_the_roots_is_not_beneath_it_cve_2025_53110(root: Path) -> None:
    """`/srv/project-secret` begins with `/srv/project`."""
    (root / "link").symlink_to("../project-secret")
    assert answer(root, "../project-secret/s.md") == "outside-root"
    assert answer(root, f"{root}-secret/s.md") == "absolute"
    assert answer(root, "link/s.md") == "symlink-escape"
    assert answer(root, f"{root}/s.md") == "s.md"


def test_link_out_of_the_root_is_refused_wherever_it_stands_cve_2025_53109(root: Path) -> None:
    (root / "file.md").symlink_to("../outside/s.md")
    (root / "absolute.md").symlink_to(root.parent / "outside" / "s.md")
    (root / "sub").mkdir()
    (root / "sub" / "up").symlink_to("../..")
    assert answer(root, "file.md") == "symlink-escape"
    assert answer(root, "absolute.md") == "symlink-absolute"
    assert answer(root, "sub/up/outside/s.md") == "symlink-escape"


@pytest.mark.parametrize(
    "gitdir", ["fake/worktrees/x", "fake", "../victim/.git/worktrees/x", "../victim/.git"]
)
@pytest.mark.parametrize("commondir", ["../victim/.git", "../../../victim/.git", "../.."])
def test_forged_gitfile_and_commondir_adopt_nobody_ghsa_q5hj_mxqh_vv77(
    tmp_path: Path, gitdir: str, commondir: str
) -> None:
    """A clone whose `.git` file, or whose `commondir`, names the repository of somebody else."""
    victim, evil = tmp_path / "victim", tmp_path / "evil"
    for repository in (victim / ".git", evil / "fake"):
        for directory in ("objects", "refs", "worktrees/x"):
            (repository / directory).mkdir(parents=True)
        (repository / "HEAD").write_text("ref: refs/heads/main\n")
    for forged in (evil / "fake", evil / "fake" / "worktrees" / "x"):
        (forged / "commondir").write_text(f"{commondir}\n")
        (forged / "gitdir").write_text(f"{evil}/.git\n")
        (forged / "HEAD").write_text("ref: refs/heads/x\n")
    (evil / ".git").write_text(f"gitdir: {gitdir}\n")
    found = find_linkage(str(evil), Owners.of_process(), home=None, codex_home=None)
    assert found.main_root is None
