from __future__ import annotations

import pytest

from refseal.audit.findings import Persona, Severity
from refseal.audit.rules import encoding as rule
from tests.audit.rules.running import hits, severities


def test_utf_16_fires() -> None:
    assert severities(rule, "Rules".encode("utf-16")) == [Severity.MEDIUM]


@pytest.mark.parametrize("data", [b"", b"plain\n", "é ü 日本語 🎉\n".encode()])
def test_utf_8_is_silent(data: bytes) -> None:
    assert hits(rule, data) == []


@pytest.mark.parametrize(
    ("data", "severity"),
    [
        ("Rules and more rules".encode("utf-16-le"), Severity.MEDIUM),  # without a mark
        ("Rules and more rules".encode("utf-16-be"), Severity.MEDIUM),
        ("Rules".encode("utf-32"), Severity.MEDIUM),
        (b"rules\0and more of them, without end\n", Severity.MEDIUM),
        (b"caf\xe9\n", Severity.LOW),
        (b"over\xc0\xaflong\n", Severity.LOW),
        (b"surrogate \xed\xa0\x80\n", Severity.LOW),
        (b"cut \xe2\x82", Severity.LOW),
    ],
)
def test_mutations_do_not_slip_through(data: bytes, severity: Severity) -> None:
    assert severities(rule, data) == [severity]


def test_place_of_the_first_bad_byte() -> None:
    (hit,) = hits(rule, "é\né x\n".encode() + b"\xff")
    assert (hit.line, hit.column) == (3, 1)


def test_byte_order_mark_is_for_the_pedantic() -> None:
    assert hits(rule, b"\xef\xbb\xbfrules\n") == []
    assert len(hits(rule, b"\xef\xbb\xbfrules\n", Persona.PEDANTIC)) == 1
