"""The mutants of a file, made by mutmut's operators, and how one takes the place of its function."""

from __future__ import annotations
import __future__

import difflib
import importlib
from typing import TYPE_CHECKING, Any, NamedTuple

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import create_mutations, deep_replace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FunctionType

_SAME_ENCODINGS = frozenset({'"UTF-8"', '"ASCII"', '"LATIN-1"', '"UTF-16"', '"UTF-32"'})
"""Other spellings of names that Python takes in either."""


class Mutant(NamedTuple):
    """One change.

    ``owner``          the class whose method is changed, or ``""``
    ``whole, lines``   the lines of the function, and those that it changes, 1-based
    ``before, after``  those lines without their indentation, on one line each
    ``source``         the changed function, as a module of its own
    """

    file: str
    owner: str
    function: str
    whole: range
    lines: range
    before: str
    after: str
    source: str

    def install(self) -> None:
        """Give the function, wherever it has been imported to, the mutant's code and defaults."""
        module = importlib.import_module(module_of(self.file))
        scope = dict(vars(module))
        flags = __future__.annotations.compiler_flag
        exec(compile(self.source, self.file, "exec", flags, dont_inherit=True), scope)  # noqa: S102
        live = _function(vars(module), self.owner, self.function)
        mutated = _function(scope, self.owner, self.function)
        live.__code__ = mutated.__code__
        live.__defaults__ = mutated.__defaults__
        live.__kwdefaults__ = mutated.__kwdefaults__


def module_of(file: str) -> str:
    """Return the name under which ``file`` is imported."""
    return file.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def mutants_of(file: str) -> Iterator[Mutant]:
    """Yield the mutants of ``file``, without those that change what no contract pins: a message's wording."""
    with open(file, encoding="utf-8") as source:
        module, mutations, _, _ = create_mutations(file, source.read())
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    owners = {
        id(method): statement
        for statement in module.body
        if isinstance(statement, cst.ClassDef)
        for method in statement.body.body
    }
    wording = _Wording()
    module.visit(wording)
    for mutation in mutations:
        function = mutation.contained_by_top_level_function
        if not isinstance(function, cst.FunctionDef) or wording.is_all(mutation):
            continue
        bare = function.with_changes(leading_lines=[], lines_after_decorators=[])
        mutated = cst.ensure_type(
            deep_replace(bare, mutation.original_node, mutation.mutated_node), cst.FunctionDef
        )
        old, new = (module.code_for_node(node).splitlines() for node in (bare, mutated))
        changes = [
            row
            for row in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
            if row[0] != "equal"
        ]
        if not changes:
            continue
        first = positions[function].start.line - len(function.decorators)
        owner = owners.get(id(function))
        yield Mutant(
            file,
            owner.name.value if owner else "",
            function.name.value,
            range(first, first + len(old)),
            range(first + changes[0][1], first + max(changes[-1][2], changes[0][1] + 1)),
            " ".join(line.strip() for row in changes for line in old[row[1] : row[2]]),
            " ".join(line.strip() for row in changes for line in new[row[3] : row[4]]),
            cst.Module(
                [
                    owner.with_changes(
                        bases=[], keywords=[], decorators=[], leading_lines=[],
                        body=cst.IndentedBlock([mutated]),
                    )
                    if owner
                    else mutated
                ]
            ).code,
        )  # fmt: skip


class _Wording(cst.CSTVisitor):
    """What exceptions say to people.  A refusal's words are a contract, and not among them."""

    def __init__(self) -> None:
        self._texts: set[int] = set()
        self._calls: set[int] = set()

    def visit_Raise(self, node: cst.Raise) -> None:  # noqa: N802 - libcst's name for it
        if isinstance(node.exc, cst.Call) and getattr(node.exc.func, "value", "") != "Refusal":
            self._calls.add(id(node.exc))
            self._texts.update(id(argument.value) for argument in node.exc.args if _is_text(argument))

    def is_all(self, mutation: Any) -> bool:
        """Whether ``mutation`` changes nothing but the wording, or the case of an encoding's name."""
        before, after = mutation.original_node, mutation.mutated_node
        if isinstance(after, cst.SimpleString) and after.value in _SAME_ENCODINGS:
            return True
        if id(before) in self._texts:
            return True
        if id(before) not in self._calls or not isinstance(after, cst.Call):
            return False
        kept = {id(argument) for argument in after.args}
        return all(_is_text(argument) for argument in before.args if id(argument) not in kept)


def _is_text(argument: cst.Arg) -> bool:
    return isinstance(argument.value, (cst.SimpleString, cst.FormattedString, cst.ConcatenatedString))


def _function(scope: dict[str, Any], owner: str, name: str) -> FunctionType:
    found = vars(scope[owner])[name] if owner else scope[name]
    return getattr(found, "__func__", found)  # type: ignore[no-any-return]
