"""Whether an overlay is local, in every layout that git knows; git makes them, refseal only reads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from refseal.pathguard import Owners, Place, Root
from refseal.resolve.tracking import is_untracked

if TYPE_CHECKING:
    from tests.resolve.world import World

NAME = "AGENTS.local.md"


def untracked(world: World, directory: str, name: str = NAME) -> bool:
    owners = Owners.of_process()
    with Root.open(world.at(directory), owners) as root:
        return is_untracked(Place(root), name, owners)


def add(world: World, directory: str) -> None:
    world.write(f"{directory}/{NAME}", "x")
    world.git(directory, "add", "-f", NAME)


def test_a_new_repository_tracks_nothing(world: World) -> None:
    world.repository("p")
    assert untracked(world, "p")


def test_what_is_added_is_tracked_before_any_commit(world: World) -> None:
    world.repository("p")
    add(world, "p")
    assert not untracked(world, "p")


def test_what_is_ignored_is_not(world: World) -> None:
    world.repository("p")
    world.write("p/.gitignore", NAME)
    world.git("p", "add", ".")
    assert untracked(world, "p")


def test_what_was_removed_from_the_index_is_not(world: World) -> None:
    world.repository("p")
    add(world, "p")
    world.git("p", "rm", "-q", "--cached", NAME)
    assert untracked(world, "p")


def test_without_any_git_it_is_not_known_to_be_local(world: World) -> None:
    world.directory("p")
    assert not untracked(world, "p")


def test_in_a_subdirectory(world: World) -> None:
    world.repository("p")
    add(world, "p/sub/deep")
    world.directory("p/sub/other")
    assert not untracked(world, "p/sub/deep")
    assert untracked(world, "p/sub/other")
    assert untracked(world, "p")


def test_the_nearest_repository_answers(world: World) -> None:
    world.repository("p")
    world.repository("p/inner")
    add(world, "p/inner")
    assert not untracked(world, "p/inner")
    assert untracked(world, "p")


def test_a_linked_worktree_has_its_own_index(world: World) -> None:
    world.worktree("main", "wt")
    add(world, "wt")
    assert not untracked(world, "wt")
    assert untracked(world, "main")


def test_a_submodule_a_separate_git_directory_and_a_worktree_of_a_bare_repository(world: World) -> None:
    world.worktree("main", "unused")
    world.git("super", "init", "-q")
    world.git("super", "-c", "protocol.file.allow=always", "submodule", "add", "-q", world.at("main"), "sub")
    world.git("apart", "init", "-q", f"--separate-git-dir={world.at('elsewhere')}")
    world.git("p", "clone", "-q", "--bare", world.at("main"), ".bare")
    world.git("p/.bare", "worktree", "add", "-q", "--detach", world.at("p/wt"))
    for directory in ("super/sub", "apart", "p/wt"):
        assert os.path.isfile(world.at(f"{directory}/.git"))
        assert untracked(world, directory), directory
        add(world, directory)
        assert not untracked(world, directory), directory


@pytest.mark.parametrize("index", [b"", b"DIRC", b"x" * 100, b"DIRC\0\0\0\2\0\0\0\1"])
def test_an_index_that_is_damaged_gives_no_authority(world: World, index: bytes) -> None:
    world.repository("p")
    world.write("p/.git/index", index)
    assert not untracked(world, "p")


def test_a_split_index_whose_other_half_is_gone_gives_no_authority(world: World) -> None:
    world.repository("p")
    add(world, "p/a")
    world.git("p", "update-index", "--split-index")
    assert untracked(world, "p")
    for name in os.listdir(world.at("p/.git")):
        if name.startswith("sharedindex."):
            os.unlink(world.at(f"p/.git/{name}"))
    assert not untracked(world, "p")


def test_the_index_is_read_only_if_the_answer_matters(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def asking(*_: object) -> bool:
        asked.append(1)
        return True

    monkeypatch.setattr("refseal.resolve.tracking.is_untracked", asking)
    world.repository("p")
    world.write_all(
        {
            "p/AGENTS.local.md": "@a.md @gone.md @/etc/passwd @../x.md",
            "p/a.md": "@~/x.md",
            "p/AGENTS.md": "@~/x.md",
        }
    )
    world.ask("p")
    assert asked == []
    world.write("p/AGENTS.local.md", "@~/x.md @~/y.md")
    world.ask("p")
    assert asked == [1]
