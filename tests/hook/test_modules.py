"""What a start of the hook imports, by what there is to do: every module costs each session of everybody.

Of the standard library the lists are whole: `re`, `json` or `typing` would take as much as all of refseal.
Of our own modules it is held which rooms stay shut and how many open, for each takes a hundredth of an
interpreter's start.  Whoever changes a list here has measured it (`just bench --only hook`).
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.hook.plugin import Plugin, payload, project

if TYPE_CHECKING:
    from pathlib import Path

ALWAYS = {"__future__", "_json", "errno", "gc", "stat", "_stat"}
"""Of the standard library, besides what a bare interpreter has: C modules, and constants."""

SEALED = {"_sha256"} if sys.version_info < (3, 12) else {"_sha2"}

NOTHING_TO_SHOW = (
    "refseal.seal",
    "refseal.tokenizer",
    "refseal.resolve.expansion",
    "refseal.codex.contribution",
    "refseal.codepoints",
)
NOTHING_TO_FIND = ("refseal.tokenizer",)
UNUSUAL = (
    *("refseal.pathguard.worktree", "refseal.pathguard.gitfile", "refseal.resolve.main_worktree"),
    *("refseal.pathguard.git_files", "refseal.resolve.git_index"),
    *("refseal.resolve.setting_readers", "refseal.resolve.extra_roots", "refseal.codex.configuration_tables"),
    "refseal.resolve.home_links",
)
"""A linked worktree; a question that git's index answers; a setting, or one of Codex's that matters here; a
file of Codex home that is a link."""

NO_TRANSCRIPT = ("refseal.codex.transcript", "refseal.codex.thread_files", "refseal.pathguard.handle")
NEVER = ("refseal.cli", "refseal.audit", "refseal.seal.parse", "refseal.pathguard.listing")
"""Rooms that stay shut."""

TELL = """
import posix, sys
bare = set(sys.modules)
path = sys.argv.pop()
def tell(status):
    posix.write(2, " ".join(sorted(set(sys.modules) - bare)).encode())
    end(status)
end, posix._exit = posix._exit, tell
exec(compile(open(path).read(), path, "exec"), {"__name__": "__main__", "__file__": path})
"""


def imported(plugin: Plugin, stdin: bytes) -> set[str]:
    """Return what the hook has imported when it ends its process."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", TELL, str(plugin.root / "hook.py")],
        input=stdin,
        env=plugin.environment,
        capture_output=True,
        check=True,
        timeout=30,
    )
    return set(done.stderr.decode().split())


@pytest.fixture
def plugin(tmp_path: Path) -> Plugin:
    plugin = Plugin(tmp_path)
    del plugin.environment["REFSEAL_DEADLINE"]  # most people set nothing
    (plugin.codex_home / "config.toml").write_text('[projects."/p"]\ntrust_level = "trusted"\n')
    return plugin


def check(found: set[str], most: int, shut: tuple[str, ...], others: set[str]) -> None:
    ours = {name for name in found if name.partition(".")[0] == "refseal"}
    assert found - ours == others
    assert not {name for name in ours if name.startswith((*shut, *NEVER))}
    assert len(ours) <= most, sorted(ours)


def test_where_there_is_nothing_to_do(plugin: Plugin, tmp_path: Path) -> None:
    root = project(tmp_path)
    (root / "AGENTS.local.md").unlink()
    check(imported(plugin, payload(root)), 33, (*NOTHING_TO_SHOW, *UNUSUAL, *NO_TRANSCRIPT), ALWAYS)


def test_a_document(plugin: Plugin, tmp_path: Path) -> None:
    root = project(tmp_path)
    found = imported(plugin, payload(root))
    check(found, 57, (*NOTHING_TO_FIND, *UNUSUAL, *NO_TRANSCRIPT), ALWAYS | SEALED)


def test_references(plugin: Plugin, tmp_path: Path) -> None:
    root = project(tmp_path)
    (root / "AGENTS.local.md").write_text("See @a.md.\n\n- And an item\n")
    (root / "a.md").write_text("# A\n\nText.\n")
    found = imported(plugin, payload(root))
    check(found, 68, ("refseal.tokenizer.inlines", *UNUSUAL, *NO_TRANSCRIPT), ALWAYS | SEALED)


def test_a_transcript(plugin: Plugin, tmp_path: Path) -> None:
    root = project(tmp_path)
    transcript = tmp_path / "rollout-2026-11-30T09-57-25-01a22be3-48d3-7a00-9bae-a9fce52c180f.jsonl"
    transcript.write_text(json.dumps({"type": "session_meta", "payload": {"cli_version": "0.171.0"}}) + "\n")
    found = imported(plugin, payload(root, transcript_path=str(transcript)))
    check(found, 60, (*NOTHING_TO_FIND, *UNUSUAL), ALWAYS | SEALED)


def test_toml_is_read_only_where_it_can_matter(plugin: Plugin, tmp_path: Path) -> None:
    root = project(tmp_path)
    (plugin.codex_home / "config.toml").write_text("project_doc_max_bytes = 1000\n")
    assert "tomllib" in imported(plugin, payload(root))
