"""The table of threats and the tests are tied in both directions."""

import dataclasses
import importlib.util
import os
import sys
import types

import pytest

HERE = os.path.join(os.path.dirname(__file__), "..", "..", "threat-model")


def load(name: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(f"threat_model_{name}", os.path.join(HERE, f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


table = load("table")
TABLE = table.read()
THREATS = pytest.mark.parametrize("threat", TABLE.threats, ids=lambda threat: threat.id)

# Attacks on tools of this kind that must stay in the table, by their public names.
KNOWN = (
    "CVE-2026-39822",  # trailing slash
    "CVE-2025-4517",  # PATH_MAX
    "CVE-2025-53110",  # prefix match
    "CVE-2025-53109",  # link out of the root
    "GHSA-q5hj-mxqh-vv77",  # forged gitfile and commondir
    "CVE-2025-61260",  # environment redirect
    "CVE-2022-24765",  # planted repository
    "CVE-2014-9390",  # aliases of .git
    "CVE-2021-42574",  # bidi
    "CVE-2020-15228",  # workflow commands
    "CVE-2025-53773",  # the model edits what governs it
    "Rules File Backdoor",
    "ASCII smuggling",  # tags
    "tag smuggling",
    "invisible rules",
    "zip slip",
    "confused deputy",
    "CVE-2018-15664",  # a link swapped in between check and use
    "forged 48-bit seal",
)


@THREATS
def test_row_is_complete(threat: types.SimpleNamespace) -> None:
    assert threat.stride in table.STRIDE
    assert threat.attacker in TABLE.attackers
    for text in (threat.title, threat.happens, threat.mitigation):
        assert text.strip() == text != ""


@THREATS
def test_threat_names_tests_that_exist(threat: types.SimpleNamespace) -> None:
    assert threat.tests
    assert [entry for entry in threat.tests if not table.named_by(entry)] == []


def test_security_test_is_named_by_a_threat() -> None:
    assert len(TABLE.security_tests) > 50
    assert sorted(table.unnamed(TABLE)) == []


@pytest.mark.parametrize(
    "entry",
    [
        "tests/pathguard/test_walk.py::test_that_is_gone",
        "tests/pathguard/test_gone.py",
        "tests/vectors/paths.jsonl#PV-000",
        "tests/vectors/gone.jsonl#PV-001",
    ],
)
def test_entry_that_names_nothing_is_noticed(entry: str) -> None:
    assert table.named_by(entry) == frozenset()


def test_threat_that_is_forgotten_leaves_its_tests_without_one() -> None:
    """The check can fail: what only one threat names is missed once that threat is gone."""
    threat = next(one for one in TABLE.threats if one.id == "T-056")
    rest = dataclasses.replace(TABLE, threats=tuple(one for one in TABLE.threats if one != threat))
    assert table.unnamed(rest) == table.tests_of("tests/resolve/test_git_index.py")


def test_ids_are_unique_and_in_order() -> None:
    ids = [threat.id for threat in TABLE.threats]
    assert ids == sorted(set(ids))


def test_every_attacker_has_a_threat() -> None:
    assert {threat.attacker for threat in TABLE.threats} == set(TABLE.attackers)


def test_every_stride_class_has_a_threat() -> None:
    assert {threat.stride for threat in TABLE.threats} == set(table.STRIDE)


def test_known_attacks_are_in_the_table() -> None:
    named = {name for threat in TABLE.threats for name in threat.known}
    assert [name for name in KNOWN if name not in named] == []


def test_layers_are_the_processes_of_the_model() -> None:
    assert {threat.layer for threat in TABLE.threats} == load("model").processes()


def test_page_for_people_is_fresh() -> None:
    with open(os.path.join(HERE, "THREATS.md"), encoding="utf-8") as file:
        assert file.read() == table.page(TABLE), "run `just threat-model`"
