"""RS501: a baseline that the change under audit rewrites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import counted, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from refseal.audit.baseline import Entry

RULE = Rule(
    code="RS501",
    name="baseline-changed",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="The change under audit also changes which findings are accepted.",
    advice="Review each new entry and its reason; it takes effect with the next change.",
)


def check(added: Sequence[Entry], dropped: Sequence[Entry]) -> Iterator[Hit]:
    """Yield one hit for each entry that the proposed baseline adds or changes, and one for all it drops."""
    for entry in added:
        where = quoted(entry.path or "(the repository)")
        yield Hit(
            f"accepts {quoted(entry.rule)} in {where}: {quoted(entry.reason)}",
            entry.fingerprint,
        )
    if dropped:
        yield Hit(f"drops {counted(len(dropped), 'accepted finding')}", "dropped", severity=Severity.INFO)
