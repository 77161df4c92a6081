"""RS502: an entry of a baseline that no finding needs any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Persona, Rule, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from refseal.audit.baseline import Entry

RULE = Rule(
    code="RS502",
    name="baseline-stale",
    severity=Severity.INFO,
    confidence=Confidence.HIGH,
    summary="The baseline accepts a finding that is not there any more.",
    advice="Write the baseline anew.",
)


def check(unused: Sequence[Entry]) -> Iterator[Hit]:
    """Yield one hit for each entry; for the pedantic."""
    for entry in unused:
        where = quoted(entry.path or "(the repository)")
        yield Hit(
            f"{quoted(entry.rule)} in {where} is accepted but was not found",
            entry.fingerprint,
            persona=Persona.PEDANTIC,
        )
