"""RS210: a reference whose path mixes letters that look alike, so that it names another file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.confusables import foreign_letters, look
from refseal.audit.findings import Confidence, Hit, Persona, Rule, Severity
from refseal.audit.quoting import code_points, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Verdict

RULE = Rule(
    code="RS210",
    name="lookalike-reference",
    severity=Severity.MEDIUM,
    confidence=Confidence.MEDIUM,
    summary="A reference contains letters of another script that look like ASCII ones.",
    advice="Type the path anew; if the file itself is named so, rename it.",
)


def check(verdict: Verdict) -> Iterator[Hit]:
    """Yield one hit if a component of the path looks like ASCII and is not.

    A component in one foreign script whose letters all happen to look like ASCII is a word of that language
    more often than not: that is for auditors.
    """
    if verdict.path.isascii():
        return
    for component in verdict.path.split("/"):
        letters = foreign_letters(component)
        if not letters or not look(component).isascii():
            continue
        stem = component.rpartition(".")[0] or component
        mixed = any(char.isascii() and char.isalnum() for char in stem)
        yield Hit(
            f"{quoted(verdict.token)} is not what it looks like: it contains {code_points(letters)}",
            verdict.token,
            verdict.line,
            verdict.column,
            severity=None if mixed else Severity.LOW,
            persona=Persona.REGULAR if mixed else Persona.AUDITOR,
        )
        return
