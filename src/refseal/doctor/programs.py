"""Programs of the user's, found as the hook finds them and started where nothing can mislead them.

Relative entries of PATH (the empty one too) are passed over, and a program starts in /: in the directory that
somebody examines, both would choose a program of whoever wrote that directory.
"""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PATIENCE = 10.0
"""Seconds for a program to say its version: a cold start of a large one on a loaded machine takes two."""


def find_program(name: str, environ: Mapping[str, str]) -> str | None:
    """Return the first executable file of that name in an absolute directory of PATH, or None."""
    for folder in environ.get("PATH", "").split(":"):
        program = f"{folder.rstrip('/')}/{name}"
        if folder.startswith("/") and os.path.isfile(program) and os.access(program, os.X_OK):
            return program
    return None


def output_of(command: Sequence[str], environ: Mapping[str, str]) -> str | None:
    """Return what a program prints, or None if it fails, hangs, or cannot be started."""
    try:
        done = subprocess.run(  # noqa: S603 - a program of the user's, from an absolute path
            command,
            cwd="/",
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
