"""`refseal audit` as people start it: exit statuses, formats, baselines, lists, files."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from refseal.cli.audit import audit
from refseal.cli.output import Unwritable, write_whole
from tests.audit.rules.running import plant

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

SOURCE = os.path.join(os.path.dirname(__file__), "../../src")


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(audit, list(arguments), input=stdin)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    plant(tmp_path / "clean", {".git/HEAD": "x", "AGENTS.md": "@a.md\n", "a.md": "text\n"})
    plant(tmp_path / "low", {".git/HEAD": "x", "AGENTS.md": "See @docs/gone.md there.\n"})
    plant(tmp_path / "medium", {".git/HEAD": "x", "AGENTS.md": "@gone.md\n"})
    plant(tmp_path / "high", {".git/HEAD": "x", "AGENTS.md": "@.env\n@gone.md\n"})
    plant(tmp_path / "none", {".git/HEAD": "x", "README.md": "x\n"})
    return tmp_path


@pytest.mark.parametrize(
    ("names", "options", "status"),
    [
        (("clean",), (), 0),
        (("low",), (), 0),
        (("low",), ("--fail-on", "low"), 1),
        (("medium",), (), 1),
        (("medium",), ("--fail-on", "high"), 0),
        (("high",), ("--fail-on", "high"), 1),
        (("none",), (), 3),
        (("none",), ("--allow-none",), 0),
        (("none", "medium"), ("--allow-none",), 1),
        (("gone",), (), 2),
        (("clean", "none"), (), 3),
        (("none", "medium"), (), 1),
        (("clean", "medium", "gone"), (), 2),
        (("clean/AGENTS.md",), (), 2),
        (("clean",), ("--fail-on", "severe"), 2),
        (("clean",), ("--cwd", "nowhere"), 2),
        (("clean",), ("--codex-home", "/nowhere"), 2),
        (("clean",), ("--baseline", "/nowhere.json"), 2),
        (("clean",), ("--output", "/nowhere/x.txt"), 2),
        (("medium",), ("--min-severity", "high"), 1),  # the gate looks at what the report leaves out
        (("medium",), ("--persona", "auditor", "--format", "json"), 1),
    ],
)
def test_exit_status(tree: Path, names: tuple[str, ...], options: tuple[str, ...], status: int) -> None:
    assert run(*options, *(str(tree / name) for name in names)).exit_code == status


def test_directory_by_default_is_this_one(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree / "high")
    result = run()
    assert result.exit_code == 1
    assert "RS109 sensitive" in result.output


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "html"])
def test_file_gets_what_standard_output_would(tree: Path, tmp_path: Path, form: str) -> None:
    target = tmp_path / "report"
    printed = run("--format", form, str(tree / "high"))
    written = run("--format", form, "--output", str(target), str(tree / "high"))
    assert printed.exit_code == written.exit_code == 1
    assert written.stdout == ""
    assert written.stderr == f"refseal audit: findings: 1 high, 1 medium; the report is in {target}\n"
    assert target.read_bytes() == printed.stdout_bytes
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_file_that_is_written_is_quiet_without_findings(tree: Path, tmp_path: Path) -> None:
    assert run("--output", str(tmp_path / "report"), str(tree / "clean")).output == ""
    hidden = run("--min-severity", "high", "--output", str(tmp_path / "report"), str(tree / "medium"))
    assert hidden.stderr.startswith("refseal audit: findings: 1 medium; the report is in ")


def test_want_of_an_instruction_file_is_told(tree: Path, tmp_path: Path) -> None:
    """Exit status 3 beside "no findings" would be a riddle."""
    assert "There is no instruction file." in run(str(tree / "none")).stdout
    assert run("--format", "github", str(tree / "none")).stdout == "refseal: there is no instruction file\n"
    written = run("--output", str(tmp_path / "report"), str(tree / "none"))
    assert written.stderr.startswith("refseal audit: there is no instruction file; the report is in ")
    assert "no instruction file" not in run(str(tree / "clean")).stdout


def test_list_on_standard_input(tree: Path) -> None:
    both = f"{tree / 'clean'}\n{tree / 'medium'}\n".encode()
    listed = run("--format", "json", "-", stdin=both)
    named = run("--format", "json", str(tree / "clean"), str(tree / "medium"))
    assert listed.output == named.output
    assert run("--format", "json", "-", stdin=both.replace(b"\n", b"\0")).output == named.output
    assert [one["root"] for one in json.loads(named.output)["repositories"]] == [
        str(tree / "clean"),
        str(tree / "medium"),
    ]


def test_low_findings_can_be_left_out_of_the_report(tree: Path) -> None:
    report = json.loads(run("--format", "json", "--min-severity", "high", str(tree / "high")).output)
    assert [one["severity"] for one in report["repositories"][0]["findings"]] == ["high"]
    assert "1 not shown" in run("--min-severity", "high", str(tree / "high")).output


def test_baseline_accepts_and_still_lists(tree: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "baseline.json")
    written = run("--write-baseline", path, "--reason", "known since May", str(tree / "high"))
    assert written.exit_code == 1
    assert written.stderr == f"refseal audit: 2 findings accepted in {path}\n"
    result = run("--baseline", path, str(tree / "high"))
    assert result.exit_code == 0
    assert result.output.count("accepted: known since May") == 2
    plant(tree / "high", {"AGENTS.md": "@.env\n@gone.md\n@/etc/passwd\n"})
    result = run("--baseline", path, "--write-baseline", path, "--reason", "new one", str(tree / "high"))
    assert result.exit_code == 1
    with open(path, encoding="utf-8") as file:
        reasons = [entry["reason"] for entry in json.load(file)["findings"]]
    assert sorted(reasons) == ["known since May", "known since May", "new one"]


def test_baseline_in_the_tree_silences_no_high(tree: Path) -> None:
    path = str(tree / "high" / ".refseal-baseline.json")
    run("--write-baseline", path, str(tree / "high"))
    result = run("--baseline", path, "--format", "json", str(tree / "high"))
    assert result.exit_code == 1
    found = json.loads(result.output)["repositories"][0]["findings"]
    assert {(one["rule"], one["suppressed"] is None) for one in found} == {
        ("RS109", True),
        ("RS201", False),
        ("RS503", True),
    }


@pytest.mark.parametrize("place", ["around", "other"])
def test_baseline_in_the_work_tree_around_or_in_another_audited_one_silences_no_high(
    tmp_path: Path, place: str
) -> None:
    plant(tmp_path / "work", {".git/HEAD": "x", "pkg/AGENTS.md": "@.env\n"})
    plant(tmp_path / "other", {".git/HEAD": "x", "AGENTS.md": "text\n"})
    audited = [str(tmp_path / "work/pkg"), str(tmp_path / "other")]
    baseline = str(tmp_path / ("work" if place == "around" else "other") / "b.json")
    assert run(*audited, "--write-baseline", baseline).exit_code == 1
    done = run(*audited, "--baseline", baseline)
    assert done.exit_code == 1
    assert "RS503" in done.output
    os.rename(baseline, tmp_path / "b.json")
    assert run(*audited, "--baseline", str(tmp_path / "b.json")).exit_code == 0


def test_baseline_is_left_alone_where_not_all_could_be_audited(tree: Path, tmp_path: Path) -> None:
    baseline = tmp_path / "b.json"
    assert run(str(tree / "high"), "--write-baseline", str(baseline), "--reason", "known").exit_code == 1
    before = baseline.read_text()
    for names in (["gone"], ["medium", "gone"]):
        done = run(*(str(tree / name) for name in names), "--write-baseline", str(baseline))
        assert done.exit_code == 2
        assert "was left as it is" in done.output
        assert baseline.read_text() == before


@pytest.mark.parametrize(
    "option", ["output", "write-baseline", "baseline", "proposed-baseline", "codex-home", "cwd"]
)
def test_an_empty_name_is_none(tree: Path, option: str) -> None:
    done = run(str(tree / "clean"), f"--{option}", "")
    assert done.exit_code == 2
    assert f"--{option}: an empty name is no path" in done.output


def test_report_and_baseline_are_two_files(tree: Path, tmp_path: Path) -> None:
    done = run(str(tree / "clean"), "-o", str(tmp_path / "x"), "--write-baseline", f"{tmp_path}/./x")
    assert done.exit_code == 2
    assert not (tmp_path / "x").exists()


def test_cwd_outside_the_audited_tree_is_refused(tree: Path) -> None:
    (tree / "clean/link").symlink_to(tree / "high")
    for name in ("../high", str(tree / "high"), "link"):
        done = run(str(tree / "clean"), "--cwd", name)
        assert done.exit_code == 2
        assert "lies outside it" in done.output


@pytest.mark.parametrize("data", [b"", b"\n\n", b" \0"])
def test_list_of_none_is_not_clean(data: bytes) -> None:
    assert run("-", stdin=data).exit_code == 3


def test_baseline_that_a_change_proposes_is_a_finding_and_accepts_nothing(tree: Path, tmp_path: Path) -> None:
    trusted, proposed = str(tmp_path / "trusted.json"), str(tree / "medium" / ".refseal-baseline.json")
    run("--write-baseline", trusted, str(tree / "clean"))
    run("--write-baseline", proposed, str(tree / "medium"))
    result = run(
        "--baseline", trusted, "--proposed-baseline", proposed, "--format", "json", str(tree / "medium")
    )
    assert result.exit_code == 1
    found = json.loads(result.output)["repositories"][0]["findings"]
    assert [(one["rule"], one["path"], one["suppressed"]) for one in found] == [
        ("RS501", ".refseal-baseline.json", None),
        ("RS201", "AGENTS.md", None),
    ]
    assert run("--baseline", proposed, "--proposed-baseline", proposed, str(tree / "medium")).exit_code == 0


def test_stale_entries_are_for_the_pedantic(tree: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "baseline.json")
    run("--write-baseline", path, str(tree / "medium"))
    assert "RS502" not in run("--baseline", path, str(tree / "clean")).output
    assert "RS502" in run("--baseline", path, "--persona", "pedantic", str(tree / "clean")).output


def test_file_is_replaced_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    target = tmp_path / "report.txt"
    target.write_text("old")
    target.chmod(0o640)
    write_whole(str(target), "new")
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["report.txt"]


@pytest.mark.parametrize("option", ["--output", "--write-baseline"])
@pytest.mark.parametrize("name", ["link", "dangling", "inside", "away/report", "pipe"])
def test_nothing_is_written_where_the_audited_tree_leads(tree: Path, option: str, name: str) -> None:
    """A link there is written by whoever writes the tree, and a report holds that person's words."""
    repository = tree / "medium"
    (tree / "profile").write_text("mine\n")
    (tree / "elsewhere").mkdir()
    (repository / "link").symlink_to("../profile")
    (repository / "dangling").symlink_to("../made")
    (repository / "inside").symlink_to(".git/HEAD")
    (repository / "away").symlink_to("../elsewhere")
    os.mkfifo(repository / "pipe")
    for spelling in (repository, os.path.relpath(repository)):
        result = run(option, f"{spelling}/{name}", str(repository))
        assert (result.exit_code, result.stdout) == (2, "")
        assert "in the audited tree" in result.stderr
    assert (tree / "profile").read_text() == "mine\n"
    assert (repository / ".git/HEAD").read_text() == "x"
    assert os.listdir(tree / "elsewhere") == []
    assert not (tree / "made").exists()


