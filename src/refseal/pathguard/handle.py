"""A file held open through the guard, to be read in parts."""

from __future__ import annotations

from refseal.system import os

from .descriptors import close, identity_of
from .refusals import Refusal, refusal_for
from .root import CLOSED, Root
from .walk import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from .descriptors import Identity
    from .reach import Place, Reach

CHUNK_BYTES = 1 << 20
"""How much is asked for at once: what a caller wants is bounded by the caller, and need not all be there."""


class Handle:
    """A regular file held open, to be read in parts: a transcript.

    ``size`` is what the system said when it was opened, in bytes: a hint, for the file may grow or shrink.
    """

    __slots__ = ("_descriptor", "components", "identity", "owner", "root", "size")

    def __init__(self, descriptor: int, walk: Walk, status: os.stat_result) -> None:
        self._descriptor = descriptor
        self.root: Root = walk.root
        self.components = tuple(walk.components)
        self.identity: Identity = identity_of(status)
        self.owner = status.st_uid
        self.size = status.st_size

    def read_at(self, offset: int, size: int) -> bytes:
        """Return up to ``size`` bytes from the 0-based ``offset``; fewer only where the file ends."""
        parts: list[bytes] = []
        while size > 0:
            try:
                part = os.pread(self._descriptor, min(size, CHUNK_BYTES), offset)
            except OSError as error:
                raise refusal_for(error, self.components[-1]) from None
            except (OverflowError, ValueError):
                raise Refusal("unreadable", self.components[-1]) from None
            if not part:
                break
            parts.append(part)
            offset += len(part)
            size -= len(part)
        return b"".join(parts)

    def close(self) -> None:
        """Close it; reading afterwards is refused as ``unreadable``."""
        descriptor, self._descriptor = self._descriptor, CLOSED
        if descriptor != CLOSED:
            close(descriptor)

    def __enter__(self) -> Handle:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()


def open_file(token: str, place: Place, reach: Reach) -> Handle:
    """Hold open the file that ``token`` names at ``place``; refused for the same reasons as by `read`."""
    walk = Walk(token, place, reach)
    descriptor, status = walk.open_file()
    return Handle(descriptor, walk, status)
