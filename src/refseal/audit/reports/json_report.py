"""The JSON contract `refseal.audit/1` (docs/schema/audit-1.json)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from refseal import __version__
from refseal.audit.quoting import path_shown, quoted

if TYPE_CHECKING:
    from refseal.audit.findings import Finding
    from refseal.audit.results import Reference, Repository, Results, Scope

SCHEMA = "refseal.audit/1"


def render(results: Results) -> str:
    """Return the report: pure ASCII, one value, a newline at its end."""
    return json.dumps(as_json(results), indent=1) + "\n"


def as_json(results: Results) -> dict[str, Any]:
    """Return the report as the value that is written."""
    verdicts = results.verdicts()
    return {
        "schema": SCHEMA,
        "refseal": __version__,
        "repositories": [_repository(repository) for repository in results.repositories],
        "summary": {
            "included": verdicts["included"],
            "skipped": verdicts["skipped"],
            "blocked": verdicts["blocked"],
            "findings": results.severities(),
        },
    }


def _repository(repository: Repository) -> dict[str, Any]:
    return {
        "root": path_shown(repository.root),
        "scopes": [_scope(scope) for scope in repository.scopes],
        "references": [_reference(reference) for reference in repository.references],
        "findings": [_finding(finding) for finding in repository.findings],
        "ignored_directories": repository.ignored,
    }


def _scope(scope: Scope) -> dict[str, Any]:
    return {
        "cwd": path_shown(scope.cwd),
        "project_root": path_shown(scope.project_root),
        "worktree": {
            "status": scope.worktree_status,
            "detail": scope.worktree_detail,
            "main_root": None if scope.main_root is None else path_shown(scope.main_root),
        },
    }


def _reference(reference: Reference) -> dict[str, Any]:
    return {
        "source": path_shown(reference.source),
        "line": reference.line,
        "column": reference.column,
        "target": path_shown(reference.target),
        "resolved": None if reference.resolved is None else path_shown(reference.resolved),
        "verdict": reference.verdict,
        "reason": reference.reason,
        "depth": reference.depth,
        "chain": [path_shown(path) for path in reference.chain],
        "scopes": reference.scopes,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule.code,
        "name": finding.rule.name,
        "severity": finding.severity.word,
        "confidence": finding.confidence.word,
        "path": None if finding.path is None else path_shown(finding.path),
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "fingerprint": finding.fingerprint,
        "suppressed": None if finding.suppressed is None else quoted(finding.suppressed),
    }
