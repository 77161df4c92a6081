"""RS209: a fence or comment that is never closed, and takes references with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Persona, Rule, Severity
from refseal.audit.quoting import counted, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Text

RULE = Rule(
    code="RS209",
    name="unclosed-block",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    summary="A code fence or comment is never closed, so that the references behind it are not followed.",
    advice="Close the fence or the comment where it should end.",
)

_REASONS = {"unclosed-fence": "fence", "unclosed-comment": "html-comment"}


def check(text: Text) -> Iterator[Hit]:
    """Yield one hit for each unclosed block; one that swallows no reference is for the pedantic."""
    for hint in text.tokens.hints:
        reason = _REASONS.get(hint.kind)
        if reason is None:
            continue
        what = "code fence" if reason == "fence" else "HTML comment"
        place = (hint.line, hint.column)
        lost = [one for one in text.tokens.inert if one.reason == reason and (one.line, one.column) > place]
        if lost:
            yield Hit(
                f"this {what} is never closed and swallows {quoted(lost[0].token)}"
                + (f" and {counted(len(lost) - 1, 'more reference')}" if len(lost) > 1 else ""),
                reason,
                *place,
            )
        else:
            yield Hit(
                f"this {what} is never closed",
                reason,
                *place,
                severity=Severity.INFO,
                persona=Persona.PEDANTIC,
            )
