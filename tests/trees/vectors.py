"""The rows of `tests/vectors/paths.jsonl`, and what the guard answers to one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, TypeAlias

from refseal.pathguard import (
    Owners,
    Place,
    Reach,
    Refusal,
    Root,
    find_linkage,
    is_unsafe,
    read,
)
from tests.trees.layout import Tree

Row: TypeAlias = dict[str, Any]

VECTORS = Path(__file__).parent.parent / "vectors" / "paths.jsonl"
LIMIT = 32768
"""Bytes read of a file: the default of the settings."""


def rows(*kinds: str) -> list[Row]:
    with VECTORS.open(encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if row["kind"] in kinds]


def build(row: Row, parent: Path) -> Tree:
    """Put a row's tree on disk."""
    return Tree(parent, [*row.get("pre", ()), *row["layout"]])


def answer(row: Row, tree: Tree) -> str:
    """Say what the guard makes of a row, in the words of its ``expected``."""
    if row["kind"] == "worktree":
        return _answer_worktree(row, tree)
    if row["kind"] == "root":
        return _answer_root(row, tree)
    root_path = tree.parent / row.get("root", "ROOT")
    with Root.open(str(root_path), Owners.of_process()) as root:
        reach = Reach((root,))
        try:
            directory = os.path.dirname(row.get("frm", "AGENTS.md"))
            place = Place(root, [part for part in directory.split("/") if part])
            file = read(tree.expand(row["reference"]), place, reach, LIMIT)
        except Refusal as refusal:
            return f"refuse {refusal.code}"
        if b"\0" in file.data:  # the content check above the guard
            return "refuse binary"
        return f"{'allow-truncated' if file.more else 'allow'} {'/'.join(file.components)}"


def agrees(row: Row, tree: Tree, said: str) -> bool:
    """Whether an answer is the one that the row expects."""
    expected = row["expected"]
    if expected == "refuse any":
        return said.startswith("refuse ")
    return said == tree.expand(expected)


def _answer_worktree(row: Row, tree: Tree) -> str:
    linkage = find_linkage(
        str(tree.path(row["reference"])),
        Owners.of_process(),
        home=str(tree.parent / "HOME"),
        codex_home=str(tree.parent / "CODEX"),
    )
    words = ["worktree", linkage.status]
    if linkage.detail is not None:
        words.append(linkage.detail)
    if linkage.main_root is not None:
        words.append(os.path.relpath(linkage.main_root, os.path.realpath(tree.root)))
    return " ".join(words)


def _answer_root(row: Row, tree: Tree) -> str:
    """Name the nearest directory with a ``.git``, if it is not safe to take for a project."""
    home, codex_home = str(tree.parent / "HOME"), str(tree.parent / "CODEX")
    linkage = find_linkage(
        str(tree.path(row["reference"])), Owners.of_process(), home=home, codex_home=codex_home
    )
    assert linkage.worktree_root is not None
    with Root.open(linkage.worktree_root, Owners.of_process()) as root:
        assert is_unsafe(root, home=home, codex_home=codex_home) == ("unsafe root" in row.get("then", ""))
    return f"scope {os.path.relpath(linkage.worktree_root, os.path.realpath(tree.parent))}"
