"""Each check against a table of surroundings: a stand-in client, a Codex home, variables."""

from __future__ import annotations

import os
import runpy
import sys
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from refseal.doctor import client as client_module
from refseal.doctor.checks import python
from refseal.doctor.client import Unanswered, list_hooks
from refseal.doctor.diagnosis import CHECKS, diagnose
from refseal.doctor.programs import find_program
from refseal.doctor.surroundings import survey
from tests.doctor.fake_codex import BOTH, hook, listing, write_codex, write_program

if TYPE_CHECKING:
    from pathlib import Path

    from refseal.doctor import Finding

ENABLED = '[plugins."refseal@refseal"]\nenabled = true\n'


class User:
    """Somebody with a home, programs on PATH and a project; all is in order until a test changes it."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.codex_home = base / "home/.codex"
        self.programs = base / "programs"
        self.project = base / "project"
        for folder in (self.codex_home / "plugins/cache/refseal/refseal/0.1.0", self.project / ".git"):
            folder.mkdir(parents=True)
        self.configure(ENABLED)
        self.python("3.12.4")
        write_codex(str(self.programs))
        self.environ = {"HOME": str(base / "home"), "PATH": str(self.programs)}

    def configure(self, text: str) -> None:
        (self.codex_home / "config.toml").write_text(text)

    def python(self, version: str | None, name: str = "python3") -> None:
        """Have a program of that name that says this version; None: one that fails."""
        text = "exit 1" if version is None else f"echo {version}"
        write_program(str(self.programs), name, f"#!/bin/sh\n{text}\n")

    def findings(self) -> dict[str, list[Finding]]:
        surroundings = survey(self.environ, str(self.project))
        try:
            found = diagnose(surroundings)
        finally:
            surroundings.session.close()
        return {name: [finding for check, finding in found if check == name] for name in CHECKS}

    def says(self, check: str) -> list[tuple[str, str]]:
        """Give status and all words of each finding of one check."""
        return [(one.status, f"{one.message} {one.advice or ''}") for one in self.findings()[check]]


@pytest.fixture
def user(tmp_path: Path) -> User:
    return User(tmp_path)


def assert_says(found: list[tuple[str, str]], status: str, words: str) -> None:
    assert any(status == one and words in text for one, text in found), found


def test_every_check_says_something_and_nothing_is_wrong(user: User) -> None:
    found = user.findings()
    assert {name for name, findings in found.items() if not findings} == set()
    assert {one.status for findings in found.values() for one in findings} == {"ok"}


def test_every_problem_says_what_to_do(user: User) -> None:
    write_codex(str(user.programs), listing(hook(trust="untrusted"), hook("subagentStart", "modified")))
    user.configure(ENABLED + '[plugins."codex-agents-md-plus@x"]\n')
    (user.codex_home / "plugins/cache/x/codex-agents-md-plus").mkdir(parents=True)
    user.python("3.8.1")
    user.environ |= {
        "REFSEAL_MAX_DEPHT": "3",
        "REFSEAL_MAX_FILES": "all",
        "REFSEAL_EXTRA_ROOTS": "/nowhere/at/all",
    }
    problems = [one for findings in user.findings().values() for one in findings if one.status == "problem"]
    assert len(problems) == 7
    assert [one for one in problems if not one.advice] == []


@pytest.mark.parametrize(
    ("python3", "others", "status", "words"),
    [
        ("3.11.0", {}, "ok", "python3 is 3.11.0"),
        ("3.14.2", {}, "ok", "python3 is 3.14.2"),
        ("3.8.10", {}, "problem", "is 3.8.10, which is too old"),
        ("3.8.10", {"python3.12": "3.12.1"}, "ok", "the hook uses"),
        ("3.8.10", {"python3.12": None}, "problem", "too old"),
        ("3.8.10", {"python3.12": "3.8.10"}, "problem", "too old"),
        (None, {}, "problem", "does not run"),
        ("nonsense", {}, "problem", "does not run"),
    ],
)
def test_python(
    user: User, python3: str | None, others: dict[str, str | None], status: str, words: str
) -> None:
    user.python(python3)
    for name, version in others.items():
        user.python(version, name)
    assert_says(user.says("python"), status, words)


def test_no_python_at_all(user: User) -> None:
    (user.programs / "python3").unlink()
    assert_says(user.says("python"), "problem", "no python3")


@pytest.mark.parametrize(
    ("said", "status", "words"),
    [
        ("codex-cli 0.171.0", "ok", "Codex 0.171.0"),
        ("codex-cli 0.171.0", "ok", "up to 73,728 tokens"),
        ("codex-cli 0.145.0", "ok", "up to 73,728 tokens"),
        ("codex-cli 0.144.6", "note", "up to 2,500 tokens"),
        ("codex-cli 0.145.0-alpha.3", "note", "update it"),
        ("codex", "problem", "does not say which version"),
    ],
)
def test_codex(user: User, said: str, status: str, words: str) -> None:
    write_codex(str(user.programs), version=said)
    assert_says(user.says("codex"), status, words)


def test_no_codex(user: User) -> None:
    (user.programs / "codex").unlink()
    assert_says(user.says("codex"), "problem", "no codex")
    assert_says(user.says("trust"), "note", "not known")


def test_a_codex_that_fails(user: User) -> None:
    write_codex(str(user.programs), status=1)
    assert_says(user.says("codex"), "problem", "does not say")


def test_old_codex_gets_what_it_shows(user: User) -> None:
    write_codex(str(user.programs), version="codex-cli 0.144.6")
    (user.project / "AGENTS.local.md").write_text("line\n" * 4_000)
    assert_says(user.says("session"), "ok", "of 2,500 tokens")
    assert user.says("environment") == [("ok", "No variable of refseal is set. ")]


def test_configuration_that_is_no_toml(user: User) -> None:
    user.configure(ENABLED + "broken = = 1\n")
    assert_says(user.says("codex"), "problem", "not valid TOML")
    assert_says(user.says("plugin"), "problem", "not installed")


@pytest.mark.parametrize(
    ("configuration", "status", "words"),
    [
        (ENABLED, "ok", "is installed and enabled"),
        ('[plugins."refseal@refseal"]\n', "ok", "is installed and enabled"),
        ("", "problem", "not installed"),
        ("plugins = 3\n", "problem", "not installed"),
        ('[plugins."refseal@refseal"]\nenabled = false\n', "problem", "is installed but disabled"),
        ('[plugins."refseal@elsewhere"]\nenabled = true\n', "problem", "no copy of it"),
        ('[plugins."other@refseal"]\n[plugins."refseal"]\n', "problem", "not installed"),
    ],
)
def test_plugin(user: User, configuration: str, status: str, words: str) -> None:
    user.configure(configuration)
    assert_says(user.says("plugin"), status, words)


def test_plugin_from_two_marketplaces(user: User) -> None:
    (user.codex_home / "plugins/cache/fork/refseal/0.1.0").mkdir(parents=True)
    user.configure(ENABLED + '[plugins."refseal@fork"]\nenabled = true\n')
    assert_says(user.says("plugin"), "problem", "more than once")


def test_plugin_of_another_version(user: User) -> None:
    old = "/home/codex/plugins/cache/refseal/refseal/0.0.9/hooks/hooks.json"
    write_codex(str(user.programs), listing(hook(sourcePath=old), hook("subagentStart", sourcePath=old)))
    assert_says(user.says("plugin"), "note", "it is version 0.0.9")


def test_plugin_name_that_a_terminal_would_obey(user: User) -> None:
    user.configure('[plugins."refseal@x\\u001b[2J\\u202e"]\n')
    ((_, text),) = user.says("plugin")
    assert "\\u{1B}[2J\\u{202E}" in text
    assert "\x1b" not in text


def test_two_homes(user: User, tmp_path: Path) -> None:
    user.environ["REFSEAL_CODEX_HOME"] = str(tmp_path)
    found = user.says("plugin")
    assert_says(found, "note", "REFSEAL_CODEX_HOME")
    assert_says(found, "ok", "is installed and enabled")


def test_no_home(user: User) -> None:
    user.environ["HOME"] = "home"
    assert_says(user.says("plugin"), "problem", "Neither CODEX_HOME nor HOME")


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        (BOTH, "ok", "Codex trusts the hook for SessionStart and SubagentStart"),
        (listing(hook(trust="managed"), hook("subagentStart", "managed")), "ok", "Codex trusts"),
        (
            listing(hook(trust="untrusted"), hook("subagentStart")),
            "problem",
            "SessionStart is not trusted yet",
        ),
        (listing(hook(trust="modified"), hook("subagentStart")), "problem", "has changed since"),
        (listing(hook(enabled=False), hook("subagentStart")), "problem", "is switched off"),
        (listing(hook(trust="pondering"), hook("subagentStart")), "problem", "is pondering to Codex"),
        (listing(hook()), "problem", "does not know the hook for SubagentStart"),
        (listing(), "problem", "none of its hooks"),
        (listing(warnings=("failed to parse /x/refseal/hooks.json",)), "problem", "failed to parse"),
        (listing(hook(pluginId="other@x")), "problem", "none of its hooks"),
        ({"error": {"code": -32601}}, "problem", "does not know hooks/list"),
        ({"result": []}, "problem", "another form"),
        ({"result": {"data": [{"hooks": [{}], "warnings": [], "errors": []}]}}, "problem", "another form"),
        ({"result": {"data": ["x"]}}, "problem", "another form"),
        ("end", "problem", "ended without an answer"),
        ("hang", "problem", "did not answer within"),
    ],
)
def test_trust(user: User, monkeypatch: pytest.MonkeyPatch, answer: object, status: str, words: str) -> None:
    if answer == "hang":
        monkeypatch.setattr(client_module, "PATIENCE", 0.5)
    write_codex(str(user.programs), answer)
    assert_says(user.says("trust"), status, words)


@pytest.mark.parametrize("feature", ["hooks", "plugins"])
def test_trust_where_hooks_are_off(user: User, feature: str) -> None:
    write_codex(str(user.programs), listing())
    user.configure(ENABLED + f"[features]\n{feature} = false\n")
    assert_says(user.says("trust"), "problem", f"{feature} is off")


@pytest.mark.parametrize("configuration", ["", '[plugins."refseal@refseal"]\nenabled = false\n'])
def test_a_client_is_not_started_where_there_is_no_hook(user: User, configuration: str) -> None:
    write_codex(str(user.programs), "end")
    user.configure(configuration)
    assert_says(user.says("trust"), "note", "no hook to trust")


def test_a_client_that_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(Unanswered, match="cannot be started"):
        list_hooks(str(tmp_path / "nothing"), {}, "/")


@pytest.mark.parametrize(
    ("name", "enabled", "present", "status"),
    [
        ("codex-agents-md-plus", "true", True, "problem"),
        ("Codex_Agents_MD_Plus", "true", True, "problem"),
        ("codex-agents-md-plus", "false", True, "note"),
        ("codex-agents-md-plus", "true", False, "ok"),
        ("agents-md", "true", True, "ok"),
    ],
)
def test_other_plugin(user: User, name: str, enabled: str, present: bool, status: str) -> None:  # noqa: FBT001
    user.configure(ENABLED + f'[plugins."{name}@x"]\nenabled = {enabled}\n')
    if present:
        (user.codex_home / "plugins/cache/x" / name).mkdir(parents=True)
    assert [one for one, _ in user.says("other-plugin")] == [status]


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"command": "refseal hook"}, "problem"),
        ({"command": "python3 ~/codex_agents_md_plus.py"}, "problem"),
        ({"command": "refseal hook", "enabled": False}, "ok"),
        ({"command": "echo hi"}, "ok"),
    ],
)
def test_other_hook(user: User, changes: dict[str, Any], status: str) -> None:
    other = hook(pluginId=None, sourcePath="/home/.codex/hooks.json", **changes)
    write_codex(str(user.programs), listing(hook(), hook("subagentStart"), other))
    assert [one for one, _ in user.says("other-plugin")] == [status]


@pytest.mark.parametrize(
    ("name", "status", "words"),
    [
        ("REFSEAL_MAX_DEPTH", "ok", "Set: REFSEAL_MAX_DEPTH"),
        ("REFSEAL_MAX_DEPHT", "problem", "Did you mean REFSEAL_MAX_DEPTH?"),
        ("REFSEAL_MAXFILES", "problem", "Did you mean REFSEAL_MAX_FILES?"),
        ("refseal_disable", "problem", "Did you mean REFSEAL_DISABLE?"),
        ("REFSEAL_COLOUR_OF_THE_SKY", "problem", "Unset it; there are"),
        ("RESFEAL_EXTRA_ROOTS", "problem", "Did you mean REFSEAL_EXTRA_ROOTS?"),
        ("CODEX_AGENTS_MD_PLUS_MAX_DEPTH", "note", "it is understood. Its name here is REFSEAL_MAX_DEPTH"),
        ("CODEX_AGENTS_MD_PLUS_LOG", "note", "means nothing to refseal"),
        ("MAX_DEPTH", "ok", "No variable"),
        ("CODEX_HOME_DIR", "ok", "No variable"),
        ("REFSEAL_\x1b[2J", "problem", "REFSEAL_\\u{1B}[2J"),
    ],
)
def test_environment(user: User, name: str, status: str, words: str) -> None:
    user.environ[name] = "7"
    assert_says(user.says("environment"), status, words)


def test_an_alias_beside_its_new_name(user: User) -> None:
    user.environ |= {"CODEX_AGENTS_MD_PLUS_MAX_DEPTH": "2", "REFSEAL_MAX_DEPTH": "3"}
    assert_says(user.says("environment"), "note", "it has no effect")


@pytest.mark.parametrize(
    ("variable", "toml", "status", "words"),
    [
        ({}, "max_depth = 3\n", "ok", "Every setting"),
        ({"REFSEAL_MAX_DEPTH": "many"}, "", "problem", "REFSEAL_MAX_DEPTH: 'many' is not a whole number"),
        ({}, "max_dept = 3\n", "problem", "Did you mean max_depth?"),
        ({}, "zzz = 3\n", "problem", "Take it out of refseal.toml"),
        ({}, "codex_home = '/x'\n", "problem", "in the environment alone"),
        ({}, "max_depth = 'x'\n", "problem", "refseal.toml: max_depth"),
        ({}, "= 1\n", "problem", "refseal.toml is not valid TOML"),
        ({"REFSEAL_DISABLE": "1"}, "", "note", "says nothing at all"),
        ({"REFSEAL_ALLOW_OUTSIDE_ROOT": "1"}, "", "note", "any text file"),
    ],
)
def test_settings(user: User, variable: dict[str, str], toml: str, status: str, words: str) -> None:
    user.environ |= variable
    (user.codex_home / "refseal.toml").write_text(toml)
    assert_says(user.says("settings"), status, words)


@pytest.mark.parametrize(
    ("roots", "status", "words"),
    [
        ("", "ok", "There are no extra roots"),
        ("~", "ok", "1 extra root"),
        ("{base}/gone", "problem", "gone' is left out: missing"),
        ("{base}/programs/python3", "problem", "not-a-directory"),
        ("{base}/a\x1b[2J", "problem", "\\x1b[2J"),
    ],
)
def test_extra_roots(user: User, roots: str, status: str, words: str) -> None:
    user.environ["REFSEAL_EXTRA_ROOTS"] = roots.format(base=user.base)
    assert_says(user.says("extra-roots"), status, words)


def test_extra_roots_of_a_hook_that_is_off(user: User) -> None:
    user.environ |= {"REFSEAL_EXTRA_ROOTS": "/nowhere/at/all", "REFSEAL_DISABLE": "1"}
    assert_says(user.says("extra-roots"), "note", "not looked at")


def test_session(user: User) -> None:
    assert_says(user.says("session"), "ok", "Nothing is to be added")
    (user.project / "AGENTS.local.md").write_text("@a.md @b.md\n")
    (user.project / "a.md").write_text("text\n")
    (user.project / "b.md").symlink_to("/etc/passwd")
    found = user.says("session")
    assert_says(found, "ok", "2 documents in")
    assert_says(found, "note", "1 document is not included. refseal show --format tree")


def test_session_of_an_untrusted_project(user: User) -> None:
    (user.project / "AGENTS.local.md").write_text("x\n")
    user.configure(ENABLED + f'[projects."{user.project}"]\ntrust_level = "untrusted"\n')
    assert_says(user.says("session"), "note", "calls this project untrusted")


def test_session_in_a_worktree_that_does_not_verify(user: User) -> None:
    (user.project / ".git").rmdir()
    (user.project / ".git").write_text("gitdir: /nowhere/.git/worktrees/x\n")
    assert_says(user.says("session"), "note", "git worktree repair")


def test_programs_come_from_absolute_entries_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_program(str(tmp_path), "codex", "#!/bin/sh\n")
    assert find_program("codex", {"PATH": f".::{os.curdir}:relative"}) is None
    assert find_program("codex", {"PATH": f".:{tmp_path}/"}) == f"{tmp_path}/codex"
    assert find_program("codex", {}) is None
    (tmp_path / "folder/codex").mkdir(parents=True)
    assert find_program("codex", {"PATH": f"{tmp_path}/folder"}) is None


def test_programs_start_at_the_top(user: User) -> None:
    """A `.python-version` or `./node` of the directory that is examined would choose what runs."""
    proof = user.base / "where"
    program = f"#!/bin/sh\npwd > {proof}\nexec {sys.executable} -c 'print(\"codex-cli 0.171.0\")'\n"
    write_program(str(user.programs), "codex", program)
    user.configure("")
    assert_says(user.says("codex"), "ok", "0.171.0")
    assert proof.read_text() == "/\n"


def test_python_is_looked_for_as_the_hook_and_the_package_look_for_it() -> None:
    root = os.path.join(os.path.dirname(__file__), "..", "..")
    assert runpy.run_path(os.path.join(root, "src/hook.py"))["NEEDED"] == python.NEEDED
    assert runpy.run_path(os.path.join(root, "src/old_python.py"))["NEWEST"] == python.NEWEST
    with open(os.path.join(root, "pyproject.toml"), "rb") as file:
        assert tomllib.load(file)["project"]["requires-python"] == ">={}.{}".format(*python.NEEDED)
    with open(os.path.join(root, "scripts/test"), encoding="utf-8") as file:
        assert f" python3.{python.NEWEST} " in file.read()
