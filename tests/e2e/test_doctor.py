"""`refseal doctor` beside the real client, in each state that a user can be in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.codex_client import REPOSITORY, Codex
from tests.e2e.conftest import MARKETPLACES
from tests.e2e.test_trust_of_the_plugin import plugin_folder

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.conftest import NewCodex
    from tests.e2e.model_server import ModelServer
    from tests.e2e.project import Project


def diagnose(codex: Codex, directory: str, folder: Path) -> tuple[int, dict[str, list[dict[str, Any]]]]:
    """Run the doctor in this Codex's environment; give the exit status and the findings by check."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "codex").unlink(missing_ok=True)
    (programs / "codex").symlink_to(codex.program)
    path = f"{programs}:{codex.environment['PATH']}"
    done = subprocess.run(
        [sys.executable, "-m", "refseal", "doctor", "--format", "json", directory],
        env={**codex.environment, "PATH": path, "PYTHONPATH": os.path.join(REPOSITORY, "src")},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.stderr == b""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in json.loads(done.stdout)["checks"]:
        found.setdefault(one["check"], []).append(one)
    return done.returncode, found


def words(found: list[dict[str, Any]], status: str) -> str:
    """Give all messages with that status."""
    return "\n".join(one["message"] for one in found if one["status"] == status)


def configured(codex: Codex, old: str, new: str) -> None:
    path = os.path.join(codex.codex_home, "config.toml")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert old in text
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))


def test_trusted(codex: Codex, project: Project, tmp_path: Path) -> None:
    project.write("AGENTS.local.md", "Overlay\n")
    status, found = diagnose(codex, project.root, tmp_path)
    assert status == 0
    assert "trusts the hook for SessionStart and SubagentStart" in words(found["trust"], "ok")
    assert "Codex 0.171.0" in words(found["codex"], "ok")
    assert "1 document in" in words(found["session"], "ok")


def test_not_installed(program: str, project: Project, tmp_path: Path, model: ModelServer) -> None:
    codex = Codex(program, str(tmp_path / "client"), model, os.path.dirname(sys.executable))
    status, found = diagnose(codex, project.root, tmp_path)
    assert status == 1
    assert "not installed" in words(found["plugin"], "problem")


def test_installed_but_not_trusted(
    program: str, project: Project, tmp_path: Path, model: ModelServer
) -> None:
    codex = Codex(program, str(tmp_path / "client"), model, os.path.dirname(sys.executable))
    codex.install(MARKETPLACES["refseal"])
    status, found = diagnose(codex, project.root, tmp_path)
    assert status == 1
    assert words(found["plugin"], "problem") == ""
    assert "for SessionStart and SubagentStart is not trusted yet" in words(found["trust"], "problem")
    codex.trust_hooks("/")
    assert diagnose(codex, project.root, tmp_path)[0] == 0


@pytest.mark.parametrize("change", ["a file", "a new file", "the definition"])
def test_changed_since_it_was_trusted(codex: Codex, project: Project, tmp_path: Path, change: str) -> None:
    folder = plugin_folder(codex)
    name = {"a file": "hook.py", "a new file": "new.txt", "the definition": "hooks/hooks.json"}[change]
    with open(os.path.join(folder, name), "a", encoding="utf-8") as file:
        file.write("\n")
    status, found = diagnose(codex, project.root, tmp_path)
    assert status == 1
    assert "has changed since you trusted it" in words(found["trust"], "problem")


def test_disabled(codex: Codex, project: Project, tmp_path: Path) -> None:
    configured(
        codex, '[plugins."refseal@refseal"]\nenabled = true', '[plugins."refseal@refseal"]\nenabled = false'
    )
    status, found = diagnose(codex, project.root, tmp_path)
    assert status == 1
    assert "installed but disabled" in words(found["plugin"], "problem")


