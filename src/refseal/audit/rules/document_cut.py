"""RS211: a document of which only the beginning is included.

Nothing is cut in silence: the block says so, and where to read on.  But a rule that stands at the end of a
long file is one that the agent may never look up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Session

RULE = Rule(
    code="RS211",
    name="document-cut",
    severity=Severity.LOW,
    confidence=Confidence.HIGH,
    summary="Only the beginning of a document is included, because a budget is used up.",
    advice="Shorten or split the document, or raise the budget that the message names.",
)


def check(session: Session) -> Iterator[tuple[str, Hit]]:
    """Yield path and hit for each document that a session gets a part of."""
    for path, line, setting in session.shortened:
        yield path, Hit(f"what follows line {line} is left out ({setting})", setting, line, 1)
