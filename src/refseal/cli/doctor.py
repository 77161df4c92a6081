"""`refseal doctor`: whether the hook works, and what to do if not."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import click

from refseal import __version__
from refseal.audit.quoting import for_people
from refseal.cli.manual import NO_COLOR, SETTINGS, Manual
from refseal.cli.output import print_lines, print_text
from refseal.seal import escape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.cli.output import Line
    from refseal.doctor import Finding, Surroundings

SCHEMA = "refseal.doctor/1"
"""Version of the JSON (docs/schema/doctor-1.json): fields may be added, never renamed, removed or changed."""

STYLES = {"ok": "included", "note": "skipped", "problem": "blocked"}


@click.command(
    cls=Manual,
    exit_status={
        0: "Nothing is wrong.",
        1: "Something does not work: at least one line says `problem`.",
        2: "Could not run (usage, PATH is not a directory).",
    },
    environment={**SETTINGS, "PATH": "Where codex and python3 are looked for.", **NO_COLOR},
    examples={
        "refseal doctor": "Why does my overlay have no effect here?",
        "refseal doctor ~/src/project --format json": "For a program, or for a report of a fault.",
    },
)
@click.argument("path", default=".", metavar="[PATH]", type=click.Path(exists=True, file_okay=False))
@click.option(
    "--format",
    "-f",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="For people, or for programs (docs/schema/doctor-1.json).",
)
@click.pass_context
def doctor(context: click.Context, path: str, form: str) -> None:
    """Say whether the Codex hook works for a session in PATH (default: here), and what to do if not.

    Checks Python, the Codex on PATH, whether the plugin is installed and enabled, whether Codex trusts its
    hook (it skips an untrusted or changed one without a word), other plugins that do the same job, mistyped
    variables, bad settings, extra roots, and what a session in PATH would get.

    Codex is asked itself: `codex --version`, and `codex app-server` for as long as it takes to list its
    hooks.  None of them is run, and nothing is changed
    but for what Codex itself writes into its home whenever it starts.
    """
    from refseal.doctor.diagnosis import diagnose  # noqa: PLC0415 - after --help
    from refseal.doctor.surroundings import survey  # noqa: PLC0415

    surroundings = survey(os.environ, os.path.abspath(path))
    try:
        findings = diagnose(surroundings)
    finally:
        surroundings.session.close()
    problems = sum(finding.status == "problem" for _, finding in findings)
    if form == "json":
        print_text(json.dumps(_as_json(surroundings, findings, problems), indent=2) + "\n")
    else:
        print_lines(_lines(findings, problems))
    context.exit(1 if problems else 0)


def _as_json(
    surroundings: Surroundings, findings: list[tuple[str, Finding]], problems: int
) -> dict[str, object]:
    client, home = surroundings.client, surroundings.codex_home
    version = None if client is None or client.version is None else escape(client.version)
    return {
        "schema": SCHEMA,
        "refseal": __version__,
        "directory": escape(surroundings.directory, 4_096),
        "codex_home": None if home is None else escape(home, 4_096),
        "codex": version,
        "limit": surroundings.limit,
        "problems": problems,
        "checks": [
            {"check": name, "status": found.status, "message": found.message, "advice": found.advice}
            for name, found in findings
        ],
    }


def _lines(findings: list[tuple[str, Finding]], problems: int) -> Iterator[Line]:
    for name, finding in findings:
        yield [
            (f"{finding.status:<9}", STYLES[finding.status]),
            (f"{name:<13}", "path"),
            (for_people(finding.message), "plain"),
        ]
        if finding.advice is not None:
            yield [(f"{'':<22}next: ", "dim"), (for_people(finding.advice), "plain")]
    yield []
    counted = "1 problem" if problems == 1 else f"{problems} problems"
    yield [(f"{counted}." if problems else "No problems.", "blocked" if problems else "included")]
