"""Finds the modules of the package ``refseal`` by their source alone, and keeps their byte-code in one file.

A file of its own beside hook.py, which is compiled at each start: this one's byte-code is kept too.
"""

from __future__ import annotations

import posix as os  # without the rest of `os`, see refseal/system.py
import sys
from _frozen_importlib import ModuleSpec  # what importlib.machinery has it from, without its imports
from marshal import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types

SOURCE_LIMIT = 1 << 20
"""Bytes of one module, and of the table: both have some thousands."""
"""Bytes of a module: the longest has some thirty thousand, and one that is cut here does not compile."""


class Sources:
    """Finds the modules of the package beside this file, and keeps their byte-code in one file.

    The file: four bytes that say how long its table is, the table (module's path -> time, size, offset and
    length of its code), and the codes.  A run that compiled anything writes it anew, whole, under another
    name, and renames it.
    """

    def __init__(self, here: str, folder: str | None) -> None:
        """Look for modules in ``here``; keep their code in ``folder``, or not at all."""
        self.here = here
        # Code of one release of Python is no code of another, be it in the last digit.
        self.file = folder and f"{folder}/refseal.{sys.implementation.name}-{sys.hexversion:x}"
        self.table: dict[str, tuple[int, int, int, int]] = {}
        self.base = 0
        self.compiled: dict[str, tuple[int, int, types.CodeType]] = {}
        self.descriptor = -1
        if self.file is None:
            return
        try:
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            self.descriptor = os.open(self.file, flags)
            size = int.from_bytes(os.read(self.descriptor, 4), "little")
            if size <= SOURCE_LIMIT:
                table = loads(os.read(self.descriptor, size))  # noqa: S302 - see `private_folder`
                if is_table(table):
                    self.table, self.base = table, 4 + size
        except (OSError, EOFError, ValueError, TypeError):
            pass  # none yet, or none that is whole

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        """Return how to load one of our modules; None for all others."""
        if name != "refseal" and not name.startswith("refseal."):
            return None
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

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python."""

    def exec_module(self, module: types.ModuleType) -> None:
        """Run a module's code: what was kept of exactly this source, or the source."""
        spec = module.__spec__
        assert spec is not None and spec.origin is not None  # noqa: S101, PT018 - `find_spec` made it
        module.__file__ = origin = spec.origin
        made_of = (spec.loader_state.st_mtime_ns, spec.loader_state.st_size)
        known = self.table.get(origin)
        code = None
        if known is not None and known[:2] == made_of:
            try:
                code = loads(os.pread(self.descriptor, known[3], self.base + known[2]))  # noqa: S302 - ditto
            except (OSError, EOFError, ValueError, TypeError, OverflowError, MemoryError):
                code = None
        if type(code) is not type(is_table.__code__):
            with open(origin, "rb") as file:
                code = compile(file.read(SOURCE_LIMIT), origin, "exec", dont_inherit=True, optimize=2)
            self.compiled[origin] = (*made_of, code)
        exec(code, module.__dict__)  # noqa: S102 - what a loader does

    def keep(self) -> None:
        """Write down what was compiled, if there is a folder for it."""
        if not self.compiled or self.file is None:
            return
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
        new = f"{self.file}.{os.getpid()}"
        try:
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            with open(descriptor, "wb") as file:
                file.write(len(head).to_bytes(4, "little") + head + b"".join(codes))
            os.rename(new, self.file)
        except OSError:
            pass  # a full disk; the next run compiles again


def is_table(value: object) -> bool:
    """Whether a file's table has the form of ours: a damaged file must not cost the user every session."""
    return isinstance(value, dict) and all(
        isinstance(entry, tuple) and len(entry) == 4 and all(type(number) is int for number in entry)
        for entry in value.values()
    )
