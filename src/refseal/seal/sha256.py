"""SHA-256 and HMAC-SHA-256, without the cost of importing `hashlib` at the start of a hook.

`hashlib` looks for OpenSSL first, which takes some milliseconds; the interpreter's own C module gives the
same digests at once.  It is `_sha256` in Python 3.11 and `_sha2` from 3.12 on, and a build may lack both.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Hash(Protocol):
        """What is used of a hash object."""

        def update(self, data: bytes, /) -> None:
            """Take ``data`` in."""

        def digest(self) -> bytes:
            """Give the digest of everything taken in."""

        def hexdigest(self) -> str:
            """Give the digest as lower-case hexadecimal digits."""


def _constructor() -> Callable[[bytes], Hash]:
    for name in ("_sha2", "_sha256"):
        try:
            module = __import__(name)
        except ImportError:
            continue
        constructor: Callable[[bytes], Hash] = module.sha256
        return constructor
    import hashlib  # noqa: PLC0415 - only where the interpreter has no module of its own

    return hashlib.sha256


sha256: Callable[[bytes], Hash] = _constructor()
"""A new SHA-256 hash object that has taken in the bytes given."""

_BLOCK_BYTES = 64
"""SHA-256's input block: a key for HMAC is padded to it (RFC 2104)."""

_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 of ``message`` under ``key`` (RFC 2104), 32 bytes."""
    if len(key) > _BLOCK_BYTES:
        key = sha256(key).digest()
    key = key.ljust(_BLOCK_BYTES, b"\0")
    inner = sha256(key.translate(_INNER) + message).digest()
    return sha256(key.translate(_OUTER) + inner).digest()
