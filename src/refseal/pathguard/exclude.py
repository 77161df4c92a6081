"""Git's own list of what a repository's user ignores: ``info/exclude`` of a verified repository.

Which repository a directory belongs to is judged as for every read (`linkage.find_linkage`), and stricter:
only a ``.git`` that is a directory, or a linked worktree that its main repository knows, is written to.  A
``.git`` file of a hostile archive could name anybody's.
"""

from __future__ import annotations

import os

from .descriptors import SEARCH_FLAGS, close, identity_of
from .git_metadata import fold, holds_repository, is_git_name
from .linkage import find_linkage
from .refusals import Refusal, refusal_for
from .root import Root
from .writing import Draft, read_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from .linkage import Linkage
    from .owners import Owners

MAX_BYTES = 1 << 20
"""Of the list: the longest in use have a thousandth of it."""

_MODE = 0o644
"""Of a list that is made anew, as git's own template has it."""


class Unverified(Exception):  # noqa: N818 - an answer, like `Refusal`
    """The directory belongs to a repository that is not written to; ``linkage`` says which kind it is."""

    def __init__(self, linkage: Linkage) -> None:
        super().__init__(linkage.status, linkage.detail)
        self.linkage = linkage


class Exclude:
    """The list of one repository, held open; close it.

    ``path``   its absolute path, for people
    """

    __slots__ = ("_data", "_info", "_mode", "path")

    def __init__(self, common: int, common_path: str, owners: Owners) -> None:
        """Hold ``info`` in the held common directory, making it if need be, and read the list."""
        self.path = f"{common_path}/info/exclude"
        try:
            try:
                self._info = os.open(b"info", SEARCH_FLAGS, dir_fd=common)
            except FileNotFoundError:
                os.mkdir(b"info", 0o755, dir_fd=common)
                self._info = os.open(b"info", SEARCH_FLAGS, dir_fd=common)
        except OSError as error:
            raise refusal_for(error, ".git/info") from None
        try:
            found = self._read(owners)
        except BaseException:
            self.close()
            raise
        self._data, self._mode = (b"", _MODE) if found is None else found

    def _read(self, owners: Owners) -> tuple[bytes, int] | None:
        try:
            owner = os.fstat(self._info).st_uid
        except OSError as error:
            raise refusal_for(error, ".git/info") from None
        if not owners.trusts(owner):
            raise Refusal("foreign-owner", ".git/info")
        try:
            return read_regular(self._info, b"exclude", owners, MAX_BYTES)
        except Refusal as refusal:
            raise Refusal(refusal.code, ".git/info/exclude") from None

    def names(self, pattern: str) -> bool:
        """Whether the list has exactly this pattern, and does not take it back in a later line."""
        named = False
        for line in self._data.split(b"\n"):
            text = line.rstrip(b" \r")
            if text.lstrip(b"!") == pattern.encode():
                named = not text.startswith(b"!")
        return named

    def draft_with(self, pattern: str) -> Draft:
        """Write the list with one more line, for `Draft.put_in_place_of`."""
        end = b"" if not self._data or self._data.endswith(b"\n") else b"\n"
        return Draft(self._info, b"exclude", self._data + end + pattern.encode() + b"\n", self._mode)

    def close(self) -> None:
        """Give ``info`` back."""
        close(self._info)

    def __enter__(self) -> Exclude:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()


def find_exclude(
    directory: Root, owners: Owners, *, home: str | None, codex_home: str | None
) -> Exclude | None:
    """Return the list of the repository that holds ``directory``; None: it is in no repository.

    Raises:
        Unverified: the repository is not one that is written to.
        Refusal: ``git-metadata`` (the directory is git's own), or what stands in the way of the list.

    """
    if holds_repository(directory.descriptor) or any(
        is_git_name(fold(name)) for name in directory.path.split("/")
    ):
        raise Refusal("git-metadata", directory.path)
    linkage = find_linkage(directory.path, owners, home=home, codex_home=codex_home)
    top = linkage.main_root if linkage.status == "linked" else linkage.worktree_root
    if linkage.status == "none" and top is None:
        return None
    if linkage.status not in ("none", "linked") or top is None:
        raise Unverified(linkage)
    with Root.open(top, owners) as root:
        try:
            common = os.open(b".git", SEARCH_FLAGS, dir_fd=root.descriptor)
        except OSError as error:
            raise refusal_for(error, ".git") from None
        try:
            status = os.fstat(common)
            # The very directory that was judged, and a repository: git would pass over any other.
            if identity_of(status) != linkage.git_directory or not holds_repository(common):
                raise Unverified(linkage)
            if not owners.trusts(status.st_uid):
                raise Refusal("foreign-owner", ".git")
            return Exclude(common, root.path.rstrip("/") + "/.git", owners)
        except OSError as error:
            raise refusal_for(error, ".git") from None
        finally:
            close(common)
