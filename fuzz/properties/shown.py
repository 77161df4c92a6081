"""What an audit shows of a hostile repository is valid, visible and complete, in every format."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import patch

from fuzz.properties import disk
from fuzz.properties.session import SECRET
from refseal.audit.baseline import BaselineError, parse
from refseal.audit.findings import Finding, Persona, Severity
from refseal.audit.reports import github, html, json_report, sarif, text
from refseal.audit.results import Results
from refseal.audit.rules import RULES
from refseal.audit.scan import Options, scan
from tests.audit.reports.properties import CHECKS

if TYPE_CHECKING:
    from fuzz.properties.session import World


def reports_soundly(results: Results) -> None:
    """Write every report of these results and look at it."""
    for check in CHECKS:
        check(results)


def audits_soundly(world: World) -> None:
    """Audit the project twice: sound reports, the same both times, no secret in any, no descriptor left."""
    before = disk.held()
    options = Options(persona=Persona.AUDITOR, show_inert=True)
    results = Results([scan(world.project, options)])
    assert disk.held() == before, "a descriptor leaked"
    reports_soundly(results)
    with patch.object(sarif, "RULES", ()):  # which say nothing of any project, and are most of a log
        for report in (text, json_report, sarif, github, html):
            assert SECRET not in report.render(results)
    again = Results([scan(world.project, options)])
    assert json_report.as_json(again) == json_report.as_json(results), "the same tree has two audits"
    prints = [finding.fingerprint for finding in results.findings()]
    assert len(prints) == len(set(prints)), "two findings share a fingerprint"


def reads_baseline_or_refuses(data: bytes) -> None:
    """A baseline is read or refused; one from the audited tree accepts nothing of severity `high`."""
    try:
        baseline = parse(data, inside=True)
    except BaselineError as error:
        refused = str(error)
    else:
        refused = ""
    assert refused.isprintable()
    if refused:
        return
    for fingerprint, entry in baseline.entries.items():
        assert entry.fingerprint == fingerprint
        assert entry.reason.strip()
    findings = [
        Finding(rule, severity, rule.confidence, Persona.REGULAR, None, None, None, "", entry.fingerprint)
        for entry in baseline.entries.values()
        for rule in RULES
        if rule.code == entry.rule
        for severity in Severity
    ]
    baseline.apply(findings)
    for finding in findings:
        assert (finding.suppressed is None) == (finding.severity == Severity.HIGH)
