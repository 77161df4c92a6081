"""TOML behind a bound."""

from __future__ import annotations

import pytest

from refseal.resolve import toml_text
from refseal.resolve.toml_text import BrokenToml, read_toml


@pytest.mark.parametrize("part", [".a", " .\ta", '."a\\""', ".'.'"])
@pytest.mark.parametrize(
    "form", ["{} = 1", "[{}]", "[[{}]]", "x = {{{} = 1}}", "x = {{y = '''\n\"''', {} = 1}}"]
)
def test_a_key_of_more_parts_than_anybody_writes_is_refused(part: str, form: str) -> None:
    """A project's own file may hold it, and half a million parts would take an hour."""
    with pytest.raises(BrokenToml):
        read_toml(form.format("a" + part * 500_000).encode())


def test_many_keys_of_many_parts_are_refused() -> None:
    with pytest.raises(BrokenToml):
        read_toml("".join(f"k{line}{'.a' * 1_000} = 1\n" for line in range(2_000)).encode())


def test_ordinary_dots_are_read() -> None:
    dots = "." * 2_000 + " a, b." * 1_000
    names = [f"docs/{number}.md" for number in range(2_000)]
    text = f"x = '{dots}'\ny = {names}\nz.a.b = 1.5\n" + "".join(f"[t.{n}.a.b]\n" for n in range(2_000))
    table = read_toml(b"\xef\xbb\xbf" + text.encode())
    assert (table["x"], table["y"], table["z"]) == (dots, names, {"a": {"b": 1.5}})


@pytest.mark.parametrize(
    "data", [b"\xff", b"a", b"a = [", b"a = " + b"[" * 100_000, b"a=" + b"{b=" * 100_000]
)
def test_what_is_no_toml_is_broken(data: bytes) -> None:
    with pytest.raises(BrokenToml):
        read_toml(data)


def test_as_many_dots_as_the_bound_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toml_text, "MAX_SQUARES", 5)
    assert read_toml(b"a.b.c = 1\nb.d = 1") == {"a": {"b": {"c": 1}}, "b": {"d": 1}}
    with pytest.raises(BrokenToml):
        read_toml(b"a.b.c = 1\nb.d = 1\nc.d = 1")
