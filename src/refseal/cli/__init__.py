"""The command line: thin.

`main` is the console script.  ``refseal hook`` answers before click is imported: the hook needs the
standard library alone, and runs at every session start.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command that ``sys.argv`` names and exit with its status."""
    if sys.argv[1:] == ["hook"]:
        from refseal.codex.hook import main as hook  # noqa: PLC0415

        hook()
        os._exit(0)  # a thread of the hook's may hang in a system call
    from refseal.cli.commands import commands  # noqa: PLC0415

    commands(prog_name="refseal")
