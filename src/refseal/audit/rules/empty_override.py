"""RS308: an empty `AGENTS.override.md`, which hides the `AGENTS.md` beside it.

Codex takes the first file of the directory that exists, not the first that says something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import File

RULE = Rule(
    code="RS308",
    name="empty-override",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="An empty override hides the instruction file beside it.",
    advice="Delete the override, or write into it what should hold instead.",
)


def check(file: File) -> Iterator[Hit]:
    """Yield one hit if the file says nothing and another one of its directory would have come after it."""
    if file.hides and file.text is not None and not file.text.data.strip():
        yield Hit(f"this file is empty and hides {quoted(file.hides[0])}", "empty")
