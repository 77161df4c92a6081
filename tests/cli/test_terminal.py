"""Every command at 80 columns, in a pipe, without colours, interrupted, and with a reader that goes away."""

from __future__ import annotations

import signal
import subprocess
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from refseal import cli
from refseal.cli.commands import commands
from refseal.cli.manual import Manual
from refseal.resolve.reasons import REASONS
from tests.audit.rules.running import plant
from tests.cli.terminal import COMMAND, environment, on_terminal, piped, plain, words

if TYPE_CHECKING:
    from pathlib import Path

LONG = "a/" + "very-long-name-of-a-directory/" * 4 + "file.md"
NAMES = list(commands.list_commands(click.Context(commands)))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    files: dict[str, str | bytes] = {
        ".git/HEAD": "x",
        "AGENTS.md": f"See @docs/a.md and @{LONG} and @/etc/passwd now.\n",
        "AGENTS.local.md": "Mine\n",
        "docs/a.md": "And @b.md and @gone.md\n",
        "docs/b.md": "Text \u202e\n",
    }
    plant(tmp_path / "tree", files)
    return tmp_path / "tree"


REPORTS = [
    ("show", "--format", "tree", "{tree}"),
    ("audit", "{tree}"),
    ("doctor", "{tree}"),
    ("explain",),
    ("explain", "symlink-escape"),
]


@pytest.mark.parametrize("command", REPORTS, ids=" ".join)
@pytest.mark.parametrize("columns", [80, 40])
def test_terminal_gets_the_words_of_the_pipe_within_its_width(
    tree: Path, command: tuple[str, ...], columns: int
) -> None:
    arguments = [part.format(tree=tree) for part in command]
    shown = on_terminal(*arguments, columns=columns)
    assert words(shown) == words(piped(*arguments).stdout)
    assert max(map(len, plain(shown).splitlines())) <= columns


@pytest.mark.parametrize("command", REPORTS, ids=" ".join)
def test_pipe_gets_no_colours_and_one_line_for_each_thing(tree: Path, command: tuple[str, ...]) -> None:
    arguments = [part.format(tree=tree) for part in command]
    narrow, wide = (piped(*arguments, COLUMNS=columns).stdout for columns in ("20", "300"))
    assert narrow == wide
    assert "\x1b" not in wide


@pytest.mark.parametrize("command", REPORTS, ids=" ".join)
def test_no_color_and_dumb_terminals_get_none(tree: Path, command: tuple[str, ...]) -> None:
    arguments = [part.format(tree=tree) for part in command]
    assert "\x1b[" in on_terminal(*arguments)
    assert "\x1b" not in on_terminal(*arguments, NO_COLOR="1")
    assert "\x1b" not in on_terminal(*arguments, TERM="dumb")


