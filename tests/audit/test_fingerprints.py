from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refseal.audit.fingerprints import DIGITS, Fingerprints


def test_second_copy_of_a_line_is_another_finding() -> None:
    one = Fingerprints()
    assert one.next("RS101", "a.md", "@x.md") != one.next("RS101", "a.md", "@x.md")


def test_white_space_around_the_evidence_does_not_count() -> None:
    assert Fingerprints().next("RS101", "a.md", "@x.md") == Fingerprints().next("RS101", "a.md", " @x.md\t")


def test_parts_cannot_be_shifted_into_each_other() -> None:
    assert Fingerprints().next("RS101", "a", "bc") != Fingerprints().next("RS101", "ab", "c")


@given(st.text(), st.text())
def test_any_text_has_a_fingerprint_that_is_stable(path: str, evidence: str) -> None:
    first = Fingerprints().next("RS101", path, evidence)
    assert first == Fingerprints().next("RS101", path, evidence)
    assert len(first) == DIGITS


@given(st.text(st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF)))
def test_lone_surrogates_have_one_too(path: str) -> None:
    assert len(Fingerprints().next("RS101", path, path)) == DIGITS
