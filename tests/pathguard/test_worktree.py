"""From a linked worktree to its main worktree: what git makes is linked, what anybody else makes is not."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from refseal.pathguard import Owners, Root, descriptors, find_linkage, worktree
from refseal.pathguard.linkage import DETAILS, STATUSES
from tests.pathguard.stand_in import FailingOs, give
from tests.rights import without_root_rights
from tests.trees.layout import Tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from refseal.pathguard import Linkage

ADMIN = "main/.git/worktrees/wt"
WORKTREE = ("!git-worktree main wt",)
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="gives files away: needs root")


def judged(tree: Tree, name: str) -> Linkage:
    home, codex_home = str(tree.parent / "HOME"), str(tree.parent / "CODEX")
    return find_linkage(str(tree.path(name)), Owners.of_process(), home=home, codex_home=codex_home)


def words(tree: Tree, name: str) -> str:
    linkage = judged(tree, name)
    assert linkage.status in STATUSES
    assert linkage.detail is None or linkage.detail in DETAILS
    assert (linkage.main_root is not None) == (linkage.status == "linked")
    main = (
        "" if linkage.main_root is None else os.path.relpath(linkage.main_root, os.path.realpath(tree.root))
    )
    return " ".join(word for word in (linkage.status, linkage.detail, main) if word)


@pytest.mark.parametrize(
    ("lines", "start", "expected"),
    [
        # What git writes, and what it accepts
        ((), "wt", "linked main"),
        ((), "main", "none"),
        ((), ".", "none"),
        (("wt/a/b/c/",), "wt/a/b/c", "linked main"),
        (("!relative-links wt main",), "wt", "linked main"),
        (("wt/.git = gitdir: $ROOT/main/.git/worktrees/wt",), "wt", "linked main"),
        (("wt/.git = gitdir: $ROOT/main/.git/worktrees/wt\\x0d\\n",), "wt", "linked main"),
        (("wt/.git = gitdir: $ROOT/main/.git/worktrees/wt\\n\\n\\n",), "wt", "linked main"),
        (("wt/.git = gitdir: ../main/.git/worktrees/wt\\n",), "wt", "linked main"),
        (("wt/.git = gitdir: $ROOT//main/./.git/worktrees/wt/\\n",), "wt", "linked main"),
        (("wt/.git = gitdir: $ROOT/main/.git/worktrees/wt/.\\n",), "wt", "linked main"),
        (("wt/.git = gitdir: $ROOT/main/.git/worktrees/x/../wt\\n", f"{ADMIN}/../x/"), "wt", "linked main"),
        ((f"{ADMIN}/gitdir = $ROOT/wt/.git",), "wt", "linked main"),
        ((f"{ADMIN}/gitdir = $ROOT/wt/.git \\x0d\\n\\n",), "wt", "linked main"),
        ((f"{ADMIN}/commondir = $ROOT/main/.git\\n",), "wt", "linked main"),
        ((f"{ADMIN}/commondir = ../..",), "wt", "linked main"),
        ((f"{ADMIN}/commondir = ../../\\x0d\\n",), "wt", "linked main"),
        (("up => .", "wt/.git = gitdir: $ROOT/up/main/.git/worktrees/wt\\n"), "wt", "linked main"),
        (("link => wt",), "link", "linked main"),
        (("link => wt", "wt/sub/"), "link/sub", "linked main"),
        (("!git-worktree main main/.w/in", "main/.w/in/d/"), "main/.w/in/d", "linked main"),
        (("!git-worktree main wt/nested",), "wt/nested", "linked main"),
        (("wt/dangling/.git => nowhere",), "wt/dangling", "linked main"),
        # The gitfile
        (("wt/.git = gitdir:  $ROOT/main/.git/worktrees/wt\\n",), "wt", "unverified missing"),
        (("wt/.git = gitdir: $ROOT/main/.git/worktrees/wt \\n",), "wt", "unverified missing"),
        (("wt/.git = gitdir: $ROOT/main/.git/worktrees/wtX\\n",), "wt", "unverified missing"),
        (("wt/.git = GITDIR: $ROOT/main/.git/worktrees/wt\\n",), "wt", "unverified gitfile"),
        (("wt/.git = \\xef\\xbb\\xbfgitdir: $ROOT/main/.git/worktrees/wt\\n",), "wt", "unverified gitfile"),
        (("wt/.git =  gitdir: $ROOT/main/.git/worktrees/wt\\n",), "wt", "unverified gitfile"),
        (("wt/.git = gitdir: $ROOT/main/.git/worktrees/wt\\n#\\n",), "wt", "unverified gitfile"),
        (("wt/.git = gitdir: $ROOT/main/.git/worktrees/wt\\x00x\\n",), "wt", "unverified gitfile"),
        (("wt/.git = gitdir: ~/main/.git/worktrees/wt\\n",), "wt", "unverified gitfile"),
        (("wt/.git = gitdir: \\n\\n",), "wt", "unverified gitfile"),
        (("wt/.git = gitdir: ",), "wt", "unverified gitfile"),
        (("wt/.git = ",), "wt", "unverified gitfile"),
        (("wt/.git = gitdir: $ROOT/main/.git/worktrees/wt" + "\\n" * 9000,), "wt", "unverified gitfile"),
        (("!mv wt/.git wt/real", "wt/.git => real"), "wt", "unverified gitfile"),
        (("e/.git => ../wt/.git",), "e", "unverified gitfile"),
        (("e/.git => ../main/.git",), "e", "unverified gitfile"),
        (("e/.git !socket",), "e", "unverified gitfile"),
        (("e/.git !mode 000",), "e", "unverified gitfile"),
        # Where it leads
        (("!prune-dir main/.git/worktrees/wt",), "wt", "unverified missing"),
        (("!mv main gone",), "wt", "unverified missing"),
        (("wt/.git = gitdir: $ROOT/main/.git/worktrees/other\\n",), "wt", "unverified missing"),
        (("wt/.git = gitdir: $ROOT/main/.git/HEAD\\n",), "wt", "unverified layout"),
        (("wt/.git = gitdir: $ROOT/main/.git/worktrees\\n",), "wt", "unverified layout"),
        (("wt/.git = gitdir: $ROOT/main\\n",), "wt", "unverified layout"),
        (("wt/.git = gitdir: $ROOT/main/.git\\n",), "wt", "unverified layout"),
        (("wt/.git = gitdir: .\\n",), "wt", "unverified layout"),
        (("wt/.git = gitdir: ..\\n",), "wt", "unverified layout"),
        (("l => l", "wt/.git = gitdir: ../l\\n"), "wt", "unverified layout"),
        (("wt/.git = gitdir: ../main/.git/worktrees/wt/s/..\\n", f"{ADMIN}/s/"), "wt", "unverified layout"),
        ((f"{ADMIN}/../l => wt", "wt/.git = gitdir: ../main/.git/worktrees/l"), "wt", "unverified layout"),
        (("main/.git/l => worktrees", "wt/.git = gitdir: ../main/.git/l/wt\\n"), "wt", "unverified layout"),
        (("x/s/", f"x/wt => ../{ADMIN}", "wt/.git = gitdir: ../x/s/../wt"), "wt", "unverified layout"),
        (("l => main/.git/worktrees/wt", "wt/.git = gitdir: ../l\\n"), "wt", "unverified layout"),
        ((f"x/worktrees => ../{ADMIN}/..", "wt/.git = gitdir: ../x/worktrees/wt"), "wt", "unverified layout"),
        (
            (f"!mv {ADMIN} main/.git/o/wt", f"{ADMIN}/", "wt/.git = gitdir: ../main/.git/o/wt"),
            "wt",
            "unverified layout",
        ),
        # The common directory
        ((f"{ADMIN}/commondir = ../../..\\n",), "wt", "unverified commondir"),
        ((f"{ADMIN}/commondir = \\n",), "wt", "unverified commondir"),
        ((f"{ADMIN}/commondir = ../.. \\n",), "wt", "unverified commondir"),
        ((f"{ADMIN}/commondir = ../..X\\n",), "wt", "unverified commondir"),
        ((f"{ADMIN}/commondir = ../..\\n../..\\n",), "wt", "unverified commondir"),
        ((f"{ADMIN}/commondir = ~/../..\\n",), "wt", "unverified commondir"),
        ((f"!rm {ADMIN}/commondir", f"{ADMIN}/commondir !fifo"), "wt", "unverified commondir"),
        ((f"!mv {ADMIN}/commondir {ADMIN}/x", f"{ADMIN}/commondir => x"), "wt", "unverified commondir"),
        (("e/.git/", f"{ADMIN}/commondir = $ROOT/e/.git\\n"), "wt", "unverified commondir"),
        # The back-link
        (("!cp wt copy",), "copy", "unverified backlink"),
        (("!mv wt moved",), "moved", "unverified backlink"),
        (("e/.git ~> wt/.git",), "e", "unverified backlink"),
        (("!mv wt/.git o", "wt/.git ~> o", f"{ADMIN}/gitdir = $ROOT/o"), "wt", "unverified backlink"),
        ((f"{ADMIN}/gitdir = $ROOT/wt/.git2\\n",), "wt", "unverified backlink"),
        ((f"{ADMIN}/gitdir = $ROOT/wt\\n",), "wt", "unverified backlink"),
        ((f"{ADMIN}/gitdir = .git\\n",), "wt", "unverified backlink"),
        ((f"{ADMIN}/gitdir = /.git\\n",), "wt", "unverified backlink"),
        ((f"{ADMIN}/gitdir = $ROOT/wt/.GIT\\n",), "wt", "unverified backlink"),
        ((f"{ADMIN}/gitdir = \\n",), "wt", "unverified backlink"),
        ((f"{ADMIN}/gitdir = $ROOT/wt/.git\\x00\\n",), "wt", "unverified backlink"),
        ((f"{ADMIN}/gitdir = $ROOT/e/.git\\n$ROOT/wt/.git\\n",), "wt", "unverified backlink"),
        ((f"!rm {ADMIN}/gitdir", f"{ADMIN}/gitdir/"), "wt", "unverified backlink"),
        (("e/.git = gitdir: ../main/.git/worktrees/wt\\n", "!mv wt gone", "wt => e"), "e", "linked main"),
        # The repository
        (("!rm main/.git/HEAD",), "wt", "unverified repository"),
        (("!rm main/.git/refs",), "wt", "unverified repository"),
        (("!mv main/.git/objects main/o", "main/.git/objects => ../o"), "wt", "unverified repository"),
        (("!mv main/.git main/g", "main/.git => g"), "wt", "separate-git-dir"),
        # Other kinds
        (("!git-submodule super lib",), "super/lib", "submodule"),
        (("!git-submodule super libs/x",), "super/libs/x", "submodule"),
        (("!git-bare-worktree .bare b", ".git = gitdir: ./.bare\\n"), "b", "bare"),
        (("!git-bare-worktree .bare b", ".git = gitdir: ./.bare\\n"), ".", "bare"),
        (("!git-bare-worktree repo.git repo.git/b",), "repo.git/b", "bare"),
        (("!git-separate store apart",), "apart", "separate-git-dir"),
        (("!git-separate store.git apart", "!git-worktree-of apart wt2"), "wt2", "separate-git-dir"),
        (("!git-separate deep/modules/x apart",), "apart", "separate-git-dir"),
        (("b/worktrees/w/", "!git-separate b/worktrees/w/modules/m apart"), "apart", "submodule"),
        (("b/w/worktrees/", "!git-separate b/w/worktrees/modules/m apart"), "apart", "separate-git-dir"),
    ],
)  # fmt: skip
def test_each_form_of_a_worktree_has_its_status(
    lines: tuple[str, ...], start: str, expected: str, tmp_path: Path
) -> None:
    tree = Tree(tmp_path, [*WORKTREE, *lines])
    with without_root_rights():
        assert words(tree, start) == expected


def test_submodules_of_submodules_and_their_worktrees_are_submodules(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["!git-submodule super lib"])
    tree.git(tree.root / "super/lib", "submodule", "--quiet", "add", str(tree.parent / "source"), "inner")
    tree.add("!git-worktree-of super/lib/inner far")
    tree.add("!git-worktree-of super superwt")
    tree.git(tree.root / "super", "commit", "--quiet", "--message", "Add")
    tree.git(tree.root / "superwt", "checkout", "--quiet", "--detach", "trunk")
    tree.git(tree.root / "superwt", "submodule", "--quiet", "update", "--init")
    assert [words(tree, name) for name in ("super/lib/inner", "far", "superwt/lib")] == ["submodule"] * 3
    assert words(tree, "superwt") == "linked super"


def test_a_submodule_in_a_worktree_of_a_bare_repository_is_a_submodule(tmp_path: Path) -> None:
    """Git keeps it in ``<bare>/worktrees/<name>/modules``, where no directory is called ``.git``."""
    tree = Tree(tmp_path, ["!git-bare-worktree bare wt"])
    tree.git(tree.root / "wt", "submodule", "--quiet", "add", str(tree.parent / "source"), "lib")
    assert "bare/worktrees/wt/modules/lib" in (tree.root / "wt/lib/.git").read_text(encoding="utf-8")
    assert words(tree, "wt/lib") == "submodule"


@pytest.mark.parametrize("move", ["moved", "elsewhere/deep/wt"])
def test_a_worktree_that_git_moved_is_linked_and_so_is_one_that_it_repaired(
    move: str, tmp_path: Path
) -> None:
    tree = Tree(tmp_path, [*WORKTREE, "elsewhere/deep/"])
    tree.git(tree.root / "main", "worktree", "move", str(tree.root / "wt"), str(tree.root / move))
    assert words(tree, move) == "linked main"
    tree.add(f"!mv {move} again")
    assert words(tree, "again") == "unverified backlink"
    tree.git(tree.root / "again", "worktree", "repair")
    assert words(tree, "again") == "linked main"
    tree.add("!mv main new")
    assert words(tree, "again") == "unverified missing"
    tree.git(tree.root / "new", "worktree", "repair", str(tree.root / "again"))
    assert words(tree, "again") == "linked new"


def test_what_belongs_to_the_repository_is_named(tmp_path: Path) -> None:
    tree = Tree(tmp_path, [*WORKTREE, "wt/d/"])
    linkage = judged(tree, "wt/d")
    common = os.stat(tree.root / "main/.git")
    admin = os.stat(tree.root / ADMIN)
    assert linkage.git_directory == (common.st_dev, common.st_ino)
    assert linkage.git_directories == ((admin.st_dev, admin.st_ino), (common.st_dev, common.st_ino))
    assert linkage.worktree_root == os.path.realpath(tree.root / "wt")
    main = os.stat(tree.root / "main")
    assert linkage.main_identity == (main.st_dev, main.st_ino)
    assert judged(tree, "main").git_directory == (common.st_dev, common.st_ino)


@pytest.mark.parametrize(
    ("lines", "start", "met"),
    [
        (("!cp wt copy",), "copy", (ADMIN, "main/.git")),
        (("wt/.git = gitdir: $ROOT/main\\n",), "wt", ("main",)),
        (("wt/.git = nonsense",), "wt", ()),
    ],
)
def test_what_an_unverified_one_met_is_named_too(
    lines: tuple[str, ...], start: str, met: tuple[str, ...], tmp_path: Path
) -> None:
    tree = Tree(tmp_path, [*WORKTREE, *lines])
    linkage = judged(tree, start)
    assert linkage.status == "unverified"
    assert linkage.worktree_root == os.path.realpath(tree.root / start)
    statuses = [os.stat(tree.root / name) for name in met]
    assert linkage.git_directories == tuple((status.st_dev, status.st_ino) for status in statuses)
    assert linkage.main_identity is None


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o757])
def test_a_main_worktree_that_anybody_may_write_to_is_unsafe(mode: int, tmp_path: Path) -> None:
    tree = Tree(tmp_path, WORKTREE)
    (tree.root / "main").chmod(mode)
    assert words(tree, "wt") == "unsafe-root"


@pytest.mark.parametrize("name", ["HOME", "CODEX/.."])
def test_a_main_worktree_that_is_a_home_or_above_codex_home_is_unsafe(name: str, tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["!git-worktree HOME/ wt" if name == "HOME" else "!git-worktree PARENT/ wt"])
    assert words(tree, "wt") == "unsafe-root"


@needs_root
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("wt/.git", "foreign-owner"),
        ("wt", "foreign-owner"),
        (ADMIN, "foreign-owner"),
        (f"{ADMIN}/gitdir", "foreign-owner"),
        (f"{ADMIN}/commondir", "foreign-owner"),
        ("main/.git", "foreign-owner"),
        ("main", "unsafe-root"),
    ],
)
def test_everything_on_the_way_has_to_belong_to_somebody_who_is_trusted(
    name: str, expected: str, tmp_path: Path
) -> None:
    tree = Tree(tmp_path, [*WORKTREE, f"!owner {name} 12345"])
    assert words(tree, "wt") == expected
    trusting = Owners.of_process().including(12345)
    assert find_linkage(str(tree.root / "wt"), trusting, home=None, codex_home=None).status == "linked"


@pytest.mark.parametrize("becomes", ["another file", "a link to it"])
def test_a_gitfile_that_is_replaced_while_it_is_judged_is_another_file(becomes: str, tmp_path: Path) -> None:
    tree = Tree(tmp_path, [*WORKTREE, "other = gitdir: ../main/.git/worktrees/wt"])
    gitfile = tree.root / "wt/.git"

    class Replacing(FailingOs):
        """Once the back-link is opened, the gitfile that was read is no longer the one that is there."""

        def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any, **options: Any) -> Any:
                if name == "open" and arguments[0] == b"gitdir":
                    if becomes == "another file":
                        (tree.root / "other").rename(gitfile)
                    else:
                        gitfile.rename(tree.root / "real")
                        gitfile.symlink_to("../real")
                return real(*arguments, **options)

            return call

    with pytest.MonkeyPatch.context() as patch:
        give(patch, Replacing())
        assert words(tree, "wt") == "unverified backlink"
    assert words(tree, "wt") == ("linked main" if becomes == "another file" else "unverified gitfile")


def test_a_disk_without_inodes_verifies_nothing(tmp_path: Path) -> None:
    """Where every file has inode 0, all of them would be the same."""
    tree = Tree(tmp_path, [*WORKTREE, "!cp wt copy"])

    class Numberless(FailingOs):
        def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any, **options: Any) -> Any:
                result = real(*arguments, **options)
                return os.stat_result([result[0], 0, *result[2:]]) if name in {"fstat", "stat"} else result

            return call

    with pytest.MonkeyPatch.context() as patch:
        give(patch, Numberless())
        assert {judged(tree, name).status for name in ("wt", "copy")} == {"unverified"}


def test_git_s_environment_is_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = Tree(tmp_path, [*WORKTREE, "evil/"])
    for name in ("GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_CEILING_DIRECTORIES"):
        monkeypatch.setenv(name, str(tree.root / "main/.git"))
    assert words(tree, "evil") == "none"
    assert words(tree, "wt") == "linked main"


def test_the_main_worktree_is_found_without_proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descriptors, "_ask_kernel", lambda _descriptor, _spelling: "")
    tree = Tree(tmp_path, [*WORKTREE, "!git-submodule super lib", "!git-bare-worktree .bare b"])
    assert [words(tree, name) for name in ("wt", "super/lib", "b")] == ["linked main", "submodule", "bare"]


@pytest.mark.parametrize(
    ("path", "before"),
    [
        (b"/a/b", b"/a"),
        (b"/a", b"/"),
        (b"/", b"/"),
        (b"//", b"/"),
        (b"/.", b"/"),
        (b"/./", b"/"),
        (b"a/b", b"a"),
        (b"a/b/", b"a"),
        (b"a/b/.", b"a"),
        (b"a/b//././/", b"a"),
        (b"a/X/", b"a"),
        (b"a/..", b"a"),
        (b"a", b"."),
        (b"a/", b"."),
        (b"a.", b"."),
    ],
)
def test_what_lies_before_the_last_name_is_told_by_the_text(path: bytes, before: bytes) -> None:
    assert worktree._without_last(path) == before


@pytest.mark.parametrize(
    ("config", "is_bare"),
    [
        ("[core]\n\tbare = true\n", True),
        ("[Core]\nBARE=Yes", True),
        ("[core]\nbare\n", True),
        ("[core]\nbare = on # x", True),
        ("[core]\nbare=1;x", True),
        ("[ core\t]\nbare = true", True),
        ("[x]\n[core]\nx = y\nbare = true\n[y]\nbare = false", True),
        (f"[core]\n{'#' * 65000}\nbare = true", True),
        (f"[core]\n{'#' * 66000}\nbare = true", False),
        ("[core] # ]\nbare = true", True),
        (None, False),
        ("[core]\nbare = false", False),
        ("[core]\nbare = true\nbare = false", False),
        ("[core]\nbare =", False),
        ("[core]\nbare = trueX", False),
        ("[core]\nbarely = true", False),
        ("[core]\n# bare = true", False),
        ("[core]\n[x]\nbare = true", False),
        ('[core "x"]\nbare = true', False),
        ("[corex]\nbare = true", False),
        ("[xcore]\nbare = true", False),
        ("bare = true", False),
        ("", False),
    ],
)
def test_a_repository_is_bare_if_its_configuration_says_so(
    config: str | None, tmp_path: Path, *, is_bare: bool
) -> None:
    if config is not None:
        (tmp_path / "config").write_text(config)
    with Root.open(str(tmp_path), Owners.of_process()) as root:
        assert worktree._says_bare(root.descriptor) == is_bare
