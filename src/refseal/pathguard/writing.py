"""New files in held directories: whole or not at all, through no link, over nothing that is there.

The hook and the audit write nothing in a repository; `refseal init` does, for whoever asks for it.
"""

from __future__ import annotations

import os
import secrets
import stat

from . import descriptors
from .descriptors import FILE_FLAGS, close
from .refusals import Refusal, refusal_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .owners import Owners

PRIVATE = 0o600
"""Mode of a file that is its owner's alone."""

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | FILE_FLAGS


class Draft:
    """A file that is written, under a name of its own, and not yet at its place: put it there or discard it.

    ``directory`` is a held directory, which outlives the draft.  The one exception is `Refusal`.
    """

    __slots__ = ("_directory", "_name", "_scratch")

    def __init__(self, directory: int, name: bytes, data: bytes, mode: int = PRIVATE) -> None:
        self._directory = directory
        self._name = name
        self._scratch = b".refseal-" + secrets.token_hex(8).encode()
        try:
            descriptor = os.open(self._scratch, _NEW, PRIVATE, dir_fd=directory)
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(descriptor, view) :]
                os.fchmod(descriptor, mode)
                os.fsync(descriptor)
            finally:
                close(descriptor)
        except OSError as error:
            self.discard()
            raise self._refusal(error) from None

    def put_anew(self) -> None:
        """Give it its name; refused if anything has that name meanwhile."""
        try:
            os.link(
                self._scratch,
                self._name,
                src_dir_fd=self._directory,
                dst_dir_fd=self._directory,
                follow_symlinks=False,
            )
        except OSError as error:
            raise self._refusal(error) from None
        finally:
            self.discard()

    def take_back(self) -> None:
        """Remove what `put_anew` has put there."""
        try:
            os.unlink(self._name, dir_fd=self._directory)
        except OSError:
            pass

    def put_in_place_of(self) -> None:
        """Give it its name in place of what has that name: the name is replaced, nothing is followed."""
        try:
            os.replace(self._scratch, self._name, src_dir_fd=self._directory, dst_dir_fd=self._directory)
        except OSError as error:
            self.discard()
            raise self._refusal(error) from None

    def discard(self) -> None:
        """Leave nothing of it; once more does no harm."""
        try:
            os.unlink(self._scratch, dir_fd=self._directory)
        except OSError:
            pass

    def _refusal(self, error: OSError) -> Refusal:
        return refusal_for(error, descriptors.decode(self._name))


def read_regular(directory: int, name: bytes, owners: Owners, limit: int) -> tuple[bytes, int] | None:
    """Return the content of a file in a held directory and its permission bits; None if there is none.

    Refused: ``not-regular`` (a link too: it is not followed), ``directory``, ``foreign-owner``, ``too-long``
    (more than ``limit`` bytes), ``unreadable``.
    """
    shown = descriptors.decode(name)
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
        if not stat.S_ISREG(status.st_mode):
            raise Refusal("directory" if stat.S_ISDIR(status.st_mode) else "not-regular", shown)
        descriptor = os.open(name, FILE_FLAGS, dir_fd=directory)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise refusal_for(error, shown) from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Refusal("not-regular", shown)
        if not owners.trusts(status.st_uid):
            raise Refusal("foreign-owner", shown)
        parts: list[bytes] = []
        room = limit + 1
        while room > 0 and (part := os.read(descriptor, room)):
            parts.append(part)
            room -= len(part)
        if room <= 0:
            raise Refusal("too-long", shown)
        return b"".join(parts), stat.S_IMODE(status.st_mode)
    except OSError as error:
        raise refusal_for(error, shown) from None
    finally:
        close(descriptor)
