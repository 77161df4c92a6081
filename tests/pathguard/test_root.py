"""Roots: opened once, by the kernel, and held."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from refseal.pathguard import Owners, Place, Reach, Refusal, Root, descriptors, find_linkage, is_unsafe, read
from tests.trees.layout import Tree

OWNERS = Owners.of_process()
SOURCE = Path(__file__).parents[2] / "src"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("$ROOT/missing", "missing"),
        ("$ROOT/f", "not-a-directory"),
        ("$ROOT/f/", "not-a-directory"),
        ("$ROOT/p", "not-a-directory"),
        ("$ROOT/loop", "symlink-loop"),
        ("$ROOT/dangling", "missing"),
        ("relative", "bad-name"),
        ("", "bad-name"),
        ("/a\0b", "bad-name"),
        ("/" + "x" * 256, "too-long"),
        ("/" + "x/" * 4096, "too-long"),
        ("~", "bad-name"),
    ],
)
def test_what_is_no_directory_is_no_root(name: str, code: str, tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["f", "p !fifo", "loop => loop", "dangling => nothing"])
    with pytest.raises(Refusal) as refusal:
        Root.open(tree.expand(name), OWNERS)
    assert (refusal.value.code, refusal.value.where) == (code, tree.expand(name))


def test_a_name_that_no_disk_can_have_is_no_root() -> None:
    with pytest.raises(Refusal) as refusal:
        Root.open("/\ud800", OWNERS)
    assert (refusal.value.code, refusal.value.where) == ("bad-name", "/\ud800")


@pytest.mark.parametrize(
    "spelling", ["$ROOT/d", "$ROOT/d/", "$ROOT//d", "$ROOT/./d", "$ROOT/l", "$ROOT/l/", "$ROOT/x/../d"]
)
def test_a_root_may_be_spelled_through_links_and_dots(spelling: str, tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["d/a.md", "l => d", "x/"])
    with Root.open(tree.expand(spelling), OWNERS) as root:
        status = os.stat(tree.root / "d")
        assert root.path == os.path.realpath(tree.root / "d")
        assert root.spelling == tree.expand(spelling)
        assert (root.identity, root.owner, root.mode) == (
            (status.st_dev, status.st_ino),
            status.st_uid,
            status.st_mode,
        )
        assert read("a.md", Place(root), Reach((root,)), 100).path == f"{root.path}/a.md"


@pytest.mark.parametrize("name", ["caf\u00e9", "\udcff", "a b", "new\nline", "x (deleted)"])
def test_any_name_that_the_disk_takes_can_be_a_root(name: str, tmp_path: Path) -> None:
    try:
        (tmp_path / name).mkdir()
    except OSError:
        pytest.skip("this disk does not take that name")
    with Root.open(str(tmp_path / name), OWNERS) as root:
        assert root.path == os.path.realpath(tmp_path / name)


def test_a_root_knows_its_path_without_proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descriptors, "_ask_kernel", lambda _descriptor, _spelling: "/proc is not mounted")
    (tmp_path / "d").mkdir()
    (tmp_path / "l").symlink_to("d")
    with Root.open(str(tmp_path / "l"), OWNERS) as root:
        assert root.path == os.path.realpath(tmp_path / "d")


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_on_linux_a_root_s_path_is_what_the_kernel_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(descriptors, "_ask_realpath", lambda _descriptor, _spelling: "")
    (tmp_path / "d").mkdir()
    (tmp_path / "l").symlink_to("d")
    with Root.open(str(tmp_path / "l"), OWNERS) as root:
        assert root.path == os.path.realpath(tmp_path / "d")


def test_on_macos_a_root_s_path_is_what_f_getpath_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system writes the path to the start of a buffer of MAXPATHLEN bytes, and a NUL behind it."""
    asked = []

    def fcntl(descriptor: int, command: str, buffer: bytes) -> bytes:
        asked.append((os.fstat(descriptor).st_ino, command, buffer))
        return os.path.realpath(tmp_path / "dX").encode().ljust(len(buffer), b"\0")

    monkeypatch.setitem(sys.modules, "fcntl", SimpleNamespace(fcntl=fcntl, F_GETPATH="F_GETPATH"))
    monkeypatch.setattr(descriptors, "sys", SimpleNamespace(platform="darwin"))
    monkeypatch.setattr(descriptors, "_ask_realpath", lambda _descriptor, _spelling: "")
    (tmp_path / "dX").mkdir()
    (tmp_path / "l").symlink_to("dX")
    with Root.open(str(tmp_path / "l"), OWNERS) as root:
        assert root.path == os.path.realpath(tmp_path / "dX")
    assert asked == [(os.stat(tmp_path / "dX").st_ino, "F_GETPATH", bytes(1024))]


def test_a_root_whose_path_cannot_be_verified_goes_by_its_spelling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(descriptors, "_ask_kernel", lambda _descriptor, _spelling: "/")
    monkeypatch.setattr(descriptors, "_ask_realpath", lambda _descriptor, _spelling: "/etc")
    with Root.open(str(tmp_path), OWNERS) as root:
        assert root.path == str(tmp_path)


def test_descriptors_do_not_survive_into_other_programs(tmp_path: Path) -> None:
    with Root.open(str(tmp_path), OWNERS) as root:
        assert not os.get_inheritable(root.descriptor)


