"""RS504: something that the audit did not look at, because a bound of its own was reached.

A hostile tree can be made as large as one likes.  The audit stops at its bounds and says so: silence would
read as "nothing found".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

RULE = Rule(
    code="RS504",
    name="audit-incomplete",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="The audit reached one of its bounds and did not look at everything.",
    advice="Audit the parts one by one, and ask why the repository is so large.",
)


def check(what: str, severity: Severity | None = None) -> Iterator[Hit]:
    """Yield one hit that says what was not looked at; ``what`` is our own text.

    Where whoever writes the repository can make it so, to keep a finding from being made or listed, it is as
    bad as that finding.
    """
    yield Hit(what, what, severity=severity)


def check_withheld(what: str) -> Iterator[Hit]:
    """Yield one hit for directories whose names say that they hold credentials."""
    yield Hit(
        f"{what} was not looked into: by its name it holds credentials; Codex reads an AGENTS.md there",
        what,
        severity=Severity.INFO,
    )
