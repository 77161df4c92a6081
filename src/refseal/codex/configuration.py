"""What Codex's own configuration says about instruction files, and whom it trusts.

From ``config.toml`` in Codex home: `project_root_markers`, `project_doc_fallback_filenames`,
`project_doc_max_bytes`, and the trust level of projects.  The machine's own two files say the same things,
``/etc/codex/config.toml`` with less weight and ``managed_config.toml`` beside it with more than all others.
From a trusted project's own ``.codex/config.toml``, nearest to cwd first: fallback names and the byte budget,
as Codex takes them.

Reading TOML costs more than the rest of a hook's start, and most people have a configuration that says
nothing of this.  So bytes are searched first, and the tables are read (`configuration_tables`) only if a
key can be in there: by its plain spelling, or by an escape, for which there must be a backslash.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from refseal.codex.configuration_tables import Levels

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

MARKERS: Final = "project_root_markers"
FALLBACKS: Final = "project_doc_fallback_filenames"
BUDGET: Final = "project_doc_max_bytes"
"""The keys."""


class Configuration:
    """Codex's rules for one session.

    ``markers``    names that make a directory a project root; empty: cwd alone is the project
    ``fallbacks``  names of the project family after AGENTS.md, in order
    ``budget``     bytes of all project documents together; 0: none are loaded
    ``problems``   one line for each file that is no TOML
    ``is_known``   False: a file could not be read, and any project may be untrusted in it
    ``files``      the bytes and the name of each, in the order of their weight; empty where there is none
    ``broken``     the bytes of those that are no TOML, as far as anything had to be read in them
    """

    __slots__ = ("_levels", "broken", "budget", "fallbacks", "files", "is_known", "markers", "problems")

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
        self.files = ((system or b"", SYSTEM), (user or b"", USER), (managed or b"", MANAGED))
        self.broken: list[bytes] = []
        self._levels: Levels | None = None
        for data, name in self.files:
            if can_name(data, MARKERS, FALLBACKS, BUDGET):
                from refseal.codex.configuration_tables import take_rules  # noqa: PLC0415 - see above

                take_rules(self, data, name)

    def add_layer(self, data: bytes) -> None:
        """Let a trusted project's ``.codex/config.toml`` override; call it for the root first, cwd last."""
        for file, name in ((data, LAYER), self.files[-1]):
            if can_name(file, FALLBACKS, BUDGET):
                from refseal.codex.configuration_tables import take_document_rules  # noqa: PLC0415 - see above

                take_document_rules(self, file, name)

    def trust(self, *directories: str | None) -> str | None:
        """Return the trust level of the first of ``directories`` that has one: "trusted" or "untrusted".

        The directories are absolute and in Codex's order; None is passed over.
        """
        if self._levels is None:
            from refseal.codex.configuration_tables import Levels  # noqa: PLC0415 - few are asked

            self._levels = Levels(self)
        return self._levels.of(directories)

    def can_untrust(self) -> bool:
        """Tell whether any project may be called untrusted here, without reading TOML."""
        return any(can_untrust(data) for data, _ in self.files)


def can_untrust(data: bytes) -> bool:
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


def can_name(data: bytes, *keys: str) -> bool:
    """Tell whether one of the keys may be in a file."""
    return b"\\" in data or any(key.encode() in data for key in keys)
