"""RS315: a project's own configuration of Codex that changes which files are instructions.

In a project that the user trusts, Codex takes further names of instruction files, and the bytes that it loads
of them, from the project's `.codex/config.toml`.  A file of any name may thereby speak to the agent, or all
of them fall silent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

RULE = Rule(
    code="RS315",
    name="project-configuration",
    severity=Severity.LOW,
    confidence=Confidence.HIGH,
    summary="The project's own Codex configuration changes what is loaded as instructions.",
    advice="Make sure that it is meant; the audit treats the files that it names as instruction files.",
)


def check(fallbacks: Sequence[str], budget: int | None, default: int) -> Iterator[Hit]:
    """Yield one hit for further names, one for a byte budget that is not the default."""
    if fallbacks:
        names = ", ".join(quoted(name) for name in fallbacks[:5])
        more = f" and {len(fallbacks) - 5} more" if len(fallbacks) > 5 else ""
        yield Hit(f"Codex reads {names}{more} as instructions, once the user trusts this project", "names")
    if budget is not None and budget < default:
        yield Hit(
            f"Codex loads at most {budget} bytes of instruction files, once the user trusts this project",
            "budget",
            severity=Severity.MEDIUM,
        )
