"""The walk itself: what it counts, what it holds, and what it does when names change under its eyes."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any

import pytest

from refseal.pathguard import Owners, Place, Reach, Refusal, Root, is_directory, read
from refseal.pathguard.handle import open_file
from refseal.pathguard.walk import MAX_ATTEMPTS, MAX_LINKS
from tests.pathguard.kernel import needs_openat2, open_beneath
from tests.pathguard.stand_in import FailingOs, give
from tests.rights import without_root_rights
from tests.trees.layout import Tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OWNERS = Owners.of_process()


def code(root: Root, token: str, *components: str) -> str:
    try:
        return "/".join(read(token, Place(root, components), Reach((root,)), 100).components)
    except Refusal as refusal:
        return refusal.code


def chain(length: int) -> list[str]:
    return [f"l{number} => l{number + 1}" for number in range(length - 1)] + [
        f"l{length - 1} => a.md",
        "a.md",
    ]


@needs_openat2
@pytest.mark.parametrize("length", [MAX_LINKS - 1, MAX_LINKS, MAX_LINKS + 1])
def test_as_many_links_are_followed_as_the_kernel_follows(length: int, tmp_path: Path) -> None:
    tree = Tree(tmp_path, chain(length))
    with Root.open(str(tree.root), OWNERS) as root:
        if length <= MAX_LINKS:
            os.close(open_beneath(root.descriptor, "l0"))
            assert code(root, "l0") == "a.md"
            return
        with pytest.raises(OSError, match="symbolic") as failure:
            open_beneath(root.descriptor, "l0")
        assert failure.value.errno == errno.ELOOP
        assert code(root, "l0") == "symlink-loop"


def test_links_are_counted_over_the_whole_walk(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["d/a.md", "d/up => .", "d/loop => loop/x"])
    with Root.open(str(tree.root), OWNERS) as root:
        assert code(root, "d/" + "up/" * MAX_LINKS + "a.md") == "d/a.md"
        assert code(root, "d/" + "up/" * (MAX_LINKS + 1) + "a.md") == "symlink-loop"
        assert code(root, "d/loop") == "symlink-loop"


def test_many_links_of_many_components_stay_cheap(tmp_path: Path) -> None:
    """Forty links of 255 components each: some ten thousand steps, and no more."""
    detour = "d/../" * 127
    tree = Tree(
        tmp_path, ["d/", *(f"l{n} => {detour}l{n + 1}" for n in range(MAX_LINKS - 1)), "l39 => a.md", "a.md"]
    )
    counting = FailingOs()
    with Root.open(str(tree.root), OWNERS) as root, pytest.MonkeyPatch.context() as patch:
        give(patch, counting)
        assert code(root, "l0") == "a.md"
    assert counting.count < 3 * 256 * MAX_LINKS


def test_a_walk_goes_no_deeper_than_its_bound_through_links_either(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["/".join(["d"] * 200) + "/", "l => " + "/".join(["d"] * 200)])
    with Root.open(str(tree.root), OWNERS) as root:
        assert code(root, "l/" + "d/" * 60) == "missing"
        assert code(root, "d/" * 100, *["d"] * 100) == "directory"
        assert code(root, "d/" * 200 + "../" * 54 + "x") == "missing"


def test_as_many_directories_are_held_as_a_name_may_have_components(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["/".join(["d"] * 256) + "/"])
    with Root.open(str(tree.root), OWNERS) as root:
        assert code(root, "d/" * 55 + "x.md", *["d"] * 200) == "missing"
        assert code(root, "d/" * 56 + "x.md", *["d"] * 200) == "too-long"


def test_a_place_that_has_become_a_link_is_walked_by_the_rules_for_links(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["d/a.md", "real/a.md", "OUT/a.md"])
    with Root.open(str(tree.root), OWNERS) as root:
        tree.add("!mv d aside")
        tree.add("d => real")
        assert code(root, "a.md", "d") == "real/a.md"
        tree.add("!rm d")
        tree.add("d => ../OUT")
        assert code(root, "a.md", "d") == "symlink-escape"
        assert code(root, "../x.md", "d") == "symlink-escape"


class Playing(FailingOs):
    """While it plays, every last name looks like a link when it is opened, and is none when it is read."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            if name == "open" and arguments[0] == b"a.md" and self.times > 0:
                self.times -= 1
                raise OSError(errno.ELOOP, "looks like a link")
            return real(*arguments, **options)

        return call


@pytest.mark.parametrize(
    ("times", "expected"), [(1, "d/a.md"), (MAX_ATTEMPTS - 1, "d/a.md"), (MAX_ATTEMPTS, "unreadable")]
)
def test_a_name_that_is_now_a_link_and_now_none_is_asked_again_a_few_times(
    times: int, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = Tree(tmp_path, ["d/a.md"])
    with Root.open(str(tree.root), OWNERS) as root:
        give(monkeypatch, Playing(times))
        assert code(root, "d/a.md") == expected


def test_the_way_back_is_the_way_that_was_come(tmp_path: Path) -> None:
    """A directory that is moved out while it is held still leads back into the root."""
    tree = Tree(tmp_path, ["a/b/", "a/t.md = inside", "OUT/t.md = outside"])

    class Moving(FailingOs):
        def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any, **options: Any) -> Any:
                result = real(*arguments, **options)
                if name == "open" and arguments[0] == b"b":
                    (tree.root / "a/b").rename(tree.parent / "OUT/b")
                return result

            return call

    with Root.open(str(tree.root), OWNERS) as root, pytest.MonkeyPatch.context() as patch:
        give(patch, Moving())
        assert read("a/b/../t.md", Place(root), Reach((root,)), 100).data == b"inside"


