"""The hook as Codex starts it: find a Python that is new enough, keep planted byte-code out, run refseal.

This file is written so that every Python 3 (and 2.7) can parse it.  It is started from / and with
``-I -S``: no variable, no site-packages and no file of the session's directory has a say in what is imported.

Byte-code.  Codex's trust in a plugin covers every file of its folder but ``*.pyc`` and ``__pycache__``, so
byte-code found there is nobody's and must never run.  Two things see to that, before the first import:

* ``sys.pycache_prefix`` moves the ``__pycache__`` of all modules into the folder that Codex gives the plugin
  for its data, if that folder and our own in it belong to the user and nobody else can write to them (Codex's
  sandbox keeps the model out of it too).  Byte-code is worth keeping: without it a start takes three times
  as long.  Where no such folder can be had, the prefix is a place below a file, where nothing can be.
* Modules of this folder are found by their source alone.  Otherwise a planted ``os.pyc``, or a directory
  ``refseal/codex/hook/`` with nothing but an ``__init__.pyc``, would be imported in place of the real one.
"""

import os
import sys

NEEDED = (3, 11)
NEWEST = 14
AGAIN = "--started-again"
NOWHERE = "/dev/null/refseal"


def main():
    """Run refseal in this Python if it is new enough, else in one that is, else say what is missing."""
    if sys.version_info < NEEDED:
        if AGAIN not in sys.argv:
            start_newer_python()
        say_too_old()
        return
    here = os.path.dirname(os.path.abspath(__file__))
    sys.pycache_prefix = private_folder(os.environ.get("PLUGIN_DATA", "")) or NOWHERE
    sys.dont_write_bytecode = sys.pycache_prefix == NOWHERE
    sys.path_hooks.insert(0, sources_only(here))
    sys.path.insert(0, here)
    from refseal.codex.hook import main as run

    run()


def start_newer_python():
    """Become the newest Python of the right kind on PATH; return if there is none.

    Relative entries (the empty one too) are passed over: they would name a program of whoever wrote the
    directory that we happen to be in.
    """
    for minor in range(NEWEST, NEEDED[1] - 1, -1):
        for folder in os.environ.get("PATH", "").split(":"):
            program = folder + "/python3." + str(minor)
            if folder.startswith("/") and os.access(program, os.X_OK) and os.path.isfile(program):
                try:
                    os.execv(program, [program, "-I", "-S", os.path.abspath(__file__), AGAIN])  # noqa: S606
                except OSError:
                    continue


def say_too_old():
    """Tell the user, in the one form that Codex accepts, and end well."""
    found = ".".join(str(number) for number in sys.version_info[:3])
    sys.stdout.write(
        '{"systemMessage": "refseal needs Python 3.11 or newer on PATH, but found only Python '
        + found
        + '. No instruction file was added to this session."}\n'
    )


def private_folder(data):
    """Return a folder in ``data`` that only this user can write to, made if need be, or None."""
    if not data.startswith("/"):
        return None
    folder = data + "/bytecode"
    try:
        make_folder(data)
        make_folder(folder)
        for path in (data, folder):
            status = os.lstat(path)
            # 0o040000: a directory and no link.  0o022: nobody else may put anything into it.
            if (
                status.st_mode & 0o170000 != 0o040000
                or status.st_uid != os.geteuid()
                or status.st_mode & 0o022
            ):
                return None
    except (OSError, ValueError):
        return None
    return folder


def make_folder(path):
    """Make a directory for this user alone, and those above it, where there is none."""
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        pass
    except FileNotFoundError:
        above = os.path.dirname(path)
        if above == path:
            raise
        make_folder(above)
        os.mkdir(path, 0o700)


def sources_only(here):
    """Return a path hook that finds nothing but ``*.py`` in ``here`` and beneath it."""
    import _frozen_importlib_external as machinery  # what importlib.machinery is made of, loaded already

    def find(path):
        if path != here and not path.startswith(here + "/"):
            raise ImportError(path)
        return machinery.FileFinder(path, (machinery.SourceFileLoader, [".py"]))

    return find


if __name__ == "__main__":
    main()
