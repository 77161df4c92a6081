"""Whether the user's configuration trusts a project: for its documents, and for each layer of its own.

Codex (0.171, measured) looks a directory up by its canonical path, then by the lexical one, and takes the
first level that it finds:

- for the project's documents: cwd, then the root of the repository;
- for the configuration in a directory's ``.codex``: that directory, then the root that the markers give, then
  the root of the repository.

In a linked worktree the root of the repository is the main worktree's.  Unlike the root of the documents,
both roots pass over a directory ``.git`` without ``HEAD``: layers may come from above the first document.

Some projects count as untrusted here whose documents Codex loads all the same, for the user has called them
so: by the entry of a worktree's or a submodule's own root, or of a root that holds no repository.  That a
``.git`` file lies about its main worktree can take trust away, never give it.
"""

from __future__ import annotations

from refseal.pathguard import Refusal, Root
from refseal.pathguard.gitfile import claimed_main_root
from refseal.pathguard.repository import nearest_configured, nearest_holding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from refseal.codex.configuration import Configuration
    from refseal.resolve.scope import Scope

GIT: Final = (".git",)


class Trust:
    """What the user has said of the project of a scope."""

    __slots__ = ("_configuration", "_scope")

    def __init__(self, scope: Scope, configuration: Configuration) -> None:
        self._scope = scope
        self._configuration = configuration

    def of_documents(self) -> str | None:
        """Return "trusted" or "untrusted" for the documents of the project; None: the user has not said."""
        level = self._level(self._scope.cwd)
        if level is not None:
            return level
        own = self._level(nearest_holding(self._scope.cwd, GIT) or self._scope.project_root)
        claimed = self._claimed_main_root()
        if "untrusted" in (own, self._configuration.trust(claimed)):
            return "untrusted"
        return self._level(self._repository()) or (own if claimed is None else None)

    def of_layer(self, directory: str, marked: str) -> str | None:
        """Return the level for what ``directory`` has configured; ``marked`` is what the markers give."""
        return self._level(directory) or self._level(marked) or self._level(self._repository())

    def _repository(self) -> str | None:
        return self._scope.linkage.main_root or nearest_configured(self._scope.cwd, GIT)

    def _claimed_main_root(self) -> str | None:
        top = self._scope.linkage.worktree_root
        if top is None:
            return None
        try:
            with Root.open(top, self._scope.owners) as root:
                return claimed_main_root(root)
        except Refusal:
            return None

    def _level(self, path: str | None) -> str | None:
        if path is None:
            return None
        try:
            with Root.open(path, self._scope.owners) as root:
                return self._configuration.trust(root.path, path)
        except Refusal:
            return self._configuration.trust(path)
