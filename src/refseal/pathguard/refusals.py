"""The closed set of ways in which the guard says no."""

from __future__ import annotations

import errno

CODES = frozenset(
    {
        "missing",
        "directory",
        "outside-root",
        "absolute",
        "home",
        "symlink-escape",
        "symlink-absolute",
        "symlink-loop",
        "not-regular",
        "not-a-directory",
        "sensitive",
        "git-metadata",
        "foreign-owner",
        "unreadable",
        "bad-name",
        "too-long",
        "invisible-character",
        "unsupported-platform",
    }
)
"""Every code a refusal of this layer can carry; stable, part of the public contract."""

_CODE_OF_ERROR = {
    errno.ENOENT: "missing",
    errno.ENOTDIR: "not-a-directory",
    errno.EISDIR: "directory",
    errno.ENAMETOOLONG: "too-long",
    errno.EILSEQ: "bad-name",  # APFS: the name is not UTF-8
    errno.ENXIO: "not-regular",  # a socket, or a device without a driver
    errno.ENODEV: "not-regular",
    errno.EOPNOTSUPP: "not-regular",  # a socket, on macOS
}
"""What an error of a system call means.  All others (EACCES, EIO, EMFILE, ESTALE, ...) are ``unreadable``."""


class Refusal(Exception):  # noqa: N818 - a refusal is an answer, the field's word for it; not a fault
    """The one exception that leaves the guard: a name was not opened, for the reason ``code``.

    ``code`` is one of `CODES`.  ``where`` is the part of the name at which the walk stopped, as the
    repository spelled it: raw, hostile text that whoever shows it has to escape first.
    """

    def __init__(self, code: str, where: str) -> None:
        super().__init__(code, where)
        self.code = code
        self.where = where


def refusal_for(error: OSError, where: str) -> Refusal:
    """Say in the guard's words what a system call said about ``where``."""
    return Refusal(_CODE_OF_ERROR.get(error.errno or 0, "unreadable"), where)
