"""Everything about the guard is tested with both ways of opening a directory."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from refseal.pathguard import descriptors

if TYPE_CHECKING:
    from collections.abc import Iterator

MODES = ("search", "read") if sys.platform == "linux" else ("read",)
"""`search` is Linux's `O_PATH`; `read` is the way of macOS, and works on Linux as well."""


@pytest.fixture(scope="module", autouse=True, params=MODES)
def directory_mode(request: pytest.FixtureRequest) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "read":
            patch.setattr(descriptors, "SEARCH_FLAGS", descriptors.LISTING_FLAGS)
        yield request.param
