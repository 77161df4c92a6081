"""One walk through a repository: where instruction files are, and what else names alone tell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from refseal.pathguard.listing import walk_tree
from refseal.resolve.instruction import OVERLAY, PROJECT_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from refseal.audit.ignored import Ignored
    from refseal.pathguard import Root
    from refseal.pathguard.listing import Listing

MAXIMUM_ENTRIES = 2_000_000
"""Names that are looked at: some ten seconds; far beyond any repository that people work in."""
MAXIMUM_FILES = 10_000
"""Instruction files that are looked at: each costs a session; the largest repositories have a few hundred."""
MAXIMUM_TOLD = 20
"""Directories that could not be looked at and are named one by one."""

REFUSED_QUIETLY = frozenset({"missing", "git-metadata"})
"""Why a directory may be left out without a word: it vanished, or is git's own."""

_INITIALS = frozenset("acg")
"""Of the folded names in `lookalike_name.NAMES`."""


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
    ``incomplete``   what was not looked at, in our words
    ``directories``  how many directories were seen
    """

    files: list[Found] = field(default_factory=list)
    names: dict[tuple[str, ...], list[str]] = field(default_factory=dict)
    git_entries: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    odd_names: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
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
    wanted = frozenset((*PROJECT_NAMES, OVERLAY, *fallback_filenames))
    for listing in walk_tree(root, MAXIMUM_ENTRIES):
        tree.directories += 1
        if listing.refusal is not None:
            if listing.refusal.code not in REFUSED_QUIETLY:
                tree.refused.append((listing.components, listing.refusal.code))
            continue
        if listing.more:
            tree.incomplete.append(
                f"the tree has more than {MAXIMUM_ENTRIES} names; the rest was not looked at"
            )
        _look_at(listing, wanted, tree)
        if ignored is not None and listing.descend:
            ignored.filter(listing)
        if progress is not None and tree.directories % 1000 == 0:
            progress(tree.directories)
        if len(tree.files) > MAXIMUM_FILES:
            del tree.files[MAXIMUM_FILES:]
            tree.incomplete.append(
                f"there are more than {MAXIMUM_FILES} instruction files; the rest was not looked at"
            )
            break
    return tree


def _look_at(listing: Listing, wanted: frozenset[str], tree: Tree) -> None:
    components = listing.components
    for entry in listing.entries:
        name = entry.name
        if name in wanted:
            tree.files.append(Found(components, name, entry.kind))
            tree.names.setdefault(components, []).append(name)
        elif name == ".git":
            if components:
                tree.git_entries.append((components, entry.kind))
        elif not name.isascii() or name[-1].isspace() or name[0].isspace() or not name.isprintable():
            tree.odd_names.append((components, name))
