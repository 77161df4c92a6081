"""SARIF 2.1.0: one run a repository, no absolute path, suppressed findings kept and marked."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from refseal import __version__
from refseal.audit.findings import Severity
from refseal.audit.quoting import quoted
from refseal.audit.rules import RULES

if TYPE_CHECKING:
    from refseal.audit.findings import Finding, Rule
    from refseal.audit.results import Repository, Results

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "refseal/v1"
"""The key of our own fingerprint; another way of making it gets another key."""

_LEVELS = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "note", Severity.INFO: "note"}
_SCORES = {Severity.HIGH: "8.0", Severity.MEDIUM: "5.0", Severity.LOW: "3.0", Severity.INFO: "0.0"}
"""`security-severity`, by which code scanning names a severity: 7.0 is high, 4.0 medium, below it low."""

_INDEXES = {rule.code: index for index, rule in enumerate(RULES)}


def render(results: Results) -> str:
    """Return the report: pure ASCII, one value, a newline at its end."""
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [_run(repository) for repository in results.repositories],
    }
    return json.dumps(log, indent=1) + "\n"


def _run(repository: Repository) -> dict[str, Any]:
    return {
        "tool": {
            "driver": {
                "name": "refseal",
                "semanticVersion": __version__,
                "rules": [_rule(rule) for rule in RULES],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding) for finding in repository.findings],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": f"{rule.advice} `refseal explain {rule.code}` tells more."},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "security-severity": _SCORES[rule.severity],
            "precision": {"high": "very-high", "medium": "high", "low": "medium"}[rule.confidence.word],
            "tags": ["security"],
        },
    }


def _result(finding: Finding) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule.code,
        "ruleIndex": _INDEXES[finding.rule.code],
        "level": _LEVELS[finding.severity],
        "message": {"text": _unlinked(finding.message)},
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
        "properties": {"severity": finding.severity.word, "confidence": finding.confidence.word},
        # Present on every result, as the standard wants it once any result of a run is suppressed.
        "suppressions": [],
    }
    # A file of the main worktree has an absolute path, which is nobody's business: the root stands for it.
    inside = finding.path is not None and not finding.path.startswith("/")
    location: dict[str, Any] = {"artifactLocation": {"uri": uri(finding.path or ".") if inside else "."}}
    if finding.line is not None and inside:
        location["region"] = {"startLine": finding.line, "startColumn": finding.column or 1}
    result["locations"] = [{"physicalLocation": location}]
    if finding.suppressed is not None:
        result["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": quoted(finding.suppressed)}
        ]
    return result


def uri(path: str) -> str:
    """Return ``path``, relative to the root, as a relative reference; every byte of the name survives.

    The first segment gets no colon, which would make it a scheme.
    """
    return quote(os.fsencode(path), safe="/.-_~!$&'()*+,;=@")


def _unlinked(message: str) -> str:
    """Return ``message`` without what the standard reads as an embedded link."""
    return message.replace("[", "\\[").replace("]", "\\]") if "](" in message else message
