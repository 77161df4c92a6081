"""The targets under the other engine: hypothesis makes the bytes."""

import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz.choices import Choices
from fuzz.targets import NAMES


@pytest.mark.parametrize("target", NAMES)
def test_property_holds_for_bytes_of_hypothesis(target: str) -> None:
    check = importlib.import_module(f"fuzz.targets.{target}").check

    @given(st.binary(max_size=300))
    def holds(data: bytes) -> None:
        check(data)

    holds()


@given(st.binary(max_size=40), st.integers(min_value=1, max_value=65_536))
def test_choices_never_refuse_and_never_exceed_their_bounds(data: bytes, bound: int) -> None:
    choices = Choices(data)
    assert 0 <= choices.below(bound) < bound
    assert choices.take(3) + choices.line() + choices.rest() in {
        data[-length:] if length else b"" for length in range(len(data) + 1)
    } | {(data[-length:] if length else b"").replace(b"\n", b"", 1) for length in range(len(data) + 1)}
    assert choices.left == 0
    assert choices.byte() == 0
