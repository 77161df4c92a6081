"""What Codex's own configuration says about instruction files, and whom it trusts.

From ``config.toml`` in Codex home: `project_root_markers`, `project_doc_fallback_filenames`,
`project_doc_max_bytes`, and the trust level of projects.  The machine's own two files say the same things,
``/etc/codex/config.toml`` with less weight and ``managed_config.toml`` beside it with more than all others.
From a trusted project's own ``.codex/config.toml``, nearest to cwd first: fallback names and the byte budget,
as Codex takes them.

Reading TOML costs more than the rest of a hook's start, and most people have a configuration that says
nothing of this.  So bytes are searched first, and `tomllib` is imported only if a key can be in there: by
its plain spelling, or by an escape, for which there must be a backslash.
"""

from __future__ import annotations

from refseal.resolve.instruction import WHITE_SPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

MAX_BYTES: Final = 4 << 20
"""Bytes read of a configuration file: tens of thousands of projects' worth."""

USER: Final = "config.toml"
SYSTEM: Final = "/etc/codex/config.toml"
MANAGED: Final = "/etc/codex/managed_config.toml"
LAYER: Final = ".codex/config.toml"
"""What the files are called: in Codex home, on the machine, in a project."""

DEFAULT_MARKERS: Final = (".git",)
DEFAULT_BUDGET: Final = 32_768
"""Codex's defaults (its documentation of `project_root_markers` and `project_doc_max_bytes`)."""

MAX_NAMES: Final = 64
"""Markers or fallback names that are looked for in a directory; each is a system call."""

_MARKERS: Final = "project_root_markers"
_FALLBACKS: Final = "project_doc_fallback_filenames"
_BUDGET: Final = "project_doc_max_bytes"


class Configuration:
    """Codex's rules for one session.

    ``markers``    names that make a directory a project root; empty: cwd alone is the project
    ``fallbacks``  names of the project family after AGENTS.md, in order
    ``budget``     bytes of all project documents together; 0: none are loaded
    ``problems``   one line for each file that is no TOML
    ``is_known``   False: a file could not be read, and any project may be untrusted in it
    """

    __slots__ = ("_broken", "_files", "_projects", "budget", "fallbacks", "is_known", "markers", "problems")

    def __init__(
        self, user: bytes | None = b"", system: bytes | None = b"", managed: bytes | None = b""
    ) -> None:
        """Read the user's ``config.toml`` and the machine's two files, one below it and one above.

        Each is empty where there is none, and None where it could not be read.
        """
        self.is_known = None not in (user, system, managed)
        self.markers: tuple[str, ...] = DEFAULT_MARKERS
        self.fallbacks: tuple[str, ...] = ()
        self.budget = DEFAULT_BUDGET
        self.problems: list[str] = []
        self._files = ((system or b"", SYSTEM), (user or b"", USER), (managed or b"", MANAGED))
        self._broken: list[bytes] = []
        self._projects: dict[str, object] | None = None
        for data, name in self._files:
            if _can_name(data, _MARKERS, _FALLBACKS, _BUDGET):
                table = self._parse(data, name)
                self.markers = _names(table, _MARKERS, self.markers)
                self._take_documents(table)

    def add_layer(self, data: bytes) -> None:
        """Let a trusted project's ``.codex/config.toml`` override; call it for the root first, cwd last."""
        for file, name in ((data, LAYER), self._files[-1]):
            if _can_name(file, _FALLBACKS, _BUDGET):
                self._take_documents(self._parse(file, name))

    def trust(self, *directories: str | None) -> str | None:
        """Return the trust level of the first of ``directories`` that has one: "trusted" or "untrusted".

        The directories are absolute and in Codex's order; None is passed over.  Codex reads more than
        `tomllib` does (TOML 1.1: an inline table over several lines).  Where the file cannot be read
        here, a project that it may call untrusted counts as untrusted.
        """
        projects = self._project_table()  # which reads the files, and so tells the broken ones
        named = [directory.encode("utf-8", "surrogateescape") for directory in directories if directory]
        for data in self._broken:
            if _can_untrust(data) and (b"\\" in data or any(name in data for name in named)):
                return "untrusted"
        for directory in directories:
            entry = projects.get(directory) if directory is not None else None
            level = entry.get("trust_level") if isinstance(entry, dict) else None
            if level in ("trusted", "untrusted"):
                return str(level)
        return None

    def can_untrust(self) -> bool:
        """Tell whether any project may be called untrusted here, without reading TOML."""
        return any(_can_untrust(data) for data, _ in self._files)

    def _project_table(self) -> dict[str, object]:
        if self._projects is None:
            self._projects = {}
            for data, name in self._files:
                if _can_name(data, "trust_level"):
                    projects = self._parse(data, name).get("projects")
                    if isinstance(projects, dict):
                        self._projects |= projects
        return self._projects

    def _take_documents(self, table: dict[str, object]) -> None:
        # Codex trims these names, unlike the markers, and drops those of which nothing is left.
        names = (name.strip(WHITE_SPACE) for name in _names(table, _FALLBACKS, self.fallbacks))
        self.fallbacks = tuple(name for name in names if name)
        budget = table.get(_BUDGET)
        if isinstance(budget, int) and not isinstance(budget, bool) and budget >= 0:
            self.budget = budget

    def _parse(self, data: bytes, name: str) -> dict[str, object]:
        from refseal.resolve.toml_text import BrokenToml, read_toml  # noqa: PLC0415 - see the module's text

        try:
            return read_toml(data)
        except BrokenToml:
            problem = f"Codex's {name} is not valid TOML; its defaults are used"
            if problem not in self.problems:
                self.problems.append(problem)
                if name != LAYER:
                    self._broken.append(data)
            return {}


def _can_untrust(data: bytes) -> bool:
    """Tell whether a file may call any project untrusted.

    A key and its value stand in one line, except in a string of three quotation marks.
    """
    place = data.find(b"untrusted")
    if place < 0:
        return b"\\" in data and b"projects" in data
    if b"'''" in data or b'"""' in data or b"\\" in data:
        return True
    while place >= 0:
        line = data[data.rfind(b"\n", 0, place) + 1 : place]
        # `approval_policy = "untrusted"` is common, and is about something else.
        if b"trust_level" in line or b"approval_policy" not in line:
            return True
        place = data.find(b"untrusted", place + 1)
    return False


def _can_name(data: bytes, *keys: str) -> bool:
    return b"\\" in data or any(key.encode() in data for key in keys)


def _names(table: dict[str, object], key: str, default: Sequence[str]) -> tuple[str, ...]:
    """Return a list of strings, or the default: with anything else there Codex does not start at all."""
    value = table.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return tuple(default)
    return tuple(value[:MAX_NAMES])
