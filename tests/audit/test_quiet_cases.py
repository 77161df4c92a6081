"""No false alarm: the settled cases that are quiet, and a corpus of ordinary instruction files."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from refseal.audit.findings import Severity
from tests.audit.rules.running import audit, plant

if TYPE_CHECKING:
    from pathlib import Path

HERE = os.path.dirname(__file__)


def cases() -> list[dict[str, Any]]:
    with open(os.path.join(HERE, "../vectors/references.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


@pytest.mark.parametrize("case", cases(), ids=[case["id"] for case in cases()])
def test_settled_case_is_quiet_or_not(tmp_path: Path, case: dict[str, Any]) -> None:
    plant(tmp_path, {".git/HEAD": "ref: refs/heads/main\n", "AGENTS.local.md": case["text"].encode("utf-8")})
    for path in case["included"]:
        if path != "AGENTS.local.md":
            plant(tmp_path, {path.removeprefix("./"): f"# {os.path.basename(path)}\n"})
    if case["id"] == "MI40":
        plant(tmp_path, {"docs/work/open/T-052/x.txt": "x"})
    found = [finding for finding in audit(tmp_path) if finding.severity > Severity.INFO]
    if case["quiet"]:
        assert [(one.rule.code, one.message) for one in found] == []
    else:
        assert found


@pytest.mark.parametrize("name", sorted(os.listdir(os.path.join(HERE, "corpus"))))
def test_ordinary_instruction_file_has_no_finding_above_info(tmp_path: Path, name: str) -> None:
    with open(os.path.join(HERE, "corpus", name), "rb") as file:
        data = file.read()
    files: dict[str, str | bytes] = {
        ".git/HEAD": "ref: refs/heads/main\n",
        "AGENTS.md": data,
        "docs/architecture.md": "# Architecture\n",
        "docs/testing.md": "# Testing\n",
        "docs/style guide.md": "# Style\n",
        "README.md": "# Read me\n",
        "package.json": "{}\n",
    }
    found = [finding for finding in audit(tmp_path, files) if finding.severity > Severity.INFO]
    assert [(one.rule.code, one.line, one.message) for one in found] == []


def test_corpus_holds_what_it_should() -> None:
    text = ""
    for name in os.listdir(os.path.join(HERE, "corpus")):
        with open(os.path.join(HERE, "corpus", name), encoding="utf-8-sig") as file:
            text += file.read()
    wanted = (
        "@types/",
        "@Override",
        "@media",
        "//tools:",
        "@example.com",
        "\u200d",
        "\ufe0f",
        "<!--",
        "```",
        "\u05d0",
        "\u0627",
    )
    assert [one for one in wanted if one not in text] == []
