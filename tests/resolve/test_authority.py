"""Authority: what a document may reach depends on where it lies.  One test for each row of the table."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from refseal.pathguard import Owners, Root
from refseal.resolve.authority import Authority
from refseal.resolve.territory import Territories, Territory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.resolve.territory import Kind
    from tests.resolve.world import World

is_root = os.geteuid() == 0


@pytest.fixture
def full(world: World) -> World:
    """Make a project with its main worktree, Codex home, an extra root, and something outside of all."""
    world.worktree("main", "wt")
    for directory in ("wt", "main", "home/.codex", "home/extra", "home/other", "home"):
        world.write(f"{directory}/t.md", directory)
    return world


EXTRA = {"REFSEAL_EXTRA_ROOTS": "~/extra"}
TARGETS = ("wt", "main", "home/.codex", "home/extra", "home/other", "home")


def reached(
    world: World, overlay: str, *, cwd: str = "wt", environ: dict[str, str] = EXTRA
) -> dict[str, str]:
    """Let one document refer to all targets by absolute path, and tell which of them it may reach."""
    world.write(overlay, "".join(f"@{world.at(target)}/t.md\n" for target in TARGETS))
    answer = world.ask(cwd, environ)
    reasons = {}
    for path, reason in answer.verdicts:
        target = world.short(path).removesuffix("/t.md")
        if target in TARGETS:
            reasons[target] = "yes" if reason == "included" else reason
    return reasons


def no(*targets: str) -> dict[str, str]:
    return dict.fromkeys(targets, "absolute")


def yes(*targets: str) -> dict[str, str]:
    return dict.fromkeys(targets, "yes")


# --- the rows


def test_codex_homes_overlay_reaches_codex_home_and_extra_roots(full: World) -> None:
    assert reached(full, "home/.codex/AGENTS.local.md") == {
        **yes("home/.codex", "home/extra"),
        **no("wt", "main", "home/other", "home"),
    }


def test_a_document_in_codex_home_reaches_as_far_as_the_overlay(full: World) -> None:
    full.write("home/.codex/AGENTS.local.md", "@docs/a.md")
    assert reached(full, "home/.codex/docs/a.md") == {
        **yes("home/.codex", "home/extra"),
        **no("wt", "main", "home/other", "home"),
    }


def test_a_file_in_an_extra_root_reaches_that_root(full: World) -> None:
    full.write("home/.codex/AGENTS.local.md", "@~/extra/a.md")
    full.write("home/extra2/b.md", "b")
    full.write("home/extra/a.md", "@~/extra/t.md @~/extra2/b.md @~/.codex/t.md @t.md @../other/t.md")
    answer = full.ask("wt", {"REFSEAL_EXTRA_ROOTS": "~/extra:~/extra2"})
    assert answer.verdicts[1:] == [
        ("~/extra/t.md", "included"),
        ("~/extra2/b.md", "home"),
        ("~/.codex/t.md", "home"),
        ("t.md", "duplicate"),
        ("../other/t.md", "outside-root"),
    ]


def test_an_ancestors_instruction_file_reaches_its_own_directory(world: World) -> None:
    world.worktree("work/main", "wt")
    world.write_all(
        {
            "work/AGENTS.local.md": "@n/a.md @main/b.md @../t.md",
            "work/n/a.md": "@../AGENTS.local.md @../c.md",
            "work/c.md": "c",
            "work/main/b.md": "b",
            "t.md": "t",
        }
    )
    assert world.ask("wt").verdicts == [
        ("n/a.md", "included"),
        ("main/b.md", "outside-root"),
        ("../t.md", "outside-root"),
        ("../AGENTS.local.md", "duplicate"),
        ("../c.md", "included"),
    ]


def test_but_not_if_that_is_the_home_directory(world: World) -> None:
    world.worktree("home/main", "wt")
    world.write_all({"home/AGENTS.local.md": "@notes.md @maria", "home/notes.md": "n", "home/maria": "m"})
    answer = world.ask("wt")
    assert answer.shown == ["home/AGENTS.local.md"]
    assert answer.verdicts == [("notes.md", "outside-root")]


def test_nor_if_it_holds_the_home_directory(world: World) -> None:
    world.worktree("main", "trees/wt")
    world.write_all({"AGENTS.local.md": "@notes.md", "notes.md": "n"})
    answer = world.ask("trees/wt")
    assert answer.shown == ["AGENTS.local.md"]
    assert answer.verdicts == [("notes.md", "outside-root")]


def test_nor_if_the_home_directory_is_known_by_a_link(world: World) -> None:
    world.worktree("work/main", "wt")
    world.write_all({"work/AGENTS.md": "@home/x.md", "work/home/x.md": "x"})
    world.link("alias", world.at("work/home"))
    world.home = world.at("alias")
    assert world.ask("wt").verdicts == [("home/x.md", "outside-root")]


def test_an_overlay_that_git_does_not_track_reaches_project_main_root_and_extra_roots(full: World) -> None:
    assert reached(full, "wt/AGENTS.local.md") == {
        **yes("wt", "main", "home/extra"),
        **no("home/.codex", "home/other", "home"),
    }


def test_a_tracked_overlay_reaches_project_and_main_root(full: World) -> None:
    full.write("wt/AGENTS.local.md")
    full.git("wt", "add", "AGENTS.local.md")
    assert reached(full, "wt/AGENTS.local.md") == {
        **yes("wt", "main"),
        **no("home/extra", "home/.codex", "home/other", "home"),
    }


def test_so_does_one_in_the_main_worktree_by_its_own_index(full: World) -> None:
    assert reached(full, "main/AGENTS.local.md")["home/extra"] == "yes"
    full.git("main", "add", "AGENTS.local.md")
    assert reached(full, "main/AGENTS.local.md")["home/extra"] == "absolute"


def test_one_without_git_metadata_reaches_the_project(world: World) -> None:
    world.write_all({"p/t.md": "t", "home/extra/t.md": "t"})
    reasons = reached(world, "p/AGENTS.local.md", cwd="p")
    assert reasons["home/extra"] == "absolute"


def test_one_whose_index_cannot_be_read_counts_as_tracked(full: World) -> None:
    full.write("main/.git/worktrees/wt/index", b"DIRC\0\0\0\2\xff\xff\xff\xff")
    assert reached(full, "wt/AGENTS.local.md")["home/extra"] == "absolute"


def test_every_other_document_of_a_project_reaches_project_and_main_root(full: World) -> None:
    full.write("wt/AGENTS.local.md", "@docs/a.md")
    assert reached(full, "wt/docs/a.md") == {
        **yes("wt", "main"),
        **no("home/extra", "home/.codex", "home/other", "home"),
    }
    os.unlink(full.at("wt/AGENTS.local.md"))
    assert reached(full, "wt/AGENTS.md") == {
        **yes("wt", "main"),
        **no("home/extra", "home/.codex", "home/other", "home"),
    }


def test_authority_does_not_come_from_who_referenced_a_document(full: World) -> None:
    # The same document, reached from a local overlay first, and from Codex home's overlay.
    full.write_all({"home/extra/a.md": f"@{full.at('wt/t.md')}", "wt/AGENTS.local.md": "@~/extra/a.md"})
    assert full.ask("wt", EXTRA).reason(full.at("wt/t.md")) == "absolute"
    full.write("home/.codex/AGENTS.local.md", "@~/extra/a.md")
    assert full.ask("wt", EXTRA).reason(full.at("wt/t.md")) == "absolute"


# --- spelling


def test_tilde_is_for_user_tier_files_and_local_overlays(full: World) -> None:
    full.write("wt/AGENTS.md", "@~/extra/t.md")
    assert full.ask("wt", EXTRA).verdicts == [("~/extra/t.md", "home")]
    full.write("wt/AGENTS.local.md", "@~/extra/t.md @~/other/t.md @~root/x.md")
    assert full.ask("wt", EXTRA).verdicts[:3] == [
        ("~/extra/t.md", "included"),
        ("~/other/t.md", "home"),
        ("~root/x.md", "home"),
    ]
    full.git("wt", "add", "AGENTS.local.md")
    assert full.ask("wt", EXTRA).verdicts[0] == ("~/extra/t.md", "home")


def test_an_absolute_token_may_use_the_given_or_the_canonical_spelling(full: World) -> None:
    full.link("l", "wt")
    full.write("wt/AGENTS.md", f"@{full.at('l/t.md')} @{full.at('wt/t.md')} @{full.at('wt-evil/t.md')}")
    full.write("wt-evil/t.md", "t")
    assert [reason for _, reason in full.ask("l").verdicts] == ["included", "duplicate", "absolute"]


def test_a_relative_token_never_leaves_its_root_even_back_into_it(full: World) -> None:
    full.write("wt/AGENTS.local.md", "@../wt/t.md @../main/t.md")
    assert full.ask("wt").verdicts == [("../wt/t.md", "outside-root"), ("../main/t.md", "outside-root")]


def test_a_link_into_an_extra_root_is_followed_for_who_may_reach_it(full: World) -> None:
    full.link("wt/l.md", full.at("home/extra/t.md"))
    full.write_all({"wt/AGENTS.local.md": "@l.md", "wt/AGENTS.md": "@l.md"})
    answer = full.ask("wt", EXTRA)
    assert answer.verdicts == [("l.md", "included"), ("l.md", "symlink-absolute")]
    assert full.ask("wt").verdicts == [("l.md", "symlink-absolute"), ("l.md", "symlink-absolute")]


def test_an_untracked_overlay_may_itself_be_a_link_into_an_extra_root(full: World) -> None:
    full.write("home/extra/local.md", "@t.md @~/extra/t.md")
    full.link("wt/AGENTS.local.md", full.at("home/extra/local.md"))
    assert full.ask("wt", EXTRA).shown == ["home/extra/local.md", "home/extra/t.md"]
    full.git("wt", "add", "AGENTS.local.md")
    assert full.ask("wt", EXTRA).left_out == [("wt/AGENTS.local.md", "symlink-absolute")]


def test_an_untracked_link_to_an_untracked_file_has_the_authority_of_both(full: World) -> None:
    full.write("wt/mine.md", "@~/extra/t.md")
    full.link("wt/AGENTS.local.md", "mine.md")
    assert full.ask("wt", EXTRA).verdicts == [("~/extra/t.md", "included")]


def test_an_untracked_link_to_a_tracked_file_has_no_more_authority_than_that(full: World) -> None:
    full.write("wt/committed.md", "@~/extra/t.md")
    full.git("wt", "add", "committed.md")
    full.link("wt/AGENTS.local.md", "committed.md")
    assert full.ask("wt", EXTRA).verdicts == [("~/extra/t.md", "home")]


# --- nested roots


def test_a_root_nested_in_another_is_not_reachable_from_the_outer_one(world: World) -> None:
    world.repository("p")
    world.write_all(
        {
            "p/vendor/x.md": "x",
            "p/AGENTS.md": f"@vendor/x.md @{world.at('p/vendor/x.md')}",
            "p/AGENTS.local.md": f"@vendor/x.md @{world.at('p/vendor/x.md')}",
        }
    )
    answer = world.ask("p", {"REFSEAL_EXTRA_ROOTS": world.at("p/vendor")})
    assert [reason for _, reason in answer.verdicts] == [
        "outside-root",
        "included",
        "outside-root",
        "outside-root",
    ]


def test_a_project_in_an_extra_root_is_not_reachable_from_it(world: World) -> None:
    world.repository("home/work/p")
    world.write_all(
        {
            "home/work/p/x.md": "x",
            "home/work/y.md": "y",
            "home/.codex/AGENTS.local.md": "@~/work/p/x.md @~/work/y.md",
        }
    )
    answer = world.ask("home/work/p", {"REFSEAL_EXTRA_ROOTS": "~/work"})
    assert answer.verdicts == [("~/work/p/x.md", "outside-root"), ("~/work/y.md", "included")]


def test_an_extra_root_that_is_the_project_stays_the_project(world: World) -> None:
    world.repository("p")
    world.write_all({"p/x.md": "x", "home/.codex/AGENTS.local.md": f"@{world.at('p/x.md')}"})
    answer = world.ask("p", {"REFSEAL_EXTRA_ROOTS": world.at("p")})
    assert [reason for _, reason in answer.verdicts] == ["absolute"]


@pytest.mark.parametrize("name", ["home ", "home\n", "homeX"])
def test_a_tilde_in_an_extra_root_is_the_home_whatever_its_name_ends_with(world: World, name: str) -> None:
    world.home = world.at(name)
    world.directory(f"{name}/extra")
    world.directory("p")
    with world.scope("p", {"REFSEAL_EXTRA_ROOTS": "~/extra"}) as scope:
        assert scope.problems == []


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("home/extra/.git", "git-metadata"), ("home/extra/.git/info", "git-metadata"),
        ("home/.ssh", "sensitive"), ("home/.ssh/keys", "sensitive"), ("home/.config/op", "sensitive"),
        ("home/op", None), ("home/project.git/main", None), ("home/extra/docs", None),
    ],
)  # fmt: skip
def test_an_extra_root_among_secrets_or_in_git_s_metadata_is_none(
    world: World, path: str, code: str | None
) -> None:
    world.repository("p")
    world.write_all({"p/AGENTS.local.md": f"@{world.at(path)}/a.md", f"{path}/a.md": "a"})
    answer = world.ask("p", {"REFSEAL_EXTRA_ROOTS": world.at(path)})
    assert answer.verdicts[0][1] == ("included" if code is None else "absolute")
    with world.scope("p", {"REFSEAL_EXTRA_ROOTS": world.at(path)}) as scope:
        told = [] if code is None else [f"REFSEAL_EXTRA_ROOTS: '{world.at(path)}' is left out: {code}"]
        assert scope.problems == told


@pytest.mark.parametrize(
    ("pointer", "link"),
    [
        ("meta", None),
        ("l", ("p/l", "meta")),
        ("{}/alias/meta", ("alias", "{}/p")),
        ("../p/meta", None),
    ],
)
def test_what_a_gitfile_leads_to_is_git_s_however_it_is_spelled(
    world: World, pointer: str, link: tuple[str, str] | None
) -> None:
    top = world.at(".").rstrip("./")
    world.write_all({"p/meta/HEAD": "ref: refs/heads/main\n", "p/meta/annex/a.txt": "a", "p/meta/x.md": "x"})
    world.write("p/AGENTS.local.md", "@meta/x.md @meta/annex/a.txt")
    if link is not None:
        world.link(link[0], link[1].format(top))
    assert {reason for _, reason in world.ask("p").verdicts} == {"included"}
    world.write("p/.git", f"gitdir: {pointer.format(top)}\n")
    for environ in ({}, {"REFSEAL_ALLOW_OUTSIDE_ROOT": "1"}):
        assert {reason for _, reason in world.ask("p", environ).verdicts} == {"git-metadata"}


def test_an_extra_root_that_is_not_there_is_reported(world: World) -> None:
    world.directory("p")
    with world.scope("p", {"REFSEAL_EXTRA_ROOTS": "~/nowhere"}) as scope:
        assert scope.problems == [f"REFSEAL_EXTRA_ROOTS: '{world.at('home/nowhere')}' is left out: missing"]


# --- unsafe roots


def confine(world: World, kind: str) -> str:
    """Make a project root that is too wide, and return its path in the world."""
    if kind == "home":
        world.repository("home")
        return "home"
    if kind == "above codex home":
        world.codex_home = world.at("shared/codex")
        world.directory("shared/codex")
        world.repository("shared")
        return "shared"
    world.repository("tmp")
    world.directory("tmp", 0o1777)
    return "tmp"


KINDS = ["home", "above codex home", "world-writable"]


@pytest.mark.parametrize("kind", KINDS)
def test_in_an_unsafe_root_a_document_reaches_its_own_directory_or_cwd(world: World, kind: str) -> None:
    top = confine(world, kind)
    world.write_all(
        {
            f"{top}/AGENTS.local.md": "@x.md @mid/y.md @mid/p/z.md",
            f"{top}/x.md": "x",
            f"{top}/mid/y.md": "@y2.md @../x.md",
            f"{top}/mid/y2.md": "y",
            f"{top}/mid/AGENTS.local.md": "@y3.md @../x.md",
            f"{top}/mid/y3.md": "y",
            f"{top}/mid/p/AGENTS.local.md": "@docs/a.md @../y.md",
            f"{top}/mid/p/docs/a.md": "@../z.md @../../y.md",
            f"{top}/mid/p/z.md": "z",
        }
    )
    with world.scope(f"{top}/mid/p") as scope:
        assert scope.unsafe
        assert world.short(scope.project_root) == top
    answer = world.ask(f"{top}/mid/p")
    assert answer.verdicts == [
        # the root's own directory is the root, but cwd is a root in it
        ("x.md", "included"),
        ("mid/y.md", "included"),
        ("mid/p/z.md", "outside-root"),
        ("y3.md", "included"),
        ("../x.md", "outside-root"),
        ("docs/a.md", "included"),
        ("../y.md", "outside-root"),
        # mid/y.md: its own directory is mid, whoever referred to it
        ("y2.md", "included"),
        ("../x.md", "outside-root"),
        # docs/a.md: cwd holds it
        ("../z.md", "included"),
        ("../../y.md", "outside-root"),
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_if_cwd_is_the_unsafe_root_then_cwd_is_the_reach(world: World, kind: str) -> None:
    top = confine(world, kind)
    world.write_all({f"{top}/AGENTS.local.md": "@a/x.md", f"{top}/a/x.md": "@../y.md", f"{top}/y.md": "y"})
    assert world.ask(top).verdicts == [("a/x.md", "included"), ("../y.md", "included")]


def test_an_overlay_in_an_unsafe_root_reaches_no_extra_root(world: World) -> None:
    top = confine(world, "world-writable")
    world.write_all({"home/extra/t.md": "t", f"{top}/a/AGENTS.local.md": "@~/extra/t.md"})
    assert world.ask(f"{top}/a/", EXTRA).verdicts == [("~/extra/t.md", "home")]


def test_not_even_if_cwd_is_that_root(world: World) -> None:
    top = confine(world, "world-writable")
    world.write_all(
        {"home/extra/t.md": "t", f"{top}/AGENTS.local.md": "@~/extra/t.md @t.md", f"{top}/t.md": "t"}
    )
    assert world.ask(top, EXTRA).verdicts == [("~/extra/t.md", "home"), ("t.md", "included")]


def test_a_codex_home_in_the_project_is_project_tier(world: World) -> None:
    world.repository("p")
    world.codex_home = world.at("p/codex")
    world.write_all(
        {
            "p/codex/AGENTS.local.md": "@c.md @../x.md @~/y.md",
            "p/codex/c.md": "c",
            "p/x.md": "x",
            "home/y.md": "y",
            "p/sub/AGENTS.local.md": "x",
        }
    )
    answer = world.ask("p/sub")
    assert answer.verdicts == [("c.md", "included"), ("../x.md", "outside-root"), ("~/y.md", "home")]


def test_but_not_the_usual_one_below_a_home_directory_with_a_git(world: World) -> None:
    world.repository("home")
    world.write_all(
        {
            "home/.codex/AGENTS.local.md": "@c.md @~/.codex/d.md",
            "home/.codex/c.md": "c",
            "home/.codex/d.md": "d",
            "home/AGENTS.local.md": "@.codex/c.md",
        }
    )
    world.directory("home/p")
    answer = world.ask("home/p")
    assert answer.verdicts == [
        ("c.md", "included"),
        ("~/.codex/d.md", "included"),
        (".codex/c.md", "outside-root"),
    ]


# --- REFSEAL_ALLOW_OUTSIDE_ROOT


def test_allow_outside_root_lifts_all_of_it_but_not_credentials_and_git(world: World) -> None:
    world.repository("p")
    world.write_all({"out/x.md": "@../out2/y.md", "out2/y.md": "y", "out/.env": "k", "home/z.md": "z"})
    world.link("p/l.md", "../out2/z.md")
    world.write("out2/z.md", "z")
    world.write("p/AGENTS.md", f"@../out/x.md @{world.at('out/.env')} @.git/config @l.md @~/z.md @/dev/stdin")
    answer = world.ask("p", {"REFSEAL_ALLOW_OUTSIDE_ROOT": "true"})
    assert [reason for _, reason in answer.verdicts] == [
        "included", "sensitive", "git-metadata", "included", "included", "not-regular", "included"
    ]  # fmt: skip


# --- the table, cell by cell

TABLE: tuple[Kind, ...] = ("project", "main", "strand", "cwd", "home", "extra", "ancestor")


@pytest.fixture
def held(world: World) -> Iterator[Territories]:
    territories = Territories()
    for kind in TABLE:
        os.makedirs(world.at(f"t/{kind}"))
        root = Root.open(world.at(f"t/{kind}"), Owners.of_process())
        territories.add(Territory(root, kind))
    yield territories
    territories.close()


def reach_in_words(
    territories: Territories, kind: Kind, *, local: bool = False
) -> tuple[list[str], list[str], str | None]:
    (territory,) = territories.of_kind(kind)
    reach = Authority(territories, "/h").reach_of(territory.root, local=local)
    assert reach.excluded == (frozenset() if territories.of_kind("anywhere") else territories.excluded)
    names = [
        [str(territories.holding(root).kind) for root in roots] for roots in (reach.roots, reach.link_roots)
    ]
    return names[0], names[1], reach.home


@pytest.mark.parametrize(
    ("kind", "local", "roots", "link_roots", "home"),
    [
        ("project", False, ["project", "main"], [], None),
        ("project", True, ["project", "main", "extra"], ["extra"], "/h"),
        ("main", False, ["project", "main"], [], None),
        ("main", True, ["project", "main", "extra"], ["extra"], "/h"),
        ("strand", False, ["strand", "project", "main"], [], None),
        ("strand", True, ["strand", "project", "main", "extra"], ["extra"], "/h"),
        ("cwd", False, ["cwd"], [], None),
        ("cwd", True, ["cwd"], [], None),
        ("home", False, ["home", "extra"], ["extra"], "/h"),
        ("extra", False, ["extra"], [], "/h"),
        ("ancestor", False, ["ancestor"], [], "/h"),
    ],
)
def test_each_kind_reaches_what_the_table_says(
    held: Territories, kind: Kind, roots: list[str], link_roots: list[str], home: str | None, *, local: bool
) -> None:
    assert reach_in_words(held, kind, local=local) == (roots, link_roots, home)


@pytest.mark.parametrize("kind", TABLE)
def test_whoever_may_reach_anything_reaches_what_is_known_as_itself(held: Territories, kind: Kind) -> None:
    held.add(Territory(Root.open("/", Owners.of_process()), "anywhere"))
    known = ["project", "main", "home", "extra"]
    assert reach_in_words(held, kind) == ([kind, *known, "anywhere"], ["anywhere"], "/h")


@pytest.mark.parametrize("kind", ["project", "main", "strand"])
def test_a_document_of_a_confined_root_reaches_it_alone(held: Territories, kind: Kind) -> None:
    (territory,) = held.of_kind(kind)
    assert Authority(held, "/h").has_more_if_local(territory.root)
    territory.confined = True
    assert not Authority(held, "/h").has_more_if_local(territory.root)
    assert reach_in_words(held, kind, local=True) == ([kind], [], None)
    others = [other for other in ("project", "main") if other != kind]
    (other,) = held.of_kind("main" if kind == "project" else "project")
    assert reach_in_words(held, other.kind)[0] == others


@pytest.mark.parametrize("kind", ["cwd", "home", "extra", "ancestor"])
def test_git_makes_no_difference_outside_a_project(held: Territories, kind: Kind) -> None:
    (territory,) = held.of_kind(kind)
    assert not Authority(held, "/h").has_more_if_local(territory.root)


def test_a_reach_is_made_once_until_the_territories_change(held: Territories) -> None:
    authority = Authority(held, "/h")
    (project,), (ancestor,) = held.of_kind("project"), held.of_kind("ancestor")
    reach, local = authority.reach_of(project.root), authority.reach_of(project.root, local=True)
    assert reach is not local
    assert authority.reach_of(project.root) is reach
    assert authority.reach_of(project.root, local=True) is local
    held.remove(ancestor)
    assert authority.reach_of(project.root) is not reach
    assert authority.reach_of(project.root).excluded == held.excluded
