"""The directories that the user names in REFSEAL_EXTRA_ROOTS, opened as territories of their own."""

from __future__ import annotations

from refseal.pathguard import Refusal, Root
from refseal.pathguard.policy import refuse_root
from refseal.pathguard.reach import absolute_components

from .locating import lexical
from .territory import Territory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .scope import Scope


def add_extra_roots(scope: Scope) -> None:
    """Hold each of them that can be opened; of every other the user is told (``scope.problems``)."""
    for spelling in scope.settings.extra_roots:
        _add(scope, spelling)


def _add(scope: Scope, spelling: str) -> None:
    if spelling == "~" or spelling.startswith("~/"):
        if scope.home is None:
            scope.problems.append("REFSEAL_EXTRA_ROOTS: ~ has no meaning here; a directory is left out")
            return
        spelling = scope.home + spelling[1:]
    try:
        root = Root.open(lexical(spelling), scope.owners)
        refusal = refuse_root(absolute_components(root.path))
        if refusal is not None:
            root.close()
            raise refusal
    except Refusal as refusal:
        scope.problems.append(f"REFSEAL_EXTRA_ROOTS: {spelling!a} is left out: {refusal.code}")
        return
    if scope.territories.find(root) is not None:
        root.close()  # it is the project, or Codex home, and stays what it is
        return
    scope.territories.add(Territory(root, "extra"))
