"""RS301: an instruction file that is a link out of the repository.

Codex follows it: whatever it leads to on the machine of whoever opens the repository is read as
instructions, and a link to a private file puts that file in front of the model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import File

RULE = Rule(
    code="RS301",
    name="link-escape",
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    summary="An instruction file is a link that leads out of the repository, and Codex follows it.",
    advice="Replace the link by the file, or by a relative link that stays in the repository.",
)

_REFUSALS = frozenset({"outside-root", "symlink-escape", "symlink-absolute", "absolute", "home"})
_CREDENTIALS = frozenset({"sensitive", "git-metadata"})


def check(file: File) -> Iterator[Hit]:
    """Yield one hit if the file is a link that the guard does not follow."""
    if file.refusal in _REFUSALS:
        where = f" ({quoted(file.where)})" if file.where else ""
        yield Hit(
            f"this file is a link out of the repository{where}; refseal does not follow it, Codex does",
            file.refusal,
        )
    elif file.refusal in _CREDENTIALS:
        yield Hit(
            f"this file is a link to {quoted(file.where)}, which holds credentials or belongs to git",
            file.refusal,
        )
