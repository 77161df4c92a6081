"""A tree searched for a few names: what `listing.walk_tree` does, without an object for every name.

The audit looks at every name of a repository and cares for a handful of them; a hundred thousand objects
for the others would cost more than the disk does.
"""

from __future__ import annotations

import os

from .descriptors import LISTING_FLAGS, close, decode, encode, identity_of
from .git_metadata import fold
from .listing import MAX_HELD, Frame, hold_again, let_go, refuse_directory
from .names import MAX_COMPONENTS
from .policy import refuse_by_name
from .reach import base_name
from .refusals import Refusal, refusal_for
from .sensitive import IN_DIRECTORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .root import Root


class Searched:
    """What a search says of one directory.

    ``components``  where it is beneath the root
    ``found``       the wanted names in it, sorted, with kinds: ``file``, ``directory``, ``link``, ``other``
    ``odd``         names that are not printable ASCII or have a space at an end, sorted
    ``near``        whether one of its names is a wanted one but for its case
    ``more``        whether the limit was reached before its end
    ``refusal``     why it could not be listed, or None
    ``mode``        its permission bits and type; 0 if it was refused
    ``descend``     the names of the directories that are searched next; a reader may take some out
    """

    __slots__ = ("components", "descend", "found", "mode", "more", "near", "odd", "refusal")

    def __init__(self, components: tuple[str, ...], refusal: Refusal | None = None) -> None:
        self.components = components
        self.found: list[tuple[str, str]] = []
        self.odd: list[str] = []
        self.near = False
        self.more = False
        self.refusal = refusal
        self.mode = 0
        self.descend: list[str] = []


def search_tree(root: Root, wanted: frozenset[str], limit: int) -> Iterator[Searched]:
    """Look at every name beneath ``root``, parents first, until ``limit`` names were seen.

    The same directories are entered as by `walk_tree`, and the same promises hold.  Raises only `Refusal`,
    and only for ``root`` itself.
    """
    folded = frozenset(name.lower() for name in wanted)
    frames: list[Frame] = []
    try:
        try:
            descriptor = os.open(b".", LISTING_FLAGS, dir_fd=root.descriptor)
        except OSError as error:
            raise refusal_for(error, root.path) from None
        frames.append(Frame((), descriptor, root.identity))
        searched = Searched(())
        searched.mode = root.mode
        limit -= _look(frames[-1], searched, wanted, folded, base_name(root.path), limit)
        while True:
            yield searched
            if searched.descend:
                frames[-1].pending = searched.descend[::-1]
            if limit <= 0:
                return
            while frames and not frames[-1].pending:
                close(frames.pop().descriptor)
            if not frames:
                return
            searched, count = _descend(frames, root, wanted, folded, limit)
            limit -= count
    finally:
        for frame in frames:
            close(frame.descriptor)


def _descend(
    frames: list[Frame], root: Root, wanted: frozenset[str], folded: frozenset[str], limit: int
) -> tuple[Searched, int]:
    """Search the next directory of the innermost frame; it becomes a frame if it could be opened."""
    frame = frames[-1]
    name = frame.pending.pop()
    components = (*frame.components, name)
    if len(components) > MAX_COMPONENTS:
        return Searched(components, Refusal("too-long", name)), 0
    try:
        hold_again(frame, root)
        descriptor = os.open(encode(name), LISTING_FLAGS, dir_fd=frame.descriptor)
    except OSError as error:
        return Searched(components, refusal_for(error, name)), 0
    except Refusal as why:
        return Searched(components, why), 0
    try:
        status = os.fstat(descriptor)
    except OSError as error:
        close(descriptor)
        return Searched(components, refusal_for(error, name)), 0
    refusal = refuse_directory(status, name, root)
    if refusal is not None:
        close(descriptor)
        return Searched(components, refusal), 0
    frames.append(Frame(components, descriptor, identity_of(status)))
    if len(frames) > MAX_HELD:
        let_go(frames[-1 - MAX_HELD])
    searched = Searched(components)
    searched.mode = status.st_mode
    return searched, _look(frames[-1], searched, wanted, folded, name, limit)


def _look(
    frame: Frame,
    searched: Searched,
    wanted: frozenset[str],
    folded: frozenset[str],
    above: str,
    limit: int,
) -> int:
    """Look at every name of a directory; return how many there were."""
    names: list[str] = []
    directories: list[str] = []
    try:
        with os.scandir(frame.descriptor) as entries:
            for entry in entries:
                name = entry.name
                names.append(name)
                if entry.is_dir(follow_symlinks=False):
                    directories.append(name)
                if name in wanted:
                    searched.found.append((name, _kind_of(entry)))
                if len(names) >= limit:
                    searched.more = True
                    break
    except OSError as error:
        searched.refusal = refusal_for(error, above or ".")
        return len(names)
    text = "\0".join(names)
    # One look at all names together: nearly no directory has a name that needs one of its own.
    if (
        not text.isascii()
        or " " in (text[:1], text[-1:])
        or " \0" in text
        or "\0 " in text
        or not text.replace("\0", "/").isprintable()
    ):
        _set_right(searched, names, directories)
    low = text.lower()
    if any(name in low for name in folded):
        searched.near = any(name.lower() in folded and name not in wanted for name in names)
    directories.sort()
    searched.found.sort()
    searched.descend = [name for name in directories if not _is_refused(name, above)]
    return len(names)


def _set_right(searched: Searched, names: list[str], directories: list[str]) -> None:
    """Collect the odd ones of ``names``; whatever the locale, bytes that are not UTF-8 become surrogates."""
    directories[:] = [decode(os.fsencode(name)) for name in directories]
    for name in names:
        if not name.isascii() or not name.isprintable() or name != name.strip():
            searched.odd.append(decode(os.fsencode(name)))
    searched.odd.sort()


def _is_refused(name: str, above: str) -> bool:
    """Ask policy, where the name could be one of its tables'; it says which those are."""
    folded = fold(name)
    if folded[:1] != "." and "git" not in folded and folded not in IN_DIRECTORY:
        return False
    return refuse_by_name([name], above, last_is_file=False) is not None


def _kind_of(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "directory"
    return "file" if entry.is_file(follow_symlinks=False) else "other"
