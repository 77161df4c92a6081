"""Which mutants the type checker refuses: `just lint` is a test too, and some changes only it can notice.

All are judged in one run: each changed function stands beside its original under a name of its own.
"""

from __future__ import annotations

import ast
import collections
import re
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.mutation.mutants import Mutant


class _Copy(NamedTuple):
    """A function to be written beside its original: ``mutant`` is its number, or -1 if it is unchanged."""

    mutant: int
    text: str


def mistyped(mutants: Sequence[Mutant]) -> set[int]:
    """Return the indices of those ``mutants`` that mypy refuses; their files, here, are overwritten.

    What mypy says of a function's unchanged copy as well says nothing about its mutants.
    """
    of_file: dict[str, list[int]] = collections.defaultdict(list)
    for index, mutant in enumerate(mutants):
        of_file[mutant.file].append(index)
    owners: dict[tuple[str, int], tuple[int, tuple[str, str, str]]] = {}
    for file, indices in of_file.items():
        _write(file, indices, mutants, owners)
    if not of_file:
        return set()
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", "--no-color-output", *of_file],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    wrong = [
        (*owners[file, int(line)], said)
        for file, line, said in re.findall(r"(?m)^(.+?):(\d+): error: (.+)$", done.stdout)
        if (file, int(line)) in owners
    ]
    of_copies = {(place, said) for index, place, said in wrong if index < 0}
    return {index for index, place, said in wrong if index >= 0 and (place, said) not in of_copies}


def _write(
    file: str,
    indices: list[int],
    mutants: Sequence[Mutant],
    owners: dict[tuple[str, int], tuple[int, tuple[str, str, str]]],
) -> None:
    """Write ``file`` with the copies in it; note in ``owners`` whose each line of them is."""
    with open(file, encoding="utf-8") as source:
        text = source.read()
    lines = text.splitlines()
    copies: dict[int, list[_Copy]] = collections.defaultdict(list)
    ends = _ends(text)
    for index in indices:
        mutant = mutants[index]
        start, end = ends[mutant.owner, mutant.function]
        if not copies[end]:
            copies[end].append(_Copy(-1, "\n".join(lines[start - 1 : end])))
        changed = mutant.source.rstrip("\n")
        copies[end].append(_Copy(index, changed.partition("\n")[2] if mutant.owner else changed))
    written: list[str] = []
    for number, line in enumerate(lines, 1):
        written.append(line)
        for copy in copies.get(number, ()):
            mutant = mutants[max(copy.mutant, copies[number][1].mutant)]
            name = f"{mutant.function}_mutant_{copy.mutant % (len(mutants) + 1)}"
            changed = re.sub(rf"\bdef {mutant.function}\(", f"def {name}(", copy.text, count=1)
            for row in changed.splitlines():
                written.append(row)
                owners[file, len(written)] = (copy.mutant, (file, mutant.owner, mutant.function))
    with open(file, "w", encoding="utf-8") as target:
        target.write("\n".join(written) + "\n")


def _ends(text: str) -> dict[tuple[str, str], tuple[int, int]]:
    """Return the first and the last line of each function, and of each method under its class."""
    found = {}
    module = ast.parse(text)
    classes = [("", module.body)]
    classes += [(node.name, node.body) for node in module.body if isinstance(node, ast.ClassDef)]
    for owner, body in classes:
        for node in body:
            if isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                found[owner, node.name] = (first, node.end_lineno or first)
    return found
