"""RS314: a file whose name looks like an instruction file's, and is another one.

A reviewer believes that the file is in force, or that he has seen all that are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.confusables import look
from refseal.audit.findings import Confidence, Hit, Persona, Rule, Severity
from refseal.audit.quoting import code_points

if TYPE_CHECKING:
    from collections.abc import Iterator

RULE = Rule(
    code="RS314",
    name="lookalike-name",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="A file's name looks like that of an instruction file, but is not.",
    advice="Rename or remove it.",
)

NAMES = frozenset(
    {
        "agents.md",
        "agents.override.md",
        "agents.local.md",
        "claude.md",
        "claude.local.md",
        "gemini.md",
        "copilot-instructions.md",
    }
)
"""Names of instruction files of several agents, folded."""


def check(name: str) -> Iterator[Hit]:
    """Yield one hit if ``name`` (one component, raw) only looks like one of `NAMES`."""
    if name.casefold() in NAMES:
        return
    if look(name).strip(" \t\r\n").casefold() in NAMES:
        odd = [char for char in name if not char.isascii() or char.isspace() or not char.isprintable()]
        yield Hit(f"this name is not what it looks like: it contains {code_points(odd)}", name)


def check_case(name: str) -> Iterator[Hit]:
    """Yield one hit for a name that is an instruction file's but for its case, on a disk that minds it."""
    yield Hit(
        "where the disk minds no case, as on macOS, agents read this file as instructions",
        name,
        severity=Severity.INFO,
        persona=Persona.PEDANTIC,
    )
