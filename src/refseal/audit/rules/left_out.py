"""RS205: a document that a budget leaves out, so that the agent does not get what the author wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Verdict

RULE = Rule(
    code="RS205",
    name="left-out",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="A referenced document is left out because a budget is used up.",
    advice="Refer to less, to shorter files or less deeply, or raise the budget that the message names.",
)

_SAYS = {
    "depth": "is referenced too deeply (REFSEAL_MAX_DEPTH)",
    "file-count": "is one document too many (REFSEAL_MAX_FILES)",
    "total-bytes": "exceeds the bytes for all documents (REFSEAL_MAX_TOTAL_REFERENCE_BYTES)",
    "host-limit": "does not fit into what the host shows (REFSEAL_HOST_LIMIT)",
    "deadline": "could not be looked at in time (REFSEAL_DEADLINE)",
}


def check(verdict: Verdict) -> Iterator[Hit]:
    """Yield one hit if a budget leaves the document out."""
    says = _SAYS.get(verdict.reason)
    if verdict.verdict == "skipped" and says is not None:
        yield Hit(f"{quoted(verdict.token)} {says}", verdict.token, verdict.line, verdict.column)
