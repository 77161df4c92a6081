"""Writes commands.md from the help of the commands themselves: `just commands`."""

from __future__ import annotations

import os

from refseal.cli.commands import commands

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "commands.md")
WIDTH = 80  # columns, as a terminal has by default

HEAD = """# Commands

Written by `just commands` from what `--help` prints; change it there, not here.
"""


def page() -> str:
    """Return the page: the help of `refseal`, then of each command."""
    # Made as a call makes it: with the spellings of --help that a command takes from its first context.
    parent = commands.make_context(
        "refseal", [], resilient_parsing=True, terminal_width=WIDTH, max_content_width=WIDTH
    )
    parts = [HEAD, f"```text\n{commands.get_help(parent)}\n```\n"]
    for name in commands.list_commands(parent):
        command = commands.get_command(parent, name)
        assert command is not None  # noqa: S101 - the group lists it
        context = command.make_context(
            name, [], parent, resilient_parsing=True, terminal_width=WIDTH, max_content_width=WIDTH
        )
        parts.append(f"## refseal {name}\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    with open(PAGE, "w", encoding="utf-8") as out:
        out.write(page())
