from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from refseal.audit.findings import Severity
from refseal.audit.rules import broken_reference as rule
from refseal.audit.subjects import Verdict
from tests.audit.rules.running import audit, of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("line", "severity"),
    [
        ("@docs/gone.md", Severity.MEDIUM),
        ("- @docs/gone.md", Severity.MEDIUM),
        ("  * @docs/gone.md.", Severity.MEDIUM),
        ("See @docs/gone.md for more.", Severity.LOW),
        ("@docs/gone", Severity.MEDIUM),
        ("See @docs/gone there.", Severity.INFO),
    ],
)
def test_alone_on_its_line_it_is_an_import(tmp_path: Path, line: str, severity: Severity) -> None:
    files: dict[str, str | bytes] = {"AGENTS.md": f"# Rules\n\n{line}\n", "docs/here.md": "x\n"}
    (found,) = of(audit(tmp_path, files), "RS201")
    assert found.severity == severity
    assert found.line == 3


@pytest.mark.parametrize("text", ["@docs/here.md\n", "Ask @maria.\n", "@org/team\n", "`@docs/gone.md`\n"])
def test_files_that_exist_and_mentions_are_silent(tmp_path: Path, text: str) -> None:
    assert audit(tmp_path, {"AGENTS.md": text, "docs/here.md": "x\n"}) == []


def test_other_reasons_are_silent() -> None:
    assert list(rule.check(Verdict("@x.md", "x.md", "skipped", "duplicate"))) == []
    assert list(rule.check(Verdict("@x.md", "x.md", "included", "included"))) == []


def test_reference_deep_in_a_chain_is_reported_where_it_stands(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "AGENTS.md": "@a.md\n",
        "a.md": "@docs/b.md\n",
        "docs/b.md": "@gone.md\n",
    }
    (found,) = of(audit(tmp_path, files), "RS201")
    assert (found.path, found.line) == ("docs/b.md", 1)
