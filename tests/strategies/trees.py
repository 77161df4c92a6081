"""Small hostile trees and references into them, for properties of the path guard.

Few names and many links: that is where references meet files, directories, each other, and the way out.
"""

from __future__ import annotations

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


@st.composite
def layouts(draw: st.DrawFn) -> list[str]:
    """Build the lines of a tree: no name twice, and nothing beneath what is no directory."""
    taken: dict[str, str] = {}
    for _ in range(draw(st.integers(1, 9))):
        path = "/".join(draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3)))
        parents = [path[:index] for index, char in enumerate(path) if char == "/"]
        if path in taken or any(taken.get(parent, "/") != "/" for parent in parents):
            continue
        if any(other.startswith(path + "/") for other in taken):
            continue
        kind = draw(st.sampled_from(["file", "directory", "link", "link", "link", "fifo"]))
        taken[path] = {
            "file": f" = inside {path}",
            "directory": "/",
            "link": "",
            "fifo": " !fifo",
        }[kind]
        if kind == "link":
            taken[path] = f" => {draw(targets())}"
    return [path + rest for path, rest in taken.items()] + [
        f"OUT/t.md = {OUTSIDE}",
        f"OUT/a/t.md = {OUTSIDE}",
    ]
