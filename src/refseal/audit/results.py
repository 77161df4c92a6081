"""What an audit found out, before a format shows it; the shape of the JSON contract, with raw strings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from refseal.audit.findings import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

VERDICTS = ("included", "skipped", "blocked", "inert")


@dataclass(slots=True)
class Scope:
    """What one working directory is to a session.

    ``cwd`` and ``project_root`` are relative to the repository's root (``.`` is the root itself), or absolute
    where they lie outside it.  ``main_root`` is absolute or None.
    """

    cwd: str
    project_root: str
    worktree_status: str
    worktree_detail: str | None
    main_root: str | None


@dataclass(slots=True)
class Reference:
    """One reference with one verdict, in all the scopes that agree on it.

    ``line`` and ``column`` are 1-based code points at the ``@``; ``chain`` holds the paths that led to
    ``source``, itself included.
    """

    source: str
    line: int
    column: int
    target: str
    resolved: str | None
    verdict: str
    reason: str
    depth: int
    chain: tuple[str, ...]
    scopes: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Repository:
    """Everything about one repository.  ``root`` is absolute; ``files`` counts its instruction files.

    ``ignored`` counts directories that were not looked into: git ignores them and tracks nothing there.
    ``hidden`` counts findings that a persona or ``--min-severity`` leaves out of the report.
    """

    root: str
    scopes: list[Scope] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    files: int = 0
    hidden: int = 0
    ignored: int = 0

    @property
    def has_file(self) -> bool:
        """Whether there is anything that a session could be told here."""
        return bool(self.files or self.scopes)


@dataclass(slots=True)
class Results:
    """An audit of one or more repositories."""

    repositories: list[Repository] = field(default_factory=list)

    def findings(self) -> Iterable[Finding]:
        """Return all findings, suppressed ones too."""
        return (finding for repository in self.repositories for finding in repository.findings)

    def verdicts(self) -> dict[str, int]:
        """Return how many references have each verdict."""
        counts = dict.fromkeys(VERDICTS, 0)
        for repository in self.repositories:
            for reference in repository.references:
                counts[reference.verdict] += 1
        return counts

    def severities(self) -> dict[str, int]:
        """Return how many findings that no baseline suppresses have each severity, the worst first."""
        counts = {severity.word: 0 for severity in reversed(Severity)}
        for finding in self.findings():
            if finding.suppressed is None:
                counts[finding.severity.word] += 1
        return counts
