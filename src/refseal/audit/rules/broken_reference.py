"""RS201: a reference to a file that is not there.

Alone on its line it can mean nothing else, and what it should bring is missing; within a sentence it may be
an example.  A word that names no file was a mention, and is never reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Verdict

RULE = Rule(
    code="RS201",
    name="broken-reference",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="A reference names a file that does not exist.",
    advice="Correct the path (it is relative to the file that holds it), or put the word into a code span.",
)


def check(verdict: Verdict) -> Iterator[Hit]:
    """Yield one hit if the reference is missing."""
    if verdict.verdict != "skipped" or verdict.reason != "missing":
        return
    if verdict.is_alone or verdict.is_document:
        yield Hit(
            f"{quoted(verdict.token)} names no file",
            verdict.token,
            verdict.line,
            verdict.column,
            severity=None if verdict.is_alone else Severity.LOW,
        )
    else:
        yield Hit(
            f"{quoted(verdict.token)} names no file, if it is meant as a reference",
            verdict.token,
            verdict.line,
            verdict.column,
            severity=Severity.INFO,
            confidence=Confidence.LOW,
        )
