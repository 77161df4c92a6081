"""What a rule is, what it says, and the finding that a report shows."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from refseal.audit.quoting import Excerpt


class Severity(enum.IntEnum):
    """How bad it is if the finding is true; ordered, so that thresholds are comparisons."""

    INFO = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3

    @property
    def word(self) -> str:
        """The word of the contracts: `info`, `low`, `medium` or `high`."""
        return self.name.lower()


class Confidence(enum.IntEnum):
    """How sure the rule is; ordered."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2

    @property
    def word(self) -> str:
        """The word of the contracts: `low`, `medium` or `high`."""
        return self.name.lower()


class Persona(enum.IntEnum):
    """Who reads the report; each sees what the ones before it see, and more.

    `REGULAR` wants what is worth an interruption, `PEDANTIC` also what is merely untidy, `AUDITOR` also
    what is usually harmless and needs a person to look at it.
    """

    REGULAR = 0
    PEDANTIC = 1
    AUDITOR = 2


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that the audit looks for.

    ``code`` is stable for ever; ``name`` too.  ``severity`` and ``confidence`` are what a plain hit has; a
    hit may carry its own.  ``summary`` is one sentence that says what is wrong, ``advice`` one that says
    what to do next.
    """

    code: str
    name: str
    severity: Severity
    confidence: Confidence
    summary: str
    advice: str


@dataclass(frozen=True, slots=True)
class Hit:
    """One place where a rule applies, before it is a finding.

    ``message`` is shown to people: every piece of it that a repository supplied went through
    `quoting.quoted`.  ``evidence`` is raw and goes into the fingerprint alone; it holds what makes this hit
    the same hit after an edit elsewhere, so never a position.  ``line`` and ``column`` are 1-based code
    points, or None for what concerns a file as a whole.
    """

    message: str
    evidence: str = ""
    line: int | None = None
    column: int | None = None
    severity: Severity | None = None
    confidence: Confidence | None = None
    persona: Persona = Persona.REGULAR


@dataclass(slots=True)
class Finding:
    """What a report shows.

    ``path`` is the raw name relative to the repository's root (or None): hostile text, to be escaped by
    whoever shows it.  ``excerpt`` is the offending part of its line.  ``suppressed`` is the reason that a
    baseline gives, or None.
    """

    rule: Rule
    severity: Severity
    confidence: Confidence
    persona: Persona
    path: str | None
    line: int | None
    column: int | None
    message: str
    fingerprint: str
    excerpt: Excerpt | None = None
    suppressed: str | None = None


def order(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings in the order of every report: by path, line, column, rule."""
    return sorted(findings, key=_place)


def _place(finding: Finding) -> tuple[str, int, int, str, str]:
    return (
        finding.path or "",
        finding.line or 0,
        finding.column or 0,
        finding.rule.code,
        finding.fingerprint,
    )
