"""RS203: a reference with a wildcard, which is not expanded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from refseal.audit.subjects import Verdict

RULE = Rule(
    code="RS203",
    name="glob-reference",
    severity=Severity.LOW,
    confidence=Confidence.HIGH,
    summary="A reference contains a wildcard; wildcards are not expanded and include nothing.",
    advice="Name the files one by one.",
)


def check(verdicts: Sequence[Verdict]) -> Iterator[Hit]:
    """Yield one hit for all wildcards of one line: they were written as one list."""
    globs = [one for one in verdicts if one.verdict == "skipped" and one.reason == "glob"]
    lines: dict[int, list[Verdict]] = {}
    for one in globs:
        lines.setdefault(one.line, []).append(one)
    for line, found in lines.items():
        more = f" and {len(found) - 1} more on this line" if len(found) > 1 else ""
        yield Hit(
            f"{quoted(found[0].token)}{more}: wildcards are not expanded",
            " ".join(one.token for one in found),
            line,
            found[0].column,
        )
