"""What the tables of Codex's configuration files say, where a search of their bytes says that it can matter.

For `configuration`, which holds what is found here.
"""

from __future__ import annotations

from refseal.codex.configuration import BUDGET, FALLBACKS, LAYER, MARKERS, can_name, can_untrust
from refseal.resolve.instruction import WHITE_SPACE
from refseal.resolve.toml_text import BrokenToml, read_toml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from refseal.codex.configuration import Configuration

MAX_NAMES: Final = 64
"""Markers or fallback names that are looked for in a directory; each is a system call."""


def take_rules(configuration: Configuration, data: bytes, name: str) -> None:
    """Let the file called ``name`` override the markers, and what `take_document_rules` takes."""
    table = _table(configuration, data, name)
    configuration.markers = _names(table, MARKERS, configuration.markers)
    _take_documents(configuration, table)


def take_document_rules(configuration: Configuration, data: bytes, name: str) -> None:
    """Let the file called ``name`` override the fallback names and the byte budget."""
    _take_documents(configuration, _table(configuration, data, name))


class Levels:
    """The trust levels of projects, from all of a configuration's files.

    Codex reads more than `tomllib` does (TOML 1.1: an inline table over several lines).  Where a file cannot
    be read here, a project that it may call untrusted counts as untrusted.
    """

    __slots__ = ("_broken", "_projects")

    def __init__(self, configuration: Configuration) -> None:
        self._projects: dict[str, object] = {}
        for data, name in configuration.files:
            if can_name(data, "trust_level"):
                projects = _table(configuration, data, name).get("projects")
                if isinstance(projects, dict):
                    self._projects |= projects
        self._broken = tuple(configuration.broken)  # now that all of them were read

    def of(self, directories: Sequence[str | None]) -> str | None:
        """Return the level of the first directory that has one, as `Configuration.trust` promises."""
        named = [directory.encode("utf-8", "surrogateescape") for directory in directories if directory]
        for data in self._broken:
            if can_untrust(data) and (b"\\" in data or any(name in data for name in named)):
                return "untrusted"
        for directory in directories:
            entry = self._projects.get(directory) if directory is not None else None
            level = entry.get("trust_level") if isinstance(entry, dict) else None
            if level in ("trusted", "untrusted"):
                return str(level)
        return None


def _take_documents(configuration: Configuration, table: dict[str, object]) -> None:
    # Codex trims these names, unlike the markers, and drops those of which nothing is left.
    names = (name.strip(WHITE_SPACE) for name in _names(table, FALLBACKS, configuration.fallbacks))
    configuration.fallbacks = tuple(name for name in names if name)
    budget = table.get(BUDGET)
    if isinstance(budget, int) and not isinstance(budget, bool) and budget >= 0:
        configuration.budget = budget


def _table(configuration: Configuration, data: bytes, name: str) -> dict[str, object]:
    """Read a file; one that is no TOML is told once, and says nothing."""
    try:
        return read_toml(data)
    except BrokenToml:
        problem = f"Codex's {name} is not valid TOML; its defaults are used"
        if problem not in configuration.problems:
            configuration.problems.append(problem)
            if name != LAYER:
                configuration.broken.append(data)
        return {}


def _names(table: dict[str, object], key: str, default: Sequence[str]) -> tuple[str, ...]:
    """Return a list of strings, or the default: with anything else there Codex does not start at all."""
    value = table.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return tuple(default)
    return tuple(value[:MAX_NAMES])
