"""How much of one hook's text Codex shows the model, in tokens of four UTF-8 bytes.

Nothing that a hook is given tells the version that runs.  The transcript names the one that *created* the
session: after an update a resumed session still names the old one and gets less than it could, and the
other way round Codex refuses from 0.148 on to resume what a newer one wrote.  Without a transcript the limit
that hooks.json declares is assumed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

REFERENCES: Final = 131_072
OVERLAYS: Final = 4 * 32_768
FRAME: Final = 32_768
DECLARED: Final = (REFERENCES + OVERLAYS + FRAME) // 4
"""`additionalContextLimit` in hooks.json: 73,728 tokens, room for all that the default budgets let in.

All references together (REFSEAL_MAX_TOTAL_REFERENCE_BYTES); four documents of full size that count as no
references (REFSEAL_MAX_FILE_BYTES each: the overlays of Codex home, project root and cwd, and one more or the
restored rest of a cut file); and the frame, of which some 5 kB are the preamble and the two lists, and the
rest is room for tags (up to some 200 bytes for each of 36 documents) and for visible escapes.  It is a
ceiling and no appetite: a hostile project cannot fill more of the model's window than this.
"""

UNDECLARABLE: Final = 2_500
"""What a Codex before `SINCE` shows, whatever hooks.json says."""

SINCE: Final = (0, 145, 0)
"""The first version that reads `additionalContextLimit`."""


def host_limit(version: str | None, override: int | None) -> int:
    """Return the limit for a session created by ``version`` (None: not known).

    ``override`` is REFSEAL_HOST_LIMIT.  It cannot raise the limit above what hooks.json declares, for the
    host would cut there.
    """
    if override is not None:
        return min(override, DECLARED)
    if version is not None and _is_before(version, SINCE):
        return UNDECLARABLE
    return DECLARED


def _is_before(version: str, since: tuple[int, int, int]) -> bool:
    """Compare as Semantic Versioning does; what is no version counts as a new one."""
    core, pre_release, _ = version.partition("+")[0].partition("-")
    numbers = core.split(".")
    if len(numbers) != len(since) or not all(
        number.isascii() and number.isdigit() and len(number) < 10 for number in numbers
    ):
        return False
    found = tuple(int(number) for number in numbers)
    return found < since or (found == since and pre_release != "")
