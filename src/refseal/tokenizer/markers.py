"""The marks of fences and list items in a line (CommonMark 0.31, sections 4.5 and 5.2)."""

from __future__ import annotations

SHORTEST_FENCE = 3

LONGEST_NUMBER = 9  # digits of an ordered list's marker

DIGITS = frozenset("0123456789")


def fence_at(line: str, here: int) -> str:
    """Return the run that opens a fence at ``here``, "" if none does."""
    char = line[here]
    if not line.startswith(char * SHORTEST_FENCE, here):
        return ""
    rest = line[here:].lstrip(char)
    if char == "`" and "`" in rest:
        return ""
    return char * (len(line) - here - len(rest))


def closes_fence(line: str, here: int, fence: str) -> bool:
    """Say whether what begins at ``here`` closes the fence that was opened by ``fence``."""
    return line.startswith(fence, here) and not line[here:].lstrip(fence[0]).strip(" \t")


def list_marker(line: str, here: int, char: str) -> int:
    """Return the length of the list marker at ``here``, 0 if there is none."""
    if char in "*+-":
        mark = 1
    elif char in DIGITS:
        mark = 1
        while mark < LONGEST_NUMBER and line[here + mark : here + mark + 1] in DIGITS:
            mark += 1
        if line[here + mark : here + mark + 1] not in (".", ")"):
            return 0
        mark += 1
    else:
        return 0
    return mark if line[here + mark : here + mark + 1] in ("", " ") else 0


def interrupts(line: str, here: int, after: int) -> bool:
    """Say whether a list marker may interrupt a paragraph: it is no empty item, and its number is 1."""
    if not line[after:].strip(" \t"):
        return False
    return line[here] not in DIGITS or int(line[here : after - 1]) == 1
