"""Findings that somebody accepted, with the reason for each.

A baseline is a JSON file that names findings by their fingerprints.  It never removes anything from a
report: an accepted finding is shown as such, with the reason.  A baseline that lies inside the audited tree
is written by whoever writes the tree, so it never accepts a `high`.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from refseal.audit.findings import Severity
from refseal.audit.quoting import path_shown
from refseal.resolve.territory import is_beneath

if TYPE_CHECKING:
    from collections.abc import Iterable

    from refseal.audit.findings import Finding

SCHEMA = "refseal.baseline/1"

DEFAULT_REASON = "present when the baseline was written"

MAX_BYTES = 16 * 1024 * 1024
"""Of a baseline: some 60,000 entries; a larger file is a mistake or an attack on memory."""


class BaselineError(Exception):
    """A file that was named as baseline cannot be used; the message says why, for a person."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted finding.  ``rule`` and ``path`` are for the reader; the fingerprint decides."""

    fingerprint: str
    rule: str
    path: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """Accepted findings by fingerprint; ``inside`` tells that the file lies in the tree it speaks of."""

    entries: dict[str, Entry]
    inside: bool = False

    def apply(self, findings: Iterable[Finding]) -> tuple[list[Entry], list[Finding]]:
        """Mark what this baseline accepts.

        Returns the entries that no finding needs any more, and the findings of severity `high` that it
        names but, being inside the tree, may not accept.
        """
        unused = dict(self.entries)
        refused = []
        for finding in findings:
            entry = self.entries.get(finding.fingerprint)
            if entry is None or entry.rule != finding.rule.code:
                continue
            unused.pop(finding.fingerprint, None)
            if self.inside and finding.severity >= Severity.HIGH:
                refused.append(finding)
            else:
                finding.suppressed = entry.reason
        return list(unused.values()), refused


def parse(data: bytes, *, inside: bool = False) -> Baseline:
    """Return the baseline that ``data`` holds; raises `BaselineError`."""
    if len(data) > MAX_BYTES:
        raise BaselineError(f"more than {MAX_BYTES} bytes")
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BaselineError("not JSON") from error
    if (
        not isinstance(value, dict)
        or value.get("schema") != SCHEMA
        or not isinstance(value.get("findings"), list)
    ):
        raise BaselineError(f"not a {SCHEMA} file")
    entries = {}
    for number, item in enumerate(value["findings"], 1):
        entry = _entry(item)
        if entry is None:
            raise BaselineError(
                f"entry {number} needs the texts fingerprint and rule, and a reason that is not empty"
            )
        entries[entry.fingerprint] = entry
    return Baseline(entries, inside)


def _entry(item: Any) -> Entry | None:
    if not isinstance(item, dict):
        return None
    fingerprint, rule, path, reason = (item.get(key) for key in ("fingerprint", "rule", "path", "reason"))
    if not (
        isinstance(fingerprint, str) and isinstance(rule, str) and isinstance(reason, str) and reason.strip()
    ):
        return None
    return Entry(fingerprint, rule, path if isinstance(path, str) else None, reason.strip())


def render(findings: Iterable[Finding], known: Baseline | None, reason: str | None) -> str:
    """Return the text of a baseline that accepts ``findings``.

    An entry that ``known`` has keeps its reason; the others get ``reason``, or the default one.
    """
    entries = []
    for finding in findings:
        old = known.entries.get(finding.fingerprint) if known is not None else None
        entries.append(
            {
                "fingerprint": finding.fingerprint,
                "rule": finding.rule.code,
                "path": None if finding.path is None else path_shown(finding.path),
                "message": finding.message,
                "reason": old.reason if old is not None else reason or DEFAULT_REASON,
            }
        )
    return json.dumps({"schema": SCHEMA, "findings": entries}, indent=1) + "\n"


def lies_inside(file: str, root: str) -> bool:
    """Tell whether the path ``file`` lies in the tree ``root``, by its spelling or by what it leads to."""
    tops = {os.path.abspath(root), os.path.realpath(root)}
    for path in (os.path.abspath(file), os.path.realpath(file)):
        if any(is_beneath(path, top) for top in tops):
            return True
        try:
            identity = os.stat(root)
            directory = os.path.dirname(path)
            while True:
                # By identity too: a bind mount or a case-insensitive disk spells one directory in two ways.
                if os.path.samestat(identity, os.stat(directory)):
                    return True
                if directory == os.path.dirname(directory):
                    break
                directory = os.path.dirname(directory)
        except OSError:
            continue
    return False


def changes(trusted: Baseline, proposed: Baseline) -> tuple[list[Entry], list[Entry]]:
    """Return the entries that ``proposed`` adds (or gives another reason), and those that it drops."""
    added = [entry for entry in proposed.entries.values() if trusted.entries.get(entry.fingerprint) != entry]
    dropped = [entry for key, entry in trusted.entries.items() if key not in proposed.entries]
    return added, dropped
