"""RS313: a link that was checked out as a text file, which holds the link's target and nothing else.

That is what git does where links are switched off: the agent's instructions are then one path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import File

RULE = Rule(
    code="RS313",
    name="link-as-text",
    severity=Severity.MEDIUM,
    confidence=Confidence.MEDIUM,
    summary="An instruction file holds nothing but a path: a link that was checked out as text.",
    advice="Check it out as a link (git config core.symlinks true), or write `@` before the path.",
)

MAX_TARGET = 1_024
"""Bytes: longer link targets exist in attacks alone."""


def check(file: File) -> Iterator[Hit]:
    """Yield one hit if the file is a link in git's index, or is one line that looks like a link's target."""
    if file.text is None or file.is_link:
        return
    target = file.text.data
    if file.tracked_as_link:
        yield Hit(
            f"git has this as a link to {quoted(file.text.text)}, but it was checked out as text",
            "link",
            1,
            1,
        )
    elif 0 < len(target) <= MAX_TARGET and _looks_like_target(file.text.text):
        yield Hit(
            f"this file says nothing but {quoted(file.text.text.strip())}, as a link's target", "link", 1, 1
        )


def _looks_like_target(text: str) -> bool:
    """Tell whether the text is one path: git writes a target without a line end, an editor adds one."""
    path = text.strip()
    if (
        not path
        or "\n" in path
        or any(char.isspace() or char in "@`<>#*" for char in path)
        or path.startswith(("http:", "https:"))
    ):
        return False
    return path.lower().endswith((".md", ".mdc", ".txt", ".markdown")) or path.startswith(("../", "./"))
