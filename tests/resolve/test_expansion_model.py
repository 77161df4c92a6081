"""Expansion against a model: random graphs of documents, and a second, slow and plain account of the rule.

The model knows the files as a dictionary and shares no code with the resolver.  It does not model hosts,
links or refusals; those have tests of their own.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from tests.resolve.world import World

NAMES = [f"{letter}.md" for letter in "abcdefghij"]


class Budget(NamedTuple):
    depth: int
    files: int
    total: int
    size: int


def expected(
    files: dict[str, str], instructions: list[str], native: set[str], budget: Budget
) -> list[tuple[str, str, str]]:
    """Say (source, target, reason) for every reference, in order."""
    answers: list[tuple[str, str, str]] = []
    settled: dict[str, str] = {name: "native" if name in native else "duplicate" for name in instructions}
    left_files, left_bytes = budget.files, budget.total
    level = list(instructions)
    depth = 0
    while level:
        depth += 1
        following: list[str] = []
        for source in level:
            text = files[source]
            if len(text) > budget.size and source not in native:  # of a native file the host has shown more
                text = text[: budget.size]
                # To the last whole line; of a single line to the last whole word.
                text = text[: max(text.rfind("\n"), text.rfind(" ")) + 1]
            for word in text.split():
                if not word.startswith("@"):
                    continue
                target = word[1:]
                if target not in files:
                    answers.append((source, target, "missing"))
                    continue
                size = min(len(files[target]), budget.size)
                if target == source:
                    reason = "self"
                elif target in settled:
                    reason = settled[target]
                else:
                    if not files[target].strip():
                        reason = "empty"
                    elif depth > budget.depth:
                        reason = "depth"
                    elif left_files == 0:
                        reason = "file-count"
                    elif size > left_bytes:
                        reason = "total-bytes"
                    else:
                        reason = "included"
                        left_files -= 1
                        left_bytes -= size
                        following.append(target)
                    settled[target] = "duplicate" if reason == "included" else reason
                answers.append((source, target, reason))
        level = following
    return answers


names = st.sampled_from([*NAMES, "AGENTS.md", "AGENTS.local.md", "gone.md"])
lines = st.one_of(names.map(lambda name: f"@{name}"), st.just("x" * 40), st.just(""))
texts = st.lists(lines, max_size=6).map(lambda parts: "".join(part + "\n" for part in parts))
trees = st.dictionaries(st.sampled_from(NAMES), texts, max_size=len(NAMES))
budgets = st.builds(
    Budget,
    depth=st.integers(0, 6),
    files=st.integers(0, 8),
    total=st.integers(0, 400),
    size=st.integers(8, 200),
)


@given(files=trees, overlay=texts, native=texts, budget=budgets)
def test_order_depth_repeats_and_budgets_are_those_of_the_model(
    files: dict[str, str], overlay: str, native: str, budget: Budget
) -> None:
    tree = files | {"AGENTS.local.md": overlay, "AGENTS.md": native}
    instructions = [
        name for name in ("AGENTS.local.md", "AGENTS.md") if tree[name].strip() or name == "AGENTS.md"
    ]
    with tempfile.TemporaryDirectory() as top:
        world = World(Path(top))
        for name, text in tree.items():
            world.write(f"p/{name}", text)
        answer = world.ask(
            "p",
            {
                "REFSEAL_MAX_DEPTH": str(budget.depth),
                "REFSEAL_MAX_FILES": str(budget.files),
                "REFSEAL_MAX_TOTAL_REFERENCE_BYTES": str(budget.total),
                "REFSEAL_MAX_FILE_BYTES": str(budget.size),
            },
        )
        found = [
            (Path(reference.source.path).name, reference.reference.path, reference.reason)
            for reference in answer.resolution.references
        ]
        shown = [Path(path).name for path in answer.shown]
    wanted = expected(tree, instructions, {"AGENTS.md"}, budget)
    assert found == wanted
    assert len(shown) == len(set(shown))
    included = [target for _, target, reason in wanted if reason == "included"]
    assert [name for name in shown if name != "AGENTS.local.md"] == included


@given(files=trees, overlay=texts, limit=st.integers(200, 700))
def test_whatever_the_limit_the_block_fits_and_nothing_goes_unsaid(
    files: dict[str, str], overlay: str, limit: int
) -> None:
    with tempfile.TemporaryDirectory() as top:
        world = World(Path(top))
        for name, text in (files | {"AGENTS.local.md": overlay}).items():
            world.write(f"p/{name}", text)
        answer = world.ask("p", limit=limit)
    assert len(answer.block.encode()) <= 4 * limit
    documents = {source.path for source in answer.resolution.documents}
    for reference in answer.resolution.references:
        assert (reference.resolved in documents) == (
            reference.reason in ("included", "duplicate", "self")
        ) or (reference.reason in ("duplicate", "self"))
