"""RS309: instruction files that Codex cuts off, because all of them together exceed its budget.

It reads the project's files from the root down until `project_doc_max_bytes` are used up, and says nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Session

RULE = Rule(
    code="RS309",
    name="native-cut",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="Codex cuts an instruction file off because the files together exceed its byte budget.",
    advice="Shorten the files (those above it count too), or raise Codex's project_doc_max_bytes.",
)


def check(session: Session) -> Iterator[tuple[str, Hit]]:
    """Yield path and hit for each file of which a session loses something."""
    for path, line in session.cuts:
        lost = "all of it" if line == 1 else f"everything from line {line} on"
        yield (
            path,
            Hit(f"Codex leaves out {lost}: its budget for project documents is used up", "cut", line, 1),
        )
