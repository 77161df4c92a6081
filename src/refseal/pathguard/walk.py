r"""The walk: from a directory that is held, one bare name per system call.

The problem.  A name from a hostile repository has to be opened, and the file must lie beneath a root, also
while somebody swaps directories for links.  A check of the *name* does not do: ``docs/a.md`` is a harmless
name, and ``docs`` may be a link.  A check of the resolved name (`os.path.realpath`, then "is it beneath?")
does not do either: between that answer and the `open` the tree can change, and it takes one more process and
a few milliseconds to hit the gap.  A check after the `open` comes too late for what an `open` does by itself
(a FIFO waits, a device acts), and the name that ``/proc`` gives for a descriptor is a snapshot again.  The
kernel's own answer, `openat2` with `RESOLVE_BENEATH`, exists on Linux alone, is often filtered in containers,
cannot say *why* it refused, and cannot look at names on the way.  It is the oracle of this module's tests.

The way.  The kernel only ever sees one component at a time, never ``/``, ``..``, nothing empty and no slash
at the end (``.`` only where a directory that is held is opened once more), relative to a directory that is
already held, with `O_NOFOLLOW`.  So no lookup can leave the directory that it starts in: each either yields
an entry of that directory or fails.  What looks like a link is read with `readlink` and its text goes through
this same walk, at most 40 times.  ``..`` never reaches the kernel: it drops the last descriptor of a stack
that begins at the root, so that it means what the walk came through, wherever that directory has been moved
meanwhile; at the bottom of the stack there is no way up.  The canonical name is the list of what was entered,
and nothing asks for it afterwards.

The last component is opened without waiting and looked at (`fstat`) before a byte is read: a regular file of
a trusted owner, or a refusal.  Names that policy refuses are refused before anything is opened.

If the last name is a link when it is opened and none when it is read, somebody is playing; the walk asks
again a few times, then refuses as ``unreadable``.

The hole that remains.  A hard link *is* the file, and a bind mount *is* the directory: both lie beneath the
root as far as anybody can tell.  A directory that its owner moves out of the root while the walk holds it is
still read.  Opening a name can wake an automount, and a file system that does not answer (a dead server,
FUSE) keeps whoever asks it.  An open of a device node can act on the device; only root can put one into a
repository.
"""

from __future__ import annotations

import errno
import stat

from refseal.system import os

from . import descriptors
from .descriptors import close, decode, encode, identity_of
from .git_metadata import fold, holds_repository, may_be_git_entry
from .names import MAX_COMPONENTS, has_invisible, is_foreign_absolute, split
from .policy import refuse_by_name
from .reach import absolute_components, base_name, beneath
from .refusals import Refusal, refusal_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .descriptors import Identity
    from .reach import Place, Reach
    from .root import Root

MAX_LINKS = 40
"""As Linux has it (MAXSYMLINKS): a name that the kernel would open is not refused for its links."""

MAX_ATTEMPTS = 8
"""How often a name may be a link when it is opened and none when it is read, before it is given up."""

_MAYBE_LINK = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})
"""How systems say that `O_NOFOLLOW` met a link (Linux says ENOTDIR with `O_DIRECTORY`, FreeBSD EMLINK);
whether it is one, `readlink` says."""

_KERNEL_DIRECTORIES = frozenset({"proc", "sys", "dev", ".vol", ".nofollow", ".resolve"})
"""Beneath a root ``/`` these are the kernel itself, and not documents (`/proc/self/environ` is "a file").
The last three are macOS's: other ways to spell any path, past every name that policy looks at."""


