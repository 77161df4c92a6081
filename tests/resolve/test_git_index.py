"""The index reader against indexes that real git wrote, and against bytes that nobody should write."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refseal.resolve import git_index
from refseal.resolve.git_index import BadIndex, _bit, _Wanted, is_tracked, varint
from tests.alarm import work_alarm
from tests.resolve.world import GIT_ENVIRONMENT

if TYPE_CHECKING:
    from pathlib import Path

FILES = [
    "AGENTS.md",
    "a",
    "docs/AGENTS.local.md",
    "docs/a.md",
    "docs/deep/er/file.txt",
    "é/ü.md",
    "x" * 200
    + "/"
    + "y" * 250
    + "/"
    + "z" * 250
    + "/"
    + "w" * 250
    + "/"
    + "v" * 250
    + "/"
    + "u" * 250
    # a path longer than 4,095 bytes has no length in the flags
    + ("/" + "t" * 250) * 12,
]


def git(directory: Path, *arguments: str, text: str = "") -> str:
    done = subprocess.run(
        ["git", *arguments],
        cwd=directory,
        env=GIT_ENVIRONMENT,
        input=text.encode(),
        check=True,
        capture_output=True,
    )
    return done.stdout.decode()


def repository(directory: Path, object_format: str, *settings: str) -> Path:
    """Make a repository whose index holds FILES; the files themselves need not exist."""
    git(directory, "init", "-q", f"--object-format={object_format}")
    for setting in settings:
        key, value = setting.split("=")
        git(directory, "config", key, value)
    add(directory, *FILES)
    return directory


def add(directory: Path, *names: str) -> None:
    blob = git(directory, "hash-object", "-w", "--stdin", text="x").strip()
    lines = "".join(f"100644 {blob}\t{name}\0" for name in names)
    git(directory, "update-index", "-z", "--add", "--index-info", text=lines)


def tracked(directory: Path, path: str) -> bool:
    def read(name: str) -> bytes:
        return (directory / ".git" / name).read_bytes()

    return is_tracked(read("index"), path, read)


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_and_object_format_is_read(tmp_path: Path, version: str, object_format: str) -> None:
    directory = repository(tmp_path, object_format)
    git(directory, "update-index", "--index-version", version)
    if version == "3":  # git writes version 3 only if an entry needs its extended flags
        git(directory, "update-index", "--skip-worktree", "docs/a.md")
    number = int.from_bytes((directory / ".git/index").read_bytes()[4:8], "big")
    assert number == int(version)
    assert [name for name in FILES if not tracked(directory, name)] == []
    for absent in ("AGENTS.local.md", "docs", "docs/AGENTS.local.md/", "AGENTS.m", "AGENTS.mdx", "b"):
        assert not tracked(directory, absent), absent


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@pytest.mark.parametrize("version", ["2", "4"])
def test_split_index(tmp_path: Path, version: str, object_format: str) -> None:
    directory = repository(tmp_path, object_format, "splitIndex.maxPercentChange=100")
    git(directory, "update-index", "--index-version", version)
    git(directory, "update-index", "--split-index")
    assert [name for name in FILES if not tracked(directory, name)] == []
    add(directory, "new.md")
    git(directory, "update-index", "--force-remove", "docs/a.md")
    git(directory, "update-index", "--skip-worktree", "a")  # replaced in the shared part
    assert [name.name for name in (directory / ".git").glob("sharedindex.*")]
    assert tracked(directory, "new.md")
    assert not tracked(directory, "docs/a.md")
    assert not tracked(directory, "AGENTS.local.md")
    assert [name for name in FILES if name != "docs/a.md" and not tracked(directory, name)] == []


def test_split_index_with_many_removed(tmp_path: Path) -> None:
    directory = repository(tmp_path, "sha1", "splitIndex.maxPercentChange=100")
    names = [f"f{number:04}.md" for number in range(1_000)]
    add(directory, *names)
    git(directory, "update-index", "--split-index")
    removed = {name for number, name in enumerate(names) if 200 <= number < 650 or number % 7 == 0}
    git(directory, "update-index", "--force-remove", *sorted(removed))
    assert {name for name in names if not tracked(directory, name)} == removed


def test_split_index_whose_shared_part_is_gone_cannot_tell(tmp_path: Path) -> None:
    directory = repository(tmp_path, "sha1")
    git(directory, "update-index", "--split-index")
    for shared in (directory / ".git").glob("sharedindex.*"):
        shared.unlink()
    with pytest.raises(FileNotFoundError):
        tracked(directory, "AGENTS.local.md")


@pytest.mark.parametrize(
    "setting",
    ["core.untrackedCache=true", "index.threads=2", "feature.manyFiles=true", "index.skipHash=true"],
)
def test_extensions_are_stepped_over(tmp_path: Path, setting: str) -> None:
    directory = repository(tmp_path, "sha1", setting)
    if "untracked" in setting:
        git(directory, "update-index", "--force-untracked-cache")
        git(directory, "status")
    add(directory, "one-more.md")
    assert tracked(directory, "one-more.md")
    assert not tracked(directory, "AGENTS.local.md")


def test_block_offsets_of_a_threaded_version_4_index(tmp_path: Path) -> None:
    directory = repository(tmp_path, "sha1", "index.threads=4")
    names = [f"d{number % 50}/f{number:06}.md" for number in range(40_000)]
    add(directory, *names)
    git(directory, "update-index", "--index-version", "4")
    assert b"IEOT" in (directory / ".git/index").read_bytes()[-2000:]
    assert all(tracked(directory, name) for name in (names[0], names[20_001], names[-1]))
    assert not tracked(directory, "d7/AGENTS.local.md")


def test_sparse_index_tracks_all_beneath_a_collapsed_directory(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for name in ("in/a.md", "out/sub/b.md"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("x")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "x")
    git(tmp_path, "sparse-checkout", "set", "--cone", "--sparse-index", "in")
    assert b"sdir" in (tmp_path / ".git/index").read_bytes()
    assert tracked(tmp_path, "in/a.md")
    assert tracked(tmp_path, "out/sub/b.md")
    assert tracked(tmp_path, "out/AGENTS.local.md")  # cannot be told apart: the answer with less authority
    assert not tracked(tmp_path, "in/AGENTS.local.md")


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ("AGENTS.LOCAL.md", "AGENTS.local.md"),
        ("agents.local.MD", "AGENTS.local.md"),
        ("Docs/AGENTS.local.md", "docs/AGENTS.local.md"),
        ("AGENTS\u200c.local.md", "AGENTS.local.md"),
        ("e\u0301/AGENTS.local.md", "\u00e9/AGENTS.local.md"),
    ],
)
def test_names_that_a_disk_may_take_for_the_overlay_count_as_tracked(
    tmp_path: Path, entry: str, path: str
) -> None:
    git(tmp_path, "init", "-q")
    add(tmp_path, entry)
    assert tracked(tmp_path, path)


def test_an_unmerged_entry_is_tracked(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    blob = git(tmp_path, "hash-object", "-w", "--stdin", text="x").strip()
    git(tmp_path, "update-index", "--index-info", text=f"100644 {blob} 2\tAGENTS.local.md\n")
    assert tracked(tmp_path, "AGENTS.local.md")


def never(name: str) -> bytes:
    raise AssertionError(name)


@pytest.mark.parametrize(
    "index",
    [
        b"",
        b"DIRC",
        b"\0" * 1000,
        b"DIRC" + (1).to_bytes(4, "big") + bytes(4) + bytes(32),
        b"DIRC" + (5).to_bytes(4, "big") + bytes(4) + bytes(32),
        b"DIRC" + (2).to_bytes(4, "big") + b"\xff\xff\xff\xff" + bytes(4096),
        b"DIRC" + (2).to_bytes(4, "big") + bytes(4) + b"link" + b"\xff\xff\xff\xff" + bytes(64),
        b"DIRC" + (2).to_bytes(4, "big") + bytes(4) + b"link" + (4).to_bytes(4, "big") + bytes(25),
        b"DIRC" + (2).to_bytes(4, "big") + bytes(4) + b"what" + bytes(4) + bytes(32),
        b"DIRC" + (4).to_bytes(4, "big") + (1).to_bytes(4, "big") + bytes(62) + b"\xff" * 4096,
    ],
)
def test_bytes_that_are_no_index_cannot_tell(index: bytes) -> None:
    with pytest.raises(BadIndex):
        is_tracked(index, "AGENTS.local.md", never)


def growing(count: int, grown_by: bytes) -> bytes:
    """Version 4: each name is the one before it and some more."""
    entry = bytes(40 + 20 + 2) + b"\0" + grown_by + b"\0"
    return b"DIRC" + (4).to_bytes(4, "big") + count.to_bytes(4, "big") + entry * count + bytes(20)


def test_names_that_grow_by_every_entry_do_not_take_quadratic_time() -> None:
    with work_alarm(60), pytest.raises(BadIndex):  # it was a matter of minutes
        is_tracked(growing(100_000, "é".encode()), "AGENTS.local.md", never)
    assert not is_tracked(growing(100, b"x"), "AGENTS.local.md", never)


def test_extensions_without_end_are_not_walked() -> None:
    with pytest.raises(BadIndex):
        is_tracked(
            b"DIRC" + (2).to_bytes(4, "big") + bytes(4) + b"TREE\0\0\0\0" * 100_000 + bytes(20), "a", never
        )


def test_bitmap_of_a_split_index_is_bounded() -> None:
    content = b"\1" * 20 + bytes(2 << 20)
    link = b"link" + len(content).to_bytes(4, "big") + content
    with pytest.raises(BadIndex):
        is_tracked(b"DIRC" + (2).to_bytes(4, "big") + bytes(4) + link + bytes(20), "a", lambda _: b"")


def test_an_empty_index_tracks_nothing() -> None:
    index = b"DIRC" + (2).to_bytes(4, "big") + bytes(4) + bytes(20)
    assert not is_tracked(index, "AGENTS.local.md", never)


@given(st.binary(max_size=400), st.sampled_from([2, 3, 4]), st.integers(0, 6))
def test_any_bytes_give_an_answer_or_a_bad_index(body: bytes, version: int, count: int) -> None:
    index = b"DIRC" + version.to_bytes(4, "big") + count.to_bytes(4, "big") + body
    try:
        assert is_tracked(index, "a/AGENTS.local.md", lambda _: body) in (True, False)
    except BadIndex:
        pass


@given(st.data())
def test_a_damaged_index_never_ends_in_another_error(data: st.DataObject) -> None:
    entry = bytes(40) + b"\1" * 20 + b"\0\x0fAGENTS.local.md" + b"\0" * 3
    entry += b"\0" * (-len(entry) % 8)
    index = b"DIRC" + (2).to_bytes(4, "big") + (1).to_bytes(4, "big") + entry + bytes(20)
    assert is_tracked(index, "AGENTS.local.md", never)
    cut = data.draw(st.integers(0, len(index)))
    at = data.draw(st.integers(0, len(index) - 1))
    damaged = bytearray(index)
    damaged[at] = data.draw(st.integers(0, 255))
    for hostile in (index[:cut], bytes(damaged)):
        try:
            is_tracked(hostile, "AGENTS.local.md", lambda _: index)
        except BadIndex:
            pass


@pytest.mark.parametrize(
    ("path", "entry", "named"),
    [
        ("a.md", "a.md", True),
        ("a.md", "b.md", False),
        ("d/a.md", "d/", True),
        ("d/a.md", "D/", True),
        ("d/a.md", "e/", False),
        ("fi.md", "\ufb01.md", True),
        ("\ufb01.md", "fi.md", True),
        ("\ufb01.md", "f.md", False),
        ("\u00e9/x/a.md", "e\u0301/x/a.md", True),
        ("\u00e9/x/a.md", "e\u0301/a.md", False),
        (("\u00e9" * 100 + "/") * 15 + "x", ("\u00e9" * 100 + "/") * 15 + "x", True),
        ("\u00e9", "y" * 256, False),
        ("\u00e9", "y" * 257, False),
        # What is longer than any name on a disk is none, whatever a disk would ignore of it.
        ("a.md", "a.md" + "\u200c" * 84, True),
        ("a.mdd", "a.mdd" + "\u200c" * 84, False),
        ("d/a.md", "d/a.md" + "\u200c" * 168, True),
        ("d/a.md", "d/a.md" + "\u200c" * 169, False),
        ("a" * 600, "a" * 600, True),
        ("a" * 600 + "/b.md", "a" * 600 + "/", False),
    ],
)
def test_an_entry_names_a_path_if_some_disk_takes_it_for_that(path: str, entry: str, *, named: bool) -> None:
    assert _Wanted(path).is_named_by(entry.encode()) == named


def bitmap(*words: int) -> bytes:
    return bytes(4) + len(words).to_bytes(4, "big") + b"".join(word.to_bytes(8, "big") for word in words)


def run(bit: int, length: int, literals: int) -> int:
    return bit | length << 1 | literals << 33


def test_each_bit_of_a_bitmap_is_read() -> None:
    first, second, third = 0x8123456789ABCDEF, 0xF0E1D2C3B4A59687, 1 << 63 | 1
    link = b"id" + bitmap(run(1, 1, 2), first, second, run(0, 2, 0), run(0, 1, 1), third)
    ones = (1 << 64) - 1
    expected = [word >> bit & 1 for word in (ones, first, second, 0, 0, 0, third, 0) for bit in range(64)]
    assert [_bit(link, 2, position) for position in range(512)] == [bit == 1 for bit in expected]
    assert not _bit(b"id", 2, 0)


@pytest.mark.parametrize(
    "link", [bitmap(run(0, 0, 2), 1), bitmap(run(0, 0, 2)), bitmap(run(1, 9, 0))[:-1], bytes(7) + b"\1"]
)
def test_a_bitmap_that_ends_early_cannot_tell(link: bytes) -> None:
    with pytest.raises(BadIndex):
        _bit(link, 0, 64)


@pytest.mark.parametrize(
    ("signature", "may_be_ignored"),
    [(b"AAAA", True), (b"ZZZZ", True), (b"Tree", True), (b"@AAA", False), (b"[AAA", False), (b"aaaa", False)],
)
def test_an_extension_that_begins_with_a_capital_may_be_ignored(
    signature: bytes, *, may_be_ignored: bool
) -> None:
    extension = signature + (40).to_bytes(4, "big") + bytes(40)  # ends well only with digests of 20 bytes
    index = b"DIRC" + (2).to_bytes(4, "big") + bytes(4) + extension + bytes(20)
    if may_be_ignored:
        assert not is_tracked(index, "a", never)
    else:
        with pytest.raises(BadIndex):
            is_tracked(index, "a", never)


def head(version: int, count: int) -> bytes:
    return b"DIRC" + version.to_bytes(4, "big") + count.to_bytes(4, "big")


def entry(name: bytes) -> bytes:
    """One entry of version 2, with an object id of 20 bytes."""
    whole = bytes(60) + len(name).to_bytes(2, "big") + name
    return whole + bytes(8 - len(whole) % 8)


def test_a_bad_index_says_what_is_bad_about_it() -> None:
    with pytest.raises(BadIndex, match=r"^version 9; version 9$"):
        is_tracked(head(9, 0) + bytes(20), "a", never)


@pytest.mark.parametrize("name", [b"a\xff.md", b"d\xff/a.md"])
def test_names_that_are_no_utf_8_are_compared_like_others(name: bytes) -> None:
    index = head(2, 1) + entry(name) + bytes(20)
    assert is_tracked(index, name.decode("utf-8", "surrogateescape"), never)
    assert not is_tracked(index, "a.md", never)


@pytest.mark.parametrize(
    "index",
    [
        head(2 | 1 << 24, 0) + bytes(20),
        head(2, 1 << 24) + bytes(20),
        head(2, 0) + b"TREE" + (8 | 1 << 24).to_bytes(4, "big") + bytes(8 + 20),
        head(2, 1) + entry(b"a.md"),  # the checksum is missing
        head(4, 1) + bytes(62) + b"\0a" + b"\1" * 40,  # a name without an end
    ],
)
def test_numbers_count_with_all_their_bytes_and_nothing_lies_in_the_checksum(index: bytes) -> None:
    with pytest.raises(BadIndex):
        is_tracked(index, "a.md", never)


def test_the_words_of_a_bitmap_count_with_all_their_bytes() -> None:
    with pytest.raises(BadIndex):
        _bit(bytes(4) + (1 << 24 | 1).to_bytes(4, "big") + bytes(8), 0, 0)


@pytest.mark.parametrize(
    ("number", "coded"),
    [
        (0, b"\0"),
        (1, b"\1"),
        (127, b"\x7f"),
        (128, b"\x80\0"),
        (129, b"\x80\1"),
        (255, b"\x80\x7f"),
        (16511, b"\xff\x7f"),
        (16512, b"\x80\x80\0"),
        (16513, b"\x80\x80\1"),
    ],
)
def test_numbers_are_read_as_git_writes_them(number: int, coded: bytes) -> None:
    """https://git-scm.com/docs/pack-format, "offset encoding"; none is longer than the file."""
    padded = b"x" + coded + bytes(max(number - len(coded) - 1, 0))
    assert varint(padded, 1) == (number, 1 + len(coded))
    if number >= 128:
        with pytest.raises(BadIndex):
            varint(padded[:-1] if len(padded) == number else padded[: number - 1], 1)


