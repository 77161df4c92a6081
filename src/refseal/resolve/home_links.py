"""Instruction files of Codex home that are links out of it: people keep them among their dotfiles."""

from __future__ import annotations

from refseal.pathguard import Place, Reach, Root, read

from .territory import Territory, directory_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from refseal.pathguard import File

    from .scope import Scope


def read_linked(scope: Scope, name: str, place: Place, limit: int) -> tuple[Place, File]:
    """Read up to ``limit`` bytes of the file that the link ``name`` leads to.

    The place is what the file's references are relative to.

    Everything on the way has to belong to a trusted owner.  Where it ends is a territory of Codex home,
    unless that lies in the project: then it is a file of the project.  Raises Refusal like `read`.
    """
    disk = Root.open("/", scope.owners)
    scope.hold(disk)
    file = read(name, place, Reach([place.root, disk], link_roots=[disk]), limit)
    path = directory_of(file.path)
    inner = scope.territories.place_of(path)
    if inner is None or scope.territories.holding(inner.root).kind == "extra":
        inner = Place(Root.open(path, scope.owners))
        scope.territories.add(Territory(inner.root, "home"))
    return scope.territories.narrow(inner, scope.authority.reach_of(inner.root)), file
