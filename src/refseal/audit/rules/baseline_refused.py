"""RS503: a baseline inside the audited tree that tries to accept a `high`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import path_shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from refseal.audit.findings import Finding

RULE = Rule(
    code="RS503",
    name="baseline-refused",
    severity=Severity.LOW,
    confidence=Confidence.HIGH,
    summary="A baseline inside the audited tree names a finding of severity high, which it cannot accept.",
    advice="Keep the baseline outside the tree, or take it from the base commit, to accept a high finding.",
)


def check(refused: Sequence[Finding]) -> Iterator[Hit]:
    """Yield one hit for each finding that stays."""
    for finding in refused:
        where = path_shown(finding.path) if finding.path is not None else "the repository"
        yield Hit(
            f"{finding.rule.code} in {where} stays: this baseline lies in the audited tree",
            finding.fingerprint,
        )
