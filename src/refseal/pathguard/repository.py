"""How far a repository reaches: the nearest directory with a marker, by the rules of the host."""

from __future__ import annotations

from refseal.system import os

from .descriptors import encode
from .names import MAX_NAME_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def nearest_holding(path: str, names: Sequence[str]) -> str | None:
    """Return the nearest directory, ``path`` or lexically above it, that holds an entry of one of the names.

    ``path`` is absolute, without `.` and `..`; none that is longer than the kernel takes is held by anything.
    Links are followed, a broken one is no entry; what cannot be looked at is none either.  Nothing is read:
    the answer says how far a project reaches, by the host's rule.
    """
    if len(path) > MAX_NAME_BYTES:
        return None
    while True:
        for name in names:
            try:
                os.stat(encode(path.rstrip("/") + "/" + name))
            except (OSError, ValueError):
                continue
            return path
        if path == "/":
            return None
        path = path.rpartition("/")[0] or "/"


def may_exist(path: str) -> bool:
    """Whether something may be called by this absolute path: False if the kernel knows of nothing there.

    Nothing is opened.  What cannot be looked at may exist.
    """
    try:
        os.lstat(encode(path))
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return True
    return True


def nearest_configured(path: str, markers: Sequence[str]) -> str | None:
    """Return the nearest directory that Codex calls a root when it looks for configuration and for trust.

    Like `nearest_holding`, but a directory named ``.git`` counts only if it holds ``HEAD`` (measured on Codex
    0.171, which takes any ``.git`` where it looks for documents).
    """
    while (found := nearest_holding(path, markers)) is not None:
        for name in markers:
            try:
                os.stat(encode(found.rstrip("/") + "/" + name + ("/HEAD" if name == ".git" else "")))
            except NotADirectoryError:
                return found
            except (OSError, ValueError):
                continue
            return found
        if found == "/":
            return None
        path = found.rpartition("/")[0] or "/"
    return None
