"""Text to a terminal, a pipe or a file: coloured, plain or whole."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.text import Text

Line: TypeAlias = "list[tuple[str, str]]"
"""Pieces of one line: the text, and the name of its style."""

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


def wants_colour() -> bool:
    """Whether standard output is a terminal whose user has not said no (https://no-color.org)."""
    return is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def is_terminal() -> bool:
    """Whether a person reads standard output, which then has a width."""
    return sys.stdout is not None and sys.stdout.isatty()


def print_lines(lines: Iterable[Line]) -> None:
    """Print lines of styled pieces: plain and never broken in a pipe, wrapped and coloured on a terminal.

    A line that is wider than the terminal goes on below the start of its last piece, in whole words where
    that is possible: nothing is cut off.
    """
    if not is_terminal():
        print_text("".join("".join(text for text, _ in line) + "\n" for line in lines))
        return
    import io  # noqa: PLC0415 - only for a terminal
    import shutil  # noqa: PLC0415

    from rich.console import Console  # noqa: PLC0415

    buffer = io.StringIO()
    width = shutil.get_terminal_size().columns
    console = Console(
        file=buffer,
        width=width,
        force_terminal=wants_colour(),
        highlight=False,
        markup=False,
        emoji=False,
    )
    for line in lines:
        for row in _rows(line, width):
            console.print(row, soft_wrap=True)
    print_text(buffer.getvalue())


def _rows(line: Line, width: int) -> Iterator[Text]:
    """Break a line where its last piece has to go on below itself."""
    from rich.console import Console  # noqa: PLC0415 - only for a terminal
    from rich.text import Text  # noqa: PLC0415

    styled = [Text(text, STYLES[style]) for text, style in line]
    whole = Text().join(styled)
    if whole.cell_len <= width or not styled:
        yield whole
        return
    head = Text().join(styled[:-1])
    last = styled[-1]
    lead = len(last.plain) - len(last.plain.lstrip(" "))
    indent = head.cell_len + lead
    if indent > width // 2:
        # No room for a column: the whole line is wrapped, and goes on a little further in.
        head, last, indent = Text(""), whole, min(4, width // 4)
        lead = 0
    rows = last[lead:].wrap(Console(width=width), max(1, width - indent))
    for number, row in enumerate(rows):
        row.rstrip()
        before = Text().join([head, Text(" " * lead)]) if number == 0 else Text(" " * indent)
        yield Text().join([before, row])


def print_text(text: str) -> None:
    """Print text, with escapes for what the output's encoding lacks.  A reader may go away early.

    Raises `Unwritable` if it cannot be written for another reason.
    """
    if sys.stdout is None:
        raise Unwritable("standard output is closed")
    try:
        sys.stdout.buffer.write(text.encode(sys.stdout.encoding or "utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # `| head` has seen enough. Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise Unwritable(f"standard output: {error.strerror}") from error


def refuse_planted(path: str, trees: Iterable[str]) -> None:
    """Raise `Unwritable` if a name beneath one of ``trees`` leads elsewhere, or to what is no regular file.

    A report or baseline often gets a name that everybody knows, in the very tree that is audited.  Whoever
    wrote that tree may have put a link to `~/.profile` there, or to a hook of git's, or a pipe that nobody
    reads.
    """
    from refseal.resolve.territory import is_beneath  # noqa: PLC0415 - only where a file is written

    tops = [os.path.realpath(tree) for tree in trees]
    directory, name = os.path.split(path)
    real = "/"
    steps = os.path.join(os.getcwd(), directory).split("/")[::-1]
    links = 0
    while steps:  # as the kernel goes, for a `..` behind a link leads elsewhere than it is spelled
        step = steps.pop()
        if step in ("", ".", ".."):
            real = os.path.dirname(real) if step == ".." else real
            continue
        entry = os.path.join(real, step)
        try:
            target = os.readlink(entry)
        except OSError:
            real = entry
            continue
        links += 1
        if links > MAX_LINKS:
            raise Unwritable(f"{path_for_people(path)}: more than {MAX_LINKS} links on the way")
        if any(is_beneath(real, top) for top in tops):
            raise Unwritable(
                f"{path_for_people(path)}: a link in the audited tree; nothing is written through one"
            )
        real = "/" if target.startswith("/") else real
        steps += target.split("/")[::-1]
    if any(is_beneath(real, top) for top in tops):
        try:
            mode = os.lstat(os.path.join(real, name)).st_mode
        except OSError:
            return
        if not stat.S_ISREG(mode):
            raise Unwritable(f"{path_for_people(path)}: not a regular file, in the audited tree; remove it")


STANDARD_OUTPUT = frozenset({"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})
"""Names by which a file that the shell has opened would be replaced."""

MAX_LINKS = 40
"""Links on the way to one file: the kernel's own bound on Linux."""


def path_for_people(path: str) -> str:
    """Return a path, whoever named it, as a message may show it: on one line, without what acts or hides."""
    from refseal.audit.quoting import for_people, path_shown  # noqa: PLC0415 - only to complain

    return for_people(path_shown(path))


def write_whole(path: str, text: str) -> None:
    """Write a file whole or not at all, and for its owner's eyes alone.

    A file that is already there is replaced, and stays readable for whom it was; a device or pipe is written
    to, and a link is followed: see `refuse_planted` for names in a tree that somebody else has written.
    """
    if not path:
        raise Unwritable("an empty name is no file's")
    if os.path.abspath(path) in STANDARD_OUTPUT:
        print_text(text)  # what it was opened for, `>> log` for one, holds
        return
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
            mode = stat.S_IMODE(status.st_mode) & 0o755  # no more than reading for others, and no set-uid bit
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
        raise Unwritable(f"{path_for_people(path)}: {error.strerror}") from error


def complain(command: str, message: str) -> None:
    """Say on standard error what is wrong or worth knowing: which command says it, then one sentence."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError):  # a full disk; the exit status tells as well
        sys.stderr.write(f"refseal {command}: {message}\n")
        sys.stderr.flush()
