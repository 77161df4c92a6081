"""Variables that look like ours and are not."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from refseal.doctor.findings import Finding
from refseal.resolve.setting_readers import ALIASED, READERS
from refseal.resolve.settings import ALIAS_PREFIX, PREFIX
from refseal.seal import escape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.doctor.surroundings import Surroundings

KNOWN = [PREFIX + field.upper() for field in READERS]
ALIASES = {ALIAS_PREFIX + field.upper(): PREFIX + field.upper() for field in ALIASED}

STEM = "REFSEAL"
"""Whatever begins like this, in any case, was meant for refseal."""

ALIKE = 0.88
"""How much of a name must agree to suspect it without the stem: one or two letters of twenty may differ."""


def check(surroundings: Surroundings) -> Iterator[Finding]:
    """Look at the names of all variables; their values are the settings' business."""
    mine = []
    suspect = False
    for name in sorted(surroundings.environ):
        if name in KNOWN:
            mine.append(name)
        elif name in ALIASES:
            new = ALIASES[name]
            is_hidden = bool(surroundings.environ.get(new))
            said = f"it has no effect, for {new} is set too" if is_hidden else "it is understood"
            yield Finding("note", f"{name} is of codex-agents-md-plus; {said}.", f"Its name here is {new}.")
        elif name.startswith(ALIAS_PREFIX):
            yield Finding("note", f"{escape(name)} means nothing to refseal.", "Unset it.")
        elif (match := _meant(name)) is not None:
            suspect = True
            yield Finding("problem", f"{escape(name)} is not a variable of refseal.", match)
    if not suspect:
        yield Finding("ok", f"Set: {', '.join(mine)}." if mine else "No variable of refseal is set.")


def _meant(name: str) -> str | None:
    """Return what somebody who set ``name`` should do, or None if it has nothing to do with refseal."""
    upper = name.upper()
    if not upper.startswith(STEM):
        close = get_close_matches(upper, KNOWN, n=1, cutoff=ALIKE)
        return f"Did you mean {close[0]}?" if close else None
    close = get_close_matches(upper, KNOWN, n=1, cutoff=0.6)
    return f"Did you mean {close[0]}?" if close else f"Unset it; there are {', '.join(KNOWN)}."
