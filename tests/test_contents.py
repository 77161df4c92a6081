"""Each package opens with a table of its contents: every module is in it, and nothing else."""

from __future__ import annotations

import ast
import os
import re

import pytest

PACKAGE = os.path.join(os.path.dirname(__file__), "..", "src", "refseal")
ROOMS = ["audit", "audit/reports", "cli", "codex", "doctor", "pathguard", "resolve", "seal", "tokenizer"]

ENTRY = re.compile(r"^ *([a-z_0-9]+) {2,}\S|; ([a-z_0-9]+): ", re.MULTILINE)
"""`module   what it holds; another: what that holds`."""


def modules(room: str) -> set[str]:
    names = os.listdir(os.path.join(PACKAGE, room))
    files = {name[:-3] for name in names if name.endswith(".py")} - {"__init__"}
    return files | {
        name for name in names if os.path.exists(os.path.join(PACKAGE, room, name, "__init__.py"))
    }


def contents(room: str) -> set[str]:
    with open(os.path.join(PACKAGE, room, "__init__.py"), encoding="utf-8") as file:
        text = ast.get_docstring(ast.parse(file.read())) or ""
    return {name for found in ENTRY.findall(text) for name in found if name}


@pytest.mark.parametrize("room", ROOMS)
def test_contents_are_the_modules(room: str) -> None:
    assert contents(room) == modules(room)
