"""RS202 to RS205, RS208, RS210: verdicts that are not blocked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from refseal.audit.findings import Persona, Severity
from refseal.audit.rules import left_out, lookalike_reference
from refseal.audit.subjects import Verdict
from refseal.resolve.reasons import REASONS
from tests.audit.rules.running import audit, codes, of

if TYPE_CHECKING:
    from pathlib import Path

TREE: dict[str, str | bytes] = {
    "docs/a.md": "text\n",
    "docs/логика.md": "text\n",
    "logo.png": b"\x89PNG\0",
    "data.md": b"a\0b",
    "empty.md": " \n",
    "d\u043ecs/a.md": "text\n",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@docs/a.md\n", []),
        ("@docs/логика.md\n", []),
        ("@docs/\n", ["RS202"]),
        ("@./docs\n", ["RS202"]),
        ("@docs/*.md\n", ["RS203"]),
        ("@docs/?.md and @docs/**/x.md\n", ["RS203"]),
        ("@docs/*.md\n@docs/x*.md\n", ["RS203", "RS203"]),
        ("@logo.png\n", ["RS204"]),
        ("@./logo.png\n", ["RS204"]),
        ("@data.md\n", ["RS204"]),
        ("@empty.md\n", []),
        ("@d\u043ecs/a.md\n", ["RS210"]),  # a Cyrillic o
        ("@docs/\uff41.md\n", ["RS201"]),  # wholly in one other script
    ],
)
def test_verdicts_become_findings(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert sorted(codes(audit(tmp_path, {**TREE, "AGENTS.md": text}))) == expected


def test_empty_file_is_for_the_pedantic(tmp_path: Path) -> None:
    found = audit(tmp_path, {**TREE, "AGENTS.md": "@empty.md\n"}, persona=Persona.PEDANTIC)
    assert codes(found) == ["RS208"]


def test_document_beyond_a_budget_is_reported_with_the_budget(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"docs/{n}.md": f"text {n}\n" for n in range(40)}
    files["AGENTS.md"] = "".join(f"@docs/{n}.md\n" for n in range(40))
    found = of(audit(tmp_path, files), "RS205")
    assert len(found) == 8
    assert all("REFSEAL_MAX_FILES" in one.message and one.severity == Severity.MEDIUM for one in found)


def test_depth_is_reported_where_the_chain_ends(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"{n}.md": f"@{n + 1}.md\n" for n in range(9)}
    (found,) = of(audit(tmp_path, {**files, "AGENTS.md": "@0.md\n"}), "RS205")
    assert "REFSEAL_MAX_DEPTH" in found.message
    assert found.path == "4.md"


BUDGETS = ("depth", "file-count", "total-bytes", "host-limit", "deadline")


@pytest.mark.parametrize("reason", [code for code, (verdict, _) in REASONS.items() if verdict == "skipped"])
def test_budgets_are_the_reasons_of_the_rule_and_nothing_else_is(reason: str) -> None:
    hits = list(left_out.check(Verdict("@x.md", "x.md", "skipped", reason)))
    assert bool(hits) == (reason in BUDGETS)


def test_word_of_another_script_is_for_auditors() -> None:
    path = "\u0441\u043e\u0440.md"
    (hit,) = lookalike_reference.check(Verdict("@" + path, path, "skipped", "missing"))
    assert hit.persona == Persona.AUDITOR


@pytest.mark.parametrize(
    "path", ["docs/логика.md", "文档/接口.md", "café/naïve.md", "docs/guide\u2013v2.md", "naïve.md"]
)
def test_ordinary_names_of_other_scripts_are_silent(path: str) -> None:
    assert list(lookalike_reference.check(Verdict("@" + path, path, "included", "included"))) == []


@pytest.mark.parametrize(
    "path",
    ["d\u043ecs/a.md", "docs/READM\u0415.md", "\uff44ocs/a.md", "docs/\U0001d41a.md", "sub/\u0251b.md"],
)
def test_mutations_do_not_slip_through(path: str) -> None:
    assert list(lookalike_reference.check(Verdict("@" + path, path, "included", "included")))
