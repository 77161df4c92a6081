"""What hook.py does when Codex found a Python that is too old: become a newer one, or say what is missing.

Every Python 3 can parse this file.
"""

import os
import subprocess
import sys

NEWEST = 14
AGAIN = "--started-again"
PATIENCE = 2  # seconds for a program to say its version


def run_newer_or_tell(hook: str, needed: "tuple[int, int]") -> None:
    """Run the file ``hook`` in a Python that is new enough, or tell the user that there is none."""
    if AGAIN not in sys.argv:
        start_newer_python(hook, needed)
    say_too_old(needed)


def start_newer_python(hook: str, needed: "tuple[int, int]") -> None:
    """Become the newest Python of the right kind on PATH; return if there is none.

    Relative entries (the empty one too) are passed over: they would name a program of whoever wrote the
    directory that we happen to be in.  Each candidate is tried before: the shims of version managers have all
    the names, and work for few.
    """
    for minor in range(NEWEST, needed[1] - 1, -1):
        for folder in os.environ.get("PATH", "").split(":"):
            program = folder + "/python3." + str(minor)
            if folder.startswith("/") and os.path.isfile(program) and works(program, needed):
                os.execv(program, [program, "-I", "-S", hook, AGAIN])  # noqa: S606 - no shell is meant


def works(program: str, needed: "tuple[int, int]") -> bool:
    """Tell whether a program runs Python, and one that is new enough."""
    test = "import sys; sys.exit(sys.version_info < %r)" % (needed,)
    nothing = subprocess.DEVNULL
    try:
        status = subprocess.call(  # noqa: S603 - what we found on PATH
            [program, "-I", "-S", "-c", test], stdin=nothing, stdout=nothing, stderr=nothing, timeout=PATIENCE
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return status == 0


def say_too_old(needed: "tuple[int, int]") -> None:
    """Tell the user, in the one form that Codex accepts, and end well."""
    found = ".".join(str(number) for number in sys.version_info[:3])
    sys.stdout.write(
        '{"systemMessage": "refseal needs Python %d.%d or newer on PATH, but found only Python ' % needed
        + found
        + '. No instruction file was added to this session."}\n'
    )
