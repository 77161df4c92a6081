"""An overlay of one's own, which git ignores: what `refseal init` makes.

Everything is looked at before anything is written, and then both files are put in place whole, the overlay
first; if the second cannot be, the first is taken back.  Git is never run.
"""

from __future__ import annotations

from typing import NamedTuple

from refseal.pathguard import Owners, Place, Root
from refseal.pathguard.exclude import Exclude, find_exclude
from refseal.pathguard.writing import Draft, read_regular
from refseal.resolve.instruction import OVERLAY
from refseal.resolve.tracking import is_untracked

MAX_BYTES = 1 << 26
"""Of an overlay that is there: none that refseal reads is longer."""

TEXT = b"""\
<!-- Yours alone: git ignores this file.  Codex gets it through refseal, after the AGENTS.md files here.
     To add another file, write its path with an at sign in front.  `refseal show` prints what Codex gets. -->
"""


class Made(NamedTuple):
    """What became of the two files.

    ``path``        absolute path of the overlay
    ``is_new``      it was made; False: it was there, and is as it was
    ``exclude``     path of git's list; None: the directory is in no repository
    ``is_listed``   a line was added to the list; False: it was there
    ``is_tracked``  git tracks the overlay, or may (its index cannot be read): the list then has no effect
    """

    path: str
    is_new: bool
    exclude: str | None
    is_listed: bool
    is_tracked: bool


def make_overlay(directory: str, *, home: str | None, codex_home: str | None) -> Made:
    """Make an overlay in the absolute ``directory``, and have git ignore it.

    Raises:
        Refusal: something is in the way; ``where`` names it.  Nothing was changed.
        pathguard.exclude.Unverified: the repository is not one that is written to.  Nothing was changed.

    """
    owners = Owners.of_process()
    with Root.open(directory, owners) as root:
        root.owners = owners = owners.including(root.owner)
        there = read_regular(root.descriptor, OVERLAY.encode(), owners, MAX_BYTES)
        path = f"{root.path.rstrip('/')}/{OVERLAY}"
        exclude = find_exclude(root, owners, home=home, codex_home=codex_home)
        if exclude is None:
            _put(root, exclude, is_new=there is None)
            return Made(path, there is None, None, is_listed=False, is_tracked=False)
        with exclude:
            is_listed = exclude.names(OVERLAY)
            _put(root, None if is_listed else exclude, is_new=there is None)
            is_tracked = not is_untracked(Place(root), OVERLAY, owners)
            return Made(path, there is None, exclude.path, not is_listed, is_tracked)


def _put(root: Root, exclude: Exclude | None, *, is_new: bool) -> None:
    """Write both files beside their places, then put them there; either may be none."""
    drafts: list[Draft] = []
    try:
        if is_new:
            drafts.append(Draft(root.descriptor, OVERLAY.encode(), TEXT))
        if exclude is not None:
            drafts.append(exclude.draft_with(OVERLAY))
        if is_new:
            drafts[0].put_anew()
        if exclude is not None:
            try:
                drafts[-1].put_in_place_of()
            except BaseException:
                if is_new:
                    drafts[0].take_back()
                raise
    finally:
        for draft in drafts:
            draft.discard()
