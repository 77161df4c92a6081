"""Structured values out of the bytes of a fuzzing engine.

Every value is decoded from the front, so that a byte which the engine changes, copies or cuts changes one
decision and leaves the rest as it was.  Bytes that have run out read as zero: no input is refused, and the
empty one is the simplest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


class Choices:
    """A cursor over the bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        """Number of bytes not yet read."""
        return len(self._data) - self._at

    def byte(self) -> int:
        """The next byte."""
        if self._at >= len(self._data):
            return 0
        self._at += 1
        return self._data[self._at - 1]

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1; `bound` is at most 65,536."""
        if bound > 256:
            return (self.byte() << 8 | self.byte()) % bound
        return self.byte() % bound

    def pick(self, values: Sequence[T]) -> T:
        """One of the values, the first if the bytes have run out."""
        return values[self.below(len(values))]

    def chance(self, one_in: int) -> bool:
        """Whether something rare happens; never if the bytes have run out."""
        return self.byte() % one_in == 1

    def take(self, count: int) -> bytes:
        """The next bytes, fewer where they run out."""
        taken = self._data[self._at : self._at + count]
        self._at += len(taken)
        return taken

    def line(self, ending: bytes = b"\n") -> bytes:
        """The bytes up to the next ending, which is dropped."""
        end = self._data.find(ending, self._at)
        if end < 0:
            return self.take(self.left)
        taken = self.take(end - self._at)
        self._at += len(ending)
        return taken

    def rest(self) -> bytes:
        """All that is left."""
        return self.take(self.left)
