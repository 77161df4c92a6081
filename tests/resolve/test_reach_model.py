"""Authority against a model: random trees, links and references; what is shown must have been allowed.

The model asks the kernel (`os.path.realpath`) where each shown document lies and applies the table of
authority to real paths; it shares no code with the resolver.  Nobody changes these trees meanwhile, so
`realpath` is a fair judge here, as it would not be for the resolver.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.resolve.world import World

PLACES = [
    "p",
    "p/a",
    "p/a/b",
    "p/vendor",
    "home/.codex",
    "home/.codex/docs",
    "home/extra",
    "home/extra/p",
    "home/out",
    "out",
]
"""Where documents may lie.  The project is `p`, with an extra root nested in it; `home/extra` is one, too."""

EXTRA = ("home/extra", "p/vendor")
CWDS = ["p", "p/a", "p/a/b"]

DOCUMENTS = [
    *(f"{place}/x.md" for place in PLACES),
    *(f"{place}/AGENTS.local.md" for place in ("p", "p/a", "p/a/b", "home/.codex")),
    "p/a/AGENTS.md",
]
"""All of them exist in every tree, so that a reference to a place finds something to give away."""


@st.composite
def references(draw: st.DrawFn) -> str:
    """Spell a reference to some document: relative, absolute, by `~`, or through a link."""
    path = draw(st.sampled_from(DOCUMENTS))
    kind = draw(st.integers(0, 4))
    if kind == 0 and path.startswith("home/"):
        return "@~/" + path.removeprefix("home/")
    if kind <= 1:
        return "@TOP/" + path
    if kind == 2:
        return "@link/x.md"
    if kind == 3:
        return "@" + "../" * draw(st.integers(1, 4)) + path
    return "@" + draw(st.sampled_from(["", "a/", "b/", "vendor/", "docs/", "../"])) + path.rpartition("/")[2]


texts = st.lists(references(), max_size=4).map(lambda found: "".join(f"{one}\n" for one in found))
trees = st.fixed_dictionaries(dict.fromkeys(DOCUMENTS, texts))
links = st.dictionaries(
    st.sampled_from([f"{place}/link" for place in PLACES]),
    st.one_of(
        st.sampled_from(PLACES).map(lambda place: "TOP/" + place),
        st.sampled_from(["..", "../..", "a", "../p", "b/.."]),
    ),
    max_size=3,
)


def beneath(path: str, directory: str) -> bool:
    return path.startswith(directory + "/")


def allowed(source: str, *, tracked: bool, is_repository: bool) -> list[str]:
    """Say beneath which directories a document at the real path ``source`` may reach; paths in the world."""
    for extra in EXTRA:  # the innermost root decides, and these are nested in others
        if beneath(source, extra):
            return [extra]
    if beneath(source, "home/.codex"):
        return ["home/.codex", *EXTRA]
    assert beneath(source, "p")
    is_overlay = source in [f"{cwd}/AGENTS.local.md" for cwd in CWDS]
    return ["p", *(EXTRA if is_overlay and is_repository and not tracked else ())]


@given(
    files=trees, links=links, cwd=st.sampled_from(CWDS), tracked=st.booleans(), is_repository=st.booleans()
)
def test_every_document_that_is_shown_lies_where_its_referrer_may_reach(
    files: dict[str, str], links: dict[str, str], cwd: str, *, tracked: bool, is_repository: bool
) -> None:
    with tempfile.TemporaryDirectory() as top:
        world = World(Path(top))
        for place in PLACES:
            world.directory(place)
        for path, text in files.items():
            world.write(path, text.replace("TOP", world.top))
        for path, target in links.items():
            os.symlink(target.replace("TOP", world.top), world.at(path))
        if is_repository:
            world.directory("p/.git")  # a repository without an index tracks nothing ...
            if tracked:
                world.write("p/.git/index", "damaged")  # ... and of one that cannot be read nobody knows
        else:
            world.write("p/.marker", "")
        answer = world.ask(
            cwd,
            {"REFSEAL_EXTRA_ROOTS": ":".join(world.at(extra) for extra in EXTRA)},
            markers=[".git", ".marker"],
        )
        for found in answer.resolution.references:
            if found.resolved is None:
                continue
            assert found.resolved == os.path.realpath(found.resolved)
            source, target = world.short(found.source.path), world.short(found.resolved)
            roots = allowed(source, tracked=tracked, is_repository=is_repository)
            assert any(beneath(target, root) for root in roots), (source, target)
            # A root nested in another is its own: what lies in it was reached as its own, by name.
            if beneath(target, "p/vendor") and beneath(source, "p") and not beneath(source, "p/vendor"):
                assert "p/vendor" in roots
            if not found.reference.path.startswith(("/", "~")) and not links:
                # A relative reference stays in the root in which its document lies.
                assert any(beneath(source, root) and beneath(target, root) for root in roots), (
                    source,
                    target,
                )


@given(files=trees, cwd=st.sampled_from(CWDS))
def test_what_a_document_may_reach_does_not_depend_on_who_led_to_it(files: dict[str, str], cwd: str) -> None:
    """Expand the same tree from two different starts: a document met in both gets the same refusals."""
    with tempfile.TemporaryDirectory() as top:
        world = World(Path(top))
        for place in PLACES:
            world.directory(place)
        world.directory("p/.git")
        for path, text in files.items():
            world.write(path, text.replace("TOP", world.top))
        environ = {"REFSEAL_EXTRA_ROOTS": ":".join(world.at(extra) for extra in EXTRA)}
        answers = []
        for first, second in (("x.md", "y.md"), ("y.md", "x.md")):
            for name in ("p/AGENTS.local.md", "home/.codex/AGENTS.local.md"):
                everything = "".join(
                    f"@{world.at(path)}\n" for path in sorted(files, key=lambda path: first in path)
                )
                world.write(
                    name, everything if first == "x.md" else f"@{second}\n@a/{first}\n@docs/{first}\n"
                )
            answer = world.ask(cwd, environ)
            answers.append(
                {
                    (found.source.path, found.reference.path): found.verdict == "blocked" and found.reason
                    for found in answer.resolution.references
                    if not found.source.path.endswith("AGENTS.local.md")
                }
            )
        for key in answers[0].keys() & answers[1].keys():
            assert answers[0][key] == answers[1][key], key