@pytest.mark.parametrize("name", ["{}/alias/reports/x", "reports/../x", "{}/alias/hop/x"])
def test_nothing_is_written_through_a_planted_link_however_it_is_spelled(
    tree: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    audited = tree / "clean"
    (tree / "alias").symlink_to("clean")
    (tree / "home/inner").mkdir(parents=True)
    (audited / "reports").symlink_to(tree / "home/inner")
    (audited / "hop").symlink_to("reports")
    monkeypatch.chdir(audited)
    done = run(".", "-o", name.format(tree))
    assert done.exit_code == 2
    assert "nothing is written through one" in done.output
    assert [path.name for path in (tree / "home").rglob("*")] == ["inner"]


def test_a_loop_on_the_way_to_a_report_is_named(tree: Path) -> None:
    (tree / "loop").symlink_to("loop")
    done = run(str(tree / "clean"), "-o", str(tree / "loop/x"))
    assert done.exit_code == 2
    assert "more than 40 links on the way" in done.output


def test_a_report_in_the_audited_tree_and_links_of_ones_own_are_written(tree: Path) -> None:
    repository = tree / "medium"
    (tree / "alias").symlink_to("medium")
    (tree / "mine").symlink_to("report")
    for name in ("medium/report", "alias/other", "mine", "medium/report"):
        assert run("--output", str(tree / name), str(repository)).exit_code == 1
        assert "gone.md" in (tree / name).read_text()
    assert (tree / "mine").is_symlink()
    assert run("--output", str(tree / "alias/own"), str(tree / "alias")).exit_code == 1
    assert run("--output", "/dev/null", str(repository)).exit_code == 1


def test_file_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "report.txt"
    target.write_text("old")

    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(Unwritable, match="No space left"):
        write_whole(str(target), "new")
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["report.txt"]


def start(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "refseal", "audit", *arguments]
    base = {"PATH": os.environ["PATH"], "PYTHONPATH": SOURCE, "HOME": os.environ.get("HOME", "/")}
    return subprocess.run(command, capture_output=True, env={**base, **environment}, check=False)


def test_pipe_gets_no_colours_and_no_progress(tree: Path) -> None:
    result = start(str(tree / "high"))
    assert result.returncode == 1
    assert b"\x1b" not in result.stdout
    assert result.stderr == b""


def test_output_that_knows_ascii_alone_gets_escapes(tree: Path) -> None:
    plant(tree / "medium", {"AGENTS.md": "@docs/规范.md\n"})
    result = start(str(tree / "medium"), PYTHONIOENCODING="ascii")
    assert result.returncode == 1
    assert b"\\u89c4\\u8303" in result.stdout


def test_reader_that_goes_away_is_no_error(tree: Path) -> None:
    plant(tree / "medium", {"AGENTS.md": "".join(f"@gone{n}.md\n" for n in range(2_000))})
    audit_it = f"'{sys.executable}' -m refseal audit --format json '{tree / 'medium'}'"
    command = audit_it + " | head -c 10; exit ${PIPESTATUS[0]}"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": SOURCE}
    result = subprocess.run(["bash", "-c", command], capture_output=True, env=environment, check=False)
    assert result.returncode == 1
    assert b"Traceback" not in result.stderr


def test_terminal_gets_colours_and_the_same_words(tree: Path) -> None:
    pty = pytest.importorskip("pty")
    os.environ.setdefault("TERM", "xterm")
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "refseal", "audit", str(tree / "high")]
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": SOURCE,
        "TERM": "xterm-256color",
        "COLUMNS": "200",
    }
    with subprocess.Popen(command, stdout=follower, stderr=subprocess.DEVNULL, env=environment) as process:
        os.close(follower)
        shown = b""
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:
                break
            if not part:
                break
            shown += part
    os.close(leader)
    assert process.returncode == 1
    assert b"\x1b[1;31m" in shown
    assert b"RS109 sensitive" in shown


