"""Whether every directory in REFSEAL_EXTRA_ROOTS can be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.doctor.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.doctor.surroundings import Surroundings


def check(surroundings: Surroundings) -> Iterator[Finding]:
    """Repeat what the session found when it opened them: names in it are shown in ASCII."""
    roots = surroundings.session.settings.extra_roots
    scope = surroundings.session.scope
    if scope is None and roots:
        yield Finding("note", "The extra roots were not looked at: refseal is switched off.")
        return
    problems = scope.problems if scope is not None else []
    for problem in problems:
        yield Finding(
            "problem",
            problem + ".",
            "Make the directory, or take it out of REFSEAL_EXTRA_ROOTS; "
            "`refseal explain CODE` tells more about the reason.",
        )
    if not problems:
        one, more = "The 1 extra root can be used.", f"Each of the {len(roots)} extra roots can be used."
        yield Finding("ok", (one if len(roots) == 1 else more) if roots else "There are no extra roots.")
