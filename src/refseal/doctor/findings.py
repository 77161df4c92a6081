"""What a check says: a status, what was seen, and what to do about it."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Status: TypeAlias = Literal["ok", "note", "problem"]
"""``ok``: as it should be.  ``note``: worth knowing, but nothing is wrong.  ``problem``: it does not work."""


class Finding(NamedTuple):
    """One line of a diagnosis.

    ``message`` is one sentence; names in it that came from elsewhere are escaped (`refseal.seal.escape`).
    ``advice`` says what to do, None where there is nothing to do.
    """

    status: Status
    message: str
    advice: str | None = None
