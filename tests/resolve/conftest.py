from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.resolve.world import World

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)
