"""Roots that are too wide to be a project: a ``~/.git``, a ``/tmp/.git`` that somebody planted."""

from __future__ import annotations

from refseal.system import os

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
    above = path.rstrip("/")
    last_there = path if _identity(path) is not None else None
    while above := above.rpartition("/")[0]:
        identity = _identity(above)
        if identity is not None:
            found.add(identity)
            last_there = last_there or above
    # The kernel goes up from where links led it to, so ".." finds what the spelling does not name.
    top = _identity("/")
    while last_there is not None:
        last_there = last_there.rstrip("/") + "/.."
        identity = _identity(last_there)
        if identity is None or identity == top:
            break
        found.add(identity)
    return found


def _identity(path: str) -> Identity | None:
    try:
        return identity_of(os.stat(encode(path)))
    except (OSError, ValueError):
        return None