def test_one_event_switched_off(codex: Codex, project: Project, tmp_path: Path) -> None:
    table = '[hooks.state."refseal@refseal:hooks/hooks.json:session_start:0:0"]'
    configured(codex, table, f"{table}\nenabled = false")
    status, found = diagnose(codex, project.root, tmp_path)
    assert status == 1
    assert "The hook for SessionStart is switched off" in words(found["trust"], "problem")
    assert "trusts the hook for SubagentStart" in words(found["trust"], "ok")


@pytest.mark.parametrize("feature", ["hooks", "plugins"])
def test_hooks_switched_off(codex: Codex, project: Project, tmp_path: Path, feature: str) -> None:
    codex.configure(tables=f"[features]\n{feature} = false\n")
    status, found = diagnose(codex, project.root, tmp_path)
    assert status == 1
    assert f"{feature} is off" in words(found["trust"], "problem")


def test_a_link_in_the_folder(codex: Codex, project: Project, tmp_path: Path) -> None:
    os.symlink("/etc/passwd", os.path.join(plugin_folder(codex), "link"))
    status, found = diagnose(codex, project.root, tmp_path)
    assert status == 1
    assert "unsupported plugin entry type" in words(found["trust"], "problem")


def test_a_second_plugin(codex: Codex, project: Project, tmp_path: Path) -> None:
    marketplace = tmp_path / "marketplace"
    for name, value in {
        ".agents/plugins/marketplace.json": {
            "name": "other",
            "plugins": [{"name": "codex-agents-md-plus", "source": "./src"}],
        },
        "src/.codex-plugin/plugin.json": {"name": "codex-agents-md-plus", "version": "1.0.0"},
    }.items():
        (marketplace / name).parent.mkdir(parents=True)
        (marketplace / name).write_text(json.dumps(value))
    codex.install(str(marketplace), "codex-agents-md-plus@other")
    status, found = diagnose(codex, project.root, tmp_path)
    assert status == 1
    assert "codex-agents-md-plus@other is enabled" in words(found["other-plugin"], "problem")
    advice = str(found["other-plugin"][0]["advice"]).partition(" (")[0].split(" ")
    codex.run(*advice[1:])  # what it says to do is what helps
    assert diagnose(codex, project.root, tmp_path)[0] == 0


@pytest.mark.parametrize(("version", "limit"), [("0.144.6", "2,500"), ("0.145.0", "73,728")])
def test_older_clients(
    new_codex: NewCodex, project: Project, tmp_path: Path, version: str, limit: str
) -> None:
    status, found = diagnose(new_codex(version), project.root, tmp_path)
    assert status == 0
    assert f"up to {limit} tokens" in words(found["codex"], "ok") + words(found["codex"], "note")
    assert "trusts the hook" in words(found["trust"], "ok")


def test_nothing_of_the_directory_runs(codex: Codex, project: Project, tmp_path: Path) -> None:
    """Whoever asks has perhaps only just cloned it."""
    proof = tmp_path / "was-run"
    evil = project.path("evil")
    project.write("evil", f'#!/bin/sh\necho "$0 $*" >> {proof}\n')
    os.chmod(evil, 0o755)
    for name in ("codex", "python3", "node", "git", "sh"):
        os.symlink("evil", project.path(name))
    for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "diff.external", "alias.rev-parse"):
        project.git("config", key, evil if not key.startswith("alias") else f"!{evil}")
    hook = {"type": "command", "command": evil}
    project.write(".codex/hooks.json", json.dumps({"hooks": {"SessionStart": [{"hooks": [hook]}]}}))
    project.write(
        ".codex/config.toml",
        f'notify = ["{evil}"]\n[mcp_servers.evil]\ncommand = "{evil}"\n[features]\nhooks = true\n',
    )
    project.write(".python-version", "evil\n")
    codex.configure(tables=f'[projects.{json.dumps(project.root)}]\ntrust_level = "trusted"\n')
    codex.environment["PATH"] = f".:{codex.environment['PATH']}"
    status, _ = diagnose(codex, project.root, tmp_path)
    assert status == 0
    assert not proof.exists(), proof.read_text()
