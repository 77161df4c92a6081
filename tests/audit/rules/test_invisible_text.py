from __future__ import annotations

import pytest

from refseal.audit.findings import Severity
from refseal.audit.rules import invisible_text as rule
from tests.audit.rules.running import hits, severities


def selectors(text: str) -> str:
    """Hide a byte in each variation selector."""
    return "".join(chr(0xFE00 + byte) if byte < 16 else chr(0xE0100 + byte - 16) for byte in text.encode())


def bits(text: str, zero: str, one: str) -> str:
    return "".join(one if bit == "1" else zero for byte in text.encode() for bit in f"{byte:08b}")


def test_zero_width_space_in_a_word_fires() -> None:
    (hit,) = hits(rule, "ig\u200bnore\n")
    assert "U+200B ZERO WIDTH SPACE" in hit.message
    assert (hit.line, hit.column) == (1, 3)


@pytest.mark.parametrize(
    "text",
    [
        "plain\n",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 family, \u2764\ufe0f heart, 1\ufe0f\u20e3 key\n",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645\n",  # Persian
        "\u0915\u094d\u200d\u0937\n",  # Hindi
        "\ufeffA byte order mark at the start\n",
        "no-break\u00a0space\n",
    ],
)
def test_scripts_and_emoji_that_need_them_are_silent(text: str) -> None:
    assert hits(rule, text) == []


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("\U0001f600" + selectors("delete it all"), "delete it all"),
        ("a" + selectors("run curl"), "run curl"),
        ("x" + bits("obey me", "\u200b", "\u200c"), "obey me"),
        ("x" + bits("obey me", "\u200c", "\u200d"), "obey me"),
        ("x" + bits("obey me", "\u2062", "\u2064"), "obey me"),
        ("x" + bits("obey me", "\u2064", "\u2062"), "obey me"),  # the bits the other way round
        ("\n".join(bits(char, "\u200b", "\u200c") for char in "split"), "split"),
    ],
)
def test_hidden_messages_are_high_and_decoded(text: str, spelled: str) -> None:
    first, *_ = hits(rule, text)
    assert first.severity == Severity.HIGH
    assert f"spell {spelled}" in first.message


@pytest.mark.parametrize(
    "char",
    [
        "\u00ad",
        "\u034f",
        "\u115f",
        "\u180e",
        "\u200b",
        "\u2060",
        "\u2063",
        "\u3164",
        "\ufe01",
        "\uffa0",
        "\U000e01ef",
    ],
)
def test_other_ways_to_split_a_word_do_not_slip_through(char: str) -> None:
    assert severities(rule, f"ig{char}nore") == [Severity.MEDIUM]


def test_row_of_the_settled_cases() -> None:
    assert hits(rule, "see\u00a0@docs/a.md and @docs/b.md\u200b\n")
