"""The command line: thin.  `main` is the console script."""

from __future__ import annotations


def main() -> None:
    """Run the command that ``sys.argv`` names and exit with its status."""
    from refseal.cli.commands import commands  # noqa: PLC0415 - so that `import refseal.cli` needs no click

    commands(prog_name="refseal")
