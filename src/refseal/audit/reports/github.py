"""Workflow commands, which GitHub shows as annotations beside the line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Severity
from refseal.audit.quoting import path_shown

if TYPE_CHECKING:
    from refseal.audit.findings import Finding
    from refseal.audit.results import Results

_COMMANDS = {
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "notice",
    Severity.INFO: "notice",
}


def render(results: Results, prefixes: dict[str, str] | None = None) -> str:
    """Return one line a finding that is not suppressed, then one line that counts.

    ``prefixes`` gives for the root of a repository its path below the workspace, with a slash at its end.
    """
    lines = [
        _command(finding, (prefixes or {}).get(repository.root, ""))
        for repository in results.repositories
        for finding in repository.findings
        if finding.suppressed is None
    ]
    counts = ", ".join(f"{count} {word}" for word, count in results.severities().items())
    if not any(repository.has_file for repository in results.repositories):
        counts = "there is no instruction file"
    return "".join(f"{line}\n" for line in (*lines, f"refseal: {counts}"))


def _command(finding: Finding, prefix: str) -> str:
    properties = []
    inside = finding.path is not None and not finding.path.startswith("/")
    if finding.path is not None and inside:
        properties.append(f"file={_property(path_shown(prefix + finding.path))}")
    if finding.line is not None and inside:
        properties.append(f"line={finding.line}")
        properties.append(f"col={finding.column or 1}")
    properties.append(f"title={_property(f'{finding.rule.code} {finding.rule.name}')}")
    message = _data(f"{finding.message}. {finding.rule.advice}")
    return f"::{_COMMANDS[finding.severity]} {','.join(properties)}::{message}"


def _data(text: str) -> str:
    """Return ``text`` as the runner decodes it again: one line that ends no command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
