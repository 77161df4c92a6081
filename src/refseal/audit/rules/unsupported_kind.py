"""RS204: a reference to something that is not text, or not a kind of text that is included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Verdict

RULE = Rule(
    code="RS204",
    name="unsupported-kind",
    severity=Severity.LOW,
    confidence=Confidence.HIGH,
    summary="A reference names a file that is not text, or of a kind that is not included.",
    advice="Refer to a text file, or drop the @ if the file is only mentioned.",
)

_SAYS = {
    "not-text": "is of a kind that is not included",
    "binary": "holds bytes that are no text",
}


def check(verdict: Verdict) -> Iterator[Hit]:
    """Yield one hit if the reference names a file of the wrong kind."""
    says = _SAYS.get(verdict.reason)
    if verdict.verdict == "skipped" and says is not None:
        yield Hit(f"{quoted(verdict.token)} {says}", verdict.token, verdict.line, verdict.column)
