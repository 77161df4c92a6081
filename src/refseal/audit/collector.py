"""Hits in, findings out: with their fingerprints, for one persona, and not without end."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from refseal.audit.findings import Finding, order
from refseal.audit.fingerprints import Fingerprints
from refseal.audit.rules import audit_incomplete

if TYPE_CHECKING:
    from collections.abc import Iterable

    from refseal.audit.findings import Hit, Persona, Rule, Severity
    from refseal.audit.quoting import Excerpt
    from refseal.audit.results import Repository

MAX_OF_A_KIND = 100
"""Findings of one rule and severity in one file: a person reads the first few, and is told how many more.
Each severity is counted by itself: a hundred that are harmless do not hide one that is not."""

MAX_FINDINGS = 10_000
"""Of one severity in one repository: some ten megabytes, and more than anybody works through."""


class Collector:
    """Adds findings to one repository's results; `finish` puts them in order.

    Hits that the persona does not want are counted in `Repository.hidden`.
    """

    def __init__(self, repository: Repository, persona: Persona) -> None:
        self._repository = repository
        self._persona = persona
        self._fingerprints = Fingerprints()
        self._counts: Counter[tuple[str, str | None, Severity]] = Counter()
        self._totals: Counter[Severity] = Counter()

    def add_all(self, rule: Rule, path: str | None, hits: Iterable[Hit]) -> None:
        """Add what a rule says of a file; of the repository as a whole, if ``path`` is None."""
        for hit in hits:
            self.add(rule, path, hit)

    def add(self, rule: Rule, path: str | None, hit: Hit, excerpt: Excerpt | None = None) -> None:
        """Add one hit, with the offending line if there is one."""
        fingerprint = self._fingerprints.next(rule.code, path, hit.evidence)
        severity = rule.severity if hit.severity is None else hit.severity
        if hit.persona > self._persona:
            self._repository.hidden += 1
            return
        key = (rule.code, path, severity)
        self._counts[key] += 1
        if self._counts[key] > MAX_OF_A_KIND:
            return
        self._totals[severity] += 1
        if self._totals[severity] > MAX_FINDINGS:
            return
        self._repository.findings.append(
            Finding(
                rule,
                severity,
                rule.confidence if hit.confidence is None else hit.confidence,
                hit.persona,
                path,
                hit.line,
                hit.column,
                hit.message,
                fingerprint,
                excerpt,
            )
        )

    def finish(self) -> None:
        """Say where there was more than is listed, and put all findings in order."""
        for (code, path, severity), count in list(self._counts.items()):
            if count > MAX_OF_A_KIND:
                left = count - MAX_OF_A_KIND
                what = f"{left} more findings of {code} ({severity.word}) in this file are not listed"
                self.add_all(audit_incomplete.RULE, path, audit_incomplete.check(what, severity))
        for severity, count in list(self._totals.items()):
            if count > MAX_FINDINGS:
                what = f"{count - MAX_FINDINGS} more findings of severity {severity.word} are not listed"
                del self._totals[severity]
                self.add_all(audit_incomplete.RULE, None, audit_incomplete.check(what, severity))
        self._repository.findings = order(self._repository.findings)
