"""RS407: the markup of refseal's own block, in a file that a repository supplies.

No file can forge a seal that counts; but a model that looks at a text with tags of the same shape may not
count digits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import quoted
from refseal.audit.rules.markup import mention, occurrences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Text

RULE = Rule(
    code="RS407",
    name="refseal-markup",
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    summary="The text contains tags, seals or the marker of the block that refseal itself emits.",
    advice="Remove them: a file has no reason to carry the seals of a block that it is quoted in.",
)

_SEALED = re.compile(r"<\s{0,8}/?\s{0,8}[a-z][a-z_-]{0,40}\s{0,8}:\s{0,8}[0-9a-f]{8,64}\b", re.IGNORECASE)
_BLOCK = re.compile(r"<\s{0,8}/?\s{0,8}agents_md_extra_context\b", re.IGNORECASE)
_MARKER = re.compile(r"<!--+\s{0,8}(?:refseal|codex-agents-md-plus)\s{1,8}sha256:", re.IGNORECASE)


def check(text: Text) -> Iterator[Hit]:
    """Yield one hit for each tag, seal or marker."""
    if "<" not in text.look:
        return
    for found in occurrences(text, _SEALED, _BLOCK, _MARKER):
        if found.mentioned:
            yield mention(found, "markup of refseal's own block")
            continue
        yield Hit(
            f"{quoted(found.string)} imitates the markup of refseal's own block",
            found.string,
            found.line,
            found.column,
        )
