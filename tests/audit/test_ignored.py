"""The patterns of `.gitignore`, as far as they are about directories, compared with git's own answer."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from refseal.audit.ignored import Ignored, parse
from refseal.audit.tree import walk
from refseal.pathguard import Owners, Root
from tests.alarm import work_alarm
from tests.audit.rules.running import plant

if TYPE_CHECKING:
    from pathlib import Path

DIRECTORIES = (
    "a",
    "a/b",
    "a/b/c",
    "b",
    "b/a",
    "build",
    "sub/build",
    "sub/x.egg-info",
    "x*y",
    "[z]",
    "foo bar",
    ".cache",
    "aXb",
)

PATTERNS = (
    "build", "build/", "/build", "/build/", "sub/build", "a/b", "a/**", "**/b", "**/b/c", "a/**/c", "*", "*/",
    "!a/",
    "b*", "?", "x\x0bbuild", "x\x0cbuild", "x\rbuild", "#\u2028build", "build\r", "build\r\r",
    "[ab]", "[!a]", "[a-b]/", "*.egg-info", "x\\*y", "\\[z\\]", "foo bar", "foo\\ bar/",
    "#a", "\\#a", " a", "a ", "a\\ ", "/*/b",
    "sub/*", "!sub/", "**", "a/", "/a/b/", ".*", "a*b", "a?b", "[[:alpha:]]", "a**b", "***/b",
)  # fmt: skip


UNLIKE_GIT = frozenset({"[[:alpha:]]", "***/b", "a/**"})
"""Of these we ignore less: classes of characters are not known, nor that `a/**` means `a/` too."""


class Untracked(Ignored):
    """Says of no directory that the index may have something in it, which is a guess for short names."""

    def _is_tracked(self, path: tuple[str, ...]) -> bool:  # noqa: ARG002 - the guess is what is switched off
        return False


def left_out(root: Root, ignored: Ignored) -> set[str]:
    tree = walk(root, ignored=ignored)
    return set(DIRECTORIES) - {"/".join(found.components) for found in tree.files}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_pattern_means_what_it_means_to_git(tmp_path: Path, pattern: str) -> None:
    plant(tmp_path, {f"{name}/AGENTS.md": "x\n" for name in DIRECTORIES})
    plant(tmp_path, {".gitignore": f"c\n{pattern}\n", "tracked": "x"})
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-f", "tracked"], check=True)
    asked = "".join(f"{name}/\n" for name in DIRECTORIES)
    run = subprocess.run(
        [*git, "check-ignore", "--stdin"], input=asked, capture_output=True, text=True, check=False
    )
    by_git = {line.strip('"').replace("\\\\", "\\").rstrip("/") for line in run.stdout.splitlines()}
    with Root.open(str(tmp_path), Owners.of_process()) as root:
        # Whatever is in doubt is looked at: we may ignore less than git, never more.
        assert left_out(root, Ignored(root)) <= by_git
        if pattern not in UNLIKE_GIT:
            assert left_out(root, Untracked(root)) == by_git


def test_hostile_pattern_does_not_backtrack_without_end() -> None:
    pattern = parse("*a*a*a*a*a*a*ab")
    assert pattern is not None
    with work_alarm(60):
        for _ in range(1_000):
            assert not pattern.matches(("a" * 255,))


@pytest.mark.parametrize("line", ["", "#x", "/", "!", "*" * 9, "x" * 300, "[b-a]"])
def test_what_is_no_pattern_is_passed_over(line: str) -> None:
    assert parse(line) is None
