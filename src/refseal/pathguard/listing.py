"""Directories and trees, listed through the guard: for the audit, which looks for instruction files."""

from __future__ import annotations

import os
import stat

from .descriptors import LISTING_FLAGS, close, decode, encode, identity_of
from .names import MAX_COMPONENTS
from .policy import refuse_by_name
from .reach import Place, Reach, base_name
from .refusals import Refusal, refusal_for
from .walk import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .descriptors import Identity
    from .root import Root

MAX_HELD = 32
"""How many directories a tree walk holds open at once; macOS allows a process 256 descriptors by default."""


class Entry:
    """One name in a directory.  ``kind`` is ``file``, ``directory``, ``link`` or ``other``."""

    __slots__ = ("kind", "name")

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.kind = kind

    def __repr__(self) -> str:
        return f"Entry({self.name!r}, {self.kind!r})"


class Listing:
    """What a directory holds, sorted by name.

    ``components``    where it is beneath the root
    ``entries``       its entries, links not followed
    ``more``          whether the limit was reached before its end
    ``refusal``       why it could not be listed, or None
    ``descend``       in a tree: the names of the directories that are walked next; a reader may take some out
    """

    __slots__ = ("components", "descend", "entries", "more", "refusal")

    def __init__(
        self,
        components: tuple[str, ...],
        entries: list[Entry],
        *,
        more: bool = False,
        refusal: Refusal | None = None,
    ) -> None:
        self.components = components
        self.entries = entries
        self.more = more
        self.refusal = refusal
        self.descend: list[str] = []


def list_directory(token: str, place: Place, reach: Reach, limit: int) -> Listing:
    """List up to ``limit`` entries of the directory that ``token`` names; raises only `Refusal`."""
    walk = Walk(token, place, reach)
    descriptor = walk.open_directory(LISTING_FLAGS)
    try:
        entries, more = _entries(descriptor, limit)
    except OSError as error:
        raise refusal_for(error, token) from None
    finally:
        close(descriptor)
    return Listing(tuple(walk.components), entries, more=more)


class Frame:
    """A directory on the way down: the names in it that are still to be walked."""

    __slots__ = ("components", "descriptor", "identity", "pending")

    def __init__(self, components: tuple[str, ...], descriptor: int, identity: Identity) -> None:
        self.components = components
        self.descriptor = descriptor
        self.identity = identity
        self.pending: list[str] = []


def walk_tree(root: Root, limit: int, *, excluded: frozenset[Identity] = frozenset()) -> Iterator[Listing]:
    """List every directory beneath ``root``, each before those in it, until ``limit`` entries were seen.

    Links are never followed.  Git's metadata, credentials, directories of other owners and ``excluded`` ones
    are not entered; a directory that cannot be is listed with its ``refusal``.  Raises only `Refusal`, and
    only for ``root`` itself.  Holds at most `MAX_HELD` directories, however deep the tree is.
    """
    frames: list[Frame] = []
    try:
        try:
            descriptor = os.open(b".", LISTING_FLAGS, dir_fd=root.descriptor)
        except OSError as error:
            raise refusal_for(error, root.path) from None
        frames.append(Frame((), descriptor, root.identity))
        listing = _list(frames[-1], root, limit)
        while True:
            limit -= len(listing.entries)
            yield listing
            if frames and frames[-1].components == listing.components:
                frames[-1].pending = listing.descend[::-1]
            if listing.more:
                return
            while frames and not frames[-1].pending:
                close(frames.pop().descriptor)
            if not frames:
                return
            listing = _descend(frames, root, excluded, limit)
    finally:
        for frame in frames:
            close(frame.descriptor)


def _descend(frames: list[Frame], root: Root, excluded: frozenset[Identity], limit: int) -> Listing:
    """Open and list the next directory of the innermost frame, and make it a frame of its own."""
    frame = frames[-1]
    name = frame.pending.pop()
    components = (*frame.components, name)
    if len(components) > MAX_COMPONENTS:
        return Listing(components, [], refusal=Refusal("too-long", name))
    try:
        hold_again(frame, root)
        descriptor = os.open(encode(name), LISTING_FLAGS, dir_fd=frame.descriptor)
    except OSError as error:
        return Listing(components, [], refusal=refusal_for(error, name))
    except Refusal as why:
        return Listing(components, [], refusal=why)
    try:
        status = os.fstat(descriptor)
    except OSError as error:
        close(descriptor)
        return Listing(components, [], refusal=refusal_for(error, name))
    refusal = refuse_directory(status, name, root, excluded)
    if refusal is not None:
        close(descriptor)
        return Listing(components, [], refusal=refusal)
    frames.append(Frame(components, descriptor, identity_of(status)))
    if len(frames) > MAX_HELD:
        let_go(frames[-1 - MAX_HELD])
    return _list(frames[-1], root, limit)


def refuse_directory(
    status: os.stat_result, name: str, root: Root, excluded: frozenset[Identity] = frozenset()
) -> Refusal | None:
    """Judge a directory that was opened on the way down: its owner, and whether it may be entered at all."""
    if not stat.S_ISDIR(status.st_mode):
        return Refusal("not-a-directory", name)
    if not root.owners.trusts(status.st_uid):
        return Refusal("foreign-owner", name)
    if identity_of(status) in root.git_directories():
        return Refusal("git-metadata", name)
    if identity_of(status) in excluded:
        return Refusal("outside-root", name)
    return None


def _list(frame: Frame, root: Root, limit: int) -> Listing:
    try:
        entries, more = _entries(frame.descriptor, limit)
    except OSError as error:
        return Listing(
            frame.components,
            [],
            refusal=refusal_for(error, frame.components[-1] if frame.components else "."),
        )
    listing = Listing(frame.components, entries, more=more)
    above = frame.components[-1] if frame.components else base_name(root.path)
    listing.descend = [
        entry.name
        for entry in entries
        if entry.kind == "directory" and refuse_by_name([entry.name], above, last_is_file=False) is None
    ]
    return listing


def hold_again(frame: Frame, root: Root) -> None:
    """Open a frame's directory anew if it was let go, and see that it is the same."""
    if frame.descriptor >= 0:
        return
    descriptor = Walk(".", Place(root, frame.components), Reach((root,))).open_directory(LISTING_FLAGS)
    if identity_of(os.fstat(descriptor)) != frame.identity:
        close(descriptor)
        raise Refusal("missing", frame.components[-1])
    frame.descriptor = descriptor


def let_go(frame: Frame) -> None:
    """Close a frame's directory for now; `hold_again` opens it when the walk comes back."""
    if frame.descriptor >= 0:
        close(frame.descriptor)
        frame.descriptor = -1


def _entries(descriptor: int, limit: int) -> tuple[list[Entry], bool]:
    """Read up to ``limit`` entries; their kinds come with them, without a look at each."""
    entries: list[Entry] = []
    more = False
    with os.scandir(descriptor) as found:
        for entry in found:
            if len(entries) >= limit:
                more = True
                break
            if entry.is_symlink():
                kind = "link"
            elif entry.is_dir(follow_symlinks=False):
                kind = "directory"
            elif entry.is_file(follow_symlinks=False):
                kind = "file"
            else:
                kind = "other"
            entries.append(Entry(decode(os.fsencode(entry.name)), kind))
    entries.sort(key=lambda entry: encode(entry.name))
    return entries, more
