"""Small hostile trees and references into them, for properties of the path guard.

Few names and many links: that is where references meet files, directories, each other, and the way out.
"""

from __future__ import annotations

import os

from hypothesis import strategies as st

NAMES = ("a", "b", "c", "d", "t.md")
"""So few that references hit what exists."""

OUTSIDE = "never to be read"
"""What every file outside the root holds."""


def _joined(parts: list[str], separator: str, ending: str) -> str:
    return separator.join(parts) + ending


def spellings(names: tuple[str, ...] = NAMES, longest: int = 6) -> st.SearchStrategy[str]:
    """Build references: components, dots, double dots, doubled slashes, slashes and dots at the end."""
    component = st.sampled_from([*names, *names, ".", "..", ".."])
    return st.builds(
        _joined,
        st.lists(component, min_size=1, max_size=longest),
        st.sampled_from(["/", "/", "/", "//", "/./"]),
        st.sampled_from(["", "", "", "/", "//", "/.", "/.."]),
    )


def targets() -> st.SearchStrategy[str]:
    """Build link texts: relative ones, ones back into the root from outside, absolute ones, ones out."""
    return st.one_of(
        spellings(),
        spellings(),
        spellings(longest=3).map("../ROOT/".__add__),
        st.sampled_from(
            ["../OUT", "../OUT/", "../OUT/t.md", "../../OUT/t.md", "$OUT", "$OUT/t.md", "$ROOT", "/"]
        ),
        st.sampled_from(["/proc/self/cwd", "/proc/self/root", "/etc/passwd", "$ROOT/t.md", "~", "..", "."]),
    )


BASE = ("a", "b", "b/c", "t.md", "a/t.md", "b/c/t.md")
"""What every tree holds: directories by one letter, files by the other name."""

LINKS = ("l", "m", "n", "a/l", "a/m", "b/l", "b/c/l", "b/c/m")
"""Where links, FIFOs and more files may be."""


@st.composite
def mangled(draw: st.DrawFn, paths: st.SearchStrategy[str]) -> str:
    """Spell one of ``paths`` another way: most of the time one that means the same."""
    parts = draw(paths).split("/")
    if draw(st.sampled_from([False, False, True])):
        index = draw(st.integers(0, len(parts) - 1))
        parts[index:index] = draw(
            st.sampled_from(
                [["."], [""], ["a", ".."], ["b", "c", "..", ".."], ["l", ".."], [".."], ["..", "ROOT"]]
            )
        )
    ending = draw(st.sampled_from(["", "", "", "", "", "", "", "/", "/.", "/..", "/t.md"]))
    return "/".join(parts).lstrip("/") + ending


@st.composite
def layouts(draw: st.DrawFn) -> list[str]:
    """Build the lines of a tree: `BASE`, and links to all of it, to each other and out."""
    lines = [f"{name} = inside {name}" if name.endswith(".md") else f"{name}/" for name in BASE]
    for link in draw(st.lists(st.sampled_from(LINKS), unique=True, min_size=3, max_size=6)):
        there = st.sampled_from([_relative(name, link) for name in (*BASE, *BASE, *BASE, *LINKS)])
        straight = mangled(there).map(" => ".__add__)
        rest = st.one_of(straight, straight, straight, targets().map(" => ".__add__), st.just(" !fifo"))
        lines.append(link + draw(rest))
    return [*lines, f"OUT/t.md = {OUTSIDE}", f"OUT/a/t.md = {OUTSIDE}"]


def _relative(name: str, link: str) -> str:
    return os.path.relpath(name, os.path.dirname(link) or ".")


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Build a tree and references into it, of which many name what is there."""
    lines = draw(layouts())
    names = [line.partition(" ")[0].rstrip("/") for line in lines if not line.startswith("OUT")]
    links = st.sampled_from([name for name in names if name not in BASE])
    paths = st.one_of(links, links.map(lambda name: f"{name}/t.md"), st.sampled_from(names))
    references = draw(st.lists(mangled(paths), min_size=1, max_size=10))
    return lines, references + draw(st.lists(spellings(), max_size=3))
