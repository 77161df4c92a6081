"""One walk through a repository: where instruction files are, and what else names alone tell."""

from __future__ import annotations

import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from refseal.pathguard.search import search_tree
from refseal.resolve.instruction import OVERLAY, PROJECT_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from refseal.audit.ignored import Ignored
    from refseal.pathguard import Root
    from refseal.pathguard.search import Searched

MAX_ENTRIES = 2_000_000
"""Names that are looked at: some ten seconds; far beyond any repository that people work in."""
MAX_FILES = 10_000
"""Instruction files that are looked at: each costs a session; the largest repositories have a few hundred."""
MAX_TOLD = 20
"""Directories that could not be looked at and are named one by one."""

REFUSED_QUIETLY = frozenset({"missing", "git-metadata"})
"""Why a directory may be left out without a word: it vanished, or is git's own."""

GIT = ".git"
GITIGNORE = ".gitignore"
CODEX = ".codex"


@dataclass(slots=True)
class Found:
    """One instruction file: its directory beneath the root, its name, and its kind as the directory says."""

    components: tuple[str, ...]
    name: str
    kind: str


@dataclass(slots=True)
class Tree:
    """What the walk found.

    ``files``        instruction files, in order
    ``names``        of each directory with instruction files: all of their names
    ``git_entries``  directories beneath the root that hold a `.git`, and its kind
    ``odd_names``    names that are not ASCII or have white space at an end, with their directories
    ``open_to_all``  those of them that everybody may write into
    ``near``         files whose names are an instruction file's but for their case
    ``layers``       directories that hold a `.codex`, where a project's own configuration of Codex lies
    ``withheld``     directories that are not looked into because their names say that they hold credentials
    ``incomplete``   what was not looked at, in our words
    ``refused``      directories that were not looked at, with the reason
    ``directories``  how many directories were seen
    """

    files: list[Found] = field(default_factory=list)
    names: dict[tuple[str, ...], list[str]] = field(default_factory=dict)
    git_entries: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    odd_names: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    open_to_all: set[tuple[str, ...]] = field(default_factory=set)
    near: list[Found] = field(default_factory=list)
    layers: list[tuple[str, ...]] = field(default_factory=list)
    withheld: list[tuple[str, ...]] = field(default_factory=list)
    incomplete: list[str] = field(default_factory=list)
    refused: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    directories: int = 0


def walk(
    root: Root,
    fallback_filenames: Sequence[str] = (),
    *,
    ignored: Ignored | None = None,
    progress: Callable[[int], None] | None = None,
) -> Tree:
    """Look at every name beneath ``root``.  Raises Refusal if the root itself cannot be listed."""
    tree = Tree()
    wanted = frozenset((*PROJECT_NAMES, OVERLAY, *fallback_filenames, GIT, GITIGNORE))
    for searched in search_tree(root, wanted, MAX_ENTRIES):
        tree.directories += 1
        if searched.refusal is not None:
            if searched.refusal.code not in REFUSED_QUIETLY:
                tree.refused.append((searched.components, searched.refusal.code))
            continue
        if searched.more:
            tree.incomplete.append(f"the tree has more than {MAX_ENTRIES} names; the rest was not looked at")
        if searched.descend:
            if CODEX in searched.descend:
                tree.layers.append(searched.components)
            if ignored is not None:
                ignored.filter(searched)
        if progress is not None and tree.directories % 1000 == 0:
            progress(tree.directories)
        if searched.found or searched.odd or searched.near or searched.withheld:
            _look_at(searched, tree)
            if len(tree.files) > MAX_FILES:
                del tree.files[MAX_FILES:]
                tree.incomplete.append(
                    f"there are more than {MAX_FILES} instruction files; the rest was not looked at"
                )
                break
    return tree


def _look_at(searched: Searched, tree: Tree) -> None:
    components = searched.components
    for name, kind in searched.found:
        if name == GIT:
            if components:
                tree.git_entries.append((components, kind))
        elif name != GITIGNORE:
            tree.files.append(Found(components, name, kind))
            if searched.mode & stat.S_IWOTH:
                tree.open_to_all.add(components)
            tree.names.setdefault(components, []).append(name)
    tree.odd_names += [(components, name) for name in searched.odd]
    tree.near += [Found(components, name, kind) for name, kind in searched.near if kind != "directory"]
    tree.withheld += [(*components, name) for name in searched.withheld]
