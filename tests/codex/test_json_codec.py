"""JSON in and out, without the json package, and stricter than it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refseal.codex import json_codec
from refseal.codex.json_codec import Broken, read, write

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=20,
)
writable = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(values)
def test_it_reads_what_json_writes(value: Any) -> None:
    assert read(json.dumps(value).encode()) == value
    assert read(json.dumps(value, ensure_ascii=False, indent=1).encode()) == value


@given(writable)
def test_what_it_writes_is_strict_ascii_json_without_lone_surrogates(value: Any) -> None:
    data = write(value)
    data.decode("ascii")
    json.dumps(json.loads(data), ensure_ascii=False).encode("utf-8")


@given(st.binary())
def test_no_bytes_raise_anything_but_broken(data: bytes) -> None:
    try:
        read(data)
    except Broken:
        pass


BROKEN = (
    b"",
    b" ",
    b"{",
    b'{"a":1}x',
    b"\xef\xbb\xbf{}",
    b'{"a":1,"a":2}',
    b'{"a":1,"\\u0061":2}',
    b'[{"a":1,"a":1}]',
    b"NaN",
    b"[Infinity]",
    b'{"a":-Infinity}',
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"1" * 10_000,
    b'"\xff"',
    b'"\n"',
    b"{'a':1}",
    b"[1,]",
    b"\x00",
    b'{"a"',
    b'{"a":1',
    b'{"a":1,}',
    b'["a',
    b'"\\q"',
    b'"\\u12"',
)


@pytest.mark.parametrize("data", BROKEN, ids=range(len(BROKEN)))
def test_what_is_no_json_is_broken(data: bytes) -> None:
    with pytest.raises(Broken):
        read(data)


def test_what_is_no_json_is_broken_where_nobody_has_imported_json(tmp_path: Path) -> None:
    """The hook's own process is such a place; a test's never is."""
    (tmp_path / "broken").write_text(repr(BROKEN))
    program = """
import sys
sys.path.insert(0, sys.argv[1])
from refseal.codex.json_codec import Broken, read
assert "json" not in sys.modules
with open(sys.argv[2]) as file:
    texts = eval(file.read())
for data in texts:
    try:
        read(data)
    except Broken:
        continue
    sys.exit(repr(data[:40]))
"""
    source = Path(json_codec.__file__).parent.parent.parent
    command = [sys.executable, "-I", "-S", "-c", program, str(source), str(tmp_path / "broken")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("value", [1.5, [1], {1: 2}, b"x", {"a": {"b": object()}}])
def test_it_writes_nothing_else(value: Any) -> None:
    with pytest.raises(TypeError):
        write(value)


def test_without_the_c_module_the_package_stands_in_and_is_as_strict() -> None:
    source = Path(json_codec.__file__).parents[2]
    code = f"""
import sys
sys.path.insert(0, {str(source)!r})
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == "_json":
            raise ImportError(name)
sys.meta_path.insert(0, Missing())
sys.modules.pop("_json", None)
from refseal.codex.json_codec import Broken, read, write
assert "_json" not in sys.modules and "json" in sys.modules
assert read(b' {{"a": [1, "x"]}} ') == {{"a": [1, "x"]}}
assert write({{"a": "\\u00e9\\ud800", "b": None}}) == b'{{"a":"\\\\u00e9?","b":null}}'
for data in (b"NaN", b'{{"a":1,"a":1}}', b"[" * 100000, b"1" * 10000, b"{{}} x"):
    try:
        read(data)
    except Broken:
        continue
    raise SystemExit(repr(data[:20]))
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
