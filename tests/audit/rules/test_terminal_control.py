from __future__ import annotations

import pytest

from refseal.audit.findings import Severity
from refseal.audit.rules import terminal_control as rule
from tests.audit.rules.running import hits, severities


def test_escape_sequence_is_high() -> None:
    assert severities(rule, "safe\x1b[8mhidden\x1b[0m\n") == [Severity.HIGH]


@pytest.mark.parametrize("text", ["a\tb\n", "a\r\nb\r\n", "\u00a0\u2003 spaces", ""])
def test_layout_is_silent(text: str) -> None:
    assert hits(rule, text) == []


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("rm -rf\rls     \n", Severity.HIGH),  # a lone return: `cat` shows the second half alone
        ("bad\x08\x08\x08good", Severity.HIGH),
        ("\x9b8mhidden", Severity.HIGH),  # the same sequence with its one-character start
        ("\x9d0;title\x9c", Severity.HIGH),
        ("bell\x07", Severity.MEDIUM),
        ("page\x0cbreak", Severity.LOW),
        ("next\x85line", Severity.MEDIUM),
    ],
)
def test_mutations_do_not_slip_through(text: str, severity: Severity) -> None:
    assert severities(rule, text) == [severity]


def test_nothing_raw_is_in_the_message() -> None:
    (hit,) = hits(rule, "\x1b]0;x\x07")
    assert hit.message.isprintable()
