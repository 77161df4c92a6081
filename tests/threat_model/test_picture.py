"""The picture is the model's: whoever changes the one without the other is told."""

import importlib.util
import os
import types
import xml.etree.ElementTree as ET

import pytest

HERE = os.path.join(os.path.dirname(__file__), "..", "..", "threat-model")


@pytest.fixture(scope="module", name="model")
def load_model() -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("threat_model_model", os.path.join(HERE, "model.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def text_of(name: str) -> str:
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def test_dot_file_is_what_the_model_draws(model: types.ModuleType) -> None:
    assert text_of("dataflow.dot") == model.dot(), "run `just threat-model`"


def test_picture_was_drawn_from_that_dot_file(model: types.ModuleType) -> None:
    assert model.stamp(text_of("dataflow.dot")) in text_of("dataflow.svg"), "run `just threat-model`"


def test_picture_is_well_formed_and_names_every_process(model: types.ModuleType) -> None:
    words = " ".join(ET.fromstring(text_of("dataflow.svg")).itertext())  # noqa: S314  # our own file
    for name in model.processes():
        assert set(name.split()) <= set(words.split())


def test_model_holds_nothing_of_the_machine_that_drew_it() -> None:
    for name in ("dataflow.dot", "dataflow.svg"):
        assert "site-packages" not in text_of(name)
