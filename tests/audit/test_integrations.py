"""The files by which others start the audit: they are well-formed and name options that exist."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING, Any

import yaml

from refseal.cli.audit import audit
from refseal.resolve.instruction import OVERLAY, PROJECT_NAMES
from tests.audit.rules.running import plant

if TYPE_CHECKING:
    from pathlib import Path

ROOT = os.path.join(os.path.dirname(__file__), "../..")


def load(name: str) -> Any:
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return yaml.safe_load(file)


def script(name: str) -> str:
    (step,) = [step for step in load("action.yml")["runs"]["steps"] if step.get("name") == name]
    return str(step["run"])


def test_hook_of_pre_commit_runs_the_audit_for_every_instruction_file() -> None:
    (hook,) = load(".pre-commit-hooks.yaml")
    assert hook["entry"] == "refseal audit --allow-none"
    assert hook["pass_filenames"] is False
    for name in (*PROJECT_NAMES, OVERLAY):
        assert re.search(hook["files"], name)
        assert re.search(hook["files"], f"a/b/{name}")
    assert not re.search(hook["files"], "src/main.py")


def test_action_uses_options_that_exist() -> None:
    known = {option for parameter in audit.params for option in parameter.opts}
    used = set(re.findall(r"(--[a-z][a-z-]+)", script("Audit"))) - {"--quiet", "--depth"}
    assert (
        {"--fail-on", "--baseline", "--proposed-baseline", "--persona", "--format", "--output"}
        <= used
        <= known
    )


def test_no_input_of_the_action_is_pasted_into_a_script() -> None:
    for step in load("action.yml")["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_action_reads_the_baseline_from_the_base_commit(tmp_path: Path) -> None:
    """Run the action's own script with a `refseal` that shows what it is given."""
    tools, workspace = tmp_path / "tools", tmp_path / "workspace"
    plant(tools, {"refseal/bin/python": '#!/bin/sh\nprintf "%s\\n" "$*" >>"$RUNNER_TEMP/calls"\n'})
    (tools / "refseal/bin/python").chmod(0o755)
    plant(workspace, {"AGENTS.md": "x\n", ".refseal-baseline.json": "old\n"})
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-C", str(workspace)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "base"], check=True)
    base = subprocess.run(
        [*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    plant(workspace, {".refseal-baseline.json": "new\n"})
    environment = {
        "PATH": os.environ["PATH"],
        "RUNNER_TEMP": str(tools),
        "GITHUB_OUTPUT": str(tools / "output"),
        "AUDIT_PATH": ". sub",
        "FAIL_ON": "medium",
        "PERSONA": "regular",
        "BASELINE": ".refseal-baseline.json",
        "BASE": base,
    }
    subprocess.run(["bash", "-c", script("Audit")], cwd=workspace, env=environment, check=True)
    calls = (tools / "calls").read_text().splitlines()
    trusted = tools / "refseal-baseline.json"
    assert trusted.read_text() == "old\n"
    assert len(calls) == 2
    for call in calls:
        assert f"--baseline {trusted} --proposed-baseline .refseal-baseline.json" in call
        assert call.endswith("-- . sub")
    assert "status=0" in (tools / "output").read_text()
    hostile = {**environment, "BASE": "--output=/tmp/x", "BASELINE": "x; touch pwned"}
    subprocess.run(["bash", "-c", script("Audit")], cwd=workspace, env=hostile, check=True)
    assert "pwned" not in os.listdir(workspace)


def test_skill_names_itself_and_says_when() -> None:
    with open(os.path.join(ROOT, "src/skills/audit-instructions/SKILL.md"), encoding="utf-8") as file:
        _, front, body = file.read().split("---\n", 2)
    described = yaml.safe_load(front)
    assert described["name"] == "audit-instructions"
    assert "Use when" in described["description"]
    assert "refseal audit" in body
