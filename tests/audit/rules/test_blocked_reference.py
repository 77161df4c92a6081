from __future__ import annotations

import os
from pathlib import Path

import pytest

from refseal.audit.findings import Severity
from refseal.audit.rules import blocked_reference as rule
from refseal.audit.subjects import Verdict
from refseal.resolve.reasons import REASONS
from tests.audit.rules.running import audit, codes, of
from tests.e2e.project import Project

BLOCKED = [code for code, (verdict, _) in REASONS.items() if verdict == "blocked"]


@pytest.mark.parametrize("reason", BLOCKED)
def test_every_reason_has_a_rule_of_its_name(reason: str) -> None:
    ((found, hit),) = rule.check(Verdict("@x.md", "x.md", "blocked", reason, line=3, column=5))
    assert found.name == reason
    assert (hit.line, hit.column) == (3, 5)


def test_rules_have_no_reason_that_is_none() -> None:
    assert [one.name for one in rule.RULES if one.name not in BLOCKED] == []


@pytest.mark.parametrize("verdict", ["included", "skipped", "inert"])
def test_other_verdicts_are_silent(verdict: str) -> None:
    assert list(rule.check(Verdict("@x.md", "x.md", verdict, "missing"))) == []


def test_path_that_asks_for_a_credential_is_high_whatever_it_is_refused_for() -> None:
    ((found, hit),) = rule.check(
        Verdict("@../.ssh/id_rsa", "", "blocked", "outside-root", names_credential=True)
    )
    assert found.name == "sensitive"
    assert "outside-root" in hit.message


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("@../x.md", "RS102"),
        ("@/etc/x.md", "RS105"),
        ("@C:\\x\\a.md", "RS105"),
        ("@~/x.md", "RS106"),
        ("@README.md/x.md", "RS108"),
        ("@.env", "RS109"),
        ("@ENV~1/x.md", "RS109"),  # the short name of `.env` on a disk of Windows
        ("@~/.aws/credentials", "RS109"),
        ("@../../.ssh/id_rsa", "RS109"),
        ("@.git/config", "RS110"),
        ("@GIT~1/config", "RS110"),
        ("@" + "a" * 300 + ".md", "RS114"),
        ("@docs/gui\u200bde.md", "RS115"),
        ("@link-out.md", "RS101"),
        ("@docs-out/x.md", "RS101"),  # through a directory
        ("@link-absolute.md", "RS103"),
        ("@loop.md", "RS104"),
        ("@pipe.md", "RS107"),
    ],
)
def test_what_a_repository_tries_is_reported(tmp_path: Path, reference: str, code: str) -> None:
    root = tmp_path / "repo"
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x.md").write_text("secret")
    root.mkdir()
    os.mkfifo(root / "pipe.md")
    files: dict[str, str | bytes] = {
        ".git/HEAD": "ref: refs/heads/main\n",
        "README.md": "# Read me\n",
        "link-out.md": "-> ../out/x.md",
        "docs-out": "-> ../out",
        "link-absolute.md": f"-> {tmp_path}/out/x.md",
        "loop.md": "-> loop.md",
        "AGENTS.md": f"See {reference} first.\n",
    }
    found = audit(root, files)
    assert code in codes(found)
    (one,) = of(found, code)
    assert (one.path, one.line, one.column) == ("AGENTS.md", 1, 5)
    assert one.severity >= Severity.LOW


def test_link_that_stays_inside_is_silent(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        ".git/HEAD": "x",
        "docs/a.md": "text\n",
        "b.md": "-> docs/a.md",
        "AGENTS.md": "@b.md\n",
    }
    assert audit(tmp_path, files) == []


@pytest.mark.parametrize(
    ("reference", "code"), [("@/srv/x.md", "RS105"), ("@~/x.md", "RS106"), ("@../x.md", "RS102")]
)
@pytest.mark.parametrize("is_tracked", [False, True])
def test_what_settings_may_allow_an_own_overlay_is_low(
    tmp_path: Path, reference: str, code: str, *, is_tracked: bool
) -> None:
    """A commit is not to fail for a file that is in no commit, and for a path that the session includes."""
    project = Project.create(str(tmp_path / "project"))
    project.write("AGENTS.md", "# Project\n")
    project.write("AGENTS.local.md", f"See {reference} first.\n")
    if is_tracked:
        project.commit()
    (one,) = of(audit(Path(project.root), home=str(tmp_path)), code)
    is_low = not is_tracked and code != "RS102"
    assert one.severity is (Severity.LOW if is_low else Severity.MEDIUM)


def test_credential_in_an_own_overlay_stays_high(tmp_path: Path) -> None:
    project = Project.create(str(tmp_path / "project"))
    project.write("AGENTS.local.md", "See @~/.ssh/id_rsa first.\n")
    (one,) = of(audit(Path(project.root), home=str(tmp_path)), "RS109")
    assert one.severity is Severity.HIGH
