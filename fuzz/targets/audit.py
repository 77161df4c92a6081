"""Property: whatever a repository holds, every report of its audit is valid, escaped and free of secrets.

Either a hostile project is decoded from the bytes, written to the disk and audited, or findings and
references are decoded whose every string is hostile.  JSON and SARIF validate against their schemas,
annotations and the page cannot be broken out of, and a terminal is shown nothing that it acts on
(`tests.audit.reports.properties`).  A baseline of any bytes is read or refused.
"""

from __future__ import annotations

from typing import Final
from unittest.mock import patch

from fuzz.choices import Choices
from fuzz.properties.session import World
from fuzz.properties.shown import audits_soundly, reads_baseline_or_refuses, reports_soundly
from refseal.audit.findings import Confidence, Finding, Persona, Severity
from refseal.audit.quoting import excerpt_of, quoted
from refseal.audit.reports import sarif
from refseal.audit.results import Reference, Repository, Results, Scope
from refseal.audit.rules import RULES
from refseal.resolve.reasons import REASONS

PIECES: Final = (
    "a", "/", "docs/", "AGENTS.md", "%0A", "%", "\n", "\r", "::error::x", "::", "##", "[error]", ",", ":",
    '"', "'", "<", ">", "&", "`", "</script>", "<img src=x onerror=x>", "<!--", "](", "[x](https://e.example)",
    "\x1b[2J", "\u202e", "\U000e0041", "\u200b", "\udcff", "\ud800", "\u2028", "\\", "\\u{0}", "..", "~",
    "#", "?", "é", "\x00", "\x7f", "\x85", "&lt;", "\u2026", "x" * 130,
)  # fmt: skip
VERDICTS: Final = ("included", "skipped", "blocked", "inert")
FEW: Final = 4
STATUSES: Final = ("none", "linked", "submodule", "unverified", "unsafe-root")


def check(data: bytes) -> None:
    """Audit one project, show one set of results, or read one baseline."""
    choices = Choices(data)
    mode = choices.below(4)
    if mode == 3:
        reads_baseline_or_refuses(choices.rest())
    elif mode == 2:
        with World() as world:
            world.attack(choices)
            audits_soundly(world)
    else:
        # A log describes every rule, always in the same words: describing a few leaves time for the rest.
        with patch.object(sarif, "RULES", RULES[:FEW]):
            reports_soundly(_results(choices))


def _results(choices: Choices) -> Results:
    scopes = [
        Scope(
            _name(choices), _name(choices), choices.pick(STATUSES), None, choices.pick((None, _name(choices)))
        )
        for _ in range(choices.below(3))
    ]
    references = [_reference(choices) for _ in range(choices.below(4))]
    findings = [_finding(choices) for _ in range(choices.below(4))]
    return Results([Repository("/r/" + _name(choices), scopes, references, findings, files=choices.below(3))])


def _text(choices: Choices) -> str:
    if choices.chance(16):
        return choices.take(choices.below(24)).decode("utf-8", "surrogateescape")
    return "".join(choices.pick(PIECES) for _ in range(choices.below(8)))


def _name(choices: Choices) -> str:
    """A path as a disk may hold one: no NUL, no surrogate but those that stand for bytes, no slash first."""
    return _text(choices).replace("\0", "").replace("\ud800", "").lstrip("/") or "a"


def _reference(choices: Choices) -> Reference:
    return Reference(
        _name(choices),
        1 + choices.below(9),
        1 + choices.below(9),
        _text(choices),
        _name(choices) if choices.chance(2) else None,
        choices.pick(VERDICTS),
        choices.pick(tuple(REASONS)),
        choices.below(6),
        tuple(_name(choices) for _ in range(choices.below(3))),
        [0],
    )


def _finding(choices: Choices) -> Finding:
    has_place = choices.chance(2)
    line, column = 1 + choices.below(99), 1 + choices.below(300)
    text = _text(choices) if choices.chance(2) else None
    return Finding(
        choices.pick(RULES[:FEW]),
        choices.pick(tuple(Severity)),
        choices.pick(tuple(Confidence)),
        choices.pick(tuple(Persona)),
        _name(choices) if choices.chance(2) else None,
        line if has_place else None,
        column if has_place else None,
        f"names {quoted(_text(choices))} here",  # `Hit.message`: what a repository supplied is quoted in it
        choices.pick("0123456789abcdef") * 32,
        None if text is None else excerpt_of(text, 1 + column % (len(text) + 1)),
        _text(choices) if choices.chance(3) else None,
    )
