from __future__ import annotations

import json
import os
from typing import Any

import jsonschema
import pytest

from refseal.audit.reports.sarif import render, uri
from refseal.audit.results import Results
from refseal.audit.rules import RULES
from tests.audit.samples import HOSTILE, finding, hostile_results, results

VECTORS = os.path.join(os.path.dirname(__file__), "../../vectors")


def validate(log: Any) -> None:
    with open(os.path.join(VECTORS, "sarif-schema-2.1.0.json"), encoding="utf-8") as file:
        schema = json.load(file)
    kind = jsonschema.validators.validator_for(schema)
    kind(schema, format_checker=kind.FORMAT_CHECKER).validate(log)


@pytest.mark.parametrize("report", [Results(), results(), results(finding()), hostile_results()])
def test_log_validates_against_the_official_schema(report: Results) -> None:
    validate(json.loads(render(report)))


def test_official_schema_notices_a_broken_log() -> None:
    log = json.loads(render(results(finding())))
    del log["runs"][0]["results"][0]["message"]
    with pytest.raises(jsonschema.ValidationError):
        validate(log)


def test_every_rule_is_described_and_results_point_at_theirs() -> None:
    run = json.loads(render(results(finding("RS401"))))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.code for rule in RULES]
    assert rules[run["results"][0]["ruleIndex"]]["id"] == "RS401"


def test_suppressed_findings_are_kept_and_marked() -> None:
    found = json.loads(render(results(finding(suppressed="known since May"), finding())))["runs"][0][
        "results"
    ]
    assert found[0]["suppressions"] == [
        {"kind": "external", "status": "accepted", "justification": "known since May"}
    ]
    assert found[1]["suppressions"] == []


def test_log_holds_no_absolute_path() -> None:
    assert "/r/" not in render(results(finding()))


def test_finding_without_a_place_still_has_a_location() -> None:
    (found,) = json.loads(render(results(finding(path=None, line=None, column=None))))["runs"][0]["results"]
    assert found["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": "."}}}]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("docs/a b.md", "docs/a%20b.md"),
        ("c:/x.md", "c%3A/x.md"),
        ("caf\udce9.md", "caf%E9.md"),
        ("%41.md", "%2541.md"),
        ("a#b?c.md", "a%23b%3Fc.md"),
    ],
)
def test_uri_keeps_every_byte_of_a_name(path: str, expected: str) -> None:
    assert uri(path) == expected


def test_message_cannot_form_a_link() -> None:
    log = json.loads(render(results(finding(message="[x](https://e.example)"))))
    assert log["runs"][0]["results"][0]["message"] == {"text": "\\[x\\](https://e.example)"}


def test_log_is_plain_ascii_even_if_the_repository_is_hostile() -> None:
    assert HOSTILE not in render(hostile_results())
    assert render(hostile_results()).isascii()
