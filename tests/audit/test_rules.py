"""The list of rules, its documentation, and what `refseal explain` can say."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from refseal.audit.rules import BY_CODE, RULES
from refseal.cli.explain import explain
from refseal.resolve.reasons import REASONS

if TYPE_CHECKING:
    from refseal.audit.findings import Rule

ROOT = os.path.join(os.path.dirname(__file__), "../..")
RULES_ROOM = os.path.join(ROOT, "src/refseal/audit/rules")


def documentation() -> str:
    with open(os.path.join(ROOT, "docs/rules.md"), encoding="utf-8") as file:
        return file.read()


def test_codes_and_names_are_unique_and_in_order() -> None:
    assert [rule.code for rule in RULES] == sorted({rule.code for rule in RULES})
    assert len({rule.name for rule in RULES}) == len(RULES) == len(BY_CODE)


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_rule_has_its_form_its_section_and_its_explanation(rule: Rule) -> None:
    assert re.fullmatch(r"RS[1-5]\d\d", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
    assert rule.summary.endswith(".")
    assert rule.advice.endswith((".", "?"))
    heading = f"### {rule.code} {rule.name}\n\n{rule.severity.word}, confidence {rule.confidence.word}."
    assert documentation().count(heading) == 1
    for spelling in (rule.code, rule.code.lower(), rule.name):
        result = CliRunner().invoke(explain, [spelling])
        assert result.exit_code == 0
        assert rule.summary in result.output


def test_documentation_has_no_section_without_a_rule() -> None:
    assert re.findall(r"^### (RS\d+)", documentation(), re.MULTILINE) == [rule.code for rule in RULES]


@pytest.mark.parametrize("code", REASONS)
def test_every_reason_is_explained(code: str) -> None:
    result = CliRunner().invoke(explain, [code])
    assert result.exit_code == 0
    assert REASONS[code][1] in result.output


def test_list_names_everything_and_an_unknown_code_is_an_error() -> None:
    listed = CliRunner().invoke(explain, []).output
    assert all(code in listed for code in (*BY_CODE, *REASONS))
    assert CliRunner().invoke(explain, ["RS999"]).exit_code == 2


def test_every_module_of_a_rule_is_in_the_list() -> None:
    shared = {"__init__", "hidden_lines", "markup"}
    modules = {name[:-3] for name in os.listdir(RULES_ROOM) if name.endswith(".py")} - shared
    with open(os.path.join(RULES_ROOM, "__init__.py"), encoding="utf-8") as file:
        text = file.read()
    assert [name for name in sorted(modules) if f"    {name},\n" not in text] == []
