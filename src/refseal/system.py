"""The system calls, as `os` offers them, without the rest of it.

`os` has them from the built-in module ``posix``.  Importing `os` itself takes a sixth of an interpreter's
whole start: for `os.environ` it builds the abstract classes of all collections.  So the hook takes its
calls from here, and `os.path` only where it is needed, which is seldom.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any
else:
    try:
        import posix as os
    except ImportError:  # Windows, where every root is refused
        import os

__all__ = ["environment", "os", "variable"]


def environment() -> dict[str, str]:
    """Return the variables that this process was started with; bytes that are not UTF-8 as surrogates."""
    variables: dict[bytes, bytes] | dict[str, str] = dict(os.environ)
    return {_decode(name): _decode(value) for name, value in variables.items()}


def variable(name: str) -> str:
    """Return one of them, empty if there is none; the others are not decoded for it."""
    variables: dict[Any, Any] = dict(os.environ)
    return _decode(variables.get(name.encode()) or variables.get(name) or "")


def _decode(text: bytes | str) -> str:
    return text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")
