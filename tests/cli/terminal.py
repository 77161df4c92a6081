"""refseal as its own process: in a pipe, and on a terminal of a given width."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../src"))
COMMAND = (sys.executable, "-m", "refseal")

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


def environment(**changes: str) -> dict[str, str]:
    """Give what every run has, with changes."""
    return {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": SOURCE,
        "HOME": "/nonexistent",
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        **changes,
    }


def piped(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run it with its output in a pipe."""
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, env=environment(**changes), check=False
    )


def on_terminal(*arguments: str, columns: int = 80, **changes: str) -> str:
    """Run it on a terminal; give what the terminal got, with line feeds alone."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=follower, stderr=subprocess.DEVNULL, env=environment(**changes)
    ):
        os.close(follower)
        shown = b""
        while True:
            try:
                part = os.read(leader, 65_536)
            except OSError:  # how Linux says that nobody writes any more
                break
            if not part:
                break
            shown += part
    os.close(leader)
    return shown.decode().replace("\r\n", "\n")


def plain(text: str) -> str:
    """Take the colours out."""
    return _STYLE.sub("", text)


def words(text: str) -> str:
    """Leave what is printed, without any white space: what a line break may not lose."""
    return "".join(plain(text).split())
