"""Every check, in the order in which a person would mend things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.doctor.checks import (
    codex_version,
    environment,
    extra_roots,
    other_plugin,
    plugin,
    python,
    session,
    settings,
    trust,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from refseal.doctor.findings import Finding
    from refseal.doctor.surroundings import Surroundings

CHECKS: dict[str, Callable[[Surroundings], Iterator[Finding]]] = {
    "python": python.check,
    "codex": codex_version.check,
    "plugin": plugin.check,
    "trust": trust.check,
    "other-plugin": other_plugin.check,
    "environment": environment.check,
    "settings": settings.check,
    "extra-roots": extra_roots.check,
    "session": session.check,
}
"""Name -> check; the names are part of the JSON's contract."""


def diagnose(surroundings: Surroundings) -> list[tuple[str, Finding]]:
    """Run every check; each says at least one thing."""
    return [(name, finding) for name, check in CHECKS.items() for finding in check(surroundings)]
