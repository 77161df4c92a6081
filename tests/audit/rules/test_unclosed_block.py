from __future__ import annotations

import pytest

from refseal.audit.findings import Severity
from refseal.audit.rules import unclosed_block as rule
from tests.audit.rules.running import hits, severities


def test_fence_that_swallows_a_reference_fires() -> None:
    (hit,) = hits(rule, "@y.md\n```\n@x.md\n")
    assert (hit.line, hit.column) == (2, 1)
    assert "@x.md" in hit.message
    assert severities(rule, "```\n@x.md\n") == [Severity.MEDIUM]


@pytest.mark.parametrize(
    "text", ["```\n@x.md\n```\n", "<!-- @x.md -->\n@y.md\n", "`@x.md\n", "```\ncode\n", "plain\n"]
)
def test_closed_blocks_are_silent(text: str) -> None:
    assert hits(rule, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "~~~\n@x.md\n",
        "````\n@x.md\n```\n",  # closed by too few
        "```\n@x.md\n    ```\n",  # closed by an indented one
        "- a\n\n<!-- never closed\n@x.md\n",
        "<!-- -- >\n@x.md\n",
    ],
)
def test_mutations_do_not_slip_through(text: str) -> None:
    assert hits(rule, text)
