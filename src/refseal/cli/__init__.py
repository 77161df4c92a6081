"""The command line: thin.

Each command is a module of its name, imported when it is called::

    commands     the commands by name; manual: help as a manual page has it
    show         what a session gets; tree: drawn; difference: from what a session was told
    audit        what is dangerous or broken in instruction files
    explain      what a code means
    doctor       why the hook has no effect
    init         an overlay that git ignores
    completion   the script for a shell
    hook         the help of `refseal hook`
    output       text to a terminal, a pipe or a file

`main` is the console script.  ``refseal hook`` answers before click is imported: the hook needs the
standard library alone, and runs at every session start.
"""

from __future__ import annotations

import os
import sys

COULD_NOT_RUN = 2
"""Exit status of every command for a usage error, and for what kept it from doing its work."""


def main() -> None:
    """Run the command that ``sys.argv`` names and exit with its status.

    Ctrl-C ends the process as the signal would, so that a shell's loop ends too.  A reader of standard output
    that goes away (`| head`) is no error.  A fault of ours is one line that says where, and status 2.
    """
    if sys.argv[1:] == ["hook"]:
        from refseal.codex.hook import main as hook  # noqa: PLC0415

        hook()
        os._exit(0)  # a thread of the hook's may hang in a system call
    try:
        status = _run()
    except KeyboardInterrupt:
        _die_interrupted()
        return
    sys.exit(status)


def _run() -> int:
    import click  # noqa: PLC0415 - see the module's text

    from refseal.cli.commands import commands  # noqa: PLC0415

    try:
        status = commands(prog_name="refseal", standalone_mode=False)
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except Exception as error:  # noqa: BLE001 - nobody shall have to read a traceback
        _say(_what_failed(error))
        return COULD_NOT_RUN
    return status if isinstance(status, int) else 0


def _what_failed(error: Exception) -> str:
    """Say what kept a command from its work, where nothing nearer has said it."""
    from refseal.cli.output import Unwritable  # noqa: PLC0415

    if isinstance(error, Unwritable):
        return str(error)
    try:
        os.getcwd()
    except OSError as gone:
        return f"the current directory: {gone.strerror}; change to one that is there"
    from refseal.codex.hook import place_of  # noqa: PLC0415

    return f"an internal error ({place_of(error)}); please report it"


def _say(what: str) -> None:
    try:
        sys.stderr.write(f"refseal: {what}\n")
        sys.stderr.flush()
    except (AttributeError, OSError):
        pass  # it is closed, or its disk is full


def _die_interrupted() -> None:
    import signal  # noqa: PLC0415

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)
