"""The hook as Codex starts it: from /, with ``python3 -I -S``.  Every Python 3 can parse this file.

It hands over to `refseal.codex.hook`.  What it does before that is about byte-code.

Codex's trust in a plugin covers every file of its folder but ``*.pyc`` and ``__pycache__``: byte-code found
there is nobody's, and must never run.  Python looks for it in more places than one: ``__pycache__``, beside
the source, in place of a missing source (a planted ``os.pyc``), in a directory of the module's name.  So this
folder is never on Python's path at all.  `Sources` finds the modules of the package ``refseal`` and no
others, by their source and by nothing else, and `sys.pycache_prefix` keeps all the rest out too.

Without byte-code a start takes several times as long.  So `Sources` keeps that of all modules in one file, in
the folder that Codex gives the plugin for its data, if that is a directory of the user's that nobody else can
write to (checked each time).  What is in the file is used for exactly the source that it was made of (path,
time and size).  Where no such folder can be had, nothing is kept.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types
    import typing
    from importlib.machinery import ModuleSpec

NEEDED = (3, 11)
NOWHERE = "/dev/null/refseal"  # beneath a file: nothing can be there
SOURCE_LIMIT = 1 << 20


def main() -> None:
    """Answer one event of Codex."""
    here = os.path.dirname(os.path.abspath(__file__))
    if sys.version_info < NEEDED:
        start_newer_python(here)
        return
    import gc

    gc.disable()  # a short life, and its memory is bounded by what is read
    folder = private_folder(os.environ.get("PLUGIN_DATA", ""))
    sys.pycache_prefix = folder or NOWHERE
    sys.dont_write_bytecode = folder is None
    sources = Sources(here, folder)
    sys.meta_path.insert(0, sources)
    try:
        from refseal.codex.hook import main as answer

        answer()
        sources.keep()
    finally:
        # Not sys.exit: a thread may hang in the kernel, and taking the interpreter down costs a millisecond.
        os._exit(0)


def start_newer_python(here: str) -> None:
    """Use old_python.py: it is a file of its own because this one is compiled at each start."""
    with open(here + "/old_python.py") as file:
        code = compile(file.read(), here + "/old_python.py", "exec")
    names: "dict[str, typing.Any]" = {"__name__": "old_python"}
    exec(code, names)  # noqa: S102 - a file of the plugin
    names["run_newer_or_tell"](here + "/hook.py", NEEDED)


def private_folder(data: str) -> "str | None":
    """Return a folder beneath ``data`` that only this user can write to, made if need be, or None."""
    folder = data + "/bytecode"
    try:
        if not data.startswith("/") or os.path.normpath(data) != data:
            return None
        for path in (data, folder):
            try:
                status = os.lstat(path)
            except FileNotFoundError:
                os.makedirs(path, 0o700)
                status = os.lstat(path)
            # 0o040000: a directory and no link.  0o022: nobody else may put anything into it.
            if status.st_mode & 0o170000 != 0o040000 or status.st_mode & 0o022:
                return None
            if status.st_uid != os.geteuid():
                return None
    except (OSError, ValueError):
        return None
    return folder


class Sources:
    """Finds the modules of the package beside this file, and keeps their byte-code in one file.

    The file: four bytes that say how long its table is, the table (module's path -> time, size, offset and
    length of its code), and the codes.  A run that compiled anything writes it anew, whole, under another
    name, and renames it.
    """

    def __init__(self, here: str, folder: "str | None") -> None:
        """Look for modules in ``here``; keep their code in ``folder``, or not at all."""
        from marshal import loads

        self.here = here
        self.loads = loads
        # Code of one release of Python is no code of another, be it in the last digit.
        self.file = folder and "%s/refseal.%s-%x" % (folder, sys.implementation.name, sys.hexversion)
        self.table: "dict[str, tuple[int, int, int, int]]" = {}
        self.base = 0
        self.compiled: "dict[str, tuple[int, int, types.CodeType]]" = {}
        self.descriptor = -1
        if self.file is None:
            return
        try:
            self.descriptor = os.open(self.file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            size = int.from_bytes(os.read(self.descriptor, 4), "little")
            self.table = loads(os.read(self.descriptor, size))  # noqa: S302 - see `private_folder`
            self.base = 4 + size
        except (OSError, EOFError, ValueError, TypeError):
            pass  # none yet, or none that is whole

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> "ModuleSpec | None":
        """Return how to load one of our modules; None for all others."""
        if name != "refseal" and not name.startswith("refseal."):
            return None
        from _frozen_importlib import ModuleSpec  # what importlib.machinery has it from, without its imports

        place = self.here + "/" + name.replace(".", "/")
        for origin in (place + ".py", place + "/__init__.py"):
            try:
                status = os.stat(origin)
            except OSError:
                continue
            spec = ModuleSpec(name, self, origin=origin, loader_state=status)  # type: ignore[arg-type]
            if origin.endswith("/__init__.py"):
                spec.submodule_search_locations = [place]
            return spec
        return None

    def create_module(self, spec: "ModuleSpec") -> None:
        """Leave it to Python."""

    def exec_module(self, module: "types.ModuleType") -> None:
        """Run a module's code: what was kept of exactly this source, or the source."""
        spec = module.__spec__
        assert spec is not None and spec.origin is not None  # noqa: S101, PT018 - `find_spec` made it
        module.__file__ = origin = spec.origin
        made_of = (spec.loader_state.st_mtime_ns, spec.loader_state.st_size)
        known = self.table.get(origin)
        code = None
        if known is not None and known[:2] == made_of:
            try:
                code = self.loads(os.pread(self.descriptor, known[3], self.base + known[2]))
            except (OSError, EOFError, ValueError, TypeError):
                code = None
        if code is None:
            with open(origin, "rb") as file:
                code = compile(file.read(SOURCE_LIMIT), origin, "exec", dont_inherit=True, optimize=2)
            self.compiled[origin] = (*made_of, code)
        exec(code, module.__dict__)  # noqa: S102 - what a loader does

    def keep(self) -> None:
        """Write down what was compiled, if there is a folder for it."""
        if not self.compiled or self.file is None:
            return
        from marshal import dumps

        table, codes, offset = {}, [], 0
        for origin, (time, size, at, length) in self.table.items():
            if origin.startswith(self.here + "/") and origin not in self.compiled:
                codes.append(os.pread(self.descriptor, length, self.base + at))
                table[origin] = (time, size, offset, length)
                offset += length
        for origin, (time, size, code) in self.compiled.items():
            codes.append(dumps(code))
            table[origin] = (time, size, offset, len(codes[-1]))
            offset += len(codes[-1])
        head = dumps(table)
        new = "%s.%d" % (self.file, os.getpid())
        try:
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            with open(descriptor, "wb") as file:
                file.write(len(head).to_bytes(4, "little") + head + b"".join(codes))
            os.rename(new, self.file)
        except OSError:
            pass  # a full disk; the next run compiles again


if __name__ == "__main__":
    main()
