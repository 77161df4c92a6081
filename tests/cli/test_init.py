"""`refseal init`: an overlay that git ignores, whole or not at all, in repositories that may be hostile."""

from __future__ import annotations

import os
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from refseal.cli.commands import commands
from refseal.tokenizer import tokenize
from tests.e2e.project import Project

if TYPE_CHECKING:
    from pathlib import Path

OVERLAY = "AGENTS.local.md"


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CODEX_HOME", "REFSEAL_CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.create(str(tmp_path / "project"))


def init(*arguments: str) -> Result:
    return CliRunner().invoke(commands, ["init", *arguments])


def picture(folder: str) -> dict[str, tuple[int, bytes | str]]:
    """Give everything below a folder: mode, and content or target."""
    found: dict[str, tuple[int, bytes | str]] = {}
    for directory, names, files in os.walk(folder):
        for name in names + files:
            path = os.path.join(directory, name)
            mode = os.lstat(path).st_mode
            content: bytes | str = b""
            if stat.S_ISLNK(mode):
                content = os.readlink(path)
            elif stat.S_ISREG(mode):
                with open(path, "rb") as file:
                    content = file.read()
            found[os.path.relpath(path, folder)] = (mode, content)
    return found


def ignored(project: Project, path: str) -> bool:
    command = ["git", "check-ignore", "--quiet", path]
    return subprocess.run(command, cwd=project.root, check=False).returncode == 0


@pytest.mark.parametrize("below", ["", "sub/deep"])
def test_overlay_is_made_and_ignored(project: Project, below: str) -> None:
    os.makedirs(project.path(below), exist_ok=True)
    result = init(project.path(below))
    assert (result.exit_code, result.stderr) == (0, "")
    path = os.path.join(project.path(below), OVERLAY)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert ignored(project, path)
    assert f"{path} made; only you can read it." in result.stdout
    assert f"{project.path('.git/info/exclude')} lists it now" in result.stdout
    assert [name for name in picture(project.root) if ".refseal-" in name] == []


def test_this_directory_by_default(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.root)
    assert init().exit_code == 0
    assert os.path.exists(project.path(OVERLAY))


def test_overlay_refers_to_nothing(project: Project) -> None:
    init(project.root)
    with open(project.path(OVERLAY), encoding="utf-8") as file:
        assert tokenize(file.read()).references == []


def test_second_time_changes_nothing(project: Project) -> None:
    init(project.root)
    project.write(OVERLAY, "mine\n")
    before = picture(project.root)
    result = init(project.root)
    assert result.exit_code == 0
    assert "it stays as it is" in result.stdout
    assert "listed it already" in result.stdout
    assert picture(project.root) == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b"AGENTS.local.md\n"),
        (b"# comment\n*~\n", b"# comment\n*~\nAGENTS.local.md\n"),
        (b"no end", b"no end\nAGENTS.local.md\n"),
        (b"AGENTS.local.md", b"AGENTS.local.md"),
        (b"AGENTS.local.md  \r\n", b"AGENTS.local.md  \r\n"),
        (b"#AGENTS.local.md\n", b"#AGENTS.local.md\nAGENTS.local.md\n"),
        (b"AGENTS.local.md\n!AGENTS.local.md\n", b"AGENTS.local.md\n!AGENTS.local.md\nAGENTS.local.md\n"),
        (b"\xff\xfe\n", b"\xff\xfe\nAGENTS.local.md\n"),
    ],
)
def test_list_keeps_what_it_has(project: Project, before: bytes, after: bytes) -> None:
    path = project.path(".git/info/exclude")
    with open(path, "wb") as file:
        file.write(before)
    os.chmod(path, 0o640)
    assert init(project.root).exit_code == 0
    with open(path, "rb") as file:
        assert file.read() == after
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o640
    assert ignored(project, project.path(OVERLAY))


def test_list_that_is_not_there(project: Project) -> None:
    os.remove(project.path(".git/info/exclude"))
    os.rmdir(project.path(".git/info"))
    assert init(project.root).exit_code == 0
    assert ignored(project, project.path(OVERLAY))


