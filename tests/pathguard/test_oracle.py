"""The walk against the kernel: same file, or stricter by a policy with a name."""

from __future__ import annotations

import errno
import importlib.util
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refseal.pathguard import CODES, Owners, Place, Reach, Refusal, Root, read
from refseal.pathguard.handle import open_file
from tests.pathguard.kernel import needs_openat2, open_beneath
from tests.strategies.trees import OUTSIDE, cases, layouts, spellings
from tests.trees.layout import Tree

if TYPE_CHECKING:
    from collections.abc import Callable

POLICIES = {"directory", "not-regular", "home", "git-metadata", "sensitive", "too-long", "foreign-owner"}
"""Where the guard says no and the kernel opens: each is a promise of its own."""

SAME = {
    errno.ENOENT: {"missing"},
    errno.ENOTDIR: {"not-a-directory"},
    errno.ELOOP: {"symlink-loop"},
    errno.EXDEV: {"outside-root", "symlink-escape", "symlink-absolute", "absolute"},
}
"""What the kernel's refusals are called here."""


@needs_openat2
@given(case=cases())
def test_the_walk_opens_what_the_kernel_opens_beneath_the_root_and_nothing_else(
    case: tuple[list[str], list[str]],
) -> None:
    layout, references = case
    with tempfile.TemporaryDirectory() as name:
        tree = Tree(Path(name), layout)
        with Root.open(str(tree.root), Owners.of_process()) as root:
            for reference in references:
                compare(root, Place(root), reference, open_beneath)


@needs_openat2
@given(layout=layouts(), reference=spellings(), directory=st.sampled_from(["a", "b", "a/b"]))
def test_a_reference_from_a_directory_is_one_from_the_root_through_it(
    layout: list[str], reference: str, directory: str
) -> None:
    with tempfile.TemporaryDirectory() as name:
        tree = Tree(
            Path(name), [f"{directory}/", *(line for line in layout if not line.startswith(directory[0]))]
        )
        with Root.open(str(tree.root), Owners.of_process()) as root:
            place = Place(root, directory.split("/"))
            compare(root, place, reference, open_beneath)


def compare(root: Root, place: Place, reference: str, oracle: Callable[[int, str], int]) -> None:
    path = "/".join([*place.components, reference])
    theirs: os.stat_result | None = None
    error = 0
    try:
        descriptor = oracle(root.descriptor, path)
    except OSError as failure:
        error = failure.errno or 0
    else:
        theirs = os.fstat(descriptor)
        os.close(descriptor)
    said, file = "", None
    try:
        file = read(reference, place, Reach((root,)), 100)
    except Refusal as refusal:
        said = refusal.code
    if file is not None:
        assert theirs is not None, (reference, file.path, os.strerror(error))
        assert file.identity == (theirs.st_dev, theirs.st_ino)
        assert file.data != OUTSIDE.encode()
        assert os.path.realpath(file.path) == file.path
        assert os.path.samestat(os.lstat(file.path), theirs)
    elif theirs is not None:
        assert said in POLICIES, (reference, said)
    elif said not in POLICIES:
        assert said in SAME.get(error, {said}), (reference, said, os.strerror(error))


STRANGER = 12345
"""A user id that nobody trusts here."""


@pytest.mark.skipif(os.geteuid() != 0, reason="gives files away: needs root")
@given(case=cases(), given_away=st.sets(st.integers(0, 30), min_size=1, max_size=3))
def test_what_belongs_to_a_stranger_is_not_read_nor_walked_through(
    case: tuple[list[str], list[str]], given_away: set[int]
) -> None:
    """Nothing changes but that some references meet the stranger; none that is opened has gone by him."""
    layout, references = case
    with tempfile.TemporaryDirectory() as name:
        tree = Tree(Path(name), layout)
        with Root.open(str(tree.root), Owners.of_process()) as root:
            before = [fate(reference, root) for reference in references]
            names = sorted(path for path in tree.root.rglob("*"))
            strangers = {names[number % len(names)] for number in given_away}
            for path in strangers:
                os.lchown(path, STRANGER, STRANGER)
            for reference, was in zip(references, before, strict=True):
                now = fate(reference, root)
                if now != "foreign-owner":
                    assert now == was, reference
                path = tree.root / now
                if now not in CODES:
                    assert strangers.isdisjoint({path, *path.parents}), reference
            for path in strangers:
                if path.is_symlink() and strangers.isdisjoint(path.parents):
                    assert fate(str(path.relative_to(tree.root)), root) == "foreign-owner"