def test_baseline_without_an_end_or_a_writer_holds_nothing_up(tree: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    for name in ("pipe", "link", "."):
        result = run("--baseline", str(tmp_path / name), str(tree / "clean"))
        assert result.exit_code == 2
        assert "regular file" in result.stderr or "directory" in result.stderr


@pytest.mark.parametrize(
    ("redirection", "said"),
    [
        (">&-", b"refseal audit: standard output is closed"),
        (">/dev/full", b"refseal audit: standard output: No space left on device"),
        ("- <&-", b"refseal audit: standard input is closed"),
        ("2>/dev/full >/dev/full", b""),
        ("2>&- >&-", b""),
    ],
)
def test_what_is_wrong_with_the_standard_streams_is_said(tree: Path, redirection: str, said: bytes) -> None:
    command = f'exec "{sys.executable}" -c "from refseal.cli import main; main()" audit {redirection}'
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=tree / "clean",
        env={**os.environ, "PYTHONPATH": os.path.abspath(SOURCE)},
        capture_output=True,
        check=False,
        timeout=30,
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert b"internal error" not in done.stderr


def test_a_directory_that_is_gone_is_named(tmp_path: Path) -> None:
    command = f'rmdir "$PWD"; exec "{sys.executable}" -c "from refseal.cli import main; main()" audit'
    gone = tmp_path / "gone"
    gone.mkdir()
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=gone,
        env={**os.environ, "PYTHONPATH": os.path.abspath(SOURCE)},
        capture_output=True,
        check=False,
        timeout=30,
    )
    assert done.returncode == 2
    assert b"internal error" not in done.stderr
    assert b"directory" in done.stderr


def test_a_report_for_standard_output_leaves_what_stands_there(tree: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"before\n")
    with log.open("ab") as file:
        subprocess.run(
            [sys.executable, "-c", "from refseal.cli import main; main()", "audit", "-o", "/dev/stdout"],
            cwd=tree / "clean",
            env={**os.environ, "PYTHONPATH": os.path.abspath(SOURCE)},
            stdout=file,
            check=True,
            timeout=30,
        )
    assert log.read_bytes().startswith(b"before\n")
    assert b"AGENTS.md" in log.read_bytes()
