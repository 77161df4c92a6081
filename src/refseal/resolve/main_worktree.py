"""What a session in a linked worktree takes over from the main one: twins, and the files above the main root.

Both are for `scope`, which says when they are asked for.
"""

from __future__ import annotations

from refseal.pathguard import Place, Refusal, Root, is_unsafe
from refseal.pathguard.reach import join

from .instruction import OVERLAY
from .scope import Directory
from .territory import Territory, components_beneath, directory_of, is_beneath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from .scope import Scope

MAX_ANCESTORS: Final = 64
"""Directories above a main root that are looked at; each costs a few system calls."""


def twin_of(scope: Scope, main_root: str, directory: Directory) -> Directory | None:
    """Return the same directory in the main worktree; None for one that the linked one does not hold."""
    place = directory.place
    top = scope.linkage.worktree_root
    if place is None or top is None or not is_beneath(place.path, top):
        return None
    twin = join(main_root, components_beneath(place.path, top))
    return Directory(twin, scope.territories.place_of(twin))


def read_ancestors(scope: Scope, main_root: str, names: Sequence[str]) -> None:
    """Add the instruction files of the directories above the main root to the scope's, the outermost first.

    ``names`` are those of the project family.  Directories with an instruction file become territories.
    """
    above: list[str] = []
    path = main_root
    while path != "/" and len(above) < MAX_ANCESTORS:
        path = directory_of(path)
        above.append(path)
    # All of them are territories before one is read, so that no link in one leads through another; those
    # without an instruction file are given up again.
    territories = [_hold_ancestor(scope, path) for path in reversed(above)]
    for territory in territories:
        if territory is None:
            continue
        directory = Directory(territory.root.path, Place(territory.root))
        found = [
            scope.read_first("project", "ancestor", directory, names),
            scope.read_first("overlay", "ancestor", directory, (OVERLAY,)),
        ]
        kept = [instruction for instruction in found if instruction is not None]
        scope.instructions += kept
        if not kept and territory.kind == "ancestor":
            scope.territories.remove(territory)


def _hold_ancestor(scope: Scope, path: str) -> Territory | None:
    """Hold a directory above the main root, unless anybody else could have put a file there."""
    try:
        root = Root.open(path, scope.owners)
    except Refusal:
        return None
    known = scope.territories.find(root)
    if root.path != path or root.is_world_writable or not scope.owners.trusts(root.owner):
        root.close()
        return None
    if known is not None:
        # An extra root, or where Codex home's overlay really lies, stays what it is; Codex home and the
        # directories of the chain are read for themselves.
        root.close()
        place = scope.codex_home.place if scope.codex_home is not None else None
        is_codex_home = place is not None and place.root is known.root
        return known if known.kind in ("extra", "home") and not is_codex_home else None
    if any(path == found.path for found in scope.chain):
        root.close()
        return None
    # What lies above home is as wide as what lies above Codex home.
    is_wide = is_unsafe(root, home=scope.home, codex_home=scope.home)
    territory = Territory(root, "ancestor", barred=is_wide and not scope.settings.allow_outside_root)
    scope.territories.add(territory)
    return territory
