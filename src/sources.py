"""Finds the modules of the package ``refseal`` by their source alone, and keeps their byte-code in one file.

A file of its own beside hook.py, which is compiled at each start: this one's byte-code is kept too.

Python's way to import a module takes longer than running it: it makes and asks locks, finders and
specifications for each.  So what is kept is chapters.  A *chapter* is a module that something asked for, and
before it all those that came with it, in the order in which they were finished.  Run in that order, each
finds what it imports in `sys.modules` already, which costs next to nothing; and a chapter is read at once.
"""

from __future__ import annotations

import posix as os  # without the rest of `os`, see refseal/system.py
import sys
from _frozen_importlib import ModuleSpec, module_from_spec  # importlib's own, without what it imports
from marshal import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, ModuleType

    Source = tuple[str, int, int]
    """What byte-code was made of: a path, its time of change (ns) and its size (bytes)."""

    Table = dict[str, tuple[int, int, list[tuple[str, Source]]]]
    """For each chapter, by its last module's path: offset and length of its codes, names and sources."""

SOURCE_LIMIT = 1 << 20
"""Bytes of a module, and of the table: the longest have some ten thousand, and what is cut is not used."""


class Part:
    """One module of a chapter: its name, its source and its code."""

    __slots__ = ("code", "name", "source")

    def __init__(self, name: str, source: Source, code: CodeType) -> None:
        self.name = name
        self.source = source
        self.code = code


class Sources:
    """Finds the modules of the package beside this file, and keeps their byte-code in one file.

    The file: four bytes that say how long the table is, the table, and for each chapter a tuple of codes.  A
    run that compiled anything writes it anew, whole, under another name, and renames it.
    """

    def __init__(self, here: str, folder: str | None) -> None:
        """Look for modules in ``here``; keep their code in ``folder``, or not at all."""
        self.here = here
        # Code of one release of Python is no code of another, be it in the last digit.
        self.file = folder and f"{folder}/refseal.{sys.implementation.name}-{sys.hexversion:x}"
        self.table: Table = {}
        self.base = 0  # where the chapters begin
        self.descriptor = -1
        self.depth = 0  # of imports that are under way
        self.chapter: list[Part] = []  # what they have finished so far
        self.compiled = False  # any of that
        self.new: dict[str, list[Part]] = {}
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
                os.stat(origin)
            except OSError:
                continue
            return self.spec_of(name, origin)
        return None

    def spec_of(self, name: str, origin: str) -> ModuleSpec:
        """Return the specification of a module by its source's path."""
        spec = ModuleSpec(name, self, origin=origin)  # type: ignore[arg-type]
        package, _, file = origin.rpartition("/")
        if file == "__init__.py":
            spec.submodule_search_locations = [package]
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python."""

    def exec_module(self, module: ModuleType) -> None:
        """Run a module that is asked for: its chapter, or its source if nothing was kept of just that."""
        spec = module.__spec__
        assert spec is not None and spec.origin is not None  # noqa: S101, PT018 - `find_spec` made it
        module.__file__ = spec.origin
        *before, last = self.kept(spec.origin) or [self.compile(spec.name, spec.origin)]
        self.depth += 1
        try:
            missing = [(part, self.module_of(part)) for part in before if part.name not in sys.modules]
            for part, other in missing:
                self.run(part, other)
            exec(last.code, module.__dict__)  # noqa: S102 - what a loader does
            self.chapter.append(last)
            if self.depth == 1 and self.compiled:
                self.new[spec.origin] = self.chapter
        finally:
            self.depth -= 1
            if self.depth == 0:
                self.chapter, self.compiled = [], False

    def module_of(self, part: Part) -> ModuleType:
        """Make a module that is not asked for by name.  A package is entered at once: its modules need it."""
        spec = self.spec_of(part.name, part.source[0])
        module = module_from_spec(spec)
        module.__file__ = part.source[0]
        if spec.submodule_search_locations:
            sys.modules[part.name] = module
        return module

    def run(self, part: Part, module: ModuleType) -> None:
        """Do what an import does with a module when it has found it."""
        sys.modules[part.name] = module
        try:
            exec(part.code, module.__dict__)  # noqa: S102 - what a loader does
        except BaseException:
            del sys.modules[part.name]
            raise
        package, _, name = part.name.rpartition(".")
        if package:
            setattr(sys.modules[package], name, module)
        self.chapter.append(part)

    def kept(self, origin: str) -> list[Part]:
        """Return the chapter that ends with a module, if it was made of just these sources; else nothing."""
        try:
            offset, length, made_of = self.table[origin]
            if all(source == source_of(source[0]) for _, source in made_of):
                codes = loads(os.pread(self.descriptor, length, self.base + offset))  # noqa: S302 - ditto
                if all(type(code) is type(source_of.__code__) for code in codes):
                    return [Part(*told, code) for told, code in zip(made_of, codes, strict=True)]
        except Exception:  # noqa: BLE001, S110 - a damaged file must not cost the user every session
            pass
        self.table.pop(origin, None)
        return []

    def compile(self, name: str, origin: str) -> Part:
        """Compile a module's source."""
        source = source_of(origin)
        with open(origin, "rb") as file:
            code = compile(file.read(SOURCE_LIMIT), origin, "exec", dont_inherit=True, optimize=2)
        self.compiled = True
        return Part(name, source, code)

    def keep(self) -> None:
        """Write down what was compiled, if there is a folder for it."""
        if not self.new or self.file is None:
            return
        table: Table = {}
        codes = b""
        for origin, (offset, length, made_of) in self.table.items():
            if not origin.startswith(self.here + "/") or origin in self.new:
                continue
            try:
                code = os.pread(self.descriptor, length, self.base + offset)
            except (OSError, OverflowError, MemoryError):
                continue  # a damaged table
            table[origin] = (len(codes), len(code), made_of)
            codes += code
        for origin, parts in self.new.items():
            code = dumps(tuple([part.code for part in parts]))
            table[origin] = (len(codes), len(code), [(part.name, part.source) for part in parts])
            codes += code
        head = dumps(table)
        new = f"{self.file}.{os.getpid()}"
        try:
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            with open(descriptor, "wb") as file:
                file.write(len(head).to_bytes(4, "little") + head + codes)
            os.rename(new, self.file)
        except OSError:  # a full disk; the next run compiles again
            try:
                os.unlink(new)
            except OSError:
                pass  # it could not even be made


def source_of(origin: str) -> Source:
    """Return what tells one state of a source from another."""
    status = os.stat(origin)
    return (origin, status.st_mtime_ns, status.st_size)


def is_table(value: object) -> bool:
    """Whether a file's table has the form of ours; what it says of sources is looked at by who needs them."""
    return isinstance(value, dict) and all(
        isinstance(entry, tuple)
        and len(entry) == 3
        and type(entry[0]) is type(entry[1]) is int
        and isinstance(entry[2], list)
        for entry in value.values()
    )
