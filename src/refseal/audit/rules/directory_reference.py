"""RS202: a reference to a directory, of which nothing is included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Verdict

RULE = Rule(
    code="RS202",
    name="directory-reference",
    severity=Severity.LOW,
    confidence=Confidence.HIGH,
    summary="A reference names a directory; none of its files are included.",
    advice="Name the files, or drop the @ if the directory is only mentioned.",
)


def check(verdict: Verdict) -> Iterator[Hit]:
    """Yield one hit if the reference names a directory."""
    if verdict.verdict == "skipped" and verdict.reason == "directory":
        yield Hit(f"{quoted(verdict.token)} is a directory", verdict.token, verdict.line, verdict.column)
