"""`refseal completion`: the script by which a shell completes refseal's commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from refseal.cli.manual import Manual
from refseal.cli.output import print_text

SHELLS = ("bash", "zsh", "fish")


@click.command(
    cls=Manual,
    exit_status={0: "The script was printed.", 2: "There is no such shell."},
    examples={
        'eval "$(refseal completion bash)"': "In ~/.bashrc.",
        'eval "$(refseal completion zsh)"': "In ~/.zshrc, below compinit.",
        "refseal completion fish | source": "In ~/.config/fish/config.fish.",
    },
)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script with which SHELL completes refseal's commands, options and their values.

    Let your shell's startup file evaluate it, as in the examples, and start a new shell.
    """
    from refseal.cli.commands import commands  # noqa: PLC0415 - it imports this module by name

    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 - click has all three
    script = kind(commands, {}, "refseal", "_REFSEAL_COMPLETE")
    # Not `source()`: that starts whichever bash is on PATH, to ask for its version.
    print_text(script.source_template % script.source_vars() + "\n")
