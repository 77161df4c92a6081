"""Property: no configuration or environment is fatal, and none makes an untrusted project a trusted one.

Every setting is within its bounds or reported in one printable line; a dangerous switch is on only if
somebody wrote a yes; and what config.toml says of a project is what tomllib reads there
(`fuzz.properties.configuration`).
"""

from __future__ import annotations

import os
from typing import Final

from fuzz.choices import Choices
from fuzz.properties.configuration import settings_are_sound, untrusted_stays_untrusted

FIELDS: Final = (
    "MAX_DEPTH", "MAX_FILES", "MAX_FILE_BYTES", "MAX_TOTAL_REFERENCE_BYTES", "ALLOW_OUTSIDE_ROOT",
    "EXTRA_ROOTS", "FALLBACK_FILENAMES", "CODEX_HOME", "HOST_LIMIT", "DEADLINE", "REQUIRE_TRUST", "DISABLE",
)  # fmt: skip
PREFIXES: Final = ("REFSEAL_", "CODEX_AGENTS_MD_PLUS_")
VALUES: Final = (
    "1", "0", "true", "no", "-1", "1e3", "nan", "inf", "999999999999999", " 5 ", "٣",
    "/a:~/b:c", "A.md,../x,B.md", "~", "/x\x00", "\udcff", "", "AGENTS.local.md",
)  # fmt: skip


def check(data: bytes) -> None:
    """Read one configuration of Codex, or one environment with one refseal.toml."""
    choices = Choices(data)
    if choices.chance(2):
        untrusted_stays_untrusted(choices.rest(), "/p")
        return
    environ = {}
    for _ in range(choices.below(6)):
        name = choices.pick(PREFIXES) + choices.pick(FIELDS)
        environ[name] = os.fsdecode(choices.line()) if choices.chance(3) else choices.pick(VALUES)
    settings_are_sound(environ, choices.rest() if choices.chance(2) else None)
