"""Text to a terminal, a pipe or a file: coloured, plain or whole."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from refseal.audit.reports.text import Line

STYLES = {
    "plain": "",
    "dim": "dim",
    "path": "bold",
    "high": "bold red",
    "medium": "yellow",
    "low": "cyan",
    "info": "dim",
    "included": "green",
    "skipped": "yellow",
    "blocked": "red",
    "inert": "dim",
    "suppressed": "dim",
}
"""What each style of a report looks like on a terminal."""


class Unwritable(Exception):  # noqa: N818 - says what somebody asked for that cannot be had
    """An input or output that a person named cannot be used; the message says why."""


def print_lines(lines: Iterable[Line]) -> None:
    """Print lines of styled pieces: with colours on a terminal, as plain text anywhere else."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        print_text("".join("".join(text for text, _ in line) + "\n" for line in lines))
        return
    from rich.console import Console  # noqa: PLC0415 - only for a terminal
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*((text, STYLES[style]) for text, style in line)), soft_wrap=True)


def print_text(text: str) -> None:
    """Print text, with escapes for what the output's encoding lacks.  A reader may go away early."""
    try:
        sys.stdout.buffer.write(text.encode(sys.stdout.encoding or "utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # `| head` has seen enough. Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_whole(path: str, text: str) -> None:
    """Write a file whole or not at all, and for its owner's eyes alone.

    A file that is already there is replaced and keeps its mode; a device or pipe is written to.
    """
    data = text.encode()
    try:
        mode = 0o600
        try:
            status = os.stat(path)
        except FileNotFoundError:
            pass
        else:
            if not stat.S_ISREG(status.st_mode):
                with open(path, "wb") as special:
                    special.write(data)
                return
            mode = stat.S_IMODE(status.st_mode)
        target = os.path.realpath(path)
        descriptor, scratch = tempfile.mkstemp(prefix=".refseal-", dir=os.path.dirname(target))
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                os.fchmod(file.fileno(), mode)
            os.replace(scratch, target)
        except BaseException:
            os.unlink(scratch)
            raise
    except OSError as error:
        from refseal.audit.shown import for_people, path_shown  # noqa: PLC0415 - only to complain

        raise Unwritable(f"{for_people(path_shown(path))}: {error.strerror}") from error
