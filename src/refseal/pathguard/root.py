"""A root: a directory held open, and the right to read beneath it."""

from __future__ import annotations

import errno
import stat

from refseal.system import os

from . import descriptors
from .descriptors import canonical_path, close, encode, identity_of
from .refusals import Refusal, refusal_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from .descriptors import Identity
    from .owners import Owners

CLOSED = -1
"""The descriptor of a root that was closed: the kernel refuses it."""


class Root:
    """A capability: whoever holds it may read beneath this directory, and nowhere else through it.

    Its own path is resolved once, by the kernel, when it is opened, so it may be a link, or lie behind
    links.  From then on the descriptor counts and no path: a root that is renamed, or whose path is
    replaced, is still the same directory.

    ``spelling``    its absolute path as it was given
    ``path``        its absolute path without links, for people and for matching absolute tokens
    ``identity``    device and inode
    ``owner``       the user id that it belongs to.  Opening does not judge it: a caller that must not read
                    beneath somebody else's directory asks `Owners.trusts`
    ``mode``        its permission bits and type, as `os.stat_result.st_mode`
    ``owners``      whose files and directories may be read beneath it.  May be set anew, for the owners of
                    cwd and of ``.git`` are only known once the root is held
    """

    __slots__ = ("_git_directories", "descriptor", "identity", "mode", "owner", "owners", "path", "spelling")

    def __init__(self, descriptor: int, spelling: str, owners: Owners) -> None:
        """Take over ``descriptor``, an open directory; `open` and `pathguard.root_at` make roots."""
        status = os.fstat(descriptor)
        self.descriptor = descriptor
        self.spelling = spelling
        self.owners = owners
        self.identity: Identity = identity_of(status)
        self.owner = status.st_uid
        self.mode = status.st_mode
        self.path = canonical_path(descriptor, spelling) or spelling
        self._git_directories: frozenset[Identity] | None = None

    @classmethod
    def open(cls, path: str, owners: Owners) -> Root:
        """Hold the directory at the absolute ``path``.

        Refused: ``bad-name`` (relative, empty, a NUL), ``missing``, ``not-a-directory``, ``symlink-loop``,
        ``too-long``, ``unreadable``, ``unsupported-platform``.
        """
        if not descriptors.SUPPORTED:
            raise Refusal("unsupported-platform", path)
        if not path.startswith("/") or "\0" in path:
            raise Refusal("bad-name", path)
        try:
            # The one place where the kernel follows links: this path is the user's or the host's.
            descriptor = os.open(encode(path), descriptors.SEARCH_FLAGS & ~os.O_NOFOLLOW)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise Refusal("symlink-loop", path) from None
            raise refusal_for(error, path) from None
        except UnicodeEncodeError:
            raise Refusal("bad-name", path) from None
        return cls.adopt(descriptor, path, owners)

    @classmethod
    def adopt(cls, descriptor: int, spelling: str, owners: Owners) -> Root:
        """Make a root of an open directory, which it closes from now on, also if this fails."""
        try:
            return cls(descriptor, spelling, owners)
        except OSError as error:
            close(descriptor)
            raise refusal_for(error, spelling) from None
        except BaseException:
            close(descriptor)
            raise

    @property
    def is_world_writable(self) -> bool:
        """Whether anybody may plant files in it, sticky bit or not."""
        return bool(self.mode & stat.S_IWOTH)

    @property
    def git_owner(self) -> int | None:
        """The user id that its ``.git`` belongs to, or None if it has none that can be seen."""
        try:
            return os.stat(b".git", dir_fd=self.descriptor, follow_symlinks=False).st_uid
        except OSError:
            return None

    def git_directories(self) -> frozenset[Identity]:
        """Return the directories beneath this root that its ``.git`` file or link points to.

        They hold git's metadata under a name that does not say so.  Looked up once.
        """
        if self._git_directories is None:
            self._git_directories = self._find_git_directories()
        return self._git_directories

    def _find_git_directories(self) -> frozenset[Identity]:
        try:
            mode = os.stat(b".git", dir_fd=self.descriptor, follow_symlinks=False).st_mode
        except OSError:
            return frozenset()
        if stat.S_ISDIR(mode):
            return frozenset()
        from .gitfile import git_directories_beneath  # noqa: PLC0415 - few repositories need it

        return git_directories_beneath(self)

    def close(self) -> None:
        """Give the right back.  Afterwards every read beneath this root is refused as ``unreadable``."""
        descriptor, self.descriptor = self.descriptor, CLOSED
        if descriptor != CLOSED:
            close(descriptor)

    def __enter__(self) -> Root:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()
