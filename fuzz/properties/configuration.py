"""Settings are read or reported, never fatal; and an untrusted project is never taken for another."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, Final

from refseal.codex.configuration import Configuration
from refseal.resolve.settings import Settings, read_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

# What each setting may be, from the documentation and not from the code: its type, and its bounds.
WHOLE: Final = {
    "max_depth": (0, 100),
    "max_files": (0, 1_000),
    "max_file_bytes": (1, 1 << 26),
    "max_total_reference_bytes": (0, 1 << 26),
}
SWITCHES: Final = ("allow_outside_root", "require_trust", "disable")
DANGEROUS: Final = ("allow_outside_root",)
LONGEST_PROBLEM: Final = 300


def settings_are_sound(environ: Mapping[str, str], toml: bytes | None) -> None:
    """Check what becomes of one environment and one refseal.toml."""
    settings = read_settings(environ, toml)
    for name, (low, high) in WHOLE.items():
        value = getattr(settings, name)
        assert type(value) is int, name
        assert low <= value <= high, name
    for name in SWITCHES:
        assert isinstance(getattr(settings, name), bool), name
    assert 0 < settings.deadline <= 600
    assert settings.host_limit is None or 1 <= settings.host_limit <= 1 << 24
    assert all(path.startswith(("/", "~")) and "\0" not in path for path in settings.extra_roots)
    names = settings.fallback_filenames or ()
    assert all("/" not in name and name not in {"", ".", "..", "AGENTS.local.md"} for name in names)
    assert settings.codex_home is None or settings.codex_home.startswith("/")
    for problem in settings.problems:
        assert problem.isprintable(), problem
        assert len(problem) <= LONGEST_PROBLEM, len(problem)
    _nothing_dangerous_by_mistake(settings, environ, toml)


def _nothing_dangerous_by_mistake(settings: Settings, environ: Mapping[str, str], toml: bytes | None) -> None:
    """A switch is on only if somebody wrote a yes for it."""
    table = _parsed(toml or b"") or {}
    for name in DANGEROUS:
        if getattr(settings, name):
            said = [environ.get(prefix + name.upper()) for prefix in ("REFSEAL_", "CODEX_AGENTS_MD_PLUS_")]
            said.append(table.get(name))
            words = {str(value).strip().lower() for value in said if value is not None}
            assert words & {"1", "true", "yes", "on"}, name


def untrusted_stays_untrusted(data: bytes, directory: str) -> None:
    """Check what one config.toml says of one project."""
    read = Configuration(data)
    read.add_layer(data)
    trust = read.trust(directory)
    assert trust in {None, "trusted", "untrusted"}
    assert trust != "untrusted" or read.can_untrust()
    assert isinstance(read.budget, int)
    assert read.budget >= 0
    for name in (*read.markers, *read.fallbacks):
        assert isinstance(name, str)
    for problem in read.problems:
        assert problem.isprintable()
    table = _parsed(data)
    if table is None:
        # Codex may understand what tomllib does not: then the doubt is not in the project's favour.
        named = directory.encode() in data or b"\\" in data
        plainly = b'trust_level = "untrusted"' in data
        assert trust == "untrusted" or not (named and plainly)
        return
    projects = table.get("projects")
    entry = projects.get(directory) if isinstance(projects, dict) else None
    level = entry.get("trust_level") if isinstance(entry, dict) else None
    assert trust == (level if level in ("trusted", "untrusted") else None)


def _parsed(data: bytes) -> dict[str, Any] | None:
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
