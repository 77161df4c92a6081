"""A tree searched for a few names: what `listing.walk_tree` does, without an object for every name.

The audit looks at every name of a repository and cares for a handful of them; a hundred thousand objects
for the others would cost more than the disk does.
"""

from __future__ import annotations

import os
from itertools import islice

from .descriptors import LISTING_FLAGS, close, decode, encode, identity_of
from .git_metadata import fold
from .listing import MAX_HELD, Frame, hold_again, let_go, refuse_directory
from .names import MAX_COMPONENTS
from .policy import may_be_refused_directory, refuse_by_name
from .reach import base_name
from .refusals import Refusal, refusal_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .root import Root


STEM = 4
"""Characters at the start of a wanted name: short enough to be the same for most of them."""


class Searched:
    """What a search says of one directory.

    ``components``  where it is beneath the root
    ``found``       the wanted names in it, sorted, with kinds: ``file``, ``directory``, ``link``, ``other``
    ``odd``         names that are not printable ASCII or have a space at an end, sorted
    ``near``        the names in it that are wanted ones but for their case, sorted, with kinds
    ``withheld``    the names of the directories in it that policy refuses because of what they hold
    ``more``        whether the limit was reached before its end
    ``refusal``     why it could not be listed, or None
    ``mode``        its permission bits and type; 0 if it was refused
    ``descend``     the names of the directories that are searched next; a reader may take some out
    """

    # Of most directories there is next to nothing to say: what is not set stays the class's own.
    found: Sequence[tuple[str, str]] = ()
    odd: Sequence[str] = ()
    near: Sequence[tuple[str, str]] = ()
    withheld: Sequence[str] = ()
    more = False
    refusal: Refusal | None = None
    mode = 0
    descend: Sequence[str] = ()

    def __init__(self, components: tuple[str, ...]) -> None:
        self.components = components


def search_tree(root: Root, wanted: frozenset[str], limit: int) -> Iterator[Searched]:
    """Look at every name beneath ``root``, parents first, until ``limit`` names were seen.

    The same directories are entered as by `walk_tree`, and the same promises hold.  Raises only `Refusal`,
    and only for ``root`` itself.
    """
    names = _Names(wanted)
    uids, git_directories = root.owners.uids, root.git_directories()
    frames: list[Frame] = []
    descriptor = -1  # of the directory that the search stands in; a frame owns those it comes back to
    try:
        try:
            descriptor = os.open(b".", LISTING_FLAGS, dir_fd=root.descriptor)
        except OSError as error:
            raise refusal_for(error, root.path) from None
        searched = Searched(())
        searched.mode = root.mode
        identity = root.identity
        limit -= _look(descriptor, searched, names, base_name(root.path), limit)
        while True:
            yield searched
            if searched.descend:
                frames.append(Frame(searched.components, descriptor, identity))
                frames[-1].pending = [*reversed(searched.descend)]
                if len(frames) > MAX_HELD:
                    let_go(frames[-1 - MAX_HELD])
            elif descriptor >= 0:
                close(descriptor)
            descriptor = -1
            if limit <= 0:
                return
            while frames and not frames[-1].pending:
                close(frames.pop().descriptor)
            if not frames:
                return
            frame = frames[-1]
            name = frame.pending.pop()
            searched = Searched((*frame.components, name))
            if len(searched.components) > MAX_COMPONENTS:
                searched.refusal = Refusal("too-long", name)
                continue
            try:
                if frame.descriptor < 0:
                    hold_again(frame, root)
                descriptor = os.open(encode(name), LISTING_FLAGS, dir_fd=frame.descriptor)
                status = os.fstat(descriptor)
            except OSError as error:
                searched.refusal = refusal_for(error, name)
                continue
            except Refusal as why:
                searched.refusal = why
                continue
            # Where nothing else is git's, only the owner is left to judge: `O_DIRECTORY` did the rest.
            if git_directories or status.st_uid not in uids:
                searched.refusal = refuse_directory(status, name, root)
            if searched.refusal is None:
                searched.mode = status.st_mode
                limit -= _look(descriptor, searched, names, name, limit)
                if searched.descend:
                    identity = identity_of(status)
    finally:
        if descriptor >= 0:
            close(descriptor)
        for frame in frames:
            if frame.descriptor >= 0:
                close(frame.descriptor)


class _Names:
    """What is searched for.

    ``stems`` are the beginnings of all names in lower case: nearly every directory is told by a search for
    them that no name in it is a wanted one in other capitals.
    """

    __slots__ = ("folded", "stems", "wanted")

    def __init__(self, wanted: frozenset[str]) -> None:
        self.wanted = wanted
        self.folded = frozenset(name.lower() for name in wanted)
        self.stems = tuple({name[:STEM] for name in self.folded})


def _look(directory: int, searched: Searched, sought: _Names, above: str, limit: int) -> int:
    """Look at every name of a directory; return how many there were."""
    try:
        with os.scandir(directory) as scanned:
            entries = list(islice(scanned, limit))
        names = [entry.name for entry in entries]
        directories = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        # One look at all names together, parted by what no name holds: nearly no directory has a name that
        # needs one of its own.
        text = f"/{'/'.join(names)}/"
        low = text.lower()
        for stem in sought.stems:
            if stem in low:
                _find(searched, entries, sought)
                break
    except OSError as error:
        searched.refusal = refusal_for(error, above or ".")
        return 0
    if len(names) == limit:
        searched.more = True
    if not (text.isascii() and text.isprintable()) or (" " in text and ("/ " in text or " /" in text)):
        _set_right(searched, names, directories)
    if directories:
        _judge(searched, sorted(directories), above)
    return len(names)


def _find(searched: Searched, entries: list[os.DirEntry[str]], sought: _Names) -> None:
    """Collect the entries that are wanted, or would be but for their case."""
    alike = sorted((one.name, _kind_of(one)) for one in entries if one.name.lower() in sought.folded)
    searched.found = [(name, kind) for name, kind in alike if name in sought.wanted]
    searched.near = [(name, kind) for name, kind in alike if name not in sought.wanted]


def _judge(searched: Searched, directories: list[str], above: str) -> None:
    """Tell the directories that are searched next from those that policy refuses."""
    descend: list[str] = []
    withheld: list[str] = []
    for name in directories:
        refusal = None
        if may_be_refused_directory(fold(name)):
            refusal = refuse_by_name([name], above, last_is_file=False)
        if refusal is None:
            descend.append(name)
        elif refusal.code != "git-metadata":
            withheld.append(name)
    searched.descend, searched.withheld = descend, withheld


def _set_right(searched: Searched, names: list[str], directories: list[str]) -> None:
    """Collect the odd ones of ``names``; whatever the locale, bytes that are not UTF-8 become surrogates."""
    directories[:] = [decode(os.fsencode(name)) for name in directories]
    searched.odd = sorted(
        decode(os.fsencode(name))
        for name in names
        if not name.isascii() or not name.isprintable() or name != name.strip()
    )


def _kind_of(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "directory"
    return "file" if entry.is_file(follow_symlinks=False) else "other"
