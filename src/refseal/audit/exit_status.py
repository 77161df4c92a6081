"""What an audit's results mean for whoever started it: an exit status."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from refseal.audit.findings import Severity
    from refseal.audit.results import Repository, Results

NOTHING, FINDINGS, FAILED, NO_FILE = 0, 1, 2, 3
"""Exit statuses: nothing at or above the threshold; findings; could not run; no instruction file."""

_WORST_FIRST = (FAILED, FINDINGS, NO_FILE, NOTHING)


def status_of(results: Results, fail_on: Severity, *, failed: bool = False) -> int:
    """Return the exit status: of several repositories the worst, 2 before 1 before 3; of none 3.

    ``failed`` tells that a repository could not be audited at all.  Findings count whether a report shows
    them or not; those that a baseline accepts do not.
    """
    statuses = {_status_of(repository, fail_on) for repository in results.repositories}
    if failed:
        statuses.add(FAILED)
    return next((status for status in _WORST_FIRST if status in statuses), NO_FILE)


def _status_of(repository: Repository, fail_on: Severity) -> int:
    if any(finding.suppressed is None and finding.severity >= fail_on for finding in repository.findings):
        return FINDINGS
    return NOTHING if repository.has_file else NO_FILE
