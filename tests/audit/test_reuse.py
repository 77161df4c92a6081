"""A session that reuses the answer of one above it gets what it would have got had it been asked for."""

from __future__ import annotations

import dataclasses
import random
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from refseal.audit.scan import Options, scan
from refseal.audit.sessions import Sessions
from tests.audit.rules.running import plant

if TYPE_CHECKING:
    from pathlib import Path

BODIES = (
    "plain rules\n",
    "plain rules of another place\n",
    "",
    "x" * 9_000 + "\n",
    "See @docs/a.md and @gone.md.\n",
    "@a/AGENTS.md\n",
    "@../AGENTS.md @b.md\n",
    "ask @team or @docs, use @acme/web and @acme/x.md\n",
    "ask @team, use @acme/web 2.0 and @a/b or @c\n",
    "@acme/.env @acme/id_rsa @id_rsa @acme/*\n",
    "@~team @-x @acme/we\u200bb @/x @./y\n",
)
NAMES = ("AGENTS.md", "AGENTS.md", "AGENTS.md", "AGENTS.override.md", "AGENTS.local.md")
DIRECTORIES = ("", "a", "a/b", "a/b/c", "a/d", "e", "e/f/g")


def answers(root: Path, *, reuse: bool, **options: Any) -> dict[str, Any]:
    repository = scan(str(root), Options(reuse=reuse, **options))
    return dataclasses.asdict(repository)


@pytest.mark.parametrize("seed", range(60))
def test_reuse_changes_nothing(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    files: dict[str, str | bytes] = {"docs/a.md": "@../a/AGENTS.md\n", "b.md": "text\n"}
    if chance.random() < 0.8:
        files[".git/HEAD"] = "x"
    if chance.random() < 0.2:
        files[chance.choice(DIRECTORIES[1:]) + "/.git/"] = ""
    for directory in DIRECTORIES:
        if chance.random() < 0.7:
            name = chance.choice(NAMES)
            files[f"{directory}/{name}".lstrip("/")] = chance.choice(BODIES)
            if chance.random() < 0.2:
                files[f"{directory}/AGENTS.local.md".lstrip("/")] = chance.choice(BODIES)
    plant(tmp_path, files)
    assert answers(tmp_path, reuse=True) == answers(tmp_path, reuse=False)


def test_plain_files_are_not_asked_for_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, {".git/HEAD": "x", "AGENTS.md": "@docs/a.md\n", "docs/a.md": "text\n"})
    plant(tmp_path, {f"d{number}/AGENTS.md": "plain\n" for number in range(20)})
    asked = []
    add = Sessions.add

    def counting(self: Sessions, directory: str, *, listed: bool = True) -> Any:
        asked.append(directory)
        return add(self, directory, listed=listed)

    monkeypatch.setattr(Sessions, "add", counting)
    repository = scan(str(tmp_path), Options())
    assert len(asked) == 1
    assert repository.references[0].scopes == list(range(21))


def test_linked_worktree_is_asked_for_everywhere(tmp_path: Path) -> None:
    main, linked = tmp_path / "main", tmp_path / "linked"
    subprocess.run(["git", "init", "-q", str(main)], check=True)
    plant(main, {"a/AGENTS.md": "x\n"})
    run = ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-C", str(main)]
    subprocess.run([*run, "add", "."], check=True)
    subprocess.run([*run, "commit", "-qm", "x"], check=True)
    subprocess.run([*run, "worktree", "add", "-q", str(linked)], check=True, capture_output=True)
    plant(main, {"a/AGENTS.local.md": "@../mine.md\n", "mine.md": "text\n"})
    repository = scan(str(linked), Options())
    assert [(one.source, one.verdict) for one in repository.references] == [
        (str(main / "a/AGENTS.local.md"), "included")
    ]
    assert [one.worktree_status for one in repository.scopes] == ["linked", "linked"]
    assert answers(linked, reuse=True) == answers(linked, reuse=False)


@pytest.mark.parametrize("reference", ["@d/d", "@d/e/d", "@gone/gone", "@gone/d", "@d/gone/d"])
def test_name_that_is_missing_further_down_only_is_no_mention(tmp_path: Path, reference: str) -> None:
    plant(
        tmp_path, {".git/HEAD": "x", "AGENTS.md": "x\n", "a/AGENTS.md": f"{reference}\n", "a/d/e/x.md": "y\n"}
    )
    answer = answers(tmp_path, reuse=True)
    assert answer == answers(tmp_path, reuse=False)
    assert bool(answer["references"]) is reference.startswith("@d/")


def test_root_that_is_spelled_beneath_itself_has_the_same_paths(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {".git/HEAD": "x", "AGENTS.md": "@b.md\n", "a/AGENTS.md": "x\n", "b.md": "y\n", "me": "-> ."},
    )
    straight, spelled = scan(str(tmp_path), Options()), scan(str(tmp_path / "me"), Options())
    assert [scope.cwd for scope in straight.scopes] == [".", "a"]
    assert spelled.scopes == straight.scopes
    assert spelled.references == straight.references
