"""Builds that are broken on purpose, one flag each: the proof that a target can fail.

The damage is done from outside, to the loaded modules of this process; the product has no switch for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# target -> name of the damage -> what does it
BUILDS: dict[str, dict[str, Callable[[], None]]] = {}
