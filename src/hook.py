"""The hook as Codex starts it: from /, with ``python3 -I -S``.  Every Python 3 can parse this file.

It hands over to `refseal.codex.hook`.  What it does before that is about byte-code.

Codex's trust in a plugin covers every file of its folder but ``*.pyc`` and ``__pycache__``: byte-code found
there is nobody's, and must never run.  Python looks for it in more places than one: ``__pycache__``, beside
the source, in place of a missing source (a planted ``os.pyc``), in a directory of the module's name.  So this
folder is never on Python's path at all.  `Sources` (sources.py) finds the modules of the package ``refseal``
and no others, by their source and by nothing else, and `sys.pycache_prefix` keeps all the rest out too.

Without byte-code a start takes several times as long.  So it is kept in the folder that Codex gives the
plugin for its data, if that is a directory of the user's that nobody else can write to (checked each time):
that of the package in one file, by `Sources`, that of sources.py and of the standard library by Python's own
rules.  It is used for exactly the source that it was made of (path, time and size).  Where no such folder can
be had, nothing is kept.
"""

import sys

try:
    import posix as os  # `os` itself takes a sixth of an interpreter's start to import: see refseal/system.py
except ImportError:  # Windows
    sys.stdout.write('{"systemMessage": "refseal: this platform is not supported; nothing was added"}\n')
    sys.exit()

TYPE_CHECKING = False
if TYPE_CHECKING:
    import typing

NEEDED = (3, 11)
NOWHERE = "/dev/null/refseal"  # beneath a file: nothing can be there


def main() -> None:
    """Answer one event of Codex."""
    here = __file__.rpartition("/")[0]
    if sys.version_info < NEEDED:
        start_newer_python(here)
        return
    import gc

    gc.disable()  # a short life, and its memory is bounded by what is read
    folder = private_folder(os.environ.get(b"PLUGIN_DATA", b""))
    sys.pycache_prefix = folder or NOWHERE
    sys.dont_write_bytecode = folder is None
    os.umask(0o077)  # what is kept there is the user's alone
    from _frozen_importlib_external import SourceFileLoader  # importlib.machinery's, without its imports

    names: "dict[str, typing.Any]" = {"__name__": "sources"}
    code: "typing.Any" = SourceFileLoader("sources", here + "/sources.py").get_code("sources")
    exec(code, names)  # noqa: S102 - a file of the plugin
    sources = names["Sources"](here, folder)
    sys.meta_path.insert(0, sources)
    try:
        from refseal.codex.hook import main as answer

        answer()
        sources.keep()
    finally:
        # Not sys.exit: a thread may hang in the kernel, and taking the interpreter down costs a millisecond.
        os._exit(0)  # noqa: SLF001 - its public name


def start_newer_python(here: str) -> None:
    """Use old_python.py: a file of its own, like sources.py, because this one is compiled at each start."""
    with open(here + "/old_python.py") as file:
        code = compile(file.read(), here + "/old_python.py", "exec")
    names: "dict[str, typing.Any]" = {"__name__": "old_python"}
    exec(code, names)  # noqa: S102 - a file of the plugin
    names["run_newer_or_tell"](here + "/hook.py", NEEDED)


def private_folder(data: bytes) -> "str | None":
    """Return a folder beneath ``data`` that only this user can write to, made if need be, or None."""
    folder = data + b"/bytecode"
    try:
        # An absolute path in its plainest form: what is judged here and what is opened later are one.
        if not data.startswith(b"/") or not {b"", b".", b".."}.isdisjoint(data.split(b"/")[1:]):
            return None
        for path in (data, folder):
            try:
                status = os.lstat(path)
            except FileNotFoundError:
                make_folder(path)
                status = os.lstat(path)
            # 0o040000: a directory and no link.  0o022: nobody else may put anything into it.
            if status.st_mode & 0o170000 != 0o040000 or status.st_mode & 0o022:
                return None
            if status.st_uid != os.geteuid():
                return None
        return folder.decode()
    except (OSError, ValueError):
        return None


def make_folder(path: bytes) -> None:
    """Make a folder for the user alone, and those above it that are missing."""
    missing = [path]
    while missing:
        try:
            os.mkdir(missing[-1], 0o700)
            missing.pop()
        except FileNotFoundError:
            missing.append(missing[-1].rpartition(b"/")[0])


if __name__ == "__main__":
    main()