TARGETS = {
    "a file": ["target = inside"],
    "a file in a directory": ["dir/target = inside", "target => dir/target"],
    "a directory": ["target/"],
    "nothing": [],
    "a file outside": ["target => ../OUT/s.md"],
    "a directory outside": ["target => ../OUT"],
    "a file outside, absolutely": ["target => $OUT/s.md"],
    "the root": ["target => ."],
    "the root from outside": ["target => ../ROOT"],
    "what is above the root": ["target => .."],
    "itself": ["target => target"],
    "a FIFO": ["target !fifo"],
    "a socket": ["target !socket"],
    "the memory of a process": ["target => /proc/self/mem"],
}
"""Kinds of target, each called `target`."""

LINKS = {
    "no link": "target",
    "a link": "link => {}",
    "a link with a slash at the end": "link => {}/",
    "a link with a dot at the end": "link => {}/.",
    "a link with a dot in front": "link => ./{}",
    "a link by a detour": "link => sub/../{}",
    "a link by a detour through a link": "link => loop/../{}",
    "a link by a missing directory": "link => missing/../{}",
    "a link from below": "sub/link => ../{}",
    "a link from outside": "link => ../ROOT/{}",
    "an absolute link": "link => $ROOT/{}",
}
"""Forms of link text; the reference goes to the link."""

FORMS = (
    "{}",
    "./{}",
    "{}/",
    "{}//",
    "{}/.",
    "{}/..",
    "{}/../{}",
    "sub/../{}",
    "loop/../{}",
    "{}/s.md",
    "{}/sub/../s.md",
)
FORMS_ABSOLUTE = ("$ROOT/{}", "$ROOT/./{}", "$ROOT//{}/", "$ROOT/sub/../{}")


@needs_openat2
@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("target", TARGETS)
def test_every_form_of_reference_through_every_form_of_link_to_every_kind_of_target(
    target: str, link: str, tmp_path: Path
) -> None:
    lines = [f"OUT/s.md = {OUTSIDE}", "sub/", "loop => sub", "s.md = inside", *TARGETS[target]]
    name = "target"
    if link != "no link":
        lines.append(LINKS[link].format("target"))
        name = LINKS[link].split(" ")[0]
    tree = Tree(tmp_path, lines)
    with Root.open(str(tree.root), Owners.of_process()) as root:
        for form in FORMS:
            reference = form.format(*[name] * form.count("{}"))
            compare(root, Place(root), reference, open_beneath)
            compare(root, Place(root, ("sub",)), f"../{reference}", open_beneath)
        for form in FORMS_ABSOLUTE:
            reference = form.format(name)
            relative = reference.removeprefix("$ROOT/").lstrip("/")
            said = fate(tree.expand(reference), root)
            assert said == fate(relative, root), reference


def fate(reference: str, root: Root) -> str:
    try:
        with open_file(reference, Place(root), Reach((root,))) as handle:
            return "/".join(handle.components)
    except Refusal as refusal:
        return refusal.code


PATHRS = importlib.util.find_spec("pathrs") is not None


@pytest.mark.skipif(
    not PATHRS, reason="pathrs is not installed: its Python package needs the C library libpathrs"
)
@given(case=cases())
def test_the_walk_opens_only_what_libpathrs_opens_beneath_the_root(
    case: tuple[list[str], list[str]],
) -> None:
    """It takes ``/`` and ``..`` at the top for the root itself, so it may open more, and never less."""
    layout, references = case
    pathrs = importlib.import_module("pathrs")
    with tempfile.TemporaryDirectory() as name:
        tree = Tree(Path(name), layout)
        theirs = pathrs.Root(str(tree.root))
        with Root.open(str(tree.root), Owners.of_process()) as root:
            for reference in references:
                try:
                    file = read(reference, Place(root), Reach((root,)), 100)
                except Refusal:
                    continue
                with theirs.resolve(reference).reopen("r") as stream:
                    status = os.fstat(stream.fileno())
                assert file.identity == (status.st_dev, status.st_ino)
