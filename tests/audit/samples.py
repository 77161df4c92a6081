"""Results made by hand, ordinary and hostile, for the tests of the reports."""

from __future__ import annotations

from refseal.audit.findings import Finding, Persona
from refseal.audit.quoting import excerpt_of
from refseal.audit.results import Reference, Repository, Results, Scope
from refseal.audit.rules import BY_CODE

HOSTILE = (
    "\x1b[2J\u202e%0A\n::error::pwned,\r</script><img src=x onerror=alert(1)>\"'`"
    "\U000e0041\udcff\\u{0}\u2028[x](https://e.example)"
)


def finding(
    code: str = "RS101",
    *,
    path: str | None = "AGENTS.md",
    line: int | None = 3,
    column: int | None = 5,
    message: str = "a message",
    fingerprint: str = "0" * 32,
    excerpt: str | None = "See @docs/a.md",
    suppressed: str | None = None,
) -> Finding:
    rule = BY_CODE[code]
    return Finding(
        rule,
        rule.severity,
        rule.confidence,
        Persona.REGULAR,
        path,
        line,
        column,
        message,
        fingerprint,
        None if excerpt is None else excerpt_of(excerpt, column or 1),
        suppressed,
    )


def reference(
    target: str = "docs/a.md",
    *,
    source: str = "AGENTS.md",
    resolved: str | None = "docs/a.md",
    verdict: str = "included",
    reason: str | None = None,
    depth: int = 1,
) -> Reference:
    return Reference(source, 3, 5, target, resolved, verdict, reason or verdict, depth, (source,), [0])


def results(*findings: Finding, references: tuple[Reference, ...] = (), root: str = "/r/x") -> Results:
    scope = Scope(".", ".", "linked", None, "/r/main")
    return Results([Repository(root, [scope], list(references), list(findings), files=1)])


def hostile_results() -> Results:
    """Results in which every string that a repository supplies is as hostile as it can be."""
    return results(
        finding(path=HOSTILE, excerpt=HOSTILE, column=7),
        finding("RS401", path=HOSTILE, excerpt=HOSTILE * 40, column=900, suppressed=HOSTILE),
        references=(
            reference(HOSTILE, source=HOSTILE, resolved=HOSTILE),
            reference(HOSTILE, source=HOSTILE, resolved=None, verdict="blocked", reason="outside-root"),
        ),
        root="/r/" + HOSTILE,
    )