class Walk:
    """One resolution: a stack of held directories, and the names that are still to be walked.

    ``root``          where the walk is; a link or an absolute token may have led to another than it began in
    ``components``    what has been entered beneath it: the canonical name
    ``links``         how many links were followed
    """

    __slots__ = (
        "_detoured", "_directory_wanted", "_git", "_held", "_invisible", "_pending", "_reach", "_token_left",
        "_uids", "_watched", "components", "links", "root",
    )  # fmt: skip

    def __init__(self, token: str, place: Place, reach: Reach) -> None:
        """Judge ``token`` as text; nothing is opened yet."""
        text, names, self._directory_wanted = split(token)
        self._reach = reach
        self._held: list[int] = []
        self._pending: list[str] = []  # a stack: the next name is the last
        # As long as `_pending` is shorter than this, what is in it is the token's.
        self._token_left = len(names) + len(place.components) + 1
        self._invisible = text if has_invisible(text) else ""
        self._detoured = False
        self.components: list[str] = []
        self.links = 0
        if text.startswith(("/", "~")) or is_foreign_absolute(text):
            self._start_absolute(text, names)
        else:
            self._start_relative(names, place)

    # How a walk starts, and starts anew

    def _start_relative(self, names: list[str], place: Place) -> None:
        if place.refusal is not None:
            raise Refusal(place.refusal.code, place.refusal.where)
        above = place.components[-1] if place.components else base_name(place.root.path)
        refusal = refuse_by_name(names, above, last_is_file=not self._directory_wanted)
        if refusal is not None:
            rise = 0
            while rise < len(names) and names[rise] == "..":
                rise += 1
            if rise > len(place.components) and not self._may_read_anywhere():
                raise Refusal("outside-root", "..")  # the walk would never come to the name that is refused
            raise refusal
        self._set_root(place.root)
        self._pending = [*reversed(names), *reversed(place.components)]

    def _start_absolute(self, text: str, names: list[str]) -> None:
        if text.startswith("/"):
            code = "absolute"
        elif text.startswith("~"):
            code = "home"
            home = self._reach.home
            if home is None or not home.startswith("/") or names[0] != "~":
                raise Refusal(code, text)
            try:
                names = [*split(home)[1], *names[1:]]
            except Refusal:  # no directory can be called so
                raise Refusal(code, text) from None
        else:
            raise Refusal("absolute", text)
        found = beneath(names, self._reach.roots)
        if found is None:
            raise Refusal(code, text)
        self._restart(*found)

    def _restart(self, root: Root, names: list[str]) -> None:
        """Go on beneath ``root``, where ``names`` are all that is still to be walked."""
        refusal = refuse_by_name(names, base_name(root.path), last_is_file=not self._directory_wanted)
        if refusal is not None:
            raise refusal
        self.release()
        self.components = []
        self._pending = names[::-1]
        self._set_root(root)

    def _set_root(self, root: Root) -> None:
        if self._invisible:  # the last that is judged as text: a name of git's is that first
            raise Refusal("invisible-character", self._invisible)
        self.root = root
        self._uids = root.owners.uids
        self._git = root.git_directories()
        self._watched = bool(self._git or self._reach.git_directories or self._reach.excluded)

    def _may_read_anywhere(self) -> bool:
        return any(root.path == "/" for root in self._reach.link_roots)

    # What a caller asks of it

    def open_file(self) -> tuple[int, os.stat_result]:
        """Walk to the end and open what is there: a regular file of a trusted owner.

        The caller closes the descriptor.  Everything else is closed, whatever happens.
        """
        try:
            opened = self._run(file_wanted=True)
        finally:
            self.release()
        if opened is None:
            raise Refusal("directory", self._here())
        descriptor, status = opened
        if stat.S_ISREG(status.st_mode) and status.st_uid in self._uids:
            return descriptor, status
        close(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise Refusal("directory", self._here())
        if not stat.S_ISREG(status.st_mode):
            raise Refusal("not-regular", self._here())
        raise Refusal("foreign-owner", self._here())

    def open_directory(self, flags: int) -> int:
        """Walk to the end, which has to be a directory, and open it once more with ``flags``.

        The caller closes the descriptor.  Everything else is closed, whatever happens.
        """
        try:
            self._run(file_wanted=False)
            # From a directory that is held a `.` can lead nowhere else.
            return os.open(b".", flags, dir_fd=self._directory())
        except OSError as error:
            raise refusal_for(error, self._here()) from None
        finally:
            self.release()

    def release(self) -> None:
        """Close every directory that the walk holds; the root is its owner's."""
        held = self._held
        while held:
            close(held.pop())

    # The steps

    def _run(self, *, file_wanted: bool) -> tuple[int, os.stat_result] | None:
        """Take every step.  Return the open end, or None if the walk ended in a directory that it holds."""
        while self._pending:
            name = self._pending.pop()
            if name == "..":
                self._leave()
            elif self._pending or self._directory_wanted or not file_wanted:
                self._enter(name)
            else:
                opened = self._open(name)
                if opened is not None:
                    return opened
        if self._detoured:
            self._judge_detour([])
        return None

    def _directory(self) -> int:
        """Return the descriptor of the directory that the walk stands in."""
        return self._held[-1] if self._held else self.root.descriptor

    def _here(self) -> str:
        return self.components[-1] if self.components else "."

    def _enter(self, name: str) -> None:
        """Hold the directory ``name``, or find that it is a link, whose target is then to be walked."""
        held = self._held
        parent = held[-1] if held else self.root.descriptor
        if not held and self.root.path == "/" and fold(name) in _KERNEL_DIRECTORIES:
            raise Refusal("not-regular", name)
        if may_be_git_entry(name) and holds_repository(parent):
            raise Refusal("git-metadata", name)
        try:
            descriptor = os.open(encode(name), descriptors.SEARCH_FLAGS, dir_fd=parent)
        except OSError as error:
            if self._follow(name, parent, error):
                return
            raise Refusal("not-a-directory", name) from None
        held.append(descriptor)
        self.components.append(name)
        try:
            status = os.fstat(descriptor)
        except OSError as error:
            raise refusal_for(error, name) from None
        if status.st_uid not in self._uids:
            raise Refusal("foreign-owner", name)
        if self._watched:
            self._judge_identity(identity_of(status), name)
        if len(held) > MAX_COMPONENTS:
            raise Refusal("too-long", name)

    def _open(self, name: str) -> tuple[int, os.stat_result] | None:
        """Open the last name, or find that it is a link, whose target is then to be walked: None."""
        parent = self._held[-1] if self._held else self.root.descriptor
        if self._detoured:
            self._judge_detour([name])
        if may_be_git_entry(name) and holds_repository(parent):
            raise Refusal("git-metadata", name)
        for _ in range(MAX_ATTEMPTS):
            try:
                descriptor = os.open(encode(name), descriptors.FILE_FLAGS, dir_fd=parent)
            except OSError as error:
                if self._follow(name, parent, error):
                    return None
                continue  # a link when it was opened, and none any more: somebody is playing
            self.components.append(name)
            try:
                return descriptor, os.fstat(descriptor)
            except OSError as error:
                close(descriptor)
                raise refusal_for(error, name) from None
        raise Refusal("unreadable", name)

    def _judge_identity(self, identity: Identity, name: str) -> None:
        if identity in self._git or identity in self._reach.git_directories:
            raise Refusal("git-metadata", name)
        if identity in self._reach.excluded:
            raise self._outside(name)

    def _judge_detour(self, name: list[str]) -> None:
        """Judge the whole name to which a link or ``..`` has led: ``.docker`` here, ``config.json`` there."""
        refusal = refuse_by_name(
            [*self.components, *name], base_name(self.root.path), last_is_file=bool(name)
        )
        if refusal is not None:
            raise refusal

    def _leave(self) -> None:
        """Walk one ``..``: drop the last directory, or leave the root if the document may."""
        self._detoured = True
        if self.components:
            self.components.pop()
            close(self._held.pop())
            return
        of_link = len(self._pending) >= self._token_left
        if not of_link and not self._may_read_anywhere():
            raise self._outside("..")
        above = absolute_components(self.root.path)[:-1]
        while self._pending and self._pending[-1] == "..":
            self._pending.pop()
            del above[-1:]
        found = beneath([*above, *reversed(self._pending)], self._reach.link_roots)
        if found is None:
            raise self._outside("..")
        self._restart(*found)

    def _outside(self, where: str) -> Refusal:
        return Refusal("symlink-escape" if self.links else "outside-root", where)

    def _follow(self, name: str, parent: int, error: OSError) -> bool:
        """Put the target of the link ``name``, which met ``error``, before what is still to be walked.

        False if it is no link; an error that does not come from a link is refused for what it is.
        """
        if error.errno not in _MAYBE_LINK:
            raise refusal_for(error, name) from None
        raw = encode(name)
        try:
            target = os.readlink(raw, dir_fd=parent)
            owner = os.stat(raw, dir_fd=parent, follow_symlinks=False).st_uid
        except OSError as unread:
            if unread.errno == errno.EINVAL:
                return False
            raise refusal_for(unread, name) from None
        self.links += 1
        self._detoured = True
        if self.links > MAX_LINKS:
            raise Refusal("symlink-loop", name)
        if owner not in self._uids:
            # The kernel keeps its users from following links that others left in a shared directory; since it
            # never follows one for us, that is ours to do.
            raise Refusal("foreign-owner", name)
        if not target:
            raise Refusal("missing", name)
        text, names, directory_wanted = split(decode(target))
        pending = self._pending
        self._token_left = min(self._token_left, len(pending))
        if directory_wanted and not pending:
            self._directory_wanted = True
        if text.startswith("/"):
            found = beneath([*names, *reversed(pending)], self._reach.link_roots)
            if found is None:
                raise Refusal("symlink-absolute", name)
            self._restart(*found)
            return True
        above = self.components[-1] if self.components else base_name(self.root.path)
        refusal = refuse_by_name(names, above, last_is_file=not pending and not self._directory_wanted)
        if refusal is not None:
            raise refusal
        pending.extend(reversed(names))
        return True
