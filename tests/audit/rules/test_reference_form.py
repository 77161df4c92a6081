from __future__ import annotations

import pytest

from refseal.audit.rules import reference_form as rule
from tests.audit.rules.running import hits


def test_keyword_before_the_path_fires() -> None:
    (hit,) = hits(rule, "Rules:\n@import docs/a.md\n")
    assert (hit.line, hit.column) == (2, 1)


@pytest.mark.parametrize(
    "text",
    [
        '@import "theme.css";\n',
        "@docs/a.md\n",
        "`@import docs/a.md`\n",
        '"@docs/b.md"\n',
        "@include guards\n",
    ],
)
def test_other_languages_and_references_are_silent(text: str) -> None:
    assert hits(rule, text) == []


@pytest.mark.parametrize("text", ["@include docs/x.md\n", '@"my docs/a.md"\n', "See @import ./a.md now\n"])
def test_mutations_do_not_slip_through(text: str) -> None:
    assert hits(rule, text)