def test_bounds_belong_to_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    index = head(2, 1) + entry(b"a.md") + bytes(20)
    monkeypatch.setattr(git_index, "MAX_INDEX_BYTES", len(index))
    assert is_tracked(index, "a.md", never)
    grown = growing(2, b"x")
    monkeypatch.setattr(git_index, "MAX_INDEX_BYTES", len(grown))
    monkeypatch.setattr(git_index, "MAX_NAMES_BYTES", 3)  # "x" and "xx"
    assert is_tracked(grown, "xx", never)
    monkeypatch.setattr(git_index, "MAX_NAMES_BYTES", 2)
    with pytest.raises(BadIndex):
        is_tracked(grown, "xx", never)


def test_a_split_index_may_leave_the_bitmaps_out(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = head(2, 1) + entry(b"a.md") + bytes(20)
    index = head(2, 0) + b"link" + (20).to_bytes(4, "big") + b"\1" * 20 + bytes(20)
    monkeypatch.setattr(git_index, "MAX_LINK_BYTES", 20)
    monkeypatch.setattr(git_index, "MAX_INDEX_BYTES", max(len(shared), len(index)))
    assert is_tracked(index, "a.md", lambda _: shared)
    assert not is_tracked(index, "b.md", lambda _: shared)


def test_what_stands_behind_a_bitmap_is_no_part_of_it() -> None:
    """Git writes a second bitmap there; read as the first it could make a tracked file an untracked one."""
    link = bitmap(run(0, 1, 0)) + run(1, 5, 0).to_bytes(8, "big")
    assert not any(_bit(link, 0, position) for position in range(400))
