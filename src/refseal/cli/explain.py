"""`refseal explain`: what a rule or a reason code means."""

from __future__ import annotations

import click

from refseal.audit.rules import RULES
from refseal.resolve.reasons import REASONS


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("code", required=False)
@click.pass_context
def explain(context: click.Context, code: str | None) -> None:
    """Say what CODE means: a rule (RS101, symlink-escape) or the reason of a verdict (missing, native).

    Without CODE, list all of them.
    """
    if code is None:
        for rule in RULES:
            click.echo(f"{rule.code} {rule.name:<22} {rule.severity.word:<7} {rule.summary}")
        for reason, (verdict, described) in REASONS.items():
            click.echo(f"{reason:<28} {verdict:<9} {described}")
        return
    wanted = code.strip().lower()
    found = False
    for rule in RULES:
        if wanted in {rule.code.lower(), rule.name}:
            found = True
            click.echo(f"{rule.code} {rule.name}: a rule of refseal audit")
            click.echo(f"  {rule.summary}")
            click.echo(f"  severity {rule.severity.word}, confidence {rule.confidence.word}")
            click.echo(f"  What to do: {rule.advice}")
            click.echo(f"  More: docs/rules.md, {rule.code}")
    if wanted in REASONS:
        found = True
        verdict, described = REASONS[wanted]
        kind = "status of a worktree" if verdict == "worktree" else f"reason of the verdict {verdict}"
        click.echo(f"{wanted}: {kind}")
        click.echo(f"  {described}")
    if not found:
        click.echo("refseal explain: no such rule or reason; `refseal explain` lists all of them", err=True)
        context.exit(2)
