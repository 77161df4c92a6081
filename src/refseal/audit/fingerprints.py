"""Fingerprints: the same finding has the same one after an edit elsewhere in its file.

A fingerprint is made of the rule, the path, the evidence (the offending text, never its position) and, where
several hits of one rule in one file have the same evidence, the count of those before it.  So a line that is
inserted above moves nothing, and a second copy of an accepted line is a new finding.
"""

from __future__ import annotations

import hashlib

DIGITS = 32
"""Length of a fingerprint in hex digits: 128 bits, so that nobody can find a second text with the same one
by accident, and hardly on purpose; a `high` that a baseline hides is always one that somebody accepted."""

_DOMAIN = b"refseal.audit/fingerprint/1"


class Fingerprints:
    """Hands out the fingerprints of one repository, in the order in which its findings are made."""

    def __init__(self) -> None:
        self._seen: dict[bytes, int] = {}

    def next(self, rule: str, path: str | None, evidence: str) -> str:
        """Return the fingerprint of one more hit of ``rule`` in ``path`` with this ``evidence``."""
        parts = (rule, path or "", " ".join(evidence.split()))
        key = _DOMAIN + b"".join(_prefixed(part) for part in parts)
        count = self._seen.get(key, 0)
        self._seen[key] = count + 1
        return hashlib.sha256(key + count.to_bytes(8, "big")).hexdigest()[:DIGITS]


def _prefixed(part: str) -> bytes:
    data = part.encode("utf-8", "surrogateescape" if _is_bytes(part) else "surrogatepass")
    return len(data).to_bytes(8, "big") + data


def _is_bytes(part: str) -> bool:
    """Tell whether every surrogate in ``part`` stands for a byte that is not UTF-8 (a name of a file)."""
    return all("\udc80" <= char <= "\udcff" for char in part if "\ud800" <= char <= "\udfff")
