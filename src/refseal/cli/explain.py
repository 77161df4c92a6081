"""`refseal explain`: what a rule or a reason code means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from refseal.audit.quoting import for_people, quoted
from refseal.audit.rules import RULES
from refseal.cli import COULD_NOT_RUN
from refseal.cli.manual import NO_COLOR, Manual
from refseal.cli.output import complain, print_lines
from refseal.resolve.reasons import REASONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.findings import Rule
    from refseal.cli.output import Line


@click.command(
    cls=Manual,
    exit_status={0: "Explained.", 2: "There is no such code (or another usage error)."},
    environment=NO_COLOR,
    examples={
        "refseal explain symlink-escape": "A reason that a report gives, or a rule by its name.",
        "refseal explain RS101": "A rule by its code.",
        "refseal explain": "All of them.",
    },
)
@click.argument("code", required=False)
@click.pass_context
def explain(context: click.Context, code: str | None) -> None:
    """Say what CODE means: a rule (RS101, symlink-escape) or the reason of a verdict (missing, native).

    Without CODE, list all of them.
    """
    if code is None:
        print_lines(_everything())
        return
    wanted = code.strip().lower()
    found = [line for rule in RULES if wanted in {rule.code.lower(), rule.name} for line in _of_rule(rule)]
    if wanted in REASONS:
        found += _of_reason(wanted)
    if not found:
        what = for_people(quoted(code))
        complain("explain", f"{what} is neither a rule nor a reason; `refseal explain` lists all of them")
        context.exit(COULD_NOT_RUN)
    print_lines(found)


def _everything() -> Iterator[Line]:
    for rule in RULES:
        yield [
            (f"{rule.code} {rule.name:<22} ", "path"),
            (f"{rule.severity.word:<7} ", rule.severity.word),
            (rule.summary, "plain"),
        ]
    for reason, (verdict, described) in REASONS.items():
        yield [(f"{reason:<28} ", "path"), (f"{verdict:<9} ", "dim"), (described, "plain")]


def _of_rule(rule: Rule) -> Iterator[Line]:
    yield [(f"{rule.code} {rule.name}", "path"), (": a rule of refseal audit", "plain")]
    yield [("  ", "plain"), (rule.summary, "plain")]
    yield [("  ", "plain"), (f"severity {rule.severity.word}, confidence {rule.confidence.word}", "plain")]
    yield [("  What to do: ", "dim"), (rule.advice, "plain")]
    yield [("  More: ", "dim"), (f"docs/rules.md, {rule.code}", "plain")]


def _of_reason(reason: str) -> Iterator[Line]:
    verdict, described = REASONS[reason]
    kind = "status of a worktree" if verdict == "worktree" else f"reason of the verdict {verdict}"
    yield [(reason, "path"), (f": {kind}", "plain")]
    yield [("  ", "plain"), (described, "plain")]
