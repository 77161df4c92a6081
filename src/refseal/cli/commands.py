"""The commands by name; each module is imported when its command runs."""

from __future__ import annotations

from importlib import import_module

import click

from refseal import __version__
from refseal.cli.manual import HELP

_SUMMARIES = {
    "audit": "Report what is dangerous or broken in the instruction files of repositories.",
    "show": "Print what a session in a directory would get, and why.",
    "explain": "Say what a rule or reason code means.",
    "doctor": "Say whether the Codex hook works, and what to do if not.",
    "init": "Make an overlay here that git ignores.",
    "completion": "Print the script for completion in a shell.",
    "hook": "Answer one Codex hook call on standard input.",
}
"""Command names and the line `refseal --help` shows, so that help imports no command."""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _SUMMARIES:
            return None
        command = getattr(import_module(f"refseal.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)  # noqa: S101 - each module holds the command of its name
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(_SUMMARIES.items()))
        formatter.write_paragraph()
        formatter.write_text(
            "`refseal COMMAND --help` tells more: options, exit status, environment, examples."
        )


@click.command(cls=_Commands, context_settings=HELP)
@click.version_option(__version__, "-V", "--version", prog_name="refseal")
def commands() -> None:
    """Sandboxed resolver for the instruction files of coding agents (AGENTS.md and its family).

    As a Codex plugin it adds AGENTS.local.md overlays, @path references and the main checkout's files in a
    linked worktree.  As a command it tells what a session gets and why, and what is dangerous in it.
    """
