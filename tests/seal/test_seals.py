"""What an element takes, and when its seal stands alone."""

from __future__ import annotations

import pytest

from refseal.seal.seals import COUNTERS, SEAL_DIGITS, Element, Unsealable, seal, stand_alone

DIGITS = "e" * 64


@pytest.mark.parametrize("after", ["", "behind ü\n"])
def test_an_element_takes_the_bytes_that_it_says(after: str) -> None:
    element = Element("file", "ä.md", ' path="ä.md"', "bödy\nof it", after)
    with_it, without = seal([element])[0], seal([])[0]
    assert len(with_it.encode()) - len(without.encode()) == element.size()


def test_an_element_has_nothing_behind_it_unless_it_is_told() -> None:
    assert Element("file", "", "", "").after == ""


@pytest.mark.parametrize(
    ("seals", "text", "alone"),
    [
        (["a" * 32], f"<f:{'a' * 32}> </f:{'a' * 32}>", True),
        (["a" * 32], f"<f:{'a' * 32}> {'a' * 32} </f:{'a' * 32}>", False),
        (["a" * 32], f"<f:{'a' * 32}> </f:>", False),
        (["a" * 32], f"<f:{'a' * 32}> {'b' * 32} </f:{'a' * 32}>", True),  # other digits are no harm
        (["a" * 32, "b" * 32], f"{'a' * 32} {'a' * 32} {'b' * 32} {'b' * 32}", True),
        (["a" * 32, "a" * 32], f"{'a' * 32} {'a' * 32} {'a' * 32} {'a' * 32}", False),
        (["e" * 32], f"{'e' * 32} {'e' * 32}", False),  # in the marker as well
    ],
)
def test_a_seal_stands_alone_if_it_occurs_in_its_two_tags_and_nowhere_else(
    seals: list[str], text: str, *, alone: bool
) -> None:
    assert stand_alone(seals, DIGITS, text.encode()) is alone


def test_whoever_has_no_seal_is_told_how_many_were_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refseal.seal.seals.stand_alone", lambda *_: False)
    with pytest.raises(Unsealable, match=f"{COUNTERS} counters"):
        seal([Element("file", "", "", "x" * SEAL_DIGITS)])


def test_each_element_gets_its_own_seal_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    seals = ["a" * SEAL_DIGITS, "b" * SEAL_DIGITS, "c" * SEAL_DIGITS]
    monkeypatch.setattr("refseal.seal.seals.derive", lambda *_: seals)
    text, _ = seal(
        [Element("f", "", "", "x"), "between\n", Element("f", "", "", "y"), Element("f", "", "", "z")]
    )
    assert [line for line in text.splitlines() if line.startswith("<f:")] == [f"<f:{one}>" for one in seals]
