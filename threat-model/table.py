"""The table of threats: read from `threats.toml`, checked, and written out for people as `THREATS.md`.

`python threat-model/table.py` rewrites `THREATS.md`.  Nothing but the standard library.
"""

from __future__ import annotations

import ast
import glob
import json
import os
import sys
import tomllib
from dataclasses import dataclass
from functools import cache

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)

STRIDE = (
    "spoofing",
    "tampering",
    "repudiation",
    "information disclosure",
    "denial of service",
    "elevation of privilege",
)


@dataclass(frozen=True)
class Threat:
    """One row.  `tests` holds `path::test`, `path` (all tests of a module) or `path#ID` (a vector)."""

    id: str
    title: str
    stride: str
    attacker: str
    layer: str
    happens: str
    mitigation: str
    residual: str
    known: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """The whole file: who attacks, the threats, and the modules whose every test must belong to one."""

    attackers: dict[str, str]
    threats: tuple[Threat, ...]
    security_tests: tuple[str, ...]


def read(path: str = os.path.join(HERE, "threats.toml")) -> Table:
    """The table as written.  An unknown or a missing key of a threat is an error."""
    with open(path, "rb") as file:
        document = tomllib.load(file)
    threats = tuple(
        Threat(**{**row, "known": tuple(row["known"]), "tests": tuple(row["tests"])})
        for row in document["threat"]
    )
    modules: set[str] = set()
    for pattern in document["security_tests"]:
        found = glob.glob(pattern, root_dir=ROOT)
        if not found:
            raise ValueError(f"security_tests: {pattern} matches no module")
        modules.update(found)
    return Table(document["attackers"], threats, tuple(sorted(modules)))


@cache
def tests_of(module: str) -> frozenset[str]:
    """Names of a module's tests, without parameters: `path::test`, `path::Class::test`."""
    with open(os.path.join(ROOT, module), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            names.add(f"{module}::{node.name}")
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            names.update(
                f"{module}::{node.name}::{inner.name}"
                for inner in node.body
                if isinstance(inner, ast.FunctionDef) and inner.name.startswith("test_")
            )
    return frozenset(names)


@cache
def named_by(entry: str) -> frozenset[str]:
    """The tests that one entry of `tests` names; empty if it names nothing that exists."""
    module, separator, _ = entry.partition("::")
    if separator:
        return (
            frozenset({entry}) & tests_of(module)
            if os.path.isfile(os.path.join(ROOT, module))
            else frozenset()
        )
    path, separator, row = entry.partition("#")
    if not os.path.isfile(os.path.join(ROOT, path)):
        return frozenset()
    if not separator:
        return tests_of(path)
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        known = {json.loads(line)["id"] for line in file if line.strip()}
    return frozenset({entry}) if row in known else frozenset()


def unnamed(table: Table) -> frozenset[str]:
    """The tests of the security modules that no threat names."""
    named = frozenset().union(*(named_by(entry) for threat in table.threats for entry in threat.tests))
    return frozenset().union(*(tests_of(module) for module in table.security_tests)) - named


def page(table: Table) -> str:
    """The table for people, in Markdown."""
    lines = [
        "# Threats",
        "",
        "Written by `just threat-model` from [threats.toml](threats.toml); change that file, not this one.",
        "",
        "## Attackers",
        "",
        *(f"- **{name}**: {text}" for name, text in table.attackers.items()),
    ]
    layer = ""
    for threat in table.threats:
        if threat.layer != layer:
            layer = threat.layer
            lines += ["", f"## {layer[0].upper()}{layer[1:]}"]
        lines += ["", f"### {threat.id} {threat.title}", ""]
        lines += [f"*{threat.stride}; attacker: {threat.attacker}*", "", threat.happens, ""]
        lines += [f"- **Held by**: {threat.mitigation}"]
        if threat.residual:
            lines += [f"- **What remains**: {threat.residual}"]
        if threat.known:
            lines += [f"- **Known as**: {', '.join(threat.known)}"]
        if threat.tests:
            lines += ["- **Tests**: " + ", ".join(f"`{entry}`" for entry in threat.tests)]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write THREATS.md."""
    with open(os.path.join(HERE, "THREATS.md"), "w", encoding="utf-8") as file:
        file.write(page(read()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