def test_tree_for_an_output_that_knows_ascii_alone(tree: Path) -> None:
    shown = piped("show", "--format", "tree", str(tree), PYTHONIOENCODING="ascii").stdout
    assert "|-- AGENTS.local.md  overlay" in shown
    assert shown.isascii()


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "{tree}"),
        ("show", "--format", "tree", "{tree}"),
        ("show", "--format", "json", "{tree}"),
        ("explain",),
        ("completion", "bash"),
    ],
    ids=" ".join,
)
def test_reader_that_goes_away_is_no_error(tree: Path, arguments: tuple[str, ...]) -> None:
    plant(tree, {"AGENTS.local.md": "".join(f"line {number} @gone{number}.md\n" for number in range(3_000))})
    command = [part.format(tree=tree) for part in arguments]
    with subprocess.Popen(
        [*COMMAND, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
        assert [line for line in said.splitlines() if not line.startswith(b"refseal show: ")] == []
    assert process.returncode == 0


INTERRUPTED = """
import sys
from refseal import cli
from refseal.cli.commands import commands

def interrupt(context):
    raise KeyboardInterrupt

commands.invoke = interrupt
sys.argv = ["refseal", "audit"]
cli.main()
"""


def test_interruption_ends_it_as_the_signal_would() -> None:
    """A shell then ends its loop too, and status 1 stays for findings."""
    done = subprocess.run(
        [COMMAND[0], "-c", INTERRUPTED], capture_output=True, text=True, env=environment(), check=False
    )
    assert done.returncode == -signal.SIGINT
    assert (done.stdout, done.stderr.strip()) == ("", "")


def test_fault_of_ours_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise RuntimeError("\x1b[2J hostile")

    monkeypatch.setattr("sys.argv", ["refseal", "explain"])
    monkeypatch.setattr("refseal.cli.commands.commands.invoke", fail)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("refseal: an internal error (RuntimeError in test_terminal.py:")
    assert "\x1b" not in line


@pytest.mark.parametrize("name", NAMES)
def test_help_is_a_manual_page_within_80_columns(name: str) -> None:
    command = commands.get_command(click.Context(commands), name)
    assert isinstance(command, Manual)
    for option in ("--help", "-h"):
        result = CliRunner().invoke(commands, [name, option], terminal_width=80)
        assert result.exit_code == 0
        shown = result.stdout
        assert shown.isascii()
        for part in ("Usage: ", "Exit status:", "Examples:"):
            assert part in shown
        assert max(map(len, shown.splitlines())) <= 80
        for parameter in command.params:
            assert not isinstance(parameter, click.Option) or parameter.help, parameter.name


@pytest.mark.parametrize("name", NAMES)
def test_examples_can_be_typed(name: str) -> None:
    command = commands.get_command(click.Context(commands), name)
    assert isinstance(command, Manual)
    for example in command.examples:
        assert f"refseal {name}" in example


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["--nonsense"],
        *([name, "--nonsense"] for name in NAMES),
        ["show", "--format", "xml"],
        ["show", "--diff", "/etc/hostname", "--format", "tree"],
        ["explain", "no-such-code"],
        ["completion", "tcsh"],
        ["completion"],
    ],
    ids=" ".join,
)
def test_usage_errors_end_with_2(arguments: list[str]) -> None:
    done = piped(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(("Usage: refseal", "refseal "))
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("verdict", ["skipped", "blocked", "inert"])
def test_verdict_is_explained_with_all_of_its_reasons(verdict: str) -> None:
    done = piped("explain", verdict)
    assert done.returncode == 0
    listed = [line.split()[0] for line in done.stdout.splitlines()[2:]]
    assert listed == [reason for reason, (of, _) in REASONS.items() if of == verdict]


@pytest.mark.parametrize(("code", "meant"), [("outside-roots", "outside-root"), ("codespan", "code-span")])
def test_code_that_is_mistyped_is_guessed(code: str, meant: str) -> None:
    assert f"did you mean {meant}?" in piped("explain", code).stderr
    assert "did you mean" not in piped("explain", "RS999").stderr


def test_code_that_a_terminal_would_obey_goes_out_escaped() -> None:
    done = piped("explain", "\x1b[2J\u202e")
    assert done.stderr.startswith("refseal explain: \\u{1B}[2J\\u{202E} is neither")


def test_version() -> None:
    for option in ("-V", "--version"):
        assert piped(option).stdout.startswith("refseal, version ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(shell: str) -> None:
    script = piped("completion", shell).stdout
    assert "_REFSEAL_COMPLETE" in script
    assert "refseal" in script


def completed(words_so_far: str, tmp_path: Path) -> list[str]:
    """Complete the last word in a real bash that has evaluated the script."""
    (tmp_path / "refseal").write_text(f'#!/bin/sh\nexec {COMMAND[0]} -m refseal "$@"\n')
    (tmp_path / "refseal").chmod(0o755)
    script = (
        'eval "$(refseal completion bash)"; '
        f"COMP_WORDS=({words_so_far}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); "
        '_refseal_completion refseal; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        capture_output=True,
        text=True,
        env=environment(PATH=f"{tmp_path}:/usr/bin:/bin"),
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("so_far", "found"),
    [
        ("refseal ''", NAMES),
        ("refseal do", ["doctor"]),
        ("refseal completion ''", ["bash", "zsh", "fish"]),
        ("refseal show --format ''", ["block", "tree", "json"]),
        ("refseal audit --fail", ["--fail-on"]),
    ],
)
def test_completion_in_bash(tmp_path: Path, so_far: str, found: list[str]) -> None:
    assert completed(so_far, tmp_path) == found
