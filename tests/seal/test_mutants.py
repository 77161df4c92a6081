"""The properties are worth something only if they can fail: each of these slips must turn one of them red."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from refseal.seal import Composition, cut, fit, lists, marker, seals
from refseal.seal.invisible import reveal
from refseal.seal.parse import ParseError
from refseal.seal.sha256 import sha256
from tests.seal.properties import attack, check_fit, check_marker_changes, check_round_trip
from tests.seal.test_fit import sweep
from tests.strategies.blocks import Input, inputs

if TYPE_CHECKING:
    from collections.abc import Callable

# Always the same examples and no shrinking: it is enough that one of them is red.
examples = settings(
    max_examples=60,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)


@examples
@given(inputs())
def round_trip(given_input: Input) -> None:
    check_round_trip(given_input)


@examples
@given(inputs(filler=400, most=6, names=25), st.integers(200, 3000))
def any_limit(given_input: Input, limit: int) -> None:
    check_fit(given_input, limit)


def last_byte() -> None:
    for limit in (400, 1000):
        assert max(sweep(limit)) == 4 * limit


@examples
@given(inputs(most=2), st.sampled_from("\nx\x1b"))
def marker_changes(given_input: Input, char: str) -> None:
    for which, document in enumerate(given_input.documents):
        if document.text:
            check_marker_changes(given_input, which, len(document.text) - 1, char)


def eight_bit_attack() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seals, "SEAL_DIGITS", 2)
        assert not attack(1000)


def is_red(check: Callable[[], None]) -> bool:
    try:
        check()
    except (AssertionError, ParseError, seals.Unsealable):
        return True
    return False


ALL = [round_trip, any_limit, last_byte, marker_changes, eight_bit_attack]


@pytest.mark.parametrize("check", ALL, ids=lambda check: check.__name__)
def test_without_a_mutant_every_check_is_green(check: Callable[[], None]) -> None:
    check()


def test_a_constant_seal_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seals, "derive", lambda _counter, identities, _template: ["0" * 32] * len(identities))
    assert is_red(round_trip)


def test_a_seal_of_the_body_alone_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        seals,
        "derive",
        lambda _counter, identities, _template: [digest.hex()[:32] for _, digest in identities],
    )
    assert is_red(round_trip)


def test_a_raw_path_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cut, "escape", lambda text, *_, **__: text.encode("utf-8", "replace").decode())
    assert is_red(round_trip)


def test_a_raw_name_in_a_list_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "escape", lambda text, *_: text.encode("utf-8", "replace").decode())
    assert is_red(round_trip)


def test_a_stripped_body_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    def stripped(text: str) -> tuple[str, int]:
        body, hidden = reveal(text)
        return body.strip(), hidden

    monkeypatch.setattr(cut, "reveal", stripped)
    assert is_red(round_trip)


def test_a_digest_of_other_bytes_than_emitted_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seals, "sha256", lambda data: sha256(data.strip()))
    assert is_red(round_trip)


def test_no_check_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seals, "stand_alone", lambda *_: True)
    assert is_red(eight_bit_attack)


def test_no_counter_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    derive = seals.derive
    monkeypatch.setattr(
        seals, "derive", lambda _counter, identities, template: derive(1, identities, template)
    )
    monkeypatch.setattr(seals, "COUNTERS", 1)
    assert not is_red(round_trip)  # any one counter is as good as another …
    monkeypatch.setattr(seals, "SEAL_DIGITS", 2)
    assert is_red(round_trip)  # … until a seal occurs elsewhere


@pytest.mark.parametrize("slip", [1, -1])
def test_a_limit_off_by_one_dies(monkeypatch: pytest.MonkeyPatch, slip: int) -> None:
    original = Composition.__init__

    def slipped(self: Composition, *arguments: object) -> None:
        original(self, *arguments)  # type: ignore[arg-type]
        self._capacity += slip

    monkeypatch.setattr(fit.Composition, "__init__", slipped)
    assert is_red(last_byte)


def test_a_body_that_the_marker_does_not_cover_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marker, "digest_of", lambda rest: sha256(rest[:500]).hexdigest())
    assert is_red(round_trip)


def test_a_hidden_character_shown_raw_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cut, "reveal", lambda text: (text.encode("utf-8", "replace").decode(), 0))
    assert is_red(round_trip)


def test_an_uncounted_name_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    original = lists.omitted_section
    monkeypatch.setattr(
        lists,
        "omitted_section",
        lambda notices, more, entries, _total, listed: original(notices, more, entries, listed, listed),
    )
    assert is_red(any_limit)


def test_a_document_cut_in_mid_line_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cut, "_whole_lines", lambda _whole, _room: "")
    assert is_red(any_limit)
