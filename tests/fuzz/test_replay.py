"""Stored inputs: the seeds of every target, and each input that once broke a layer."""

import importlib
import os
from collections.abc import Callable, Iterator

import pytest

from fuzz import broken
from fuzz.targets import NAMES

FUZZ = os.path.join(os.path.dirname(__file__), "..", "..", "fuzz")


def stored() -> Iterator[tuple[str, str]]:
    for target in NAMES:
        for folder in ("corpus", "regressions"):
            place = os.path.join(FUZZ, folder, target)
            for name in sorted(os.listdir(place)) if os.path.isdir(place) else ():
                yield target, os.path.join(folder, target, name)


def checker(target: str) -> Callable[[bytes], None]:
    check: Callable[[bytes], None] = importlib.import_module(f"fuzz.targets.{target}").check
    return check


@pytest.mark.parametrize(("target", "path"), list(stored()), ids=lambda value: value)
def test_stored_input_holds(target: str, path: str) -> None:
    with open(os.path.join(FUZZ, path), "rb") as file:
        checker(target)(file.read())


@pytest.mark.parametrize("target", NAMES)
def test_empty_input_holds(target: str) -> None:
    checker(target)(b"")


@pytest.mark.parametrize("target", NAMES)
def test_target_states_its_property_first(target: str) -> None:
    text = importlib.import_module(f"fuzz.targets.{target}").__doc__ or ""
    assert text.startswith("Property: ")


@pytest.mark.parametrize("target", NAMES)
def test_target_has_seeds_a_dictionary_and_a_build_that_is_broken_on_purpose(target: str) -> None:
    assert os.listdir(os.path.join(FUZZ, "corpus", target))
    assert os.path.getsize(os.path.join(FUZZ, "dictionaries", f"{target}.dict"))
    assert broken.BUILDS[target]


def test_every_target_is_listed() -> None:
    files = {name.removesuffix(".py") for name in os.listdir(os.path.join(FUZZ, "targets"))}
    assert files - {"__init__", "__pycache__"} == set(NAMES)


@pytest.mark.parametrize("folder", ["corpus", "regressions"])
def test_no_stored_input_belongs_to_no_target(folder: str) -> None:
    place = os.path.join(FUZZ, folder)
    assert set(os.listdir(place) if os.path.isdir(place) else ()) <= set(NAMES)
