"""The host's limit: one number in hooks.json and in the code, and less for sessions of an old Codex."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from refseal.codex.host_limit import DECLARED, UNDECLARABLE, host_limit
from refseal.resolve.settings import Settings


def test_hooks_json_declares_this_limit_and_it_holds_the_default_budgets() -> None:
    hooks = Path(__file__).parent.parent.parent / "src" / "hooks" / "hooks.json"
    declared = {
        hook["additionalContextLimit"]
        for groups in json.loads(hooks.read_text())["hooks"].values()
        for group in groups
        for hook in group["hooks"]
    }
    assert declared == {DECLARED}
    defaults = Settings()
    assert (
        defaults.max_total_reference_bytes
        + 4 * defaults.max_file_bytes
        + ((defaults.max_files + 4) * 200 + 2 * 20 * 120 + 2_000)
        <= DECLARED * 4
    )


@pytest.mark.parametrize(
    ("version", "limit"),
    [
        (None, DECLARED),
        ("0.171.0", DECLARED),
        ("0.145.0", DECLARED),
        ("0.145.1-alpha.1", DECLARED),
        ("1.0.0", DECLARED),
        ("0.145.0-alpha.3", UNDECLARABLE),
        ("0.144.6", UNDECLARABLE),
        ("0.9.0", UNDECLARABLE),
        ("0.144.6+build.1", UNDECLARABLE),
        ("0.0.0", UNDECLARABLE),
        ("", DECLARED),
        ("0.144", DECLARED),
        ("not.a.version", DECLARED),
        ("0.144.٦", DECLARED),
        ("0.1.99999999999999999999", DECLARED),
        ("-1.0.0", DECLARED),
    ],
)
def test_the_creator_of_the_session_decides(version: str | None, limit: int) -> None:
    assert host_limit(version, None) == limit


def test_the_setting_overrides_but_never_above_what_the_host_shows() -> None:
    assert host_limit("0.144.6", 5_000) == 5_000
    assert host_limit(None, 1) == 1
    assert host_limit(None, DECLARED + 1) == DECLARED
