"""Roots that are too wide to be a project: a ``~/.git``, a ``/tmp/.git`` that somebody planted."""

from __future__ import annotations

import os

from .descriptors import encode, identity_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .descriptors import Identity
    from .root import Root


def is_unsafe(root: Root, *, home: str | None, codex_home: str | None) -> bool:
    """Whether ``root`` is ``/``, the home directory, above Codex home, or writable by anybody.

    Directories are compared by identity, so that no link or spelling hides one.
    """
    if root.path == "/" or root.is_world_writable:
        return True
    if root.identity == _identity("/") or (home and root.identity == _identity(home)):
        return True
    return bool(codex_home) and root.identity in _identities_above(codex_home or "/")


def _identities_above(path: str) -> set[Identity]:
    """Return what lies above ``path``, by its spelling and by where its links lead."""
    found: set[Identity] = set()
    spellings = [path]
    try:
        spellings.append(os.path.realpath(path))
    except (OSError, ValueError):
        pass
    for spelling in spellings:
        above = os.path.dirname(spelling.rstrip("/"))
        while above not in {"", "/"}:
            identity = _identity(above)
            if identity is not None:
                found.add(identity)
            above = os.path.dirname(above)
    return found


def _identity(path: str) -> Identity | None:
    try:
        return identity_of(os.stat(encode(path)))
    except (OSError, ValueError):
        return None
