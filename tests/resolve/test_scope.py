"""Scope: which directories, which files, which roots.  One test for each sentence of the rule."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from refseal.pathguard import Linkage, Owners, Refusal, Root, find_linkage
from refseal.resolve import main_worktree
from refseal.resolve.instruction import Instruction, is_blank
from refseal.resolve.locating import lexical, locate
from refseal.resolve.settings import read_settings
from refseal.resolve.territory import Territories, Territory, components_beneath, directory_of
from tests.resolve.world import MARKERS, NATIVE_BYTES

if TYPE_CHECKING:
    from tests.resolve.world import World

is_root = os.geteuid() == 0
STRANGER = 12345


def files(world: World, cwd: str, **options: object) -> list[str]:
    with world.scope(cwd, **options) as scope:  # type: ignore[arg-type]
        return [world.short(found.path) for found in scope.instructions]


# --- the chain


def test_from_the_project_root_down_to_cwd_both_included(world: World) -> None:
    world.repository("p")
    for name in (
        "AGENTS.md",
        "p/AGENTS.md",
        "p/a/AGENTS.md",
        "p/a/b/AGENTS.md",
        "p/a/b/c/AGENTS.md",
        "p/x/AGENTS.md",
    ):
        world.write(name, "x")
    assert files(world, "p/a/b") == ["p/AGENTS.md", "p/a/AGENTS.md", "p/a/b/AGENTS.md"]


def test_the_nearest_marker_counts_and_without_one_only_cwd(world: World) -> None:
    world.repository("p")
    world.repository("p/inner")
    world.directory("p/inner/a")
    world.directory("q/a")
    with world.scope("p/inner/a") as scope:
        assert world.short(scope.project_root) == "p/inner"
    with world.scope("q/a") as scope:
        assert world.short(scope.project_root) == "q/a"
        assert [world.short(found.path) for found in scope.chain] == ["q/a"]


@pytest.mark.parametrize(("target", "counts"), [("nowhere", False), ("../elsewhere", True)])
def test_a_broken_link_is_no_marker_but_any_entry_is(world: World, target: str, *, counts: bool) -> None:
    world.write("elsewhere")
    world.directory("p/a")
    world.link("p/.git", target)
    with world.scope("p/a") as scope:
        assert world.short(scope.project_root) == ("p" if counts else "p/a")


def test_markers_are_the_hosts(world: World) -> None:
    world.repository("p/a")
    world.write("p/package.json", "{}")
    world.directory("p/a/b")
    for markers, expected in (
        (["package.json"], "p"),
        ([".git", "package.json"], "p/a"),
        ([], "p/a/b"),
        ([".hg"], "p/a/b"),
    ):
        with world.scope("p/a/b", markers=markers) as scope:
            assert world.short(scope.project_root) == expected


def test_the_chain_is_lexical_also_where_a_link_leads_out(world: World) -> None:
    world.repository("repo")
    world.write_all({"repo/AGENTS.md": "x", "real/x/AGENTS.md": "x", "real/AGENTS.md": "x"})
    world.write_all({"real/x/AGENTS.local.md": "@d.md @../e.md", "real/x/d.md": "x", "real/e.md": "x"})
    world.link("repo/x", "../real/x")
    answer = world.ask("repo/x")
    assert [path for _, _, path in answer.instructions] == [
        "repo/AGENTS.md",
        "real/x/AGENTS.md",
        "real/x/AGENTS.local.md",
    ]
    assert answer.verdicts == [("d.md", "included"), ("../e.md", "outside-root")]


def test_below_a_link_too(world: World) -> None:
    world.repository("repo")
    world.write("real/x/y/AGENTS.local.md", "@../d.md")
    world.write("real/x/d.md", "x")
    world.link("repo/x", "../real/x")
    assert world.ask("repo/x/y").verdicts == [("../d.md", "included")]


def test_a_project_reached_through_a_link_is_the_project(world: World) -> None:
    world.repository("p")
    world.write_all({"p/AGENTS.local.md": "x", "p/a/AGENTS.local.md": "@../d.md", "p/d.md": "x"})
    world.link("l", "p")
    answer = world.ask("l/a")
    assert answer.verdicts == [("../d.md", "included")]
    assert answer.shown == ["p/AGENTS.local.md", "p/a/AGENTS.local.md", "p/d.md"]


def test_a_directory_that_is_not_there_has_no_scope(world: World) -> None:
    with pytest.raises(Refusal) as refusal:
        world.scope("nowhere")
    assert refusal.value.code == "missing"


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/", "/"), ("/a//b/", "/a/b"), ("/a/./b/..", "/a"), ("/..", "/"), ("/a/../../b", "/b")],
)
def test_lexical_paths(path: str, expected: str) -> None:
    assert lexical(path) == expected


# --- families


def test_override_then_agents_then_fallback_names_and_the_overlay_by_itself(world: World) -> None:
    world.repository("p")
    names = ["AGENTS.override.md", "AGENTS.md", "ONE.md", "TWO.md"]
    for name in (*names, "AGENTS.local.md"):
        world.write(f"p/{name}", "x")
    environ = {"REFSEAL_FALLBACK_FILENAMES": "ONE.md,TWO.md"}
    for name in names:
        assert files(world, "p", environ=environ) == [f"p/{name}", "p/AGENTS.local.md"]
        os.unlink(world.at(f"p/{name}"))
    assert files(world, "p", environ=environ) == ["p/AGENTS.local.md"]


def test_an_empty_override_hides_agents_in_a_project_but_not_in_codex_home(world: World) -> None:
    world.repository("p")
    for directory in ("p", "home/.codex"):
        world.write(f"{directory}/AGENTS.override.md", " \n")
        world.write(f"{directory}/AGENTS.md", "x")
    assert files(world, "p") == ["home/.codex/AGENTS.md", "p/AGENTS.override.md"]


def test_what_is_no_regular_file_is_passed_over(world: World) -> None:
    world.repository("p")
    os.mkfifo(world.at("p/AGENTS.override.md"))
    world.directory("p/AGENTS.md")
    world.link("p/ONE.md", "nowhere")
    world.write("p/TWO.md", "x")
    with world.scope("p", {"REFSEAL_FALLBACK_FILENAMES": "ONE.md,TWO.md"}) as scope:
        (directory,) = scope.chain
        assert directory.project is not None
        assert directory.project.name == "TWO.md"
        assert directory.passed[:3] == [
            ("AGENTS.override.md", "not-regular"),
            ("AGENTS.md", "directory"),
            ("ONE.md", "missing"),
        ]


def test_a_refused_file_stands_for_its_family_and_is_named_if_it_is_an_overlay(world: World) -> None:
    world.write("outside.md", "x")
    world.repository("p")
    world.link("p/AGENTS.md", "../outside.md")
    world.link("p/AGENTS.local.md", world.at("outside.md"))
    answer = world.ask("p")
    assert answer.shown == []
    assert answer.left_out == [("p/AGENTS.local.md", "symlink-absolute")]
    refused = [(found.name, found.refusal.code) for found in answer.resolution.refused if found.refusal]
    assert refused == [("AGENTS.md", "symlink-escape"), ("AGENTS.local.md", "symlink-absolute")]


def test_a_link_inside_the_project_is_followed_and_its_directory_is_the_base(world: World) -> None:
    world.repository("p")
    world.write_all({"p/conf/x.md": "@y.md", "p/conf/y.md": "y", "p/y.md": "not this"})
    world.link("p/AGENTS.local.md", "conf/x.md")
    answer = world.ask("p")
    assert answer.shown == ["p/conf/x.md", "p/conf/y.md"]


# --- Codex home


def test_the_overlay_in_codex_home_comes_first(world: World) -> None:
    world.repository("p")
    world.write_all(
        {"home/.codex/AGENTS.local.md": "h", "home/.codex/AGENTS.md": "x", "p/AGENTS.local.md": "p"}
    )
    answer = world.ask("p")
    assert answer.shown == ["home/.codex/AGENTS.local.md", "p/AGENTS.local.md"]


def test_without_a_codex_home_there_is_just_the_project(world: World) -> None:
    world.repository("p")
    world.write("p/AGENTS.local.md", "p")
    world.codex_home = world.at("nowhere")
    assert world.ask("p").shown == ["p/AGENTS.local.md"]
    world.codex_home = None
    assert world.ask("p").shown == ["p/AGENTS.local.md"]


@pytest.mark.parametrize("absolute", [True, False])
def test_its_overlay_may_be_a_link_into_dotfiles(world: World, *, absolute: bool) -> None:
    world.repository("p")
    world.write_all(
        {
            "home/dotfiles/codex/AGENTS.local.md": "@n.md @../secret.md @~/.codex/c.md",
            "home/dotfiles/codex/n.md": "@m.md",
            "home/dotfiles/codex/m.md": "m",
            "home/dotfiles/secret.md": "s",
            "home/.codex/c.md": "c",
        }
    )
    target = (
        world.at("home/dotfiles/codex/AGENTS.local.md") if absolute else "../dotfiles/codex/AGENTS.local.md"
    )
    world.link("home/.codex/AGENTS.local.md", target)
    answer = world.ask("p")
    assert answer.verdicts == [
        ("n.md", "included"),
        ("../secret.md", "outside-root"),
        ("~/.codex/c.md", "included"),
        ("m.md", "included"),
    ]


def test_a_project_overlay_may_not_be_such_a_link(world: World) -> None:
    world.repository("p")
    world.write("home/dotfiles/x.md", "x")
    world.link("p/AGENTS.local.md", world.at("home/dotfiles/x.md"))
    assert world.ask("p").left_out == [("p/AGENTS.local.md", "symlink-absolute")]


@pytest.mark.skipif(not is_root, reason="needs root to give files away")
def test_a_link_out_of_codex_home_leads_only_to_files_of_trusted_owners(world: World) -> None:
    world.repository("p")
    world.write("evil/x.md", "x")
    os.chown(world.at("evil/x.md"), STRANGER, -1)
    world.link("home/.codex/AGENTS.local.md", world.at("evil/x.md"))
    assert world.ask("p").left_out == [("home/.codex/AGENTS.local.md", "foreign-owner")]


def test_an_overlay_that_codex_home_links_from_the_project_is_the_projects(world: World) -> None:
    world.repository("p")
    world.write_all({"p/x.md": "@y.md @~/.codex/c.md", "p/y.md": "y", "home/.codex/c.md": "c"})
    world.link("home/.codex/AGENTS.local.md", world.at("p/x.md"))
    assert world.ask("p").verdicts == [("y.md", "included"), ("~/.codex/c.md", "home")]


# --- worktrees


@pytest.mark.parametrize("tree", ["main/.worktrees/wt", "trees/wt"])
def test_twins_stand_in_family_by_family_nested_and_sibling(world: World, tree: str) -> None:
    world.worktree("main", tree)
    world.write_all(
        {
            "main/AGENTS.md": "main",
            "main/AGENTS.local.md": "main",
            "main/sub/AGENTS.override.md": "main",
            "main/sub/AGENTS.local.md": "main",
            f"{tree}/AGENTS.md": "own",
            f"{tree}/sub/AGENTS.local.md": "own",
        }
    )
    answer = world.ask(f"{tree}/sub")
    assert answer.instructions == [
        ("chain", "project", f"{tree}/AGENTS.md"),
        ("twin", "overlay", "main/AGENTS.local.md"),
        ("twin", "project", "main/sub/AGENTS.override.md"),
        ("chain", "overlay", f"{tree}/sub/AGENTS.local.md"),
    ]
    assert answer.shown == [
        "main/AGENTS.local.md",
        f"{tree}/sub/AGENTS.local.md",
        "main/sub/AGENTS.override.md",
    ]


def test_an_empty_file_of_the_worktree_is_its_own_and_no_twin_stands_in(world: World) -> None:
    world.worktree("main", "wt")
    world.write_all({"main/AGENTS.local.md": "main", "wt/AGENTS.local.md": ""})
    assert world.ask("wt").shown == []


def test_the_main_roots_ancestors_are_looked_at_outermost_first(world: World) -> None:
    world.worktree("work/client/main", "trees/wt")
    world.write_all(
        {
            "work/AGENTS.md": "w",
            "work/client/AGENTS.override.md": "c",
            "work/client/AGENTS.md": "hidden",
            "work/client/AGENTS.local.md": "c",
            "trees/AGENTS.md": "not an ancestor of the main root",
        }
    )
    answer = world.ask("trees/wt")
    assert answer.instructions == [
        ("ancestor", "project", "work/AGENTS.md"),
        ("ancestor", "project", "work/client/AGENTS.override.md"),
        ("ancestor", "overlay", "work/client/AGENTS.local.md"),
    ]
    assert answer.shown == ["work/client/AGENTS.local.md", "work/AGENTS.md", "work/client/AGENTS.override.md"]


def test_an_ancestor_that_is_an_extra_root_is_looked_at_too(world: World) -> None:
    world.worktree("work/main", "wt")
    world.write_all({"work/AGENTS.local.md": "@x.md", "work/x.md": "x"})
    answer = world.ask("wt", {"REFSEAL_EXTRA_ROOTS": world.at("work")})
    assert answer.shown == ["work/AGENTS.local.md", "work/x.md"]


def test_an_extra_root_above_the_main_root_stays_one_though_it_holds_the_home(world: World) -> None:
    world.worktree("work/home/main", "wt")
    world.write_all({"work/AGENTS.local.md": "@x.md", "work/x.md": "x"})
    world.home = world.at("work/home")
    assert world.ask("wt").verdicts == [("x.md", "outside-root")]
    assert world.ask("wt", {"REFSEAL_EXTRA_ROOTS": world.at("work")}).verdicts == [("x.md", "included")]


def test_only_the_nearest_of_very_many_ancestors_are_looked_at(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("refseal.resolve.main_worktree.MAX_ANCESTORS", 2)
    world.worktree("a/b/c/main", "wt")
    world.write_all({f"{path}/AGENTS.md": "x" for path in ("a", "a/b", "a/b/c")})
    assert [path for _, _, path in world.ask("wt").instructions] == ["a/b/AGENTS.md", "a/b/c/AGENTS.md"]


def test_codex_home_above_the_main_root_is_read_once(world: World) -> None:
    world.worktree("home/.codex/repos/main", "wt")
    world.write_all(
        {"home/.codex/AGENTS.md": "x", "home/.codex/AGENTS.local.md": "x", "home/.codex/repos/AGENTS.md": "x"}
    )
    assert world.ask("wt").instructions == [
        ("home", "project", "home/.codex/AGENTS.md"),
        ("home", "overlay", "home/.codex/AGENTS.local.md"),
        ("ancestor", "project", "home/.codex/repos/AGENTS.md"),
    ]


def test_the_ancestors_of_an_ordinary_project_are_not(world: World) -> None:
    world.repository("work/p")
    world.write("work/AGENTS.local.md", "w")
    assert world.ask("work/p").instructions == []


def test_a_world_writable_ancestor_is_not_looked_at(world: World) -> None:
    world.worktree("work/main", "wt")
    world.write("work/AGENTS.md", "w")
    world.directory("work", 0o777)
    assert world.ask("wt").instructions == []
    world.directory("work", 0o1777)
    assert world.ask("wt").instructions == []


@pytest.mark.skipif(not is_root, reason="needs root to give files away")
def test_an_ancestor_of_another_owner_is_not_looked_at(world: World) -> None:
    world.worktree("work/main", "wt")
    world.write("work/AGENTS.md", "w")
    os.chown(world.at("work"), STRANGER, -1)
    assert world.ask("wt").instructions == []


def test_a_nested_worktree_sees_nothing_twice(world: World) -> None:
    world.worktree("main", "main/.worktrees/wt")
    world.write_all(
        {
            "main/package.json": "{}",
            "main/AGENTS.md": "m",
            "main/AGENTS.local.md": "m",
            "main/.worktrees/AGENTS.local.md": "w",
        }
    )
    # With this marker the chain itself leads through the main tree, and the twin of wt is main.
    answer = world.ask("main/.worktrees/wt", markers=["package.json"])
    assert sorted(answer.shown) == ["main/.worktrees/AGENTS.local.md", "main/AGENTS.local.md"]
    assert answer.block.count("main/AGENTS.local.md") == 1


def test_nothing_leads_from_the_main_tree_into_a_worktree_nested_in_it(world: World) -> None:
    world.worktree("main", "main/.worktrees/wt")
    world.write_all({"main/AGENTS.local.md": "@.worktrees/wt/x.md", "main/.worktrees/wt/x.md": "x"})
    assert world.ask("main/.worktrees/wt").verdicts == [(".worktrees/wt/x.md", "outside-root")]


def test_a_copied_worktree_inherits_nothing(world: World) -> None:
    world.worktree("main", "wt")
    world.write("main/AGENTS.local.md", "m")
    os.rename(world.at("wt"), world.at("moved"))
    with world.scope("moved") as scope:
        assert scope.linkage.status == "unverified"
        assert scope.instructions == []


def test_a_bare_layout_has_no_main_root_but_its_name(world: World) -> None:
    world.git("p", "init", "-q", "--bare", ".bare")
    world.repository("seed")
    world.git("seed", "commit", "-q", "--allow-empty", "-m", "x")
    world.git("seed", "push", "-q", world.at("p/.bare"), "HEAD:refs/heads/x")
    world.git("p/.bare", "worktree", "add", "-q", world.at("p/wt"), "x")
    world.write("p/AGENTS.local.md", "x")
    with world.scope("p/wt") as scope:
        assert scope.linkage.status == "bare"
        assert scope.instructions == []


def test_a_project_in_codex_home_is_project_tier(world: World) -> None:
    world.worktree("main", "home/.codex/worktrees/ab12/main")
    world.write_all(
        {
            "home/.codex/worktrees/ab12/main/AGENTS.local.md": "@../../../c.md @~/.codex/c.md",
            "home/.codex/AGENTS.local.md": "@c.md @worktrees/ab12/main/d.md",
            "home/.codex/c.md": "c",
            "home/.codex/worktrees/ab12/main/d.md": "d",
        }
    )
    answer = world.ask("home/.codex/worktrees/ab12/main")
    assert answer.verdicts == [
        ("c.md", "included"),
        ("worktrees/ab12/main/d.md", "outside-root"),
        ("../../../c.md", "outside-root"),
        # Not in git's index, so the extra roots are open to it; Codex home is not.
        ("~/.codex/c.md", "home"),
    ]


# --- owners


@pytest.mark.skipif(not is_root, reason="needs root to give files away")
def test_the_owner_of_the_project_root_or_of_cwd_is_trusted(world: World) -> None:
    world.repository("p")
    world.write("p/AGENTS.local.md", "x")
    for path in ("p", "p/.git", "p/AGENTS.local.md"):
        os.chown(world.at(path), STRANGER, -1)
    assert world.ask("p").shown == ["p/AGENTS.local.md"]
    os.chown(world.at("p/AGENTS.local.md"), STRANGER + 1, -1)
    assert world.ask("p").left_out == [("p/AGENTS.local.md", "foreign-owner")]


@pytest.mark.skipif(not is_root, reason="needs root to give files away")
def test_the_owners_of_cwd_of_the_project_root_and_of_its_git_directory_are_trusted_each(
    world: World,
) -> None:
    world.repository("p")
    world.write("p/d/AGENTS.md")
    for number, path in enumerate(("p", "p/.git", "p/d")):
        os.chown(world.at(path), STRANGER + number, -1)
    with world.scope("p/d") as scope:
        assert scope.owners.uids == {os.geteuid(), 0, STRANGER, STRANGER + 1, STRANGER + 2}


@pytest.mark.skipif(not is_root, reason="needs root to give files away")
def test_who_plants_a_git_directory_in_a_shared_one_is_not_trusted_for_it(world: World) -> None:
    world.directory("tmp", 0o1777)
    world.repository("tmp")
    world.write_all({"tmp/AGENTS.local.md": "@mine/secret.md", "tmp/mine/secret.md": "s"})
    for path in ("tmp/.git", "tmp/AGENTS.local.md"):
        os.chown(world.at(path), STRANGER, -1)
    answer = world.ask("tmp/mine")
    assert answer.shown == []
    assert answer.left_out == [("tmp/AGENTS.local.md", "foreign-owner")]


@pytest.mark.parametrize(
    ("text", "is_passed"),
    [
        ("", True),
        (" \n\t", True),
        ("\u3000\n", True),
        ("\x85\u2028", True),
        ("\ufeff\n", False),
        ("\x1c", False),
    ],
)
def test_a_blank_override_in_codex_home_falls_through_where_unicode_says_white_space(
    world: World, text: str, *, is_passed: bool
) -> None:
    """As Codex 0.171.0 trims it: by White_Space, which holds neither the byte order mark nor U+001C."""
    world.write_all({"home/.codex/AGENTS.override.md": text, "home/.codex/AGENTS.md": "x"})
    world.repository("p")
    assert files(world, "p") == ["home/.codex/AGENTS.md" if is_passed else "home/.codex/AGENTS.override.md"]


# --- what single steps decide


def test_what_nobody_had_time_for_is_named_in_order(world: World) -> None:
    world.worktree("work/main", "wt")
    os.makedirs(world.at("wt/sub"))
    settings = read_settings({}, None)
    with locate(
        world.at("wt/sub"),
        settings=settings,
        owners=Owners.of_process(),
        home=world.home,
        codex_home=world.codex_home,
        markers=MARKERS,
    ) as scope:
        scope.read_instructions((), NATIVE_BYTES, lambda: True)
        assert [world.short(path) for path in scope.unread] == ["home/.codex", "work/", "wt", "wt/sub"]
        assert scope.instructions == []


@pytest.mark.parametrize(("content", "code"), [(None, "symlink-loop"), (" \n", "empty")])
def test_an_override_in_codex_home_that_says_nothing_gives_way(
    world: World, content: str | None, code: str
) -> None:
    world.repository("p")
    world.write("home/.codex/AGENTS.md", "x")
    if content is None:
        world.link("home/.codex/AGENTS.override.md", "AGENTS.override.md")
    else:
        world.write("home/.codex/AGENTS.override.md", content)
    with world.scope("p") as scope:
        assert scope.codex_home is not None
        assert scope.codex_home.project is not None
        assert world.short(scope.codex_home.project.path) == "home/.codex/AGENTS.md"
        assert scope.codex_home.passed[0] == ("AGENTS.override.md", code)


def test_an_override_in_codex_home_that_is_refused_stands_for_its_family(world: World) -> None:
    world.repository("p")
    world.write_all({"home/.codex/AGENTS.md": "x", "home/.ssh/id_rsa": "x"})
    world.link("home/.codex/AGENTS.override.md", world.at("home/.ssh/id_rsa"))
    with world.scope("p") as scope:
        assert [(found.name, found.refusal and found.refusal.code) for found in scope.instructions] == [
            ("AGENTS.override.md", "sensitive")
        ]


@pytest.mark.parametrize("last", ["X", " ", "XX"])
def test_a_twin_is_found_whatever_the_names_of_the_roots_end_with(world: World, last: str) -> None:
    world.worktree(f"main{last}", f"wt{last}")
    world.write_all({f"main{last}/AGENTS.local.md": "a", f"main{last}/sub/AGENTS.local.md": "b"})
    os.makedirs(world.at(f"wt{last}/sub"))
    assert world.ask(f"wt{last}/sub").shown == [
        f"main{last}/AGENTS.local.md",
        f"main{last}/sub/AGENTS.local.md",
    ]


def test_a_directory_that_the_main_worktree_lacks_has_no_twin(world: World) -> None:
    world.worktree("main", "wt")
    os.makedirs(world.at("wt/new"))
    assert world.ask("wt/new").instructions == []


def test_every_directory_above_the_main_root_is_looked_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.worktree("work/main", "wt")
    looked: list[str] = []
    monkeypatch.setattr(main_worktree, "_hold_ancestor", lambda _, path: looked.append(path))
    world.ask("wt")
    expected = [world.at("work")]
    while expected[-1] != "/":
        expected.append(os.path.dirname(expected[-1]))
    assert looked == expected[::-1]


def test_directories_above_without_an_instruction_file_are_given_up(world: World) -> None:
    world.worktree("work/client/main", "wt")
    world.write("work/AGENTS.md", "x")
    with world.scope("wt") as scope:
        kept = [territory.root.path for territory in scope.territories.of_kind("ancestor")]
    assert kept == [world.at("work")]


def test_where_an_overlay_of_codex_home_really_lies_may_be_above_the_main_root(world: World) -> None:
    world.worktree("work/main", "wt")
    world.write_all({"work/codex.md": "x", "work/AGENTS.md": "x", "secret.md": "x"})
    world.link("home/.codex/AGENTS.local.md", world.at("work/codex.md"))
    world.link("work/AGENTS.local.md", world.at("secret.md"))
    answer = world.ask("wt")
    assert answer.shown == ["work/codex.md", "work/AGENTS.md"]
    assert answer.left_out == [("work/AGENTS.local.md", "symlink-absolute")]


def test_no_link_leads_out_of_a_codex_home_that_lies_in_the_project(world: World) -> None:
    world.repository("p")
    world.codex_home = world.at("p/.codex")
    world.write("secret.md", "x")
    world.link("p/.codex/AGENTS.local.md", world.at("secret.md"))
    assert world.ask("p").left_out == [("p/.codex/AGENTS.local.md", "symlink-absolute")]


def test_what_was_not_read_is_not_local(world: World) -> None:
    world.repository("p")
    with world.scope("p") as scope:
        refused = Instruction("overlay", "chain", "/x", "AGENTS.local.md", refusal=Refusal("missing", "x"))
        assert scope.is_local(refused) is False


@pytest.mark.parametrize(
    ("path", "directory"), [("/", "/"), ("/a", "/"), ("/a/b", "/a"), ("/aX/bX", "/aX"), ("/a b/c", "/a b")]
)
def test_the_directory_of_a_path(path: str, directory: str) -> None:
    assert directory_of(path) == directory


@pytest.mark.parametrize("last", ["X", " "])
def test_a_chain_is_found_whatever_its_names_end_with(world: World, last: str) -> None:
    world.repository(f"p{last}")
    world.write_all({f"p{last}/AGENTS.local.md": "a", f"p{last}/Xd{last}/eX/AGENTS.local.md": "b"})
    with world.scope(f"p{last}/Xd{last}/eX") as scope:
        assert [world.short(directory.path) for directory in scope.chain] == [
            f"p{last}", f"p{last}/Xd{last}", f"p{last}/Xd{last}/eX"
        ]  # fmt: skip
        found = [(directory.place.path if directory.place else None) for directory in scope.chain]
        assert found == [directory.path for directory in scope.chain]
        assert len(scope.instructions) == 2


@pytest.mark.parametrize(
    ("home", "codex_home", "unsafe"),
    [("top", None, True), ("top/h", None, False), ("elsewhere", "top/c", True), ("elsewhere", None, False)],
)
def test_a_root_above_a_home_of_the_user_or_the_host_is_too_wide(
    world: World, home: str, codex_home: str | None, *, unsafe: bool
) -> None:
    world.home = world.at(home)
    world.codex_home = world.at(codex_home) if codex_home else None
    for path in ("top/h", "top/c", "elsewhere", "top/sub"):
        os.makedirs(world.at(path), exist_ok=True)
    world.repository("p")
    world.link("p/l", world.at("top"))
    with world.scope("p/l/sub") as scope:  # a link of the chain leads there
        (strand,) = scope.territories.of_kind("strand")
        assert (strand.root.path, strand.confined) == (world.at("top"), unsafe)
    with world.scope("p/l") as scope:
        assert [found.confined for found in scope.territories.of_kind("strand")] == [False]
    world.repository("top")
    with world.scope("top/sub") as scope:
        assert scope.unsafe is unsafe
    world.worktree("top", "wt")
    with world.scope("wt") as scope:
        assert scope.linkage.status == ("unsafe-root" if unsafe else "linked")


def test_a_main_root_that_was_replaced_meanwhile_is_none(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.worktree("main", "wt")

    def replaced(*arguments: object, **options: object) -> Linkage:
        linkage = find_linkage(*arguments, **options)  # type: ignore[arg-type]
        linkage.main_identity = (0, 0)
        return linkage

    with world.scope("wt") as scope:
        assert len(scope.territories.of_kind("main")) == 1
    monkeypatch.setattr("refseal.resolve.locating.find_linkage", replaced)
    with world.scope("wt") as scope:
        assert scope.territories.of_kind("main") == []


@pytest.mark.parametrize("spelling", ["~", "~/", "~/sub"])
def test_an_extra_root_may_be_spelled_from_the_home(world: World, spelling: str) -> None:
    world.repository("p")
    os.makedirs(world.at("home/sub"))
    with world.scope("p", {"REFSEAL_EXTRA_ROOTS": spelling}) as scope:
        (extra,) = scope.territories.of_kind("extra")
        assert extra.root.path == world.at("home" + spelling[1:]).rstrip("/")
        assert scope.problems == []


def test_an_extra_root_from_a_home_that_nobody_knows_is_left_out_and_said_so(world: World) -> None:
    world.repository("p")
    world.home = None  # type: ignore[assignment]
    with world.scope("p", {"REFSEAL_EXTRA_ROOTS": "~/x"}) as scope:
        assert scope.problems == ["REFSEAL_EXTRA_ROOTS: ~ has no meaning here; a directory is left out"]


@pytest.mark.parametrize("home", ["homeX", "home "])
def test_the_usual_codex_home_is_the_users_whatever_the_name_of_the_home(world: World, home: str) -> None:
    world.home = world.at(home)
    world.codex_home = world.at(f"{home}/.codex")
    world.write(f"{home}/.codex/AGENTS.local.md", "x")
    world.repository(home)
    with world.scope(f"{home}/.codex") as scope:
        assert [found.kind for found in scope.territories.of_kind("home")] == ["home"]


def test_every_change_of_the_territories_is_told(world: World) -> None:
    """Else what was computed from them before would still be taken for true."""
    for name in ("a", "b"):
        os.makedirs(world.at(name))
    territories = Territories()
    first, second = (
        Territory(Root.open(world.at(name), Owners.of_process()), "extra") for name in ("a", "b")
    )
    states = [territories.changes]
    for change, territory in (
        (territories.add, first),
        (territories.add, second),
        (territories.remove, first),
        (territories.remove, second),
    ):
        change(territory)
        states.append(territories.changes)
    assert len(set(states)) == len(states)


def test_a_project_that_is_codex_home_is_the_project(world: World) -> None:
    world.repository("home/.codex")
    with world.scope("home/.codex") as scope:
        place = scope.territories.place_of(world.at("home/.codex"))
        assert place is not None
        assert scope.territories.holding(place.root).kind == "project"


@pytest.mark.parametrize(
    ("path", "directory", "components"),
    [("/a", "/a", []), ("/a/b X/Xc", "/a", ["b X", "Xc"]), ("/a", "/", ["a"]), ("/", "/", [])],
)
def test_what_leads_from_a_directory_to_a_path(path: str, directory: str, components: list[str]) -> None:
    assert components_beneath(path, directory) == components


def test_a_directory_of_the_chain_that_went_away_holds_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.repository("p")
    world.write("p/AGENTS.md", "x")

    def gone(*_: object) -> None:
        raise Refusal("missing", "p")

    monkeypatch.setattr(Territories, "narrow", gone)
    with world.scope("p") as scope:
        assert scope.instructions == []
        assert set(scope.chain[0].passed) >= {("AGENTS.md", "missing"), ("AGENTS.local.md", "missing")}


@pytest.mark.parametrize(
    ("data", "blank"),
    [(b"", True), (b" \t\r\n\x0c", True), ("\u3000\u2003".encode(), True), (b"\xff", False)],
)
def test_what_is_no_utf_8_is_not_blank(data: bytes, *, blank: bool) -> None:
    assert is_blank(data) is blank


def test_a_home_above_the_main_root_is_barred_by_whatever_link_it_is_known(world: World) -> None:
    world.worktree("work/main", "wt")
    world.write_all({"work/AGENTS.md": "@x.md", "work/x.md": "x"})
    assert world.ask("wt").verdicts == [("x.md", "included")]
    world.link("alias", world.at("work"))
    world.home = world.at("alias")
    assert world.ask("wt").verdicts == [("x.md", "outside-root")]


@pytest.mark.parametrize("directory", [".git/hooks", ".ssh/keys", ".env", "d/" * 300])
def test_of_a_directory_that_policy_refuses_no_file_is_named_that_is_not_there(
    world: World, directory: str
) -> None:
    world.repository("p")
    world.directory(f"p/{directory}")
    with world.scope(f"p/{directory}") as scope:
        assert scope.instructions == []
        assert set(scope.chain[-1].passed) >= {("AGENTS.override.md", "missing"), ("AGENTS.md", "missing")}
    world.write(f"p/{directory}/AGENTS.md", "x")
    with world.scope(f"p/{directory}") as scope:
        assert [found.name for found in scope.instructions] == ["AGENTS.md"]
        assert scope.instructions[0].refusal is not None
