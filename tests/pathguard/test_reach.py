"""How far a document may reach: absolute tokens, ``~/``, extra roots, what is excluded, and owners."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from refseal import system
from refseal.pathguard import Owners, Place, Reach, Refusal, Root, is_directory, read
from refseal.pathguard.reach import join
from tests.trees.layout import Tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OWNERS = Owners.of_process()
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="gives files away: needs root")


class World:
    """A project and an extra root beside it, with what a test wants to add."""

    def __init__(self, parent: Path, *layout: str) -> None:
        self.tree = Tree(
            parent, ["a.md", "d/b.md", "OUT/x.md", "OUT/d/y.md", "PARENT/OUT-evil/x.md", *layout]
        )
        self.root = Root.open(str(self.tree.root), OWNERS)
        self.extra = Root.open(str(parent / "OUT"), OWNERS)
        self.top = Root.open("/", OWNERS)

    def code(self, token: str, reach: Reach, *components: str) -> str:
        try:
            file = read(self.tree.expand(token), Place(self.root, components), reach, 100)
        except Refusal as refusal:
            return refusal.code
        return os.path.relpath(file.path, os.path.realpath(self.tree.parent))


@pytest.fixture
def world(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    made = World(tmp_path, *getattr(request, "param", ()))
    with made.root, made.extra, made.top:
        yield made


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("$ROOT/a.md", "ROOT/a.md"),
        ("$ROOT//d/./b.md", "ROOT/d/b.md"),
        ("$ROOT/d/../a.md", "ROOT/a.md"),
        ("$OUT/x.md", "OUT/x.md"),
        ("$ROOT", "directory"),
        ("$ROOT/", "directory"),
        ("$ROOT/..", "outside-root"),
        ("$ROOT/../OUT/x.md", "outside-root"),
        ("$ROOT/../ROOT/a.md", "outside-root"),
        ("$OUT-evil/x.md", "absolute"),
        ("$ROOT.md", "absolute"),
        ("/", "absolute"),
        ("$OUT/../OUT/x.md", "outside-root"),
        ("../OUT/x.md", "outside-root"),
        ("/proc/self/environ", "absolute"),
        ("$ROOT/.git/config", "git-metadata"),
        ("$ROOT/a\u200b.md", "invisible-character"),
    ],
)
def test_an_absolute_token_is_walked_beneath_the_root_that_it_spells(
    token: str, expected: str, world: World
) -> None:
    assert world.code(token, Reach((world.root, world.extra))) == expected


def test_the_innermost_root_answers_for_an_absolute_token(world: World) -> None:
    with Root.open(str(world.tree.root / "d"), OWNERS) as inner:
        for roots in ((inner, world.root), (world.root, inner)):
            file = read(world.tree.expand("$ROOT/d/b.md"), Place(world.root), Reach(roots), 100)
            assert (file.root.identity, file.components) == (inner.identity, ("b.md",))


def test_a_root_is_known_by_its_given_and_its_real_spelling(world: World) -> None:
    link = world.tree.parent / "link"
    link.symlink_to("ROOT")
    with Root.open(f"{link}/", OWNERS) as root:
        assert root.path == os.path.realpath(world.tree.root)
        reach = Reach((root,))
        for spelling in (f"{link}/a.md", f"{root.path}/a.md", f"{link}//./a.md"):
            assert read(spelling, Place(root), reach, 100).components == ("a.md",)


@pytest.mark.parametrize("home", [None, "", "relative", "/nowhere", "/" + "x" * 5000, "/\ud800"])
def test_a_home_that_is_none_leaves_the_token_as_it_is(home: str | None, world: World) -> None:
    with pytest.raises(Refusal) as refusal:
        read("~/a.md", Place(world.root), Reach((world.root,), home=home), 100)
    assert (refusal.value.code, refusal.value.where) == ("home", "~/a.md")


def test_a_root_is_known_by_a_spelling_with_dots_but_not_by_one_that_goes_up(world: World) -> None:
    """Behind a link, ``..`` leads elsewhere than its text says."""
    (world.tree.parent / "far/away").mkdir(parents=True)
    (world.tree.parent / "link").symlink_to("ROOT")
    (world.tree.parent / "up").symlink_to("far/away")
    token = world.tree.expand("$ROOT/a.md").replace("ROOT", "link")
    with Root.open(token.replace("/link/a.md", "/./link"), OWNERS) as root:
        assert read(token, Place(world.root), Reach((root,)), 100).components == ("a.md",)
    (world.tree.parent / "far/x.md").write_text("x")
    above = f"{world.tree.parent}/up/.."
    with Root.open(above, OWNERS) as root:
        assert root.path == os.path.realpath(world.tree.parent / "far")
        assert world.code(f"{above}/x.md", Reach((root,))) == "absolute"


def test_of_roots_that_hold_a_token_alike_the_first_answers(world: World) -> None:
    with Root.open(world.root.path, OWNERS) as same:
        for roots in ((same, world.root), (world.root, same)):
            file = read(world.tree.expand("$ROOT/a.md"), Place(world.root), Reach(roots), 100)
            assert file.root is roots[0]


def test_the_name_of_the_root_itself_counts_for_a_secret_right_below_it(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["x/.docker/config.json", "x/.docker/sub/", "x/.docker/l => sub/../config.json"])
    with Root.open(str(tree.root / "x/.docker"), OWNERS) as root:
        for token in ("config.json", "sub/../config.json", "l", f"{root.path}/config.json"):
            with pytest.raises(Refusal) as refusal:
                read(token, Place(root), Reach((root,)), 100)
            assert refusal.value.code == "sensitive"


@pytest.mark.parametrize(
    ("token", "home", "expected"),
    [
        ("~/a.md", None, "home"),
        ("~/a.md", "$ROOT", "ROOT/a.md"),
        ("~//d/b.md", "$ROOT", "ROOT/d/b.md"),
        ("~/d/b.md", "$ROOT/", "ROOT/d/b.md"),
        ("~/ROOT/a.md", "$ROOT/..", "outside-root"),  # a home that is not spelled plainly is beneath no root
        ("~/x.md", "$OUT", "OUT/x.md"),
        ("~/x.md", "/nowhere", "home"),
        ("~/a.md", "relative", "home"),
        ("~/a.md", "", "home"),
        ("~", "$ROOT", "directory"),
        ("~/", "$ROOT", "directory"),
        ("~/../OUT/x.md", "$ROOT", "outside-root"),
        ("~root/a.md", "$ROOT", "home"),
        ("~a.md", "$ROOT", "home"),
        ("./~/a.md", "$ROOT", "missing"),
        ("d/~", "$ROOT", "missing"),
        ("~/.ssh/config", "$ROOT", "sensitive"),
        ("~/.git/config", "$ROOT", "git-metadata"),
    ],
)
def test_the_home_directory_is_reached_only_where_it_is_given(
    token: str, home: str | None, expected: str, world: World
) -> None:
    given = None if home is None else world.tree.expand(home)
    assert world.code(token, Reach((world.root, world.extra), home=given)) == expected


LINKS = (
    *("abs => $OUT/x.md", "absd => $OUT", "rel => ../OUT/x.md", "reld => ../OUT", "d/deep => ../../OUT/d"),
    *(
        "evil => ../OUT-evil/x.md",
        "evilabs => $OUT-evil/x.md",
        "up => ../OUT/../TMP",
        "round => ../OUT/../ROOT/a.md",
    ),
    *("back => ../ROOT/a.md", "backabs => $ROOT/a.md", "far => ../../../../../../../../../../etc/hostname"),
    *(
        "OUT/home => $ROOT/a.md",
        "OUT/homerel => ../ROOT/a.md",
        "OUT/self => $OUT/x.md",
        "OUT/loop => $OUT/loop",
    ),
    *(
        "detour => ../TMP/../OUT/x.md",
        "secret => $OUT/.ssh/config",
        "OUT/.ssh/config",
        "in => d",
        "top => $OUT/",
    ),
)


@pytest.mark.parametrize("world", [LINKS], indirect=True)
@pytest.mark.parametrize(
    ("token", "expected", "without"),
    [
        ("abs", "OUT/x.md", "symlink-absolute"),
        ("absd/d/y.md", "OUT/d/y.md", "symlink-absolute"),
        ("absd/../x.md", "symlink-escape", "symlink-absolute"),
        ("absd/../OUT/x.md", "symlink-escape", "symlink-absolute"),
        ("top/x.md", "OUT/x.md", "symlink-absolute"),
        ("top", "directory", "symlink-absolute"),
        ("rel", "OUT/x.md", "symlink-escape"),
        ("reld/x.md", "OUT/x.md", "symlink-escape"),
        ("reld/d/../x.md", "OUT/x.md", "symlink-escape"),
        ("d/deep/y.md", "OUT/d/y.md", "symlink-escape"),
        ("d/deep/../x.md", "OUT/x.md", "symlink-escape"),
        ("evil", "symlink-escape", "symlink-escape"),
        ("evilabs", "symlink-absolute", "symlink-absolute"),
        ("up/x", "symlink-escape", "symlink-escape"),
        ("round", "symlink-escape", "symlink-escape"),
        ("back", "symlink-escape", "symlink-escape"),
        ("backabs", "symlink-absolute", "symlink-absolute"),
        ("far", "symlink-escape", "symlink-escape"),
        ("absd/home", "symlink-absolute", "symlink-absolute"),
        ("absd/homerel", "symlink-escape", "symlink-absolute"),
        ("absd/self", "OUT/x.md", "symlink-absolute"),
        ("absd/loop", "symlink-loop", "symlink-absolute"),
        (
            "detour",
            "symlink-escape",
            "symlink-escape",
        ),  # what lies outside is not walked, so `..` there means nothing
        ("secret", "sensitive", "symlink-absolute"),
        ("../OUT/x.md", "outside-root", "outside-root"),
        ("in/../../OUT/x.md", "symlink-escape", "symlink-escape"),  # the token's own `..`, not the link's
        ("$OUT/x.md", "OUT/x.md", "absolute"),
    ],
)
def test_a_link_restarts_beneath_an_extra_root_and_nowhere_else(
    token: str, expected: str, without: str, world: World
) -> None:
    assert world.code(token, Reach((world.root, world.extra), link_roots=(world.extra,))) == expected
    assert world.code(token, Reach((world.root,))) == without


@pytest.mark.parametrize("world", [["a/b/c/e/", "sub/", "a/b/c/e/out => ../../../../sub"]], indirect=True)
def test_what_a_token_says_behind_a_link_is_no_link_s_however_deep_the_document_lies(world: World) -> None:
    reach = Reach((world.root,), link_roots=(world.extra,))
    assert world.code("out/../../OUT/x.md", reach, "a", "b", "c", "e") == "symlink-escape"


@pytest.mark.parametrize("world", [[*LINKS, "proc => ../../../../../../../proc/self/environ"]], indirect=True)
@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("../OUT/x.md", "OUT/x.md"),
        ("../ROOT/a.md", "ROOT/a.md"),
        ("rel", "OUT/x.md"),
        ("back", "ROOT/a.md"),
        ("backabs", "ROOT/a.md"),
        ("detour", "OUT/x.md"),
        ("absd/home", "ROOT/a.md"),
        ("in/../../OUT/x.md", "OUT/x.md"),
        ("$OUT/../ROOT/a.md", "ROOT/a.md"),
        ("secret", "sensitive"),
        ("../OUT/.ssh/config", "sensitive"),
        ("../x/.git/config", "git-metadata"),
        ("/proc/self/environ", "not-regular"),
        ("/proc/version", "not-regular"),
        ("/etc/../proc/version", "not-regular"),
        ("/sys/kernel/ostype", "not-regular"),
        ("/dev/null", "not-regular"),
        ("/.vol/1/2", "not-regular"),
        ("/.nofollow/etc/hostname", "not-regular"),
        ("/PROC/version", "not-regular"),
        ("../" * 60 + "proc/version", "not-regular"),
        ("../" * 60 + "etc/../proc/version", "not-regular"),
        ("/", "directory"),
    ],
)
def test_a_user_who_allows_everything_still_gets_no_secret_and_no_device(
    token: str, expected: str, world: World
) -> None:
    assert world.code(token, Reach((world.root, world.top), link_roots=(world.top,))) == expected


def test_a_place_beneath_the_top_of_everything_does_not_open_the_kernel_s_files(world: World) -> None:
    for token in ("proc/version", "etc/../proc/version", "./proc/self/environ", "dev/null"):
        with pytest.raises(Refusal) as refusal:
            read(token, Place(world.top), Reach((world.top,)), 100)
        assert refusal.value.code == "not-regular"


@pytest.mark.parametrize("world", [["inner/c.md", "l => inner", "d/l => ../inner/c.md"]], indirect=True)
def test_a_root_that_is_nested_in_another_is_not_reached_from_the_outer_one(world: World) -> None:
    with Root.open(str(world.tree.root / "inner"), OWNERS) as inner:
        reach = Reach((world.root,), excluded=frozenset({inner.identity}))
        fates = {
            token: world.code(token, reach) for token in ("inner/c.md", "l/c.md", "d/l", "$ROOT/inner/c.md")
        }
        assert fates == {
            "inner/c.md": "outside-root",
            "l/c.md": "symlink-escape",
            "d/l": "symlink-escape",
            "$ROOT/inner/c.md": "outside-root",
        }
        assert world.code("../inner/c.md", reach, "d") == "outside-root"
        assert not is_directory("inner", Place(world.root), reach)
        assert not is_directory("inner/", Place(world.root), reach)
        assert read("c.md", Place(inner), Reach((inner,)), 100).components == ("c.md",)


@pytest.mark.parametrize("world", [["meta/c.md", "l => meta"]], indirect=True)
def test_a_git_directory_that_somebody_knows_of_is_not_entered(world: World) -> None:
    with Root.open(str(world.tree.root / "meta"), OWNERS) as meta:
        reach = Reach((world.root,), git_directories=frozenset({meta.identity}))
        assert [world.code(token, reach) for token in ("meta/c.md", "l/c.md")] == ["git-metadata"] * 2


STRANGER = 12345


@needs_root
@pytest.mark.parametrize(
    "world", [["f/x.md", "l => a.md", "s/l => ../a.md", "g.md", "!owner g.md 12345"]], indirect=True
)
def test_what_belongs_to_a_stranger_is_refused_wherever_it_is_met(world: World) -> None:
    reach = Reach((world.root,))
    assert world.code("g.md", reach) == "foreign-owner"
    for name in ("f", "l"):
        os.chown(world.tree.root / name, STRANGER, -1, follow_symlinks=False)
    assert world.code("f/x.md", reach) == "foreign-owner"
    assert world.code("f/../a.md", reach) == "foreign-owner"
    assert world.code("l", reach) == "foreign-owner"
    assert world.code("s/l", reach) == "ROOT/a.md"
    world.root.owners = OWNERS.including(STRANGER)
    assert [world.code(token, reach) for token in ("g.md", "f/x.md", "l")] == [
        "ROOT/g.md",
        "ROOT/f/x.md",
        "ROOT/a.md",
    ]


def test_only_root_believes_who_called_sudo(monkeypatch: pytest.MonkeyPatch) -> None:
    for user, caller, expected in (
        (0, "1000", {0, 1000}),
        (1000, "0", {0, 1000}),
        (1000, "7", {0, 1000}),
        (0, "x", {0}),
        (0, "", {0}),
        (0, "-1", {0}),
        (0, "9" * 50, {0}),
        (0, "4294967294", {0, 4294967294}),
        (0, "10000000000", {0}),
        (0, "\u0661", {0}),
    ):
        monkeypatch.setattr(system.os, "geteuid", lambda user=user: user)
        monkeypatch.setattr(system.os, "environ", {b"SUDO_UID": os.fsencode(caller)})
        assert Owners.of_process().uids == expected
    assert Owners(frozenset({1})).including(2, 3).trusts(3)


def test_where_users_have_no_number_nobody_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refseal.pathguard.owners.os", SimpleNamespace())
    assert Owners.of_process().uids == frozenset()


@pytest.mark.parametrize(
    ("directory", "components", "path"),
    [("/", (), "/"), ("/", ("a", "b X"), "/a/b X"), ("/aX", (), "/aX"), ("/aX", ("b",), "/aX/b")],
)
def test_a_path_is_that_of_the_directory_and_what_lies_beneath(
    directory: str, components: tuple[str, ...], path: str
) -> None:
    assert join(directory, components) == path
