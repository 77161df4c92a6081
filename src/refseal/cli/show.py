"""`refseal show`: what the hook would inject into a session that starts in a directory."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from refseal.audit.quoting import for_people
from refseal.cli import COULD_NOT_RUN
from refseal.cli.manual import NO_COLOR, SETTINGS, Manual
from refseal.cli.output import complain, print_lines, print_text
from refseal.cli.tree import tokens_of, tree_of
from refseal.codex.host_limit import host_limit
from refseal.codex.session import session_in
from refseal.seal import escape, is_withdrawal

if TYPE_CHECKING:
    from refseal.codex.session import Session

SCHEMA = "refseal.show/1"
"""Version of the JSON: fields may be added to it, never renamed, removed or changed in meaning."""

_FILE = click.Path(exists=True, dir_okay=False)


@click.command(
    cls=Manual,
    exit_status={
        0: "Printed; also if there is nothing to inject. With --diff: both are the same.",
        1: "With --diff: they differ.",
        2: "Could not run (usage, PATH is not a directory, a block of another version in --diff).",
    },
    environment={**SETTINGS, **NO_COLOR},
    examples={
        "refseal show": "The block, byte for byte, that a session here would get.",
        "refseal show --format tree sub/package": "Who pulls in what, and why something was not included.",
        "refseal show --diff ~/.codex/sessions/2026/01/31/rollout-ID.jsonl": (
            "What has changed since that session was told."
        ),
    },
)
@click.argument("path", default=".", metavar="[PATH]", type=click.Path(exists=True, file_okay=False))
@click.option(
    "--format",
    "-f",
    "form",
    type=click.Choice(["block", "tree", "json"]),
    help="The block itself, byte for byte (the default); who pulls in what; or everything, for programs.",
)
@click.option(
    "--transcript",
    metavar="FILE",
    type=_FILE,
    help="A session's transcript: print what that session would get.",
)
@click.option(
    "--diff",
    metavar="FILE",
    type=_FILE,
    help="A session's transcript: print how its last block differs from what the session would get now.",
)
@click.pass_context
def show(
    context: click.Context, path: str, form: str | None, transcript: str | None, diff: str | None
) -> None:
    """Print what a Codex session that starts in PATH (default: here) would get from the hook.

    Resolves as the hook does, with the same settings: the environment, and refseal.toml and config.toml in
    Codex home.  With nothing to inject, a block has nothing on standard output, and a line on standard
    error says so.

    A transcript is one of the files below sessions/ in Codex home.  It says what Codex has loaded itself, and
    what it was told before.  --diff goes with --format json, or with none.
    """
    if diff is not None and (form not in (None, "json") or transcript is not None):
        raise click.UsageError("--diff goes with --format json alone: it names its transcript itself")
    directory, told = os.path.abspath(path), diff or transcript
    session = session_in(directory, os.environ, transcript=None if told is None else os.path.abspath(told))
    try:
        for message in session.messages:
            complain("show", for_people(escape(message, 1_000)))
        if diff is not None:
            context.exit(_print_difference(session, is_json=form == "json"))
        _print(directory, session, form or "block")
    finally:
        session.close()


def _print(directory: str, session: Session, form: str) -> None:
    if form == "json":
        print_text(json.dumps(_as_json(directory, session), indent=2) + "\n")
        return
    if session.block is None:
        shown = for_people(escape(directory, 4_096))
        complain(
            "show", f"there is nothing to inject in {shown} (`refseal init` makes an overlay to begin with)"
        )
    if form == "tree":
        print_lines(tree_of(directory, session, _limit(session)))
    elif session.block is not None:
        # Byte for byte; a line end is added for people alone.
        print_text(session.block + ("\n" if sys.stdout.isatty() else ""))


def _print_difference(session: Session, *, is_json: bool) -> int:
    """Print it; return the exit status, as diff(1) has it."""
    from refseal.cli.difference import as_json, compare, lines_of  # noqa: PLC0415 - for --diff alone
    from refseal.seal.parse import ParseError  # noqa: PLC0415

    before = None if session.history is None else session.history.block
    if before is not None and is_withdrawal(before):
        before = None
    try:
        difference = compare(before, session.block)
    except ParseError as error:
        complain("show", f"the transcript's last block is of another version of refseal, or forged: {error}")
        return COULD_NOT_RUN
    if is_json:
        print_text(json.dumps(as_json(difference, before, session.block), indent=2) + "\n")
    else:
        print_lines(lines_of(difference, before, session.block))
    return 0 if difference.is_none else 1


def _limit(session: Session) -> int:
    version = None if session.history is None else session.history.version
    return host_limit(version, session.settings.host_limit)


def _as_json(directory: str, session: Session) -> dict[str, Any]:
    resolution, block = session.resolution, session.block
    answer: dict[str, Any] = {
        "schema": SCHEMA,
        "cwd": escape(directory, 4_096),
        "limit": _limit(session),
        "tokens": 0 if block is None else tokens_of(block),
        "block": block,
        "native": [],
        "documents": [],
        "references": [],
        "left_out": [],
        "messages": [escape(message, 1_000) for message in session.messages],
    }
    if resolution is None:
        return answer
    if session.view is not None:
        answer["native"] = [escape(entry.instruction.path, 4_096) for entry in session.view.loaded]
    cut = set() if resolution.block is None else {document.path for document in resolution.block.cut}
    answer["documents"] = [
        {
            "path": escape(source.path, 4_096),
            "section": "inherited" if source.section == "native" else source.section,
            "depth": source.depth,
            "tokens": tokens_of(source.text),
            "whole": source.path not in cut,
            "chain": [escape(step, 4_096) for step in source.chain[:-1]],
        }
        for source in resolution.documents
    ]
    answer["references"] = [
        {
            "source": escape(resolved.source.path, 4_096),
            "line": resolved.reference.line,
            "column": resolved.reference.column,
            "target": escape(resolved.reference.path, 4_096),
            "resolved": None if resolved.resolved is None else escape(resolved.resolved, 4_096),
            "verdict": resolved.verdict,
            "reason": resolved.reason,
            "depth": resolved.depth,
        }
        for resolved in resolution.references
    ]
    answer["left_out"] = [
        {
            "target": escape(left_out.target, 4_096),
            "source": None if left_out.source is None else escape(left_out.source, 4_096),
            "reason": left_out.reason,
        }
        for left_out in resolution.left_out
    ]
    return answer
