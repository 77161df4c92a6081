"""RS208: a reference to a file with nothing in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Persona, Rule, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Verdict

RULE = Rule(
    code="RS208",
    name="empty-reference",
    severity=Severity.INFO,
    confidence=Confidence.HIGH,
    summary="A referenced file is empty.",
    advice="Write it, or remove the reference.",
)


def check(verdict: Verdict) -> Iterator[Hit]:
    """Yield one hit if the referenced file is empty; for the pedantic."""
    if verdict.verdict == "skipped" and verdict.reason == "empty":
        yield Hit(
            f"{quoted(verdict.token)} is empty",
            verdict.token,
            verdict.line,
            verdict.column,
            persona=Persona.PEDANTIC,
        )
