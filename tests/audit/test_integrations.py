"""The files by which others start the audit: they are well-formed and name options that exist."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from click.testing import CliRunner

from refseal.cli.audit import audit
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


def test_hook_of_pre_commit_runs_whatever_a_commit_touches() -> None:
    """A filter by name or kind passes over links: `AGENTS.md -> /etc/passwd` is no file for pre-commit."""
    (hook,) = load(".pre-commit-hooks.yaml")
    assert hook["entry"] == "refseal audit --allow-none"
    assert hook["pass_filenames"] is False
    assert hook["always_run"] is True
    assert not {"files", "types", "types_or"} & set(hook)


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


class Job:
    """A checkout, and the action's own script, run in it as the runner would."""

    def __init__(self, tmp_path: Path) -> None:
        self.tools, self.workspace = tmp_path / "tools", tmp_path / "workspace"
        plant(self.tools, {"refseal/bin/python": f'#!/bin/sh\nexec "{sys.executable}" "$@"\n'})
        (self.tools / "refseal/bin/python").chmod(0o755)
        plant(self.workspace, {"AGENTS.md": "x\n"})
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        command = ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-C", str(self.workspace), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def commit(self, files: dict[str, str | bytes]) -> str:
        plant(self.workspace, files)
        self.git("add", "-A")
        self.git("commit", "-qm", "x")
        return self.git("rev-parse", "HEAD")

    def run(self, **environment: str) -> tuple[str, str, str]:
        """Return the status that the action would end with, its log, and the SARIF."""
        given = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.tools),
            "PYTHONPATH": os.path.join(ROOT, "src"),
            "RUNNER_TEMP": str(self.tools),
            "GITHUB_OUTPUT": str(self.tools / "output"),
            "AUDIT_PATH": ".",
            "FAIL_ON": "medium",
            "PERSONA": "regular",
            "BASELINE": ".refseal-baseline.json",
            "BASE": "",
            "DEFAULT_BRANCH": "",
            **environment,
        }
        body = script("Audit").replace('/bin/python" -I -m', '/bin/python" -m')  # to find it in PYTHONPATH
        done = subprocess.run(
            ["bash", "-c", body], cwd=self.workspace, env=given, capture_output=True, text=True, check=True
        )
        status = (self.tools / "output").read_text().rpartition("status=")[2].strip()
        sarif = self.tools / "refseal.sarif"
        return status, done.stdout, sarif.read_text() if sarif.exists() else ""


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job(tmp_path)


def baseline(job: Job, reason: str = "reviewed") -> str:
    target = job.tools / "made.json"
    CliRunner().invoke(audit, ["--write-baseline", str(target), "--reason", reason, str(job.workspace)])
    return target.read_text()


def test_action_tells_what_a_pull_request_brings(job: Job) -> None:
    base = job.commit({})
    assert job.run(BASE=base)[0] == "0"
    job.commit({"AGENTS.md": "@.env\n"})
    status, log, sarif = job.run(BASE=base)
    assert status == "1"
    assert "::error file=AGENTS.md,line=1,col=1,title=RS109 sensitive::" in log
    assert json.loads(sarif)["runs"][0]["results"][0]["ruleId"] == "RS109"


def test_action_accepts_by_the_baseline_of_the_base_commit_a_high_one_too(job: Job) -> None:
    job.commit({"AGENTS.md": "@.env\n"})
    base = job.commit({".refseal-baseline.json": baseline(job)})
    status, _, sarif = job.run(BASE=base)
    assert status == "0"
    assert json.loads(sarif)["runs"][0]["results"][0]["suppressions"][0]["justification"] == "reviewed"


def test_pull_request_that_accepts_its_own_finding_fails_twice(job: Job) -> None:
    base = job.commit({})
    plant(job.workspace, {"AGENTS.md": "@.env\n"})
    job.commit({".refseal-baseline.json": baseline(job, "trust me")})
    status, log, _ = job.run(BASE=base)
    assert status == "1"
    assert "RS109" in log
    assert "RS501" in log


@pytest.mark.parametrize("target", ["/dev/zero", "/etc/passwd", "gone", "AGENTS.md", "."])
def test_baseline_that_is_a_link_fails_and_shows_nothing(job: Job, target: str) -> None:
    base = job.commit({})
    job.commit({".refseal-baseline.json": f"-> {target}"})
    status, log, _ = job.run(BASE=base)
    assert status == "2"
    assert "root:" not in log


def test_without_a_base_the_default_branch_tells_what_is_accepted(job: Job, tmp_path: Path) -> None:
    job.commit({"AGENTS.md": "@.env\n"})
    job.commit({".refseal-baseline.json": baseline(job)})
    assert job.run()[0] == "1"  # nothing is known of it: nothing is accepted
    job.git("clone", "-q", "--bare", ".", str(tmp_path / "origin"))
    job.git("remote", "add", "origin", str(tmp_path / "origin"))
    assert job.run(DEFAULT_BRANCH="main")[0] == "0"
    job.git("checkout", "-qb", "topic")
    plant(job.workspace, {"AGENTS.md": "@.env\n@gone.md\n"})
    job.commit({".refseal-baseline.json": baseline(job)})
    assert job.run(DEFAULT_BRANCH="main")[0] == "1"


def test_inputs_and_names_run_nothing(job: Job) -> None:
    base = job.commit({"$(touch pwned)/AGENTS.md": "x\n", "-o x/AGENTS.md": "x\n"})
    for name in ("BASE", "BASELINE", "AUDIT_PATH", "DEFAULT_BRANCH"):
        for value in ("--output=pwned", "x; touch pwned; $(touch pwned) `touch pwned`"):
            job.run(**{"BASE": base, name: value})
    assert "pwned" not in os.listdir(job.workspace)


def test_example_workflow_is_sound() -> None:
    with open(os.path.join(ROOT, "docs/ci.md"), encoding="utf-8") as file:
        workflow, hook = re.findall(r"^```yaml\n(.*?)^```", file.read(), re.MULTILINE | re.DOTALL)
    steps = yaml.safe_load(workflow)["jobs"]["audit"]["steps"]
    assert set(steps[-1]["with"]) <= set(load("action.yml")["inputs"])
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"]) for step in steps)
    assert yaml.safe_load(hook)["repos"][0]["hooks"][0]["id"] == load(".pre-commit-hooks.yaml")[0]["id"]
    for step in load("action.yml")["runs"]["steps"]:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step.get("uses", "x@" + "0" * 40))


def test_skill_names_itself_and_says_when() -> None:
    with open(os.path.join(ROOT, "src/skills/audit-instructions/SKILL.md"), encoding="utf-8") as file:
        _, front, body = file.read().split("---\n", 2)
    described = yaml.safe_load(front)
    assert described["name"] == "audit-instructions"
    assert "Use when" in described["description"]
    assert "refseal audit" in body
