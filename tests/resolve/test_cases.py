"""The settled calls on whole texts, from a file on the disk to the verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.resolve.world import World

VECTORS = Path(__file__).parent.parent / "vectors"
CASES: list[dict[str, Any]] = [
    json.loads(line) for line in (VECTORS / "references.jsonl").read_text().splitlines() if line.strip()
]
REPORTED = {"MI39": ["glob", "glob"], "MI40": ["missing"], "MI41": ["absolute", "absolute"]}
"""Cases in which something besides the included files is worth a line to somebody."""


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_exactly_the_included_files_are_resolved(world: World, case: dict[str, Any]) -> None:
    world.repository("p")
    world.write("p/AGENTS.local.md", case["text"])
    for path in case["included"]:
        world.write(f"p/{path}", f"this is {path}")
    answer = world.ask("p")
    resolved = [(path, reason) for path, reason in answer.verdicts if reason in ("included", "native")]
    assert resolved == [(path, "native" if path == "AGENTS.md" else "included") for path in case["included"]]
    others = [reason for _, reason in answer.verdicts if reason not in ("included", "native", "duplicate")]
    assert others == REPORTED.get(case["id"], [])
    if case["quiet"]:
        assert answer.left_out == []


# --- roots (PV-195 to PV-199)


@pytest.mark.parametrize("top", ["home", "tmp"])
def test_a_planted_git_makes_the_root_but_not_the_reach(world: World, top: str) -> None:
    world.repository(top)
    world.directory(top, 0o1777 if top == "tmp" else 0o755)
    world.write_all(
        {f"{top}/proj/AGENTS.md": f"@../notes.md @{world.at(top)}/notes.md", f"{top}/notes.md": "n"}
    )
    with world.scope(f"{top}/proj") as scope:
        assert world.short(scope.project_root) == top
        assert scope.unsafe
    assert [reason for _, reason in world.ask(f"{top}/proj").verdicts] == ["outside-root", "absolute"]


def test_a_worktree_reads_nothing_of_the_system(world: World) -> None:
    world.worktree("main", "wt")
    world.write("wt/AGENTS.md", "@/etc/hostname")
    assert world.ask("wt").verdicts == [("/etc/hostname", "absolute")]


def test_a_project_reads_nothing_of_codex_home(world: World) -> None:
    overlay = world.write("home/.codex/AGENTS.local.md", "x")
    world.repository("p")
    world.write("p/AGENTS.md", f"@{overlay}")
    assert world.ask("p").verdicts == [(overlay, "absolute")]


def test_not_even_codex_home_reads_its_own_credentials(world: World) -> None:
    world.write_all({"home/.codex/AGENTS.local.md": "@auth.json", "home/.codex/auth.json": "{}"})
    world.directory("p")
    assert world.ask("p").verdicts == [("auth.json", "sensitive")]