@pytest.mark.parametrize(
    ("token", "components", "expected"),
    [
        ("a/c/d.md", (), "missing c"),
        ("a/b.md/x", (), "not-a-directory b.md"),
        ("a/b.md/", (), "not-a-directory b.md"),
        ("a", (), "directory a"),
        (".", (), "directory ."),
        ("a/..", (), "directory ."),
        ("a/.env", (), "sensitive .env"),
        (".npmrc", (), "sensitive .npmrc"),
        (".npmrc/", (), "not-a-directory .npmrc"),
        ("config.json", (".docker",), "sensitive config.json"),
        ("b.md", (".ssh",), "sensitive .ssh"),
        ("b.md", ("a", ".git"), "git-metadata .git"),
        ("x/p", (), "not-regular p"),
        ("../x", (), "outside-root .."),
        ("../../.git/config", ("a",), "outside-root .."),
        ("../.git/config", ("a",), "git-metadata .git"),
        ("../.git/config", (), "outside-root .."),
        ("../../../x", ("a",), "outside-root .."),
        ("up/x", (), "symlink-escape .."),
        ("l/x", (), "symlink-absolute l"),
        ("loop", (), "symlink-loop loop"),
        ("to-secret", (), "sensitive .env"),
        ("to-docker/config.json", (), "sensitive config.json"),
        ("a/to-git/x", (), "git-metadata .git"),
        ("/etc/x", (), "absolute /etc/x"),
        ("$ROOT/.git/config", (), "git-metadata .git"),
        ("~/x", (), "home ~/x"),
        ("~other/x", (), "home ~other/x"),
        ("C:\\x", (), "absolute C:\\x"),
        ("a/b\u200b.md", (), "invisible-character a/b\u200b.md"),
        ("bare/config", (), "git-metadata config"),
        ("bare/hooks/x.md", (), "git-metadata hooks"),
        ("real/x.md", (), "git-metadata real"),
    ],
)
def test_a_refusal_tells_where_the_walk_stopped(
    token: str, components: tuple[str, ...], expected: str, tmp_path: Path
) -> None:
    lines = [
        *("a/b.md", "a/.env", ".npmrc", ".docker/config.json", ".ssh/b.md", "x/", "x/p !fifo"),
        *("up => ..", "l => /etc", "loop => loop", "to-secret => a/.env", "to-docker => .docker"),
        *(
            "a/to-git => ../.git",
            "bare/HEAD",
            "bare/objects/",
            "bare/refs/",
            "bare/config",
            "bare/hooks/x.md",
        ),
        *("real/x.md", ".git => real"),
    ]
    tree = Tree(tmp_path, lines)
    with Root.open(str(tree.root), OWNERS) as root, pytest.raises(Refusal) as refusal:
        read(tree.expand(token), Place(root, components), Reach((root,)), 100)
    assert f"{refusal.value.code} {refusal.value.where}" == expected


def test_a_name_of_a_secret_file_may_be_that_of_a_directory(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["token.json/a.md", "auth.json/d/b.md", "l => token.json"])
    with Root.open(str(tree.root), OWNERS) as root:
        assert code(root, "token.json/a.md") == "token.json/a.md"
        assert code(root, "b.md", "auth.json", "d") == "auth.json/d/b.md"
        assert code(root, "a.md", "token.json") == "token.json/a.md"
        assert code(root, "l/a.md") == "token.json/a.md"
        assert code(root, "token.json/../token.json/a.md") == "token.json/a.md"
        assert code(root, "token.json") == code(root, "l") == "sensitive"
        for name in ("token.json/", "l/", "l/../token.json/"):
            assert is_directory(name, Place(root), Reach((root,)))


