"""What a reference comes to on the disk, by the reach of the document that holds it.

A reference is read as any document may read it.  Only if that is refused, and only for an overlay, is git's
index asked whether the overlay was written on this machine and so may reach more.
"""

from __future__ import annotations

from refseal.pathguard import Refusal, is_directory, read

from .kinds import is_document_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from refseal.pathguard import File, Place
    from refseal.tokenizer import Reference

    from .resolution import Source
    from .scope import Scope

MAX_LISTED: Final = 10_000
"""Entries of a directory that are looked through for one name."""

WIDER: Final = frozenset({"home", "absolute", "symlink-escape", "symlink-absolute", "outside-root"})
"""Refusals that an overlay which git does not track may not meet; the last for an absolute token alone."""

FOUND: Final = frozenset(
    {"symlink-escape", "symlink-absolute", "symlink-loop", "not-regular", "foreign-owner", "unreadable"}
)
"""Refusals after which something by that name exists: of a single word they are worth a report."""


class Outcome:
    """What a path came to at a place, for every reference that repeats it."""

    __slots__ = ("file", "reason")

    def __init__(self, reason: str | None, file: File | None = None) -> None:
        self.reason = reason  # None: a mention
        self.file = file


class Lookup:
    """Asks the disk about the references of one scope.  Remembers nothing but ``Source.local``.

    Every call may take as long as the disk does.
    """

    __slots__ = ("_max_file_bytes", "_scope")

    def __init__(self, scope: Scope, max_file_bytes: int) -> None:
        self._scope = scope
        self._max_file_bytes = max_file_bytes

    def ask(self, source: Source, reference: Reference) -> Outcome:
        """Read the file that a reference names, or tell why there is none."""
        if reference.is_glob:  # is not expanded
            return Outcome("glob" if self._is_meant(source, reference) else None)
        place = source.place
        authority = self._scope.authority
        limit = self._max_file_bytes
        try:
            try:
                return Outcome(None, read(reference.path, place, authority.reach_of(place.root), limit))
            except Refusal as refusal:
                if not self._gains(source, reference.path, refusal.code):
                    raise
            reach = authority.reach_of(place.root, local=True)
            return Outcome(None, read(reference.path, place, reach, limit))
        except Refusal as refusal:
            code = refusal.code
        if reference.is_word:
            return Outcome(code if code in FOUND or self._is_there(source, reference, code) else None)
        if code in ("missing", "not-a-directory") and not self._is_meant(source, reference):
            return Outcome(None)
        return Outcome(code)

    def _is_there(self, source: Source, reference: Reference, code: str) -> bool:
        """Tell whether a word that policy refuses by its name alone names something: `@id_rsa`."""
        if code != "sensitive":
            return False
        from refseal.pathguard.listing import list_directory  # noqa: PLC0415 - rare

        reach = self._scope.authority.reach_of(source.place.root)
        try:
            listing = list_directory(".", source.place, reach, MAX_LISTED)
        except Refusal:
            return False
        return any(entry.name == reference.path for entry in listing.entries)

    def _is_meant(self, source: Source, reference: Reference) -> bool:
        """Tell whether a reference that names nothing was meant as one, by its extension or directory."""
        path = reference.path
        if is_document_name(path):
            return True
        first, slash, _ = path.partition("/")
        if not slash:
            return False
        if first in ("", ".", ".."):
            return True
        place = source.place
        return is_directory(first, place, self._scope.authority.reach_of(place.root))

    def place_of(self, file: File) -> Place | None:
        """Return what a document's references are relative to; None: its directory is gone."""
        reach = self._scope.authority.reach_of(file.root)
        try:
            return self._scope.territories.narrow(file.place, reach)
        except Refusal:
            return None

    # --- an overlay that git does not track

    def may_be_local(self, source: Source) -> bool:
        """Tell whether it makes a difference for this document if git tracks it: it is an overlay."""
        instruction = source.instruction
        return (
            instruction is not None
            and instruction.family == "overlay"
            and self._scope.authority.has_more_if_local(source.place.root)
        )

    def _gains(self, source: Source, path: str, code: str) -> bool:
        """Tell whether a document may reach more than was refused; only for this is an index read."""
        if code not in WIDER or not self.may_be_local(source) or source.instruction is None:
            return False
        if code == "outside-root" and not path.startswith("/"):
            return False  # a relative token stays in its root whatever the reach is
        if code != "home" and not self._scope.territories.of_kind("extra"):
            return False
        if source.local is None:
            source.local = self._scope.is_local(source.instruction)
        return source.local
