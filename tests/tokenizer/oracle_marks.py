"""Marks tests that need commonmark.js: skipped by name where node or the package is missing."""

from __future__ import annotations

import pytest

from tests.oracles.parsers import why_no_commonmark

_REASON = why_no_commonmark()

needs_commonmark = pytest.mark.skipif(_REASON is not None, reason=f"oracle commonmark.js: {_REASON}")
