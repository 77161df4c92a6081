"""Whether every setting has a value that can be used, in the environment and in refseal.toml."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from refseal.doctor.findings import Finding
from refseal.resolve.setting_readers import ENVIRONMENT_ONLY, READERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.doctor.surroundings import Surroundings

_UNKNOWN_KEY = re.compile(r"refseal\.toml: there is no setting '(.*)'")


def check(surroundings: Surroundings) -> Iterator[Finding]:
    """Repeat what the settings themselves report: values in it are shown in ASCII."""
    settings = surroundings.session.settings
    for problem in settings.problems:
        yield Finding("problem", problem + ".", _advice(problem))
    if settings.disable:
        yield Finding(
            "note", "REFSEAL_DISABLE is set: the hook says nothing at all.", "Unset it to have it back."
        )
    if settings.allow_outside_root:
        yield Finding(
            "note",
            "REFSEAL_ALLOW_OUTSIDE_ROOT is set: a repository's documents may pull in any text file of yours.",
            "Unset it, and name the directories that you need in REFSEAL_EXTRA_ROOTS.",
        )
    if not settings.problems:
        yield Finding("ok", "Every setting has a value that can be used.")


def _advice(problem: str) -> str:
    unknown = _UNKNOWN_KEY.match(problem)
    if unknown is None:
        return "Correct the value, or take it out to have the default."
    if unknown[1] in ENVIRONMENT_ONLY:
        return "It can be set in the environment alone."
    close = get_close_matches(unknown[1].lower(), list(READERS), n=1)
    return f"Did you mean {close[0]}?" if close else "Take it out of refseal.toml in Codex home."
