"""What the user configured: the environment first, then refseal.toml in Codex home, then the default.

Nothing here is ever read from a project.  Hosts without a shell have no environment, so every setting has a
key in the file too: REFSEAL_MAX_DEPTH is `max_depth` there.  The names of the plugin that refseal succeeds
(CODEX_AGENTS_MD_PLUS_*) are accepted where it had the setting.  A bad value is reported in `problems`, and
the default is used: not the value of a weaker source, which somebody who mistyped a "no" did not ask for.

Most people set nothing.  How each setting is read (`setting_readers`) is imported only where something is.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

PREFIX: Final = "REFSEAL_"
ALIAS_PREFIX: Final = "CODEX_AGENTS_MD_PLUS_"


class Settings:
    """Every setting with its effective value.

    ``max_depth``                  references deeper than this are not expanded; an instruction file has 0
    ``max_files``                  referenced documents in one block
    ``max_file_bytes``             bytes that are read of any one document
    ``max_total_reference_bytes``  bytes of all referenced documents together
    ``allow_outside_root``         every document may reach the whole disk: dangerous
    ``extra_roots``                directories that user-tier documents may reach, as the user spelled them
    ``fallback_filenames``         further names of the project family; None: not set, the host's own apply
    ``codex_home``                 None: not set, the host's own rule applies
    ``host_limit``                 tokens that the host shows of a block; None: not set
    ``deadline``                   seconds
    ``require_trust``              only projects that the user calls trusted contribute
    ``disable``                    do nothing at all
    ``problems``                   one line for each value that was not used, for the user
    """

    __slots__ = (
        "allow_outside_root",
        "codex_home",
        "deadline",
        "disable",
        "extra_roots",
        "fallback_filenames",
        "host_limit",
        "max_depth",
        "max_file_bytes",
        "max_files",
        "max_total_reference_bytes",
        "problems",
        "require_trust",
    )

    def __init__(self) -> None:
        self.max_depth = 5
        self.max_files = 32
        self.max_file_bytes = 32_768
        self.max_total_reference_bytes = 131_072
        self.allow_outside_root = False
        self.extra_roots: tuple[str, ...] = ()
        self.fallback_filenames: tuple[str, ...] | None = None
        self.codex_home: str | None = None
        self.host_limit: int | None = None
        self.deadline = 5.0
        self.require_trust = False
        self.disable = False
        self.problems: list[str] = []


def read_settings(environ: Mapping[str, str], toml: bytes | None) -> Settings:
    """Return the settings; ``toml`` is the content of refseal.toml, None where there is no such file."""
    settings = Settings()
    if toml is not None or any(name.startswith((PREFIX, ALIAS_PREFIX)) for name in environ):
        from .setting_readers import read_into  # noqa: PLC0415 - see the module's text

        read_into(settings, environ, toml)
    return settings
