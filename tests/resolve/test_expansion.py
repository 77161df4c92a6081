"""Expansion: order, depth, de-duplication, budgets, verdicts.  One test for each sentence of the rule."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from refseal.pathguard import Refusal, is_directory, read
from refseal.resolve.expansion import MAX_RESOLUTIONS, Expansion, _last_space, _start_of_line
from refseal.resolve.native_view import Loaded, NativeView
from refseal.resolve.settings import read_settings
from refseal.seal.parse import parse
from tests.resolve.world import LARGE, World, mirror

if TYPE_CHECKING:
    from refseal.pathguard import File
    from refseal.resolve.scope import Scope


@pytest.fixture
def p(world: World) -> World:
    world.repository("p")
    return world


def overlay(world: World, text: str) -> None:
    world.write("p/AGENTS.local.md", text)


# --- order


def test_user_tier_then_overlays_then_the_rest_breadth_first(world: World) -> None:
    world.worktree("work/main", "wt")
    world.write_all(
        {
            "home/.codex/AGENTS.local.md": "@h1.md",
            "home/.codex/h1.md": "@h2.md",
            "home/.codex/h2.md": "h",
            "work/AGENTS.md": "@w1.md",
            "work/w1.md": "w",
            "wt/AGENTS.md": "@n1.md",
            "wt/n1.md": "n",
            "main": "",
            "work/main/sub/AGENTS.md": "@i1.md",
            "work/main/sub/i1.md": "i",
            "wt/AGENTS.local.md": "@o1.md",
            "wt/o1.md": "@o2.md",
            "wt/o2.md": "o",
            "wt/sub/AGENTS.local.md": "@s1.md",
            "wt/sub/s1.md": "s",
        }
    )
    answer = world.ask("wt/sub")
    assert [path for path, _ in answer.verdicts] == [
        "h1.md", "w1.md",  # the user's own
        "o1.md", "s1.md",  # overlays
        "n1.md", "i1.md",  # the rest, along the chain
        "h2.md", "o2.md",  # the next depth
    ]  # fmt: skip
    assert answer.shown == [
        "home/.codex/AGENTS.local.md", "wt/AGENTS.local.md", "wt/sub/AGENTS.local.md",
        "work/AGENTS.md", "work/main/sub/AGENTS.md",
        "home/.codex/h1.md", "work/w1.md", "wt/o1.md", "wt/sub/s1.md", "wt/n1.md", "work/main/sub/i1.md",
        "home/.codex/h2.md", "wt/o2.md",
    ]  # fmt: skip
    assert [world.short(part.path) for part in parse(answer.block).documents] == answer.shown


def test_a_file_reached_twice_counts_at_its_smallest_depth(p: World) -> None:
    overlay(p, "@a.md @b.md")
    p.write_all({"p/a.md": "@c.md", "p/c.md": "@d.md", "p/b.md": "@d.md", "p/d.md": "@e.md", "p/e.md": "e"})
    answer = p.ask("p")
    depths = {
        found.reference.path: found.depth
        for found in answer.resolution.references
        if found.reason == "included"
    }
    assert depths == {"a.md": 1, "b.md": 1, "c.md": 2, "d.md": 2, "e.md": 3}
    chains = {found.reference.path: found.chain for found in answer.resolution.references}
    assert [p.short(path) for path in chains["e.md"]] == ["p/AGENTS.local.md", "p/b.md", "p/d.md"]


def test_a_reference_is_relative_to_the_real_directory_of_its_file(p: World) -> None:
    p.write_all({"p/real/a.md": "@b.md", "p/real/b.md": "right", "p/link/x": "", "p/b.md": "wrong"})
    p.link("p/link/a.md", "../real/a.md")
    p.write("p/link/b.md", "wrong")
    overlay(p, "@link/a.md")
    assert p.ask("p").shown == ["p/AGENTS.local.md", "p/real/a.md", "p/real/b.md"]


# --- each document once


def test_each_document_is_included_once_and_repeats_are_silent(p: World) -> None:
    overlay(p, "@a.md @./a.md @docs/../a.md @a.md#part")
    p.write_all({"p/a.md": "@b.md", "p/b.md": "@a.md @b.md @AGENTS.local.md", "p/docs/x": ""})
    answer = p.ask("p")
    assert answer.shown == ["p/AGENTS.local.md", "p/a.md", "p/b.md"]
    assert [reason for _, reason in answer.verdicts] == [
        "included", "duplicate", "duplicate", "duplicate", "included", "duplicate", "self", "duplicate"
    ]  # fmt: skip
    assert answer.left_out == []


def test_two_names_of_one_file_with_one_content_are_one_document(p: World) -> None:
    overlay(p, "@a.md @b.md @c.md @l.md")
    p.write_all({"p/a.md": "same", "p/c.md": "same"})
    os.link(p.at("p/a.md"), p.at("p/b.md"))
    p.link("p/l.md", "c.md")
    assert [reason for _, reason in p.ask("p").verdicts] == ["included", "duplicate", "included", "duplicate"]


def test_the_same_content_in_another_file_is_another_document(p: World) -> None:
    overlay(p, "@a.md @b.md")
    p.write_all({"p/a.md": "same", "p/b.md": "same"})
    assert [reason for _, reason in p.ask("p").verdicts] == ["included", "included"]


def test_an_instruction_file_has_depth_zero_wherever_it_is_referenced(p: World) -> None:
    overlay(p, "@sub/AGENTS.local.md @sub/AGENTS.md")
    p.write_all({"p/sub/AGENTS.local.md": "@../x.md", "p/sub/AGENTS.md": "n", "p/x.md": "x"})
    assert p.ask("p/sub").verdicts == [
        ("sub/AGENTS.local.md", "duplicate"),
        ("sub/AGENTS.md", "native"),
        ("../x.md", "included"),
    ]
    # ... and outside the scope it is a document like any other.
    assert p.ask("p").verdicts == [
        ("sub/AGENTS.local.md", "included"),
        ("sub/AGENTS.md", "included"),
        ("../x.md", "included"),
    ]


# --- native files


def test_a_native_file_is_expanded_but_never_repeated(p: World) -> None:
    p.write_all(
        {
            "p/AGENTS.md": "NATIVE @a.md @AGENTS.md",
            "p/a.md": "@AGENTS.md",
            "home/.codex/AGENTS.md": "HOME @h.md",
        }
    )
    p.write_all({"home/.codex/h.md": "h", "p/h.md": "no"})
    answer = p.ask("p")
    assert answer.verdicts == [
        ("h.md", "included"),
        ("a.md", "included"),
        ("AGENTS.md", "self"),
        ("AGENTS.md", "native"),
    ]
    assert answer.shown == ["home/.codex/h.md", "p/a.md"]
    assert [p.short(native.path) for native in parse(answer.block).native] == [
        "home/.codex/AGENTS.md",
        "p/AGENTS.md",
    ]


def test_an_override_hides_agents_unless_it_refers_to_it(p: World) -> None:
    p.write_all({"p/AGENTS.override.md": "@AGENTS.md", "p/AGENTS.md": "hidden @a.md", "p/a.md": "a"})
    answer = p.ask("p")
    assert answer.shown == ["p/AGENTS.md", "p/a.md"]
    p.write("p/AGENTS.override.md", "nothing")
    assert p.ask("p").shown == []


def test_what_the_host_left_out_contributes_nothing_of_itself(p: World) -> None:
    p.write_all({"p/AGENTS.md": "@a.md", "p/a.md": "a"})
    answer = p.ask("p", native=lambda _: NativeView())
    assert answer.resolution.block is None
    assert answer.verdicts == []
    overlay(p, "@AGENTS.md")
    assert p.ask("p", native=lambda _: NativeView()).shown == ["p/AGENTS.local.md", "p/AGENTS.md", "p/a.md"]


def cut_at(line: int, name: str = "AGENTS.md") -> object:
    def native(scope: Scope) -> NativeView:
        return NativeView(
            [
                Loaded(found, line if found.name == name else None)
                for found in scope.instructions
                if found.family == "project"
            ]
        )

    return native


def test_a_proved_cut_is_restored_from_the_missing_line_on(p: World) -> None:
    lines = [f"line {number}\n" for number in range(1, 101)]
    lines[1] = "@a.md\n"
    lines[79] = "@b.md\n"
    p.write_all({"p/AGENTS.md": "".join(lines), "p/a.md": "a", "p/b.md": "b"})
    answer = p.ask("p", native=cut_at(61))  # type: ignore[arg-type]
    restored = parse(answer.block).documents[0]
    assert p.short(restored.path) == "p/AGENTS.md"
    assert restored.body == "".join(lines[60:])
    assert restored.section == "inherited"
    assert 'lines="61-100" of="100"' in answer.block
    positions = [
        (found.reference.path, found.reference.line, found.reason) for found in answer.resolution.references
    ]
    assert positions == [("a.md", 2, "included"), ("b.md", 80, "included")]


def test_of_a_cut_that_does_not_fit_only_what_is_shown_counts(p: World) -> None:
    filler = "x" * 99 + "\n"
    p.write_all({"p/AGENTS.md": "@a.md\n" + filler * 20 + "@b.md\n" + filler * 400 + "@c.md\n"})
    p.write_all({"p/a.md": "a", "p/b.md": "b", "p/c.md": "c"})
    answer = p.ask("p", native=cut_at(10), limit=2500)  # type: ignore[arg-type]
    assert [path for path, _ in answer.verdicts] == ["a.md", "b.md"]


def test_a_file_that_the_host_loaded_nothing_of_is_restored_whole(p: World) -> None:
    p.write_all({"p/AGENTS.md": "all of it\n"})
    answer = p.ask("p", native=cut_at(1))  # type: ignore[arg-type]
    assert [part.body for part in parse(answer.block).documents] == ["all of it\n"]


# --- verdicts


def test_what_is_no_document_is_skipped_with_its_reason(p: World) -> None:
    overlay(p, "@x.png @b.md @u.md @e.md @bom.md @docs/ @docs/*.md @gone.md @fifo.md @.env @.git/config")
    p.write_all({"p/x.png": "x", "p/e.md": " \n\t", "p/docs/x.md": "x"})
    p.write("p/b.md", b"a\0b")
    p.write("p/u.md", b"\xff\xfeh\0")
    p.write("p/bom.md", b"\xef\xbb\xbf\n")
    os.mkfifo(p.at("p/fifo.md"))
    answer = p.ask("p")
    assert answer.verdicts == [
        ("x.png", "not-text"), ("b.md", "binary"), ("u.md", "binary"), ("e.md", "empty"), ("bom.md", "empty"),
        ("docs/", "directory"), ("docs/*.md", "glob"), ("gone.md", "missing"), ("fifo.md", "not-regular"),
        (".env", "sensitive"), (".git/config", "git-metadata"),
    ]  # fmt: skip
    named = [reason for _, reason in answer.left_out]
    assert named == [reason for _, reason in answer.verdicts if reason != "missing"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("\\\\?\\C:\\a.md", "absolute"),
        ("//?/C:/a.md", "absolute"),
        ("\\\\.\\a.md", "absolute"),
        ("\\\\?\\C:\\*.md", "glob"),
        ("docs?/a.md", "glob"),
    ],
)
def test_the_mark_of_a_device_is_no_glob(p: World, name: str, reason: str) -> None:
    overlay(p, f"@{name}")
    assert p.ask("p").verdicts == [(name, reason)]


@pytest.mark.parametrize("name", ["a.md/", "a.md//", "fifo.md/"])
def test_a_document_with_a_slash_behind_it_is_reported(p: World, name: str) -> None:
    p.write("p/a.md", "a")
    os.mkfifo(p.at("p/fifo.md"))
    overlay(p, f"@{name}")
    assert p.ask("p").verdicts == [(name, "not-a-directory")]


@pytest.mark.parametrize(
    "name",
    ["x.md", "x.mdx", "x.markdown", "x.txt", "x.rst", "x.adoc", "there/x", "there/x.py", "./x", "../p/x.py"],
)
def test_a_reference_that_names_nothing_is_reported_if_it_was_meant_as_one(p: World, name: str) -> None:
    p.directory("p/there")
    overlay(p, f"@{name}")
    answer = p.ask("p")
    assert answer.verdicts == [(name, "missing" if not name.startswith("../p") else "outside-root")]
    if answer.verdicts[0][1] == "missing":
        assert answer.left_out == []


@pytest.mark.parametrize(
    "name",
    [
        "maria",
        "acme/ui",
        "docs.rs",
        "v0.2.0",
        "x.py",
        "types/*",
        "notthere/x.py",
        "TG:NOTE",
        "docs",
        "file/x",
    ],
)
def test_otherwise_it_was_a_mention_and_is_never_reported(p: World, name: str) -> None:
    p.write("p/docs/x.md", "x")
    p.write("p/file", "x")
    overlay(p, f"@{name}")
    answer = p.ask("p")
    assert answer.verdicts == []
    assert answer.left_out == []


def test_a_single_word_is_a_reference_if_that_file_exists(p: World) -> None:
    overlay(p, "@README @LICENSE @Makefile @maria @id_rsa @id_dsa @loop")
    p.write_all({"p/README": "r", "p/Makefile": "m", "p/maria": "no text by its name", "p/id_rsa": "k"})
    p.link("p/loop", "loop")
    assert p.ask("p").verdicts == [
        ("README", "included"), ("Makefile", "included"), ("maria", "not-text"), ("id_rsa", "sensitive"),
        ("loop", "symlink-loop"),
    ]  # fmt: skip


def test_a_dotted_domain_is_a_reference_if_that_file_exists(p: World) -> None:
    p.write("p/docs.rs", "x")
    overlay(p, "@docs.rs @fly.sh")
    assert p.ask("p").verdicts == [("docs.rs", "included")]


def test_every_verdict_is_recorded_with_its_place_in_the_text(p: World) -> None:
    overlay(p, "one\n  ä @a.md\n`@b.md`\n")
    p.write("p/a.md", "a")
    answer = p.ask("p")
    (found,) = answer.resolution.references
    assert (found.reference.line, found.reference.column, found.verdict, found.depth) == (2, 5, "included", 1)
    assert found.resolved == p.at("p/a.md")
    assert found.source.path == p.at("p/AGENTS.local.md")
    tokens = answer.resolution.sources[0].tokens
    assert tokens is not None
    assert [(inert.path, inert.reason) for inert in tokens.inert] == [("b.md", "code-span")]


def test_a_document_is_shown_with_the_chain_that_led_to_it(p: World) -> None:
    overlay(p, "@a.md")
    p.write_all({"p/a.md": "@b.md", "p/b.md": "b"})
    documents = p.ask("p").resolution.documents
    assert [p.short(path) for path in documents[-1].chain] == ["p/AGENTS.local.md", "p/a.md", "p/b.md"]
    assert 'p/a.md">' in p.ask("p").block.partition('via="')[2]


# --- budgets


def test_depth(p: World) -> None:
    overlay(p, "@1.md")
    for depth in range(1, 9):
        p.write(f"p/{depth}.md", f"@{depth + 1}.md @maria @gone{depth}.md")
    answer = p.ask("p")
    assert answer.shown == ["p/AGENTS.local.md", *(f"p/{depth}.md" for depth in range(1, 6))]
    assert answer.verdicts[-2:] == [("6.md", "depth"), ("gone5.md", "missing")]
    assert answer.left_out == [("6.md", "depth")]
    assert p.ask("p", {"REFSEAL_MAX_DEPTH": "0"}).verdicts == [("1.md", "depth")]
    assert len(p.ask("p", {"REFSEAL_MAX_DEPTH": "8"}).shown) == 9


def test_depth_is_counted_from_a_file_of_the_host_too(p: World) -> None:
    p.write_all({"p/AGENTS.md": "@1.md", "p/1.md": "@2.md", "p/2.md": "2"})
    assert p.ask("p", {"REFSEAL_MAX_DEPTH": "2"}).shown == ["p/1.md", "p/2.md"]
    assert p.ask("p", {"REFSEAL_MAX_DEPTH": "1"}).shown == ["p/1.md"]
    assert p.ask("p", {"REFSEAL_MAX_DEPTH": "0"}).verdicts == [("1.md", "depth")]


def test_number_of_referenced_documents(p: World) -> None:
    overlay(p, " ".join(f"@{number}.md" for number in range(40)))
    for number in range(40):
        p.write(f"p/{number}.md", "x")
    answer = p.ask("p")
    assert [reason for _, reason in answer.verdicts] == ["included"] * 32 + ["file-count"] * 8
    assert p.ask("p", {"REFSEAL_MAX_FILES": "0"}).shown == ["p/AGENTS.local.md"]


def test_bytes_of_one_document_and_the_rest_is_not_expanded(p: World) -> None:
    overlay(p, "@big.md")
    line = "y" * 63 + "\n"
    p.write("p/big.md", "@a.md\n" + line * 1000 + "@b.md\n")
    p.write_all({"p/a.md": "a", "p/b.md": "b"})
    answer = p.ask("p")
    assert [path for path, _ in answer.verdicts] == ["big.md", "a.md"]
    assert 'more="yes"' in answer.block
    assert [len(source.file.data) for source in answer.resolution.documents] == [7, 32_768, 1]
    small = p.ask("p", {"REFSEAL_MAX_FILE_BYTES": "100"})
    assert [len(source.file.data) for source in small.resolution.documents] == [7, 100, 1]


def test_an_overlay_has_the_same_cap(p: World) -> None:
    overlay(p, "@a.md\n" + "x" * 40_000 + "\n@b.md")
    p.write_all({"p/a.md": "a", "p/b.md": "b"})
    assert [path for path, _ in p.ask("p").verdicts] == ["a.md"]


def test_bytes_of_all_referenced_documents(p: World) -> None:
    overlay(p, "@a.md @b.md @c.md @d.md")
    p.write_all({"p/a.md": "x" * 60, "p/b.md": "x" * 60, "p/c.md": "x" * 40, "p/d.md": "x"})
    environ = {"REFSEAL_MAX_TOTAL_REFERENCE_BYTES": "100"}
    assert [reason for _, reason in p.ask("p", environ).verdicts] == [
        "included", "total-bytes", "included", "total-bytes"
    ]  # fmt: skip


def test_the_block_fits_the_host_limit_and_names_what_does_not(p: World) -> None:
    overlay(p, "OVERLAY\n@a.md @b.md\n")
    p.write_all({"p/a.md": "x" * 5_000 + "\n", "p/b.md": "@c.md\n" + "y\n" * 5_000, "p/c.md": "c"})
    for limit in (200, 300, 500, 1_000, 2_500):
        answer = p.ask("p", limit=limit)
        assert len(answer.block.encode()) <= limit * 4
    assert p.ask("p", limit=300).verdicts[0] == ("a.md", "host-limit")
    answer = p.ask("p", limit=2_500)
    # b.md is cut, and its reference stands in what is shown
    assert answer.shown[:3] == ["p/AGENTS.local.md", "p/a.md", "p/b.md"]


@pytest.mark.parametrize(
    "cut", ["@a.m|d", "@a.md|.txt", "@a.md.|txt", "@b\\ |c.md", "@b\\| c.md", "@b|\\ c.md"]
)
def test_a_reference_that_a_cut_goes_through_is_none(p: World, cut: str) -> None:
    shown, rest = cut.split("|")
    overlay(p, "@x.md " + shown + rest)
    for name in ("a.md", "a.m", "a.md.txt", "b", "b c.md", "x.md"):
        p.write(f"p/{name}", "x")
    answer = p.ask("p", {"REFSEAL_MAX_FILE_BYTES": str(len("@x.md " + shown))})
    assert [path for path, _ in answer.verdicts] == ["x.md"]


def test_an_instruction_file_that_did_not_fit_is_not_silently_a_repeat(p: World) -> None:
    p.write_all(
        {"home/.codex/AGENTS.local.md": "x\n" * 400 + "\n", "p/AGENTS.local.md": "z" * 99, "p/AGENTS.md": ""}
    )
    p.write("p/AGENTS.md", "@AGENTS.local.md")
    answer = p.ask("p", limit=330)
    assert "p/AGENTS.local.md" not in answer.shown
    assert answer.verdicts == [("AGENTS.local.md", "host-limit")]


def test_the_references_of_a_document_count_as_far_as_it_is_shown(p: World) -> None:
    overlay(p, "@a.md\n" + "x\n" * 4_000 + "@b.md\n")
    p.write_all({"p/a.md": "y\n" * 4_000 + "@c.md\n", "p/b.md": "b", "p/c.md": "c"})
    assert [path for path, _ in p.ask("p", limit=1_000).verdicts] == ["a.md"]
    assert [path for path, _ in p.ask("p", limit=3_500).verdicts] == ["a.md", "b.md"]
    assert [path for path, _ in p.ask("p").verdicts] == ["a.md", "b.md", "c.md"]


def test_a_document_left_out_for_the_host_limit_spends_no_other_budget(p: World) -> None:
    overlay(p, "@big.md @small.md")
    p.write_all({"p/big.md": "x" * 30_000, "p/small.md": "s"})
    answer = p.ask("p", {"REFSEAL_MAX_FILES": "1"}, limit=260)
    assert dict(answer.verdicts)["small.md"] in ("included", "host-limit")


def test_overlays_come_before_inherited_files_before_references(world: World) -> None:
    world.worktree("main", "wt")
    world.write_all(
        {"main/AGENTS.md": "i" * 3_000, "wt/AGENTS.local.md": "o" * 3_000 + "\n@r.md", "wt/r.md": "r" * 9_000}
    )
    answer = world.ask("wt", limit=1_200)
    assert answer.shown[0] == "wt/AGENTS.local.md"
    assert answer.reason("r.md") in (None, "host-limit")


def test_at_most_a_thousand_resolutions(p: World, monkeypatch: pytest.MonkeyPatch) -> None:
    overlay(p, "".join(f"@m/{number}.md\n@w{number}\n" for number in range(1_200)))
    asked = []

    def counting(*arguments: object) -> File:
        asked.append(arguments)
        return read(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("refseal.resolve.lookup.read", counting)
    answer = p.ask("p", {"REFSEAL_MAX_FILE_BYTES": "100000"})
    assert len(asked) == MAX_RESOLUTIONS
    reasons = [reason for _, reason in answer.verdicts]
    assert reasons.count("missing") == MAX_RESOLUTIONS / 2
    assert reasons.count("file-count") == 1_200 - MAX_RESOLUTIONS / 2


def test_globs_count_among_the_resolutions(p: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a glob the directory is looked for, which thousands of them could do thousands of times."""
    overlay(p, "@src/*x @src/*x " + "".join(f"@d{number}/*x\n" for number in range(1_200)) + "@docs/*.md")
    p.write("p/src/a.c", "")
    asked = []

    def counting(*arguments: object) -> bool:
        asked.append(arguments)
        return is_directory(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("refseal.resolve.lookup.is_directory", counting)
    answer = p.ask("p", {"REFSEAL_MAX_FILE_BYTES": "100000"})
    assert len(asked) == MAX_RESOLUTIONS
    assert answer.verdicts == [("src/*x", "glob"), ("src/*x", "glob"), ("docs/*.md", "glob")]
    assert ("p/AGENTS.local.md", "file-count") in answer.left_out
    assert "the disk was not asked about more than 1,000" in (answer.block or "")


def test_no_mention_is_named_because_there_are_many(p: World) -> None:
    overlay(p, " ".join(f"@acme/p{number}" for number in range(1_100)) + " @Makefile @docs/a.md")
    p.write_all({"p/Makefile": "x", "p/docs/a.md": "a"})
    answer = p.ask("p")
    assert answer.verdicts == [("docs/a.md", "file-count")]
    assert answer.left_out == [("p/AGENTS.local.md", "file-count"), ("docs/a.md", "file-count")]


def test_a_path_that_is_repeated_is_asked_for_once(p: World, monkeypatch: pytest.MonkeyPatch) -> None:
    overlay(p, "@a.md " * 4_000)
    p.write("p/a.md", "a")
    asked = []

    def counting(*arguments: object) -> File:
        asked.append(arguments)
        return read(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("refseal.resolve.lookup.read", counting)
    assert len(p.ask("p").verdicts) == 4_000
    assert len(asked) == 1


# --- the deadline


def test_after_the_deadline_nothing_more_is_read_and_everything_is_named(p: World) -> None:
    overlay(p, "@a.md @b.md @maria")
    p.write_all({"p/a.md": "@c.md", "p/b.md": "b", "p/c.md": "c"})
    ticks = iter([0.0, 5.1, 5.2, 5.3, 5.4])
    answer = p.ask("p", clock=lambda: next(ticks))
    assert answer.verdicts == [("a.md", "included"), ("b.md", "deadline"), ("c.md", "deadline")]
    assert answer.left_out == [("b.md", "deadline"), ("c.md", "deadline")]


def test_finish_does_not_wait_for_a_disk_that_hangs(p: World, monkeypatch: pytest.MonkeyPatch) -> None:
    overlay(p, "@a.md @b.md @c.md")
    p.write_all({"p/a.md": "@d.md", "p/b.md": "b", "p/c.md": "c", "p/d.md": "d"})
    hangs, free = threading.Event(), threading.Event()

    def hanging(path: str, *arguments: object) -> File:
        if path == "b.md":
            hangs.set()
            free.wait(30)
        return read(path, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("refseal.resolve.lookup.read", hanging)
    with p.scope("p") as scope:
        run = Expansion(scope, mirror(scope), read_settings({}, None), LARGE, lambda: 0.0)
        worker = threading.Thread(target=run.run)
        worker.start()
        assert hangs.wait(30)
        resolution = run.finish()
        assert worker.is_alive()
        free.set()
        worker.join(30)
        assert not worker.is_alive()
        assert run.finish() is resolution
    assert [(found.reference.path, found.reason) for found in resolution.references] == [
        ("a.md", "included"), ("b.md", "deadline"), ("c.md", "deadline"), ("d.md", "deadline")
    ]  # fmt: skip
    assert resolution.block is not None
    assert [p.short(part.path) for part in parse(resolution.block.text).documents] == [
        "p/AGENTS.local.md",
        "p/a.md",
    ]


# --- trust, silence


def test_an_untrusted_project_contributes_its_notice_and_nothing_else(world: World) -> None:
    world.worktree("work/main", "wt")
    world.write_all(
        {
            "work/AGENTS.local.md": "no",
            "work/main/AGENTS.local.md": "no",
            "wt/AGENTS.md": "no @x.md",
            "wt/x.md": "no",
            "home/.codex/AGENTS.local.md": "@h.md",
            "home/.codex/h.md": "h",
        }
    )
    world.link("wt/sub/AGENTS.local.md", "/etc/passwd")

    def native(scope: Scope) -> NativeView:
        view = mirror(scope)
        return NativeView(view.loaded, trusted=False, notices=["untrusted"])

    answer = world.ask("wt/sub", native=native)
    assert answer.shown == ["home/.codex/AGENTS.local.md", "home/.codex/h.md"]
    assert answer.left_out == []
    assert "untrusted" in answer.block
    assert "no" not in [part.body for part in parse(answer.block).documents]


def test_a_glob_that_is_no_document_s_is_meant_if_its_directory_is_there(world: World) -> None:
    world.repository("p")
    world.write_all({"p/AGENTS.md": "@docs/*.x @nowhere/*.x @nowhere/*.md", "p/docs/a.x": "a"})
    assert world.ask("p").verdicts == [("docs/*.x", "glob"), ("nowhere/*.md", "glob")]


def test_a_word_like_a_secret_s_name_is_none_where_nobody_can_look(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.repository("p")
    world.write_all({"p/AGENTS.md": "@id_rsa", "p/id_rsa": "x"})
    assert world.ask("p").verdicts == [("id_rsa", "sensitive")]

    def refusing(*_: object) -> None:
        raise Refusal("missing", "p")

    monkeypatch.setattr("refseal.pathguard.listing.list_directory", refusing)
    assert world.ask("p").verdicts == []


def test_what_the_host_has_left_out_is_not_put_in_by_us(world: World) -> None:
    world.repository("p")
    world.write_all(
        {"p/AGENTS.md": "@a.md", "p/a.md": "a", "home/.codex/AGENTS.md": "@b.md", "home/.codex/b.md": "b"}
    )
    answer = world.ask("p", native=lambda _: NativeView())
    assert (answer.shown, answer.verdicts, answer.left_out) == ([], [], [])


def test_nor_can_the_users_own_files_bring_it_in(world: World) -> None:
    world.repository("p")
    world.write_all({"p/x.md": "no", "home/.codex/AGENTS.local.md": f"@{world.at('p/x.md')}"})
    answer = world.ask(
        "p",
        {"REFSEAL_ALLOW_OUTSIDE_ROOT": "1"},
        native=lambda _: NativeView(trusted=False, notices=["untrusted"]),
    )
    assert [reason for _, reason in answer.verdicts] == ["untrusted-project"]


def test_no_document_no_left_out_no_native_file_no_block(p: World) -> None:
    assert p.ask("p").resolution.block is None
    overlay(p, "")
    assert p.ask("p").resolution.block is None
    p.write("p/AGENTS.md", "native")
    assert p.ask("p").resolution.block is not None


def test_a_blocked_reference_of_a_native_file_alone_is_worth_a_block(p: World) -> None:
    p.write("p/AGENTS.md", "@/etc/passwd")
    assert p.ask("p").left_out == [("/etc/passwd", "absolute")]


def test_nothing_is_named_twice(p: World) -> None:
    overlay(p, "@a.md @./a.md @/etc/passwd @/etc/passwd")
    p.write_all({"p/a.md": "x" * 9, "p/AGENTS.md": "@a.md"})
    answer = p.ask("p", {"REFSEAL_MAX_FILES": "0"})
    assert answer.left_out == [("a.md", "file-count"), ("/etc/passwd", "absolute")]


# --- what single steps decide


def test_a_notice_alone_is_worth_a_block(p: World) -> None:
    answer = p.ask("p", native=lambda _: NativeView(notices=["something to say"]))
    assert "something to say" in answer.block


def test_what_finish_alone_sees_is_the_same_as_after_a_run(p: World) -> None:
    overlay(p, "text")
    with p.scope("p") as scope:
        resolution = Expansion(scope, mirror(scope), read_settings({}, None), LARGE, lambda: 0.0).finish()
    assert [p.short(source.path) for source in resolution.documents] == ["p/AGENTS.local.md"]


def test_a_file_of_the_host_is_refused_only_if_it_is(p: World) -> None:
    p.write("p/AGENTS.md", "text")
    assert p.ask("p", native=lambda _: NativeView()).resolution.refused == []
    os.unlink(p.at("p/AGENTS.md"))
    p.link("p/AGENTS.md", "/etc/passwd")
    refused = p.ask("p", native=lambda _: NativeView()).resolution.refused
    assert [p.short(instruction.path) for instruction in refused] == ["p/AGENTS.md"]


def test_directories_that_were_not_looked_at_in_time_are_named(p: World) -> None:
    with p.scope("p") as scope:
        scope.unread += [p.at(name) for name in ("p/a", "p/b/", "p/c ", "p/dX")]
        resolution = Expansion(scope, mirror(scope), read_settings({}, None), LARGE, lambda: 0.0).finish()
    named = [(p.short(left.target), left.source, left.reason) for left in resolution.left_out]
    assert named == [(name, None, "deadline") for name in ("p/a/", "p/b/", "p/c /", "p/dX/")]


def test_a_home_of_the_host_within_an_untrusted_project_is_the_projects(p: World) -> None:
    p.codex_home = p.at("p/.codex")
    p.write("p/.codex/AGENTS.local.md", "text")
    assert p.ask("p").shown == ["p/.codex/AGENTS.local.md"]
    assert p.ask("p", native=lambda _: NativeView(trusted=False)).shown == []


@pytest.mark.parametrize(
    ("content", "named"), [(b"a\0b", [("p/AGENTS.local.md", "binary")]), (b" \n", []), (b"", [])]
)
def test_an_overlay_that_is_no_document_is_named_unless_it_is_empty(
    p: World, content: bytes, named: list[tuple[str, str]]
) -> None:
    p.write("p/AGENTS.local.md", content)
    answer = p.ask("p")
    assert (answer.shown, answer.left_out) == ([], named)


def test_a_document_by_another_name_is_itself(p: World) -> None:
    overlay(p, "@b.md")
    os.link(p.at("p/AGENTS.local.md"), p.at("p/b.md"))
    assert p.ask("p").verdicts == [("b.md", "self")]


def test_what_is_left_out_is_named_with_who_asked_for_it(p: World) -> None:
    overlay(p, "@x.png @docs/*.md")
    p.write("p/x.png", "x")
    answer = p.ask("p")
    asked = [(left.source, p.short(left.target)) for left in answer.resolution.left_out]
    assert asked == [(p.at("p/AGENTS.local.md"), "x.png"), (p.at("p/AGENTS.local.md"), "docs/*.md")]
    assert [found.resolved for found in answer.resolution.references] == [p.at("p/x.png"), None]


def test_invalid_bytes_and_a_torn_end_are_said(p: World) -> None:
    p.write("p/AGENTS.local.md", b"a\xffb\n")
    assert [part.invalid for part in parse(p.ask("p").block).documents] == [1]
    p.write("p/AGENTS.local.md", "é".encode() * 100)
    (part,) = parse(p.ask("p", {"REFSEAL_MAX_FILE_BYTES": "99"}).block).documents
    assert (part.invalid, part.body) == (0, "é" * 49)


@pytest.mark.parametrize(
    ("line", "cap", "lines", "more"),
    [(1, 40, 13, True), (2, 40, 13, True), (3, 40, 13, True), (18, 39, 13, False), (18, 38, 12, True)],
)
def test_what_is_restored_is_bounded_too(p: World, line: int, cap: int, lines: int, *, more: bool) -> None:
    p.write("p/AGENTS.md", "é\n" * 30)
    answer = p.ask("p", {"REFSEAL_MAX_FILE_BYTES": str(cap)}, native=cut_at(line))  # type: ignore[arg-type]
    (part,) = parse(answer.block).documents
    assert (part.more, part.body) == (more, "é\n" * lines)


def test_an_instruction_file_without_room_is_named(p: World) -> None:
    overlay(p, "x" * 3000)
    p.write("p/sub/AGENTS.local.md", "y" * 3000)
    answer = p.ask("p/sub", limit=205)
    assert answer.left_out[-1] == ("p/sub/AGENTS.local.md", "host-limit")


def test_the_map_shows_the_first_line_of_each_file_and_of_no_torn_character(p: World) -> None:
    p.write("p/AGENTS.md", "\n  # Rules \nsecond\n")
    p.write("p/sub/AGENTS.md", "\n" * 401 + "\U0001f600" * 100)  # byte 512 lies within one of them
    native = parse(p.ask("p/sub").block).native
    assert native[0].first_line == "# Rules"
    assert "\\x" not in native[1].first_line


@pytest.mark.parametrize(("text", "at"), [("", -1), ("a", -1), (" ", 0), (" a", 0), ("a b", 1), ("a\n", 1)])
def test_the_last_white_space_of_a_text_is_found_wherever_it_is(text: str, at: int) -> None:
    assert _last_space(text) == at


@pytest.mark.parametrize(
    ("text", "line", "at"),
    [("\na", 2, 1), ("a", 2, 1), ("", 2, 0), ("\n\n", 3, 2), ("\n\n", 4, 2), ("a", 1, 0)],
)
def test_a_line_begins_behind_as_many_line_ends(text: str, line: int, at: int) -> None:
    assert _start_of_line(text, line) == at


def test_what_two_documents_of_a_directory_name_alike_is_asked_for_once(
    p: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    p.write_all({"p/AGENTS.md": "@a.md @b.md", "p/a.md": "@c.md", "p/b.md": "@c.md", "p/c.md": "c"})
    asked: list[str] = []

    def counting(path: str, *arguments: object) -> File:
        asked.append(path)
        return read(path, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("refseal.resolve.lookup.read", counting)
    assert p.ask("p").verdicts[-1] == ("c.md", "duplicate")
    assert asked == ["a.md", "b.md", "c.md"]


def test_the_deadline_belongs_to_the_time_there_is(p: World) -> None:
    overlay(p, "@a.md")
    p.write("p/a.md", "a")
    assert p.ask("p", clock=lambda: 5.0).verdicts == [("a.md", "included")]
    assert p.ask("p", clock=lambda: 5.1).verdicts == [("a.md", "deadline")]


def test_a_document_that_was_replaced_meanwhile_is_still_the_one_that_is_shown(
    p: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    overlay(p, "@a.md @./a.md")
    p.write_all({"p/a.md": "a", "p/other": "other"})

    def replacing(path: str, *arguments: object) -> File:
        if path == "./a.md":
            os.replace(p.at("p/other"), p.at("p/a.md"))
        return read(path, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("refseal.resolve.lookup.read", replacing)
    assert p.ask("p").verdicts == [("a.md", "included"), ("./a.md", "duplicate")]


def test_of_a_file_that_lost_nothing_nothing_is_restored(p: World) -> None:
    p.write_all({"p/AGENTS.md": "one\n@/etc/passwd", "p/a.md": "a"})
    answer = p.ask("p", native=cut_at(9))  # type: ignore[arg-type]
    assert parse(answer.block).documents == ()
    assert answer.verdicts == [("/etc/passwd", "absolute")]


def test_a_document_whose_directory_went_away_is_unreadable(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.repository("home")  # too wide a root: each document reaches its own directory alone
    world.write_all({"home/AGENTS.local.md": "@a.md", "home/a.md": "a", "home/sub/x": ""})
    assert world.ask("home/sub").verdicts == [("a.md", "included")]
    monkeypatch.setattr("refseal.resolve.lookup.Lookup.place_of", lambda *_: None)
    assert world.ask("home/sub").verdicts == [("a.md", "unreadable")]


def test_a_document_whose_directory_hangs_is_out_of_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.repository("home")  # too wide a root: each document reaches its own directory alone
    world.write_all({"home/AGENTS.local.md": "@a.md", "home/a.md": "a", "home/sub/x": ""})
    hangs, free = threading.Event(), threading.Event()

    def hanging(*_: object) -> None:
        hangs.set()
        free.wait(30)

    monkeypatch.setattr("refseal.resolve.lookup.Lookup.place_of", hanging)
    with world.scope("home/sub") as scope:
        run = Expansion(scope, mirror(scope), read_settings({}, None), LARGE, lambda: 0.0)
        worker = threading.Thread(target=run.run)
        worker.start()
        assert hangs.wait(30)
        resolution = run.finish()
        free.set()
        worker.join(30)
    assert [(found.reference.path, found.reason) for found in resolution.references] == [("a.md", "deadline")]


def test_an_absolute_name_of_nothing_was_meant_as_one(p: World) -> None:
    overlay(p, "@/nowhere/at/all @./gone @gone/at/all")
    answer = p.ask("p", {"REFSEAL_ALLOW_OUTSIDE_ROOT": "1"})
    assert answer.verdicts == [("/nowhere/at/all", "missing"), ("./gone", "missing")]


def test_globs_and_names_out_of_the_project_were_meant_wherever_they_lead(p: World) -> None:
    overlay(p, "@../*.x @./*.x @gone/*.x")
    assert p.ask("p").verdicts == [("../*.x", "glob"), ("./*.x", "glob")]


def test_no_extra_root_lets_a_relative_name_out_of_the_project(p: World) -> None:
    p.write("x.md", "x")
    overlay(p, "@../x.md")
    assert p.ask("p", {"REFSEAL_EXTRA_ROOTS": "/"}).verdicts == [("../x.md", "outside-root")]


def test_an_overlay_that_lies_with_the_user_is_read_before_those_of_the_project(p: World) -> None:
    p.write_all({"home/extra/x.md": "@e.md", "home/extra/e.md": "e", "p/a.md": "a", "p/sub/b": ""})
    overlay(p, "@a.md")
    p.link("p/sub/AGENTS.local.md", p.at("home/extra/x.md"))
    answer = p.ask("p/sub", {"REFSEAL_EXTRA_ROOTS": p.at("home/extra")})
    assert answer.verdicts == [("e.md", "included"), ("a.md", "included")]
