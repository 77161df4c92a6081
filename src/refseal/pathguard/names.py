"""Names as text: their forms, their bounds, how they fall into components.  Nothing here asks the disk."""

from __future__ import annotations

from .descriptors import decode, encode
from .refusals import Refusal

MAX_NAME_BYTES = 4096
"""Of a token or link target: Linux's PATH_MAX; no program could have opened more at once."""

MAX_COMPONENT_BYTES = 255
"""Of one component: NAME_MAX of every file system in use."""

MAX_COMPONENTS = 255
"""Of a token, of a link target, and of the depth of a walk: bounds descriptors and system calls, and is far
above what a repository that people work in has."""


def split(text: str) -> tuple[str, list[str], bool]:
    """Take a name apart: its canonical text, its components, and whether it asks for a directory.

    Empty components and ``.`` are dropped, ``..`` is kept.  A name that ends in ``/`` or ``/.`` asks for a
    directory.  The canonical text differs from ``text`` only in bytes that were written as surrogates
    although they are UTF-8: two spellings of one name must not get two answers.

    Refused: ``bad-name`` (empty, a NUL, a code point that no name on disk can have) and ``too-long``.
    """
    if not text or "\0" in text:
        raise Refusal("bad-name", text)
    if len(text) > MAX_NAME_BYTES:
        raise Refusal("too-long", text)
    size = len(text)
    if not text.isascii():
        try:
            raw = encode(text)
        except UnicodeEncodeError:
            raise Refusal("bad-name", text) from None
        size = len(raw)
        text = decode(raw)
    components = [part for part in text.split("/") if part and part != "."]
    if size > MAX_NAME_BYTES or len(components) > MAX_COMPONENTS:
        raise Refusal("too-long", text)
    if size > MAX_COMPONENT_BYTES:
        for part in components:
            if len(part) > MAX_COMPONENT_BYTES or len(encode(part)) > MAX_COMPONENT_BYTES:
                raise Refusal("too-long", part)
    return text, components, text.endswith(("/", "/."))


def bare(name: str) -> str:
    """Return one component in its canonical text; ``bad-name`` or ``too-long`` if it is not a bare one."""
    if not name or "/" in name or "\0" in name or name in {".", ".."}:
        raise Refusal("bad-name", name)
    if len(name) > MAX_COMPONENT_BYTES:
        raise Refusal("too-long", name)
    return name if name.isascii() else split(name)[0]


def has_invisible(text: str) -> bool:
    """Whether a reviewer cannot see every character of ``text``: `codepoints.has_invisible`.

    Nearly every name is plain ASCII, and none of those needs the tables of Unicode.
    """
    if text.isascii() and text.isprintable():
        return False
    from .. import codepoints  # noqa: PLC0415, TID252 - see above; the one module from outside this room

    return codepoints.has_invisible(text)


def is_foreign_absolute(text: str) -> bool:
    r"""Whether Windows would take ``text`` as absolute or tied to a drive: ``C:x``, ``\x``, ``\\host\x``.

    Such names are never looked up, on any platform: a repository that means them does not mean a file of
    its own.
    """
    return text.startswith("\\") or (text[1:2] == ":" and text[0].isascii() and text[0].isalpha())
