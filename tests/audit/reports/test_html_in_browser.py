"""The page in a real browser: it renders, runs nothing and asks for nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from refseal.audit.reports.html import render
from tests.audit.samples import finding, hostile_results, reference, results

if TYPE_CHECKING:
    from pathlib import Path

    from refseal.audit.results import Results

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium")


def rendered(report: Results, tmp_path: Path) -> str:
    page = tmp_path / "report.html"
    page.write_text(render(report), encoding="utf-8")
    command = [str(BROWSER), *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def test_browser_shows_what_was_written(tmp_path: Path) -> None:
    blocked = reference("~/x.md", resolved=None, verdict="blocked", reason="home")
    dom = rendered(results(finding(), references=(reference(), blocked)), tmp_path)
    assert dom.count("<rect") == 3
    assert "a message" in dom


def test_browser_finds_no_markup_in_hostile_names(tmp_path: Path) -> None:
    dom = rendered(hostile_results(), tmp_path)
    assert not re.search(r"<(script|img|iframe|link|object)\b", dom)
    assert dom.count("<html") == dom.count("<body") == 1
