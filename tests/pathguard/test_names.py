"""Names as text: forms that are never looked up, and bounds."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refseal.pathguard import CODES, Owners, Place, Reach, Refusal, Root, is_directory, read
from refseal.pathguard.names import (
    MAX_COMPONENT_BYTES,
    MAX_COMPONENTS,
    MAX_NAME_BYTES,
    bare,
    is_foreign_absolute,
    split,
)
from refseal.pathguard.refusals import refusal_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Root]:
    path: Path = tmp_path_factory.mktemp("names")
    (path / "a.md").write_text("inside")
    with Root.open(str(path), Owners.of_process()) as held:
        yield held


def code(token: str, root: Root) -> str:
    try:
        read(token, Place(root), Reach((root,)), 100)
    except Refusal as refusal:
        return refusal.code
    return "opened"


@pytest.mark.parametrize(
    ("text", "components", "directory"),
    [
        ("a", ["a"], False),
        ("./a", ["a"], False),
        ("a//b/./c", ["a", "b", "c"], False),
        ("a/", ["a"], True),
        ("a/.", ["a"], True),
        ("..", [".."], False),
        ("/a", ["a"], False),
        (".", [], False),
        ("...", ["..."], False),
        ("\udcc3\udca9", ["\u00e9"], False),  # the same bytes spelled as surrogates
    ],
)
def test_a_name_falls_into_components(text: str, components: list[str], *, directory: bool) -> None:
    assert split(text)[1:] == (components, directory)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errno.ENOENT, "missing"),
        (errno.ENOTDIR, "not-a-directory"),
        (errno.EISDIR, "directory"),
        (errno.ENAMETOOLONG, "too-long"),
        (errno.EILSEQ, "bad-name"),
        (errno.ENXIO, "not-regular"),
        (errno.ENODEV, "not-regular"),
        (errno.EOPNOTSUPP, "not-regular"),
        (errno.EACCES, "unreadable"),
        (errno.ELOOP, "unreadable"),
        (None, "unreadable"),
    ],
)
def test_each_error_of_the_system_has_its_word(error: int | None, code: str) -> None:
    refusal = refusal_for(OSError() if error is None else OSError(error, "said"), "a.md")
    assert (refusal.code, refusal.where) == refusal.args == (code, "a.md")


LONGEST = "x" * MAX_COMPONENT_BYTES


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("", "bad-name", ""),
        ("a/\0b", "bad-name", "a/\0b"),
        ("a/\ud800", "bad-name", "a/\ud800"),
        ("a/" * 2048 + "b", "too-long", "a/" * 2048 + "b"),
        ("a/" * 255 + "b", "too-long", "a/" * 255 + "b"),
        ("é/" * 1366, "too-long", "é/" * 1366),
        (f"a/{LONGEST}x/b", "too-long", f"{LONGEST}x"),
        ("a/" + "é" * 128, "too-long", "é" * 128),
    ],
)
def test_a_name_that_is_none_says_which(text: str, code: str, where: str) -> None:
    with pytest.raises(Refusal) as refusal:
        split(text)
    assert (refusal.value.code, refusal.value.where) == (code, where)


@pytest.mark.parametrize(
    "text", [LONGEST, f"a/{LONGEST}/b", "a/" + "é" * 127 + "x", "a/" * 254 + "b", f"{LONGEST}/" * 16]
)
def test_a_name_may_have_every_length_up_to_the_bounds(text: str) -> None:
    assert "/".join(split(text)[1]) == text.rstrip("/")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "bad-name"),
        (".", "bad-name"),
        ("..", "bad-name"),
        ("a/b", "bad-name"),
        ("a\0b", "bad-name"),
        ("é\ud800", "bad-name"),
        (f"{LONGEST}x", "too-long"),
        ("é" * 128, "too-long"),
    ],
)
def test_a_component_that_is_none_says_which(name: str, code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        bare(name)
    assert (refusal.value.code, refusal.value.where) == (code, name)


@pytest.mark.parametrize("name", [LONGEST, "é" * 127, "...", "a b"])
def test_a_component_is_any_name_of_a_file(name: str) -> None:
    assert bare(name) == name


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("C:x", True),
        ("z:\\x", True),
        ("\\x", True),
        ("\\\\host\\x", True),
        ("é:x", False),
        ("1:x", False),
        (":x", False),
        ("ab:x", False),
        ("a\\x", False),
        ("", False),
    ],
)
def test_a_drive_is_one_ascii_letter(text: str, *, foreign: bool) -> None:
    assert is_foreign_absolute(text) == foreign


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        *[
            (token, "bad-name")
            for token in ("", "\0", "a\0", "a/\0/b", "\ud800", "a\udfff.md", "\udc00", "\udc2f")
        ],
        *[
            ("a/" * 300, "too-long"),
            ("x" * 256, "too-long"),
            ("\u00e9" * 128, "too-long"),
            ("x" * 4097, "too-long"),
        ],
        *[
            ("\u00e9" * 127, "missing"),
            ("x" * 255, "missing"),
            ("./" * 2048, "directory"),
            ("./" * 2049, "too-long"),
        ],
        *[("\u20ac" * 1366, "too-long"), ("x" * (1 << 20), "too-long"), ("a/" * 10_000, "too-long")],
        *[
            (token, "absolute")
            for token in ("C:\\x", "c:/x", "C:", "C:x", "\\x", "\\\\h\\s\\x", "\\\\?\\C:\\", "\\\\.\\NUL")
        ],
        *[(token, "absolute") for token in ("/", "//", "/..", "/etc/passwd", "//h/s", "/./", "/\u200b")],
        *[(token, "home") for token in ("~", "~/", "~/x", "~//x", "~root/x", "~a.md", "~/../x", "~\u200b")],
        *[
            (token, "missing")
            for token in ("ab:c", "x\\y", "..\\a.md", "file:///a", "a.md.", "a.md ", "%2e%2e/a.md", "a\nb")
        ],
        *[
            (token, "invisible-character")
            for token in ("a\u200b.md", "\u202ea", "\x1b", "a\x7f", "\ufeffa", "x\U000e0041")
        ],
        *[
            (token, "git-metadata")
            for token in (".git\u200c/x", ".g\u200cit", ".git/\u200b", "a/.git", ".git/..", ".git/")
        ],
        *[
            (token, "outside-root")
            for token in ("..", "../", "../.git", "../../.env", "./..", "../\u200e/.git", "..//.ssh")
        ],
        *[
            (token, "sensitive")
            for token in ("x/.env", "x/../.env", ".ssh/../a.md", ".ssh", "id_rsa\u200b/../.env")
        ],
    ],
    ids=lambda value: repr(value)[:30],
)
def test_a_name_is_refused_for_what_it_says_before_anything_is_opened(
    token: str, expected: str, root: Root
) -> None:
    assert code(token, root) == expected


def test_bounds_are_those_of_the_system() -> None:
    assert (MAX_NAME_BYTES, MAX_COMPONENT_BYTES, MAX_COMPONENTS) == (4096, 255, 255)
    assert len(split("a/" * MAX_COMPONENTS)[1]) == MAX_COMPONENTS


ANY_CHARACTER = st.characters(codec=None)
PIECES = st.one_of(
    st.sampled_from(["/", "..", ".", "~", "\\", ":", "a", "a.md", ".git", "\0", "\u200b", "\udcff"]),
    ANY_CHARACTER,
)


@given(st.lists(PIECES, max_size=40).map("".join))
@example("\ud800/\udcff")
@example("/" * 4096)
@example("\udcf0\udc9f\udc98\udc80")
def test_any_text_is_a_name_or_a_refusal(token: str) -> None:
    with Root.open("/", Owners(frozenset())) as root:  # trusts nobody: nothing real is opened
        for reach in (Reach((root,)), Reach((root,), link_roots=(root,), home="/nowhere")):
            try:
                read(token, Place(root), reach, 1)
            except Refusal as refusal:
                said = refusal.code
            else:
                said = "opened"
            assert said in CODES
            assert is_directory(token, Place(root), reach) in {True, False}


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\0", "/"])
def test_a_place_holds_bare_names_alone(name: str, root: Root) -> None:
    with pytest.raises(Refusal) as refusal:
        Place(root, ("a", name))
    assert refusal.value.code == "bad-name"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("\ud800", "bad-name"), ("a\udfff", "bad-name"), ("x" * 256, "too-long"), ("\u00e9" * 128, "too-long")],
    ids=lambda value: repr(value)[:12],
)
def test_a_place_holds_names_that_a_disk_can_have(name: str, expected: str, root: Root) -> None:
    """A host may say anything of its working directory, also what no encoding can carry to the kernel."""
    with pytest.raises(Refusal) as refusal:
        Place(root, (name,))
    assert refusal.value.code == expected
    assert Place(root, ("\udcc3\udca9",)).components == ("\u00e9",)  # one name, one spelling


@pytest.mark.parametrize(
    "home", ["/\ud800", "/a\0b", "/" + "x" * 300, "/a" * 5000, "/\udfff/x", "relative", ""]
)
def test_a_home_that_no_disk_can_have_is_no_home(home: str) -> None:
    with Root.open("/", Owners.of_process()) as top:
        for token in ("~/x.md", "~/", "~"):
            with pytest.raises(Refusal) as refusal:
                read(token, Place(top), Reach((top,), link_roots=(top,), home=home), 1)
            assert refusal.value.code == "home"


@pytest.mark.parametrize("where", [(".git",), ("a", ".ssh"), (".git", "worktrees")])
def test_nothing_is_read_in_a_place_that_policy_refuses(where: tuple[str, ...], root: Root) -> None:
    with pytest.raises(Refusal) as refusal:
        read("a.md", Place(root, where), Reach((root,)), 100)
    assert refusal.value.code in {"git-metadata", "sensitive"}
