from __future__ import annotations

import json
import os
from typing import Any

import jsonschema
import pytest

from refseal.audit.reports.json_report import as_json, render
from refseal.audit.results import Results
from tests.audit.samples import finding, hostile_results, reference, results

SCHEMA = os.path.join(os.path.dirname(__file__), "../../../docs/schema/audit-1.json")


def validator() -> Any:
    with open(SCHEMA, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize(
    "report", [Results(), results(), results(finding(), references=(reference(),)), hostile_results()]
)
def test_report_validates_against_the_published_schema(report: Results) -> None:
    validator().validate(json.loads(render(report)))


def test_report_is_exactly_the_contract() -> None:
    report = results(finding(), finding("RS201", suppressed="known"), references=(reference(),))
    value = as_json(report)
    assert set(value) == {"schema", "refseal", "repositories", "summary"}
    assert value["schema"] == "refseal.audit/1"
    assert value["summary"] == {
        "included": 1,
        "skipped": 0,
        "blocked": 0,
        "findings": {"high": 1, "medium": 0, "low": 0, "info": 0},
    }
    assert value["repositories"][0]["references"][0] == {
        "source": "AGENTS.md",
        "line": 3,
        "column": 5,
        "target": "docs/a.md",
        "resolved": "docs/a.md",
        "verdict": "included",
        "reason": "included",
        "depth": 1,
        "chain": ["AGENTS.md"],
        "scopes": [0],
    }
    assert value["repositories"][0]["findings"][0] == {
        "rule": "RS101",
        "name": "symlink-escape",
        "severity": "high",
        "confidence": "high",
        "path": "AGENTS.md",
        "line": 3,
        "column": 5,
        "message": "a message",
        "fingerprint": "0" * 32,
        "suppressed": None,
    }
    worktree = {"status": "linked", "detail": None, "main_root": "/r/main"}
    assert value["repositories"][0]["scopes"] == [{"cwd": ".", "project_root": ".", "worktree": worktree}]


def test_schema_refuses_a_raw_hostile_path() -> None:
    value = as_json(results(finding()))
    value["repositories"][0]["findings"][0]["path"] = "a\u202eb"
    assert not validator().is_valid(value)


def test_report_is_plain_ascii_even_if_the_repository_is_hostile() -> None:
    text = render(hostile_results())
    assert text.isascii()
    assert all(char == "\n" or char.isprintable() for char in text)
