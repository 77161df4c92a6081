"""`refseal explain`: what a rule or a reason code means."""

from __future__ import annotations

import difflib
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
        "refseal explain blocked": "A verdict, with all of its reasons.",
        "refseal explain": "All of them.",
    },
)
@click.argument("code", required=False)
@click.pass_context
def explain(context: click.Context, code: str | None) -> None:
    """Say what CODE means: a rule (RS101, symlink-escape), a verdict (blocked) or a reason of one (missing).

    Without CODE, list all rules and reasons.
    """
    if code is None:
        print_lines(_everything())
        return
    wanted = code.strip().lower()
    found = [line for rule in RULES if wanted in {rule.code.lower(), rule.name} for line in _of_rule(rule)]
    if wanted in REASONS:
        found += _of_reason(wanted)
    found += _of_verdict(wanted)
    if not found:
        what = for_people(quoted(code))
        near = difflib.get_close_matches(wanted[:MAX_CODE], _names(), 1)
        way_out = f"did you mean {near[0]}?" if near else "`refseal explain` lists all of them"
        complain("explain", f"{what} is neither a rule nor a reason; {way_out}")
        context.exit(COULD_NOT_RUN)
    print_lines(found)


MAX_CODE = 100
"""Characters that are compared with every code: none is as long."""

_VERDICTS = {
    "skipped": "Left out without a refusal: a budget is used up, or there is nothing to take in.",
    "blocked": "Refused: policy does not let this document read that.",
    "inert": "No reference: it stands in code or in a comment, and is text.",
}
"""What each verdict means that has more than one reason."""


def _names() -> list[str]:
    """Return what a mistyped word may have meant; of a mistyped number there is no telling.

    (`RS201` is as near to `RS101` as to `RS210`.)
    """
    return [*(rule.name for rule in RULES), *REASONS, *_VERDICTS]


def _of_verdict(verdict: str) -> Iterator[Line]:
    if verdict not in _VERDICTS:
        return
    yield [(verdict, "path"), (": a verdict", "plain")]
    yield [("  ", "plain"), (_VERDICTS[verdict], "plain")]
    for reason, (of, described) in REASONS.items():
        if of == verdict:
            yield [(f"  {reason:<21} ", "path"), (described, "plain")]


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
