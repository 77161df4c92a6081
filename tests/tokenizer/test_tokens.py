"""What a found token says of itself."""

from __future__ import annotations

import pytest

from refseal.tokenizer import Hint, Inert, Reference
from refseal.tokenizer.references import split


def reference(path: str) -> Reference:
    return Reference(f"@{path}", path, "", 7, 2, 3)


@pytest.mark.parametrize(
    ("path", "is_word"),
    [("word", True), ("a/b", False), ("a.b", False), ("a\\b", False), ("~", False), ("a~", True)],
)
def test_a_word_has_no_slash_dot_or_tilde_before_it(path: str, *, is_word: bool) -> None:
    assert reference(path).is_word is is_word


@pytest.mark.parametrize(("path", "is_glob"), [("*.md", True), ("a?.md", True), ("[a].md", False)])
def test_a_star_or_a_question_mark_makes_a_glob(path: str, *, is_glob: bool) -> None:
    assert reference(path).is_glob is is_glob


def test_a_token_knows_its_place() -> None:
    found = Reference("@a.md#b", "a.md", "b", 7, 2, 3)
    assert (found.start, found.end, found.line, found.column) == (7, 14, 2, 3)
    assert (found.token, found.path, found.fragment) == ("@a.md#b", "a.md", "b")
    assert repr(found) == "<Reference '@a.md#b' at 2:3>"


def test_one_that_does_not_count_says_why() -> None:
    found = Inert("@a.md#b", "a.md", "b", 7, 2, 3, "fence")
    assert (found.start, found.end, found.line, found.column) == (7, 14, 2, 3)
    assert (found.path, found.fragment, found.reason) == ("a.md", "b", "fence")
    assert repr(found) == "<Inert '@a.md#b' at 2:3: fence>"


def test_a_hint_says_what_is_nearly_a_reference() -> None:
    found = Hint("quoted-path", 2, 3, '@"a b.md"')
    assert (found.kind, found.line, found.column, found.text) == ("quoted-path", 2, 3, '@"a b.md"')
    assert repr(found) == "<Hint quoted-path '@\"a b.md\"' at 2:3>"


@pytest.mark.parametrize(
    ("token", "path", "fragment"),
    [
        ("@a/b#x/c#d", "a/b#x/c", "d"),  # of the last component
        ("@a/#b", "a/", "b"),
        ("@#b", "", "b"),
        ("@a#b#c", "a", "b#c"),
        ("@a\\ b.md#c", "a b.md", "c"),
    ],
)
def test_a_fragment_is_that_of_the_last_component(token: str, path: str, fragment: str) -> None:
    assert split(token) == (path, fragment)