@pytest.mark.parametrize(
    ("name", "mode", "unsafe"),
    [
        ("HOME", 0o755, True),
        ("CODEX", 0o755, False),
        ("ROOT", 0o755, False),
        ("ROOT", 0o777, True),
        ("TMP", 0o1777, True),
    ],
)
def test_a_root_that_is_too_wide_is_unsafe(name: str, mode: int, tmp_path: Path, *, unsafe: bool) -> None:
    tree = Tree(tmp_path)
    (tree.parent / name).chmod(mode)
    home, codex_home = str(tree.parent / "HOME"), str(tree.parent / "CODEX")
    with Root.open(str(tree.parent / name), OWNERS) as root:
        assert is_unsafe(root, home=home, codex_home=codex_home) == unsafe


def test_what_lies_above_codex_home_is_unsafe_however_it_is_spelled(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["a/b/codex/", "x/l => ../a/b/codex", "other/"])
    spellings = {"a": True, "a/b": True, "x": True, "a/b/codex": False, "other": False}
    for name, unsafe in spellings.items():
        with Root.open(str(tree.root / name), OWNERS) as root:
            for codex_home in ("x/l", "x/l/", "x/l//"):
                answer = is_unsafe(root, home=None, codex_home=f"{tree.root}/{codex_home}")
                assert answer == unsafe, (name, codex_home)
    with Root.open("/", OWNERS) as top:
        assert is_unsafe(top, home=None, codex_home=None)


@pytest.mark.parametrize("name", ["codex ", "codex\n", "codexX"])
def test_what_a_linked_codex_home_lies_in_is_unsafe_whatever_its_name_ends_with(
    name: str, tmp_path: Path
) -> None:
    tree = Tree(tmp_path, ["a/b/codex/"])
    (tree.root / name).symlink_to("a/b/codex")
    for above in ("a", "a/b"):
        with Root.open(str(tree.root / above), OWNERS) as root:
            assert is_unsafe(root, home=None, codex_home=f"{tree.root}/{name}")


def test_what_lies_above_a_codex_home_that_is_not_there_yet_is_unsafe(tmp_path: Path) -> None:
    tree = Tree(tmp_path, ["a/b/", "x/l => ../a/b", "other/"])
    for name, unsafe in {"a": True, "a/b": True, "x": True, "other": False}.items():
        with Root.open(str(tree.root / name), OWNERS) as root:
            for codex_home in ("x/l/codex/deep", "x/l/X", "x/l/X/"):
                answer = is_unsafe(root, home=None, codex_home=f"{tree.root}/{codex_home}")
                assert answer == unsafe, (name, codex_home)


def test_the_top_is_unsafe_whatever_its_path_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for ask in ("_ask_kernel", "_ask_realpath"):
        monkeypatch.setattr(descriptors, ask, lambda _descriptor, _spelling: "")
    with Root.open("/.", OWNERS) as root:
        assert root.path == "/."
        assert is_unsafe(root, home=None, codex_home=None)


@pytest.mark.parametrize("home", ["", "relative", "/nowhere", "/a\0b", "/\ud800", None])
def test_a_home_that_is_none_makes_nothing_unsafe(home: str | None, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with Root.open(str(tmp_path), OWNERS) as root:
        assert not is_unsafe(root, home=home, codex_home=home)


WINDOWS = """
import os, sys
for name in "O_NOFOLLOW O_DIRECTORY O_NONBLOCK O_NOCTTY O_CLOEXEC O_PATH geteuid pread".split():
    if hasattr(os, name):
        delattr(os, name)
sys.modules["posix"] = None
sys.platform = "win32"
from refseal.pathguard import Owners, Refusal, Root, find_linkage
import refseal.pathguard.git_files, refseal.pathguard.handle, refseal.pathguard.listing
for call in (lambda: Root.open("C:/x", Owners.of_process()), lambda: Root.open("/", Owners.of_process()),
             lambda: find_linkage("/x", Owners.of_process(), home=None, codex_home=None)):
    try:
        call()
    except Refusal as refusal:
        print(refusal.code)
"""


def test_on_windows_the_package_imports_and_every_root_is_refused() -> None:
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(SOURCE)!r}){WINDOWS}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.split() == ["unsupported-platform"] * 3


def test_a_platform_without_the_calls_is_refused_by_the_name_that_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(descriptors, "SUPPORTED", False)
    for ask in (
        lambda: Root.open("/x", OWNERS),
        lambda: find_linkage("/x", OWNERS, home=None, codex_home=None),
    ):
        with pytest.raises(Refusal) as refusal:
            ask()
        assert (refusal.value.code, refusal.value.where) == ("unsupported-platform", "/x")


SLOW_TO_IMPORT = (
    *(
        "re",
        "json",
        "typing",
        "dataclasses",
        "enum",
        "pathlib",
        "collections",
        "functools",
        "contextlib",
        "hashlib",
    ),
    *("tomllib", "subprocess", "threading", "ctypes", "tempfile", "shutil", "fcntl"),
)


def test_the_guard_imports_nothing_that_is_slow_to_import() -> None:
    script = f"""
import sys
sys.path.insert(0, {str(SOURCE)!r})
before = set(sys.modules)
import refseal.pathguard
print(*sorted(set(sys.modules) - before))
"""
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True
    )
    loaded = set(ran.stdout.split())
    assert loaded.isdisjoint(SLOW_TO_IMPORT)
    assert "refseal.pathguard.listing" not in loaded


def test_a_missing_directory_has_no_linkage() -> None:
    for directory in ("relative", "", "/a\0b", "/nowhere/at/all", "/nowhere/../x", "/\ud800"):
        assert find_linkage(directory, OWNERS, home=None, codex_home=None).status == "none"