def test_list_that_is_a_hard_link_changes_here_alone(project: Project, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("theirs\n")
    os.remove(project.path(".git/info/exclude"))
    os.link(tmp_path / "elsewhere", project.path(".git/info/exclude"))
    assert init(project.root).exit_code == 0
    assert (tmp_path / "elsewhere").read_text() == "theirs\n"


def test_linked_worktree_uses_the_list_of_its_main_repository(project: Project, tmp_path: Path) -> None:
    project.write("a", "a")
    project.commit()
    worktree = project.worktree(str(tmp_path / "linked"))
    result = init(worktree.root)
    assert result.exit_code == 0
    assert project.path(".git/info/exclude") in result.stdout
    assert ignored(worktree, worktree.path(OVERLAY))


def test_no_repository(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    result = init(str(tmp_path / "plain"))
    assert result.exit_code == 0
    assert "There is no git repository here" in result.stdout
    assert os.listdir(tmp_path / "plain") == [OVERLAY]


def test_overlay_that_git_tracks(project: Project) -> None:
    project.write(OVERLAY, "shared\n")
    project.commit()
    result = init(project.root)
    assert result.exit_code == 0
    assert "git rm --cached AGENTS.local.md" in result.stderr


IN_THE_WAY = {
    "overlay is a link": (OVERLAY, "link", "AGENTS.local.md is a link"),
    "overlay is a broken link": (OVERLAY, "broken", "AGENTS.local.md is a link"),
    "overlay is a pipe": (OVERLAY, "fifo", "AGENTS.local.md is a link, a pipe"),
    "overlay is a directory": (OVERLAY, "directory", "AGENTS.local.md is a directory"),
    "list is a link": (".git/info/exclude", "link", ".git/info/exclude is a link"),
    "list is a broken link": (".git/info/exclude", "broken", ".git/info/exclude is a link"),
    "list is a pipe": (".git/info/exclude", "fifo", ".git/info/exclude is a link, a pipe"),
    "list is a directory": (".git/info/exclude", "directory", ".git/info/exclude is a directory"),
    "list is endless": (".git/info/exclude", "long", ".git/info/exclude is too long"),
    "info is a link": (".git/info", "folder-link", ".git/info is no directory"),
    "info is a pipe": (".git/info", "fifo", ".git/info is no directory"),
    "info is a file": (".git/info", "file", ".git/info is no directory"),
    "git is a link": (".git", "folder-link", "(gitfile), and is not written to"),
    "git is a pipe": (".git", "fifo", "(gitfile), and is not written to"),
    "git is a broken file": (".git", "file", "(gitfile), and is not written to"),
    "git is an empty directory": (".git", "directory", "is no repository of git's"),
}


@pytest.mark.parametrize(("name", "kind", "words"), IN_THE_WAY.values(), ids=IN_THE_WAY)
def test_what_is_in_the_way_is_named_and_nothing_changes(
    project: Project, tmp_path: Path, name: str, kind: str, words: str
) -> None:
    path, victim = project.path(name), tmp_path / "victim"
    victim.mkdir()
    (victim / "file").write_text("theirs\n")
    if os.path.lexists(path):
        os.rename(path, str(victim / "moved"))
    match kind:
        case "link":
            os.symlink(victim / "file", path)
        case "broken":
            os.symlink(victim / "new", path)
        case "fifo":
            os.mkfifo(path)
        case "directory":
            os.mkdir(path)
        case "file":
            project.write(name, "text\n")
        case "long":
            project.write(name, "x\n" * (1 << 20))
        case "folder-link":
            os.symlink(victim / "moved", path)
    before = picture(str(tmp_path))
    result = init(project.root)
    assert result.exit_code == 1
    assert words in result.stderr
    assert "Nothing was changed" in result.stderr
    assert picture(str(tmp_path)) == before


def test_gitfile_that_names_somebody_elses_repository(project: Project, tmp_path: Path) -> None:
    hostile = tmp_path / "archive"
    hostile.mkdir()
    for target in (".git", ".git/worktrees/x"):
        (hostile / ".git").write_text(f"gitdir: {project.path(target)}\n")
        before = picture(project.root)
        result = init(str(hostile))
        assert result.exit_code == 1
        assert "does not confirm it" in result.stderr
        assert picture(project.root) == before
        assert os.listdir(hostile) == [".git"]


def _submodule(project: Project, base: Path) -> str:
    inner = Project.create(str(base / "inner"))
    inner.write("a", "a")
    inner.commit()
    project.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "sub")
    return project.path("sub")


def _bare(project: Project, base: Path) -> str:
    project.write("a", "a")
    project.commit()
    project.git("clone", "--quiet", "--bare", ".", str(base / "bare.git"))
    project.git("-C", str(base / "bare.git"), "worktree", "add", "--quiet", "--detach", str(base / "tree"))
    return str(base / "tree")


def _separate(project: Project, base: Path) -> str:
    project.git("init", "--quiet", "--separate-git-dir", str(base / "elsewhere"), str(base / "apart"))
    return str(base / "apart")


KEPT_ELSEWHERE = {"submodule": _submodule, "bare": _bare, "separate-git-dir": _separate}


@pytest.mark.parametrize("kind", KEPT_ELSEWHERE)
def test_repository_that_is_kept_elsewhere_is_done_by_hand(
    project: Project, tmp_path: Path, kind: str
) -> None:
    """The line that it prints does what it could not."""
    root = KEPT_ELSEWHERE[kind](project, tmp_path)
    result = init(root)
    assert result.exit_code == 1
    assert f"({kind}), and is not written to" in result.stderr
    assert not os.path.exists(os.path.join(root, OVERLAY))
    by_hand = result.stderr.partition("by hand: ")[2]
    subprocess.run(["sh", "-c", by_hand], cwd=root, check=True)
    assert ignored(Project(root), OVERLAY)


@pytest.mark.parametrize("where", [".git", ".git/info", ".git/hooks"])
def test_gits_own_directory(project: Project, where: str) -> None:
    os.makedirs(project.path(where), exist_ok=True)
    result = init(project.path(where))
    assert result.exit_code == 1
    assert "is git's own directory" in result.stderr


@pytest.mark.parametrize("call", ["fsync", "link", "replace", "write"])
def test_failure_leaves_nothing_behind(project: Project, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise OSError(28, "No space left on device")

    before = picture(project.root)
    monkeypatch.setattr(os, call, fail)
    result = init(project.root)
    monkeypatch.undo()
    assert result.exit_code == 1
    assert "cannot be written" in result.stderr
    assert picture(project.root) == before


def test_overlay_that_appears_meanwhile_is_not_overwritten(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync = os.fsync

    def appear(descriptor: int) -> None:
        project.write(OVERLAY, "theirs\n")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", appear)
    assert init(project.root).exit_code == 1
    with open(project.path(OVERLAY), encoding="utf-8") as file:
        assert file.read() == "theirs\n"


def test_hostile_names_go_out_escaped(tmp_path: Path) -> None:
    hostile = tmp_path / "a\x1b[2J\u202eb\n"
    hostile.mkdir()
    for _ in range(2):
        result = init(str(hostile))
        assert result.exit_code == 0
        assert "a\\u{1B}[2J\\u{202E}b\\u{A}" in result.stdout
        assert "\x1b" not in result.output
    (hostile / OVERLAY).unlink()
    (hostile / ".git").write_text("x")
    result = init(str(hostile))
    assert result.exit_code == 1
    assert "a\\u{1B}[2J\\u{202E}b\\u{A}" in result.stderr
    assert "\x1b" not in result.output


@pytest.mark.parametrize("arguments", [["/nowhere/at/all"], ["--force"]])
def test_usage_errors(arguments: list[str]) -> None:
    assert init(*arguments).exit_code == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to give files away")
@pytest.mark.parametrize("name", [".git", ".git/info", ".git/info/exclude", OVERLAY])
def test_what_belongs_to_somebody_else_is_not_written_to(project: Project, name: str) -> None:
    if name == OVERLAY:
        project.write(OVERLAY, "theirs\n")
    os.chown(project.path(name), 12_345, 12_345)
    before = picture(project.root)
    result = init(project.root)
    assert result.exit_code == 1
    assert "belongs to somebody else" in result.stderr
    assert picture(project.root) == before


@pytest.mark.parametrize("below", ["", "sub"])
def test_overlay_that_hides_the_main_checkouts_says_so_and_how_to_have_both(
    project: Project, tmp_path: Path, below: str
) -> None:
    """An empty overlay must not take the user's notes out of a worktree's sessions without a word."""
    os.makedirs(project.path("sub"))
    project.write("sub/a", "a")
    project.commit()
    init(project.path(below))
    main = os.path.join(project.path(below), OVERLAY)
    with open(main, "a", encoding="utf-8") as file:
        file.write("my notes\n")
    worktree = project.worktree(str(tmp_path / "linked"))
    here = worktree.path(below)

    result = init(here)
    assert result.exit_code == 0
    assert f"takes the place of {main}" in result.stderr
    line = result.stderr.strip().rpartition("add the line ")[2]
    with open(os.path.join(here, OVERLAY), "a", encoding="utf-8") as file:
        file.write(line + "\n")
    shown = CliRunner().invoke(commands, ["show", here])
    assert "my notes" in shown.stdout

    assert init(here).stderr == ""  # nothing was made, so nothing was hidden


def test_overlay_in_a_worktree_hides_none_of_another_directory(project: Project, tmp_path: Path) -> None:
    os.makedirs(project.path("sub"))
    project.write("sub/a", "a")
    project.commit()
    init(project.root)
    worktree = project.worktree(str(tmp_path / "linked"))
    assert init(worktree.path("sub")).stderr == ""
