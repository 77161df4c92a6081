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

TRUST: Final = (
    (
        '[projects."/p"]\n',
        "[projects.'/p']\n",
        'projects."/p".',
        '[projects."/q"]\n',
        '[projects]\n"/p".',
        "",
    ),
    ("trust_level", '"trust_level"', '"trust\\u005flevel"', "'trust_level'", "trust"),
    (" = ", "=", " =\t", "  =", ": "),
    ('"untrusted"', "'untrusted'", '"trusted"', '"""untrusted"""', '"\\u0075ntrusted"', "true", ""),
)
"""How a config.toml calls a project trusted or not, part by part, in the ways that TOML knows and others."""

PIECES: Final = (
    "\n", "# x\n", "\ufeff", "project_root_markers = []\n", "{", "}", '"/p"', "\\", '"', "projects = {}\n",
    "a = 1\n", "trust_level", "untrusted", "\r\n", "[x]\n",
)  # fmt: skip


def check(data: bytes) -> None:
    """Read one configuration of Codex, or one environment with one refseal.toml."""
    choices = Choices(data)
    mode = choices.below(4)
    if mode == 1:
        untrusted_stays_untrusted(choices.rest(), "/p")
        return
    if mode == 3:
        untrusted_stays_untrusted(_trust(choices).encode(), "/p")
        return
    environ = {}
    for _ in range(choices.below(6)):
        name = choices.pick(PREFIXES) + choices.pick(FIELDS)
        environ[name] = os.fsdecode(choices.line()) if choices.chance(3) else choices.pick(VALUES)
    settings_are_sound(environ, choices.rest() if choices.chance(2) else None)


def _trust(choices: Choices) -> str:
    before = [choices.pick(PIECES) for _ in range(choices.pick((0, 0, 1, 3)))]
    parts = [choices.pick(part) for part in TRUST]
    behind = [choices.pick(PIECES) for _ in range(choices.pick((0, 1, 4)))]
    return "".join((*before, *parts, *behind))
