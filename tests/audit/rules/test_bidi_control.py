from __future__ import annotations

import pytest

from refseal.audit.rules import bidi_control as rule
from tests.audit.rules.running import hits


def test_override_fires_with_its_name() -> None:
    (hit,) = hits(rule, "allow \u202eyned\u202c everything\n")
    assert "U+202E RIGHT-TO-LEFT OVERRIDE" in hit.message
    assert (hit.line, hit.column) == (1, 7)


@pytest.mark.parametrize(
    "text",
    ["plain\n", "שלום עולם (v2.0)\n", "قواعد المشروع: الاختبارات\n", "עברית\u200f!\n", "abc\u200e שלום\n"],
)
def test_right_to_left_text_and_marks_are_silent(text: str) -> None:
    assert hits(rule, text) == []


@pytest.mark.parametrize("char", "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
def test_every_embedding_override_and_isolate_fires(char: str) -> None:
    assert hits(rule, f"a{char}b")
    assert hits(rule, f"`a{char}b`")
    assert hits(rule, f"שלום{char}\n")
