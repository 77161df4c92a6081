"""Parity with the plugin that refseal succeeds: one test for each sentence of its feature list.

Repeats and changes on resume are the host's part: tests/codex.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from refseal.seal.parse import parse

if TYPE_CHECKING:
    from tests.resolve.world import World


@pytest.mark.parametrize("directory", ["home/.codex", "p", "p/sub"])
def test_an_overlay_adds_to_the_instructions_of_its_directory(world: World, directory: str) -> None:
    world.repository("p")
    world.directory("p/sub")
    world.write_all({f"{directory}/AGENTS.md": "native", f"{directory}/AGENTS.local.md": "additive"})
    answer = world.ask("p/sub")
    assert answer.shown == [f"{directory}/AGENTS.local.md"]
    assert [part.body for part in parse(answer.block).documents] == ["additive"]


@pytest.mark.parametrize("tree", ["main/.trees/wt", "elsewhere/wt"])
def test_the_main_trees_overlay_is_seen_in_a_nested_and_in_a_sibling_worktree(
    world: World, tree: str
) -> None:
    world.worktree("main", tree)
    world.write("main/AGENTS.local.md", "x")
    assert world.ask(tree).shown == ["main/AGENTS.local.md"]


def test_the_worktrees_own_file_wins(world: World) -> None:
    world.worktree("main", "wt")
    world.write_all({"main/AGENTS.local.md": "x", "wt/AGENTS.local.md": "y"})
    assert world.ask("wt").shown == ["wt/AGENTS.local.md"]


def test_the_main_roots_ancestors_are_scanned_the_same_way(world: World) -> None:
    world.worktree("work/main", "wt")
    world.write_all({"work/AGENTS.md": "x", "work/AGENTS.local.md": "y"})
    assert world.ask("wt").shown == ["work/AGENTS.local.md", "work/AGENTS.md"]


@pytest.mark.parametrize(
    "name", ["AGENTS.override.md", "AGENTS.md", "AGENTS.local.md", "FALLBACK.md", "docs/r.md"]
)
def test_references_are_expanded_in_every_kind_of_file(world: World, name: str) -> None:
    world.repository("p")
    world.write_all({f"p/{name}": "@x.md", "p/x.md": "x", "p/docs/x.md": "x"})
    if name == "docs/r.md":
        world.write("p/AGENTS.md", "@docs/r.md")
    answer = world.ask("p", {"CODEX_AGENTS_MD_PLUS_FALLBACK_FILENAMES": "FALLBACK.md"})
    assert answer.shown[-1] == ("p/docs/x.md" if name == "docs/r.md" else "p/x.md")


def test_a_reference_is_relative_to_the_file_that_holds_it(world: World) -> None:
    world.repository("p")
    world.write_all({"p/a/AGENTS.md": "@x.md @../x.md", "p/a/x.md": "near", "p/x.md": "far"})
    assert world.ask("p/a").shown == ["p/a/x.md", "p/x.md"]


@pytest.mark.parametrize(
    "text",
    [
        "mail@x.md",
        "`@x.md`",
        "```\n@x.md\n```",
        "~~~\n@x.md\n~~~",
        "<!-- @x.md -->",
        "\\@x.md",
        "    @x.md",
        "@y",
    ],
)
def test_only_a_token_at_a_boundary_in_prose_is_a_reference(world: World, text: str) -> None:
    world.repository("p")
    world.write_all({"p/AGENTS.local.md": text, "p/x.md": "x"})
    assert world.ask("p").shown == ["p/AGENTS.local.md"]


def test_only_text_documents_are_expanded(world: World) -> None:
    world.repository("p")
    world.write_all({"p/AGENTS.local.md": "@x.md @x.exe", "p/x.md": "x", "p/x.exe": "x"})
    assert world.ask("p").shown == ["p/AGENTS.local.md", "p/x.md"]


def test_expansion_is_breadth_first_and_breaks_cycles(world: World) -> None:
    world.repository("p")
    world.write_all(
        {"p/AGENTS.local.md": "@a.md @b.md", "p/a.md": "@c.md @a.md", "p/b.md": "@a.md", "p/c.md": "@b.md"}
    )
    assert world.ask("p").shown == ["p/AGENTS.local.md", "p/a.md", "p/b.md", "p/c.md"]


def test_five_deep(world: World) -> None:
    world.repository("p")
    world.write("p/AGENTS.local.md", "@1.md")
    for depth in range(1, 8):
        world.write(f"p/{depth}.md", f"@{depth + 1}.md")
    assert world.ask("p").shown[-1] == "p/5.md"


def test_thirty_two_files(world: World) -> None:
    world.repository("p")
    world.write("p/AGENTS.local.md", "".join(f"@{number}.md " for number in range(40)))
    for number in range(40):
        world.write(f"p/{number}.md", "x")
    assert len(world.ask("p").shown) == 1 + 32


def test_thirty_two_kibibytes_of_one_file_and_a_hundred_and_twenty_eight_of_all(world: World) -> None:
    world.repository("p")
    world.write("p/AGENTS.local.md", "".join(f"@{number}.md " for number in range(6)))
    for number in range(6):
        world.write(f"p/{number}.md", "xyz\n" * 20_000)
    answer = world.ask("p")
    assert [len(source.file.data) for source in answer.resolution.documents[1:]] == [32 << 10] * 4
    assert answer.left_out == [("4.md", "total-bytes"), ("5.md", "total-bytes")]


def test_what_lies_outside_is_refused_and_told_with_its_reason(world: World) -> None:
    world.repository("p")
    world.write_all({"x.md": "x", "p/AGENTS.local.md": "@../x.md @/etc/passwd"})
    parsed = parse(world.ask("p").block)
    assert [(entry.target, entry.reason) for entry in parsed.left_out] == [
        ("../x.md", "outside-root"),
        ("/etc/passwd", "absolute"),
    ]


def test_codex_homes_references_are_confined_to_codex_home(world: World) -> None:
    world.repository("p")
    world.write_all(
        {"home/.codex/AGENTS.local.md": f"@a.md @../b.md @{world.at('p/c.md')}", "home/.codex/a.md": "a"}
    )
    world.write_all({"home/b.md": "b", "p/c.md": "c"})
    assert [reason for _, reason in world.ask("p").verdicts] == ["included", "outside-root", "absolute"]


def test_each_file_is_shown_with_its_own_path_and_the_native_ones_are_mapped(world: World) -> None:
    world.repository("p")
    world.write_all({"p/AGENTS.md": "# Native\n", "p/AGENTS.local.md": "@a.md", "p/a.md": "a"})
    parsed = parse(world.ask("p").block)
    assert [(world.short(part.path), part.body) for part in parsed.documents] == [
        ("p/AGENTS.local.md", "@a.md"),
        ("p/a.md", "a"),
    ]
    assert [(world.short(native.path), native.first_line) for native in parsed.native] == [
        ("p/AGENTS.md", "# Native")
    ]


@pytest.mark.parametrize("prefix", ["REFSEAL_", "CODEX_AGENTS_MD_PLUS_"])
@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("MAX_DEPTH", "1", ["a.md"]),
        ("MAX_FILES", "1", ["a.md"]),
        ("MAX_FILE_BYTES", "6", ["a.md"]),
        ("MAX_TOTAL_REFERENCE_BYTES", "12", ["a.md"]),
        ("ALLOW_OUTSIDE_ROOT", "true", ["a.md", "o.md", "b.md"]),
        ("FALLBACK_FILENAMES", "F.md", ["a.md", "f.md", "b.md"]),
    ],
)
def test_each_environment_variable_has_its_effect(
    world: World, prefix: str, name: str, value: str, expected: list[str]
) -> None:
    world.repository("p")
    world.write_all(
        {"p/AGENTS.local.md": "@a.md @../o.md", "o.md": "o", "p/a.md": "a a a\n@b.md\n", "p/b.md": "b"}
    )
    world.write_all({"p/F.md": "@f.md", "p/f.md": "f"})
    answer = world.ask("p", {prefix + name: value})
    names = [path.rpartition("/")[2] for path in answer.shown[1:]]
    if name == "MAX_FILE_BYTES":  # the overlay is cut as well: `@a.md ` is all that is left of it
        assert [len(source.file.data) for source in answer.resolution.documents] == [6, 6]
    assert names == expected