@pytest.mark.parametrize(
    "token",
    [
        "x/config.json",
        ".docker/sub/../config.json",
        "y/gcloud/a.md",
        "y/gcloud/../gcloud/a.md",
        "y/z/../gcloud/a.md",
        "x/config.json.bak",
        ".docker/sub/../config.json.bak",
    ],
)
def test_a_secret_is_known_by_where_a_link_or_a_double_dot_leads(token: str, tmp_path: Path) -> None:
    """`config.json` is harmless until it lies in `.docker`, and no part of these names says both."""
    lines = [
        ".docker/config.json",
        ".docker/config.json.bak",
        ".docker/sub/",
        "x => .docker",
        ".config/gcloud/a.md",
        ".config/z/",
        "y => .config",
    ]
    tree = Tree(tmp_path, lines)
    with Root.open(str(tree.root), OWNERS) as root:
        assert code(root, token) == "sensitive"


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("a.md", "a.md"),
        ("./a.md", "a.md"),
        ("a.md/", "not-a-directory"),
        ("a.md/.", "not-a-directory"),
        ("d", "directory"),
        (".", "directory"),
        ("..", "symlink-escape"),
        ("d/..", "directory"),
        ("d/../a.md", "a.md"),
        ("a\u200b.md", "missing"),  # invisible characters are judged in references alone
        ("C:\\x", "missing"),
        ("~/a.md", "missing"),
        (".git/config", "git-metadata"),
        (".g\u200cit/config", "git-metadata"),
        ("x/../.env", "sensitive"),
        ("x/" * 300, "too-long"),
        ("../ROOT/a.md", "symlink-escape"),
        ("/", "symlink-absolute"),
        ("//etc/passwd", "symlink-absolute"),
    ],
)
def test_a_link_s_text_is_walked_like_a_name_but_for_its_form(
    target: str, expected: str, tmp_path: Path
) -> None:
    tree = Tree(tmp_path, ["a.md", "d/", f"l => {target}"])
    with Root.open(str(tree.root), OWNERS) as root:
        assert code(root, "l") == expected


def test_a_directory_that_may_not_be_searched_is_unreadable(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["d/a.md", "d !mode 000"])
    with without_root_rights(), Root.open(str(tree.root), OWNERS) as root:
        assert code(root, "d/a.md") == "unreadable"
    (tree.root / "d").chmod(0o755)


@pytest.mark.parametrize(
    ("token", "answer"),
    [
        ("{root}/id_rsa", "sensitive"),
        ("{root}/d/id_rsa/", "directory"),  # the name of a secret, but a directory was asked for
        ("{root}/d/.docker/config.json", "sensitive"),
        ("~/id_rsa", "sensitive"),
        ("l/config.json", "sensitive"),
        ("d/../l/config.json", "sensitive"),
        ("secret", "sensitive"),
    ],
)
def test_a_secret_file_is_refused_by_every_way_to_name_it(token: str, answer: str, tmp_path: Path) -> None:
    tree = Tree(
        tmp_path,
        ["id_rsa", "d/id_rsa/", "d/.docker/config.json", "l => d/.docker", "secret => id_rsa"],
    )
    with Root.open(str(tree.root), OWNERS) as root:
        reach = Reach((root,), home=root.path)
        with pytest.raises(Refusal) as refusal:
            read(token.format(root=root.path), Place(root), reach, 100)
    assert refusal.value.code == answer


@pytest.mark.parametrize("token", ["out", "up/o/a.md", "d/far", "d/up/o/a.md"])
def test_a_link_may_lead_by_double_dots_to_another_root_of_links(token: str, tmp_path: Path) -> None:
    tree = Tree(
        tmp_path,
        [
            *("o/a.md", "x/r/out => ../../o/a.md", "x/r/up => ../..", "x/r/d/far => ../../../o/a.md"),
            *("x/r/d/up => ../../..",),
        ],
    )
    with (
        Root.open(str(tree.root / "x" / "r"), OWNERS) as root,
        Root.open(str(tree.root / "o"), OWNERS) as other,
    ):
        reach = Reach((root,), link_roots=(root, other))
        assert read(token, Place(root), reach, 100).path == str(tree.root / "o" / "a.md")
        with pytest.raises(Refusal) as refusal:
            read("../../o/a.md", Place(root), reach, 100)
    assert refusal.value.code == "outside-root"


def test_a_link_that_is_a_double_dot_leads_to_what_lies_beside_the_root(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["o/a.md", "r/up => .."])
    with Root.open(str(tree.root / "r"), OWNERS) as root, Root.open(str(tree.root / "o"), OWNERS) as other:
        reach = Reach((root,), link_roots=(root, other))
        assert read("up/o/a.md", Place(root), reach, 100).path == str(tree.root / "o" / "a.md")


def test_a_link_without_a_target_leads_nowhere(tmp_path: Path) -> None:
    """Linux makes none; other systems may, and network file systems show theirs."""
    tree = Tree(tmp_path, ["l => a.md", "a.md"])

    class Emptied(FailingOs):
        def readlink(self, *_: object, **__: object) -> bytes:
            return b""

    with Root.open(str(tree.root), OWNERS) as root, pytest.MonkeyPatch.context() as patch:
        give(patch, Emptied())
        assert code(root, "l") == "missing"


def test_a_file_that_fails_while_it_is_read_is_refused_by_its_name(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["d/e/a.md"])
    with (
        Root.open(str(tree.root), OWNERS) as root,
        open_file("d/e/a.md", Place(root), Reach((root,))) as handle,
        pytest.MonkeyPatch.context() as patch,
    ):
        give(patch, FailingOs(fail_at=0))
        with pytest.raises(Refusal) as refusal:
            handle.read_at(0, 10)
        with pytest.raises(Refusal) as beyond:
            handle.read_at(1 << 80, 10)
    assert (refusal.value.code, refusal.value.where) == ("unreadable", "a.md")
    assert (beyond.value.code, beyond.value.where) == ("unreadable", "a.md")
