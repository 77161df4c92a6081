"""What Codex loaded, mapped to files: mirrored rules, proved cuts, and everything that proves nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refseal.codex.history import Loaded
from refseal.codex.native import HOME_SEPARATOR, SEPARATOR, native_view
from refseal.pathguard import Refusal
from refseal.resolve.instruction import WHITE_SPACE, Instruction
from refseal.resolve.scope import Directory

if TYPE_CHECKING:
    from refseal.resolve.native_view import NativeView


class File:
    """As much of a `pathguard.File` as counts here."""

    def __init__(self, data: bytes, *, more: bool = False) -> None:
        self.data = data
        self.more = more


def instruction(data: bytes, name: str = "AGENTS.md", *, more: bool = False) -> Instruction:
    return Instruction("project", "chain", "/p", name, file=File(data, more=more))  # type: ignore[arg-type]


def refused(code: str) -> Instruction:
    return Instruction("project", "chain", "/p", "AGENTS.md", refusal=Refusal(code, ""))


def directory(project: Instruction | None) -> Directory:
    found = Directory("/p", None)
    found.project = project
    return found


def view(
    files: list[Instruction | None],
    loaded: Loaded | None = None,
    *,
    home: bytes | None = None,
    budget: int = 32_768,
    trusted: bool = True,
) -> NativeView:
    return native_view(
        None if home is None else instruction(home),
        [directory(file) for file in files],
        budget=budget,
        loaded=loaded,
        trusted=trusted,
    )


def missing(found: NativeView) -> list[tuple[bytes, int | None]]:
    answer: list[tuple[bytes, int | None]] = []
    for entry in found.loaded:
        file: Any = entry.instruction.file
        answer.append((b"?" if file is None else file.data, entry.first_missing_line))
    return answer


def codex(files: list[bytes], budget: int, home: bytes | None = None) -> Loaded:
    """Load files as Codex does, byte by byte."""
    parts = []
    for data in files:
        part = data[:budget].decode("utf-8", "replace")
        if part.strip(WHITE_SPACE):
            parts.append(part)
            budget -= min(budget, len(data))
    text = "" if home is None else home.decode("utf-8", "replace").strip(WHITE_SPACE)
    if not parts:
        return Loaded(None, text or None)
    return Loaded("/p", (text + HOME_SEPARATOR if text else "") + SEPARATOR.join(parts))


def test_what_was_loaded_whole_is_native_whole() -> None:
    assert missing(view([instruction(b"a\n"), None, instruction(b"b\n")], Loaded("/p", "a\n\n\nb\n"))) == [
        (b"a\n", None),
        (b"b\n", None),
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one\ntwo\nth", [3, 1]),
        ("one\ntwo\n", [3, 1]),
        ("one\ntwo", [2, 1]),
        ("o", [1, 1]),
        ("one\ntwo\nthree\n\n\nfo", [None, 1]),
        ("one\ntwo\nthree\n\n\nfour\nf", [None, 2]),
        ("one\ntwo\nthree\n\n\nfour\nfive", [None, None]),  # only a line feed is missing
    ],
)
def test_a_proper_prefix_is_a_proved_cut(text: str, lines: list[int | None]) -> None:
    files: list[Instruction | None] = [instruction(b"one\ntwo\nthree\n"), instruction(b"four\nfive\n")]
    assert [line for _, line in missing(view(files, Loaded("/p", text)))] == lines


def test_a_cut_within_a_character_loses_its_line() -> None:
    file = instruction("ab\ncdé\n".encode())
    assert missing(view([file], Loaded("/p", "ab\ncd\ufffd")))[0][1] == 2


@pytest.mark.parametrize(
    "text",
    ["other\n", "one\nTWO\n", "one\ntwo\nthree\nfour\n", "one\n\ufffd", "one\ntwo\nthree\n\ufffd", "two\n"],
)
def test_a_mismatch_restores_nothing(text: str) -> None:
    assert missing(view([instruction(b"one\ntwo\nthree\n")], Loaded("/p", text))) == [
        (b"one\ntwo\nthree\n", None)
    ]


def test_a_text_that_ends_with_a_file_proves_a_cut_only_if_the_budget_ends_there() -> None:
    files: list[Instruction | None] = [instruction(b"one\n"), instruction(b"two\n")]
    assert missing(view(files, Loaded("/p", "one\n"))) == [(b"one\n", None)]
    assert missing(view(files, Loaded("/p", "one\n"), budget=4)) == [(b"one\n", None), (b"two\n", 1)]


def test_a_body_that_quotes_another_fools_nobody() -> None:
    files: list[Instruction | None] = [instruction(b"a\n\n\nb\n"), instruction(b"b\n")]
    assert missing(view(files, Loaded("/p", "a\n\n\nb\n\n\nb\n"))) == [(b"a\n\n\nb\n", None), (b"b\n", None)]
    # Somebody moved the seam: what is loaded is the same, and all of it is loaded.
    moved: list[Instruction | None] = [instruction(b"a\n"), instruction(b"b\n\n\nb\n")]
    assert [line for _, line in missing(view(moved, Loaded("/p", "a\n\n\nb\n\n\nb\n")))] == [None, None]


@pytest.mark.parametrize("loaded", [Loaded(None, None), Loaded(None, "home")])
def test_if_codex_loaded_no_project_text_the_project_contributes_none(loaded: Loaded) -> None:
    assert missing(view([instruction(b"a\n")], loaded)) == []


def test_an_unreadable_file_is_named_once_and_drops_all() -> None:
    files = [instruction(b"a\n"), refused("unreadable"), refused("symlink-loop")]
    for loaded in (None, Loaded(None, None)):
        found = view(list(files), loaded)
        assert found.loaded == ()
        assert len(found.notices) == 1
    assert view(list(files), None, trusted=False).notices == ()


def test_a_file_that_only_we_may_not_read_is_native_all_the_same() -> None:
    files = [instruction(b"a\n"), refused("symlink-escape"), instruction(b"b\n")]
    assert [line for _, line in missing(view(list(files)))] == [None] * 3
    assert [line for _, line in missing(view(list(files), Loaded("/p", "a\n\n\nx\n\n\nb\n")))] == [None] * 3


def test_codex_home_comes_first_and_trimmed() -> None:
    found = view([instruction(b"a\nb\n")], Loaded("/p", "home" + HOME_SEPARATOR + "a\n"), home=b"\n home\n\n")
    assert missing(found) == [(b"\n home\n\n", None), (b"a\nb\n", 2)]
    assert missing(view([], Loaded(None, "home"), home=b"home")) == [(b"home", None)]
    assert missing(view([], Loaded(None, None), home=b"home")) == []
    assert missing(view([instruction(b"a\n")], Loaded("/p", "a\n"), home=b" \n")) == [(b"a\n", None)]


def test_an_untrusted_project_has_nothing_native() -> None:
    assert missing(view([instruction(b"a\n")], home=b"home", trusted=False)) == [(b"home", None)]


def test_more_of_a_file_than_we_read_is_missing_too() -> None:
    file = instruction(b"line\n" * 10, more=True)
    assert missing(view([file], Loaded("/p", "line\n" * 4)))[0][1] == 5
    assert missing(view([file], Loaded("/p", "line\n" * 10)))[0][1] == 11
    assert missing(view([file], budget=20))[0][1] == 5


@pytest.mark.parametrize(
    ("budget", "text", "lines"),
    [
        (1, "s", [1, 1]),
        (2, "su", [1, 1]),
        (4, "sub\n", [1, None]),
        (5, "\n\n\n\na", [5, 1]),
        (9, "\n\n\n\nabc\n\n\ns", [None, 1]),
    ],
)
def test_a_file_that_the_budget_leaves_blank_costs_nothing(
    budget: int, text: str, lines: list[int | None]
) -> None:
    """As measured on Codex 0.171: it goes on to the next file with the same budget."""
    files = [b"\n\n\n\nabc\n", b"sub\n"]
    assert codex(files, budget).text == text
    chain: list[Instruction | None] = [instruction(data) for data in files]
    for loaded in (None, Loaded("/p", text)):
        assert [line for _, line in missing(view(chain, loaded, budget=budget))] == lines


pieces = st.sampled_from(
    [
        b"a",
        b"\n",
        b"line\n",
        b" ",
        "é".encode(),
        "🙂".encode(),
        b"\xff",
        b"\xf0\x9f",
        b"\n\n",
        b"\xef\xbb\xbf",
    ]
)
datas = st.lists(pieces, max_size=6).map(b"".join)


@given(st.lists(datas, max_size=4), st.integers(min_value=0, max_value=30), st.none() | datas)
def test_the_mirror_says_what_a_transcript_of_the_same_session_says(
    files: list[bytes], budget: int, home: bytes | None
) -> None:
    chain: list[Instruction | None] = [instruction(data) for data in files]
    loaded = codex(files, budget, home)
    assert missing(view(chain, budget=budget, home=home)) == missing(
        view(chain, loaded, budget=budget, home=home)
    )


def truth(files: list[bytes], budget: int) -> list[tuple[bytes, int | None]]:
    """Say for each file with text in it which line is the first that Codex does not show whole."""
    answer: list[tuple[bytes, int | None]] = []
    for data in files:
        if not data.decode("utf-8", "replace").strip(WHITE_SPACE):
            continue
        shown = data[:budget]
        if not shown.decode("utf-8", "replace").strip(WHITE_SPACE):
            answer.append((data, 1))
            continue
        rest = data.decode("utf-8", "replace")[len(shown.decode("utf-8", "ignore")) :]
        in_character = not data.decode("utf-8", "replace").startswith(shown.decode("utf-8", "replace"))
        blank = not in_character and not data.decode("utf-8", "replace")[
            len(shown.decode("utf-8", "replace")) :
        ].strip(WHITE_SPACE)
        answer.append((data, None if blank or not rest else shown.count(b"\n") + 1))
        budget -= min(budget, len(data))
    return answer


@given(st.lists(datas, max_size=4), st.integers(0, 30))
def test_what_is_restored_is_what_is_missing_and_nothing_else(files: list[bytes], budget: int) -> None:
    loaded = codex(files, budget)
    chain: list[Instruction | None] = [instruction(data) for data in files]
    expected = truth(files, budget) if loaded.directory is not None else []
    assert missing(view(chain, loaded, budget=budget)) == expected


@given(st.lists(datas, max_size=3), st.text("a\n é", max_size=12), st.integers(0, 40))
def test_no_loaded_text_makes_it_fail(files: list[bytes], text: str, budget: int) -> None:
    view([instruction(data) for data in files], Loaded("/p", text), budget=budget, home=b"a")
