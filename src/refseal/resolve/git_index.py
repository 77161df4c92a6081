"""Whether git tracks a file, read from the bytes of an index; git itself is never run.

The question decides whether an overlay came with the repository or was written on this machine.  So every
doubt counts as "tracked", the answer with less authority: names are compared without regard to case (a disk
may open `agents.LOCAL.md` for the overlay), a collapsed directory of a sparse index tracks all beneath it,
and an index that does not parse to its last byte raises `BadIndex`.

The layout (https://git-scm.com/docs/index-format, versions 2 to 4)::

    "DIRC" version count | entry * count | extension * n | checksum
    entry      40 bytes of stat, object id, 2 bytes of flags, 2 more if extended (3 and 4), name
               2 and 3: name, then 1 to 8 NULs up to a multiple of eight bytes
               4: how many bytes to drop of the previous name (varint), what to add to it, NUL
    extension  4 bytes of signature, 4 of size, content; "link": a split index; "sdir": a sparse one

The length of an object id (20 with SHA-1, 32 with SHA-256) is not written in it: both are tried, and a bad
guess does not parse.
"""

from __future__ import annotations

from refseal.codepoints import HFS_IGNORABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

MAX_INDEX_BYTES: Final = 1 << 26  # 64 MiB, some 600,000 files: about the time that a hook has
ID_SIZES: Final = (20, 32)
HEADER: Final = 12
STAT: Final = 40
EXTENDED: Final = 0x40  # of the flags' upper byte
LONG_NAME: Final = 0xFFF  # the length in the flags when the name is at least that long
WORD: Final = 64  # bits of an EWAH word
MAX_NAMES_BYTES: Final = MAX_INDEX_BYTES  # all names written out: version 4 grows each from the one before
MAX_NAME_BYTES: Final = 256  # of one component and its slash: a longer one is on no disk
MAX_EXTENSIONS: Final = 64  # git knows ten; an empty one costs eight bytes, and a turn of a loop
MAX_LINK_BYTES: Final = 1 << 20  # two bitmaps of a bit an entry, uncompressed, for some millions of entries


class BadIndex(Exception):  # noqa: N818 - an answer ("cannot tell"), like a refusal
    """The bytes are no index that this module understands to the end."""


def is_tracked(index: bytes, path: str, read_shared: Callable[[str], bytes]) -> bool:
    """Tell whether ``path`` (relative to the work tree, with `/`) is in the index.

    ``read_shared`` returns the content of a file beside the index by its name (`sharedindex.<hex>`, asked for
    only if the index is split); it may raise anything of its own.  Raises BadIndex.
    """
    if len(index) > MAX_INDEX_BYTES:
        raise BadIndex("too large")
    wanted = _Wanted(path)
    reasons: list[str] = []
    answers: list[bool] = []
    for id_size in ID_SIZES:
        try:
            answers.append(_look_up(index, wanted, id_size, read_shared))
        except (BadIndex, IndexError) as problem:  # IndexError: it ends in the middle of an entry
            reasons.append(str(problem))
    if not answers:
        raise BadIndex("; ".join(reasons))
    return any(answers)


class _Wanted:
    """A path in the form in which it is compared."""

    __slots__ = ("depth", "folded", "length", "longest", "name")

    def __init__(self, path: str) -> None:
        self.folded = _fold(path.encode("utf-8", "surrogateescape"))
        self.depth = self.folded.count("/")
        self.longest = MAX_NAME_BYTES * (self.depth + 1)
        self.name = self.folded.rpartition("/")[2]
        self.length = len(path) if path.isascii() else None

    def is_named_by(self, entry: bytes) -> bool:
        is_plain = self.length is not None and entry.isascii()
        if is_plain and len(entry) != self.length and not entry.endswith(b"/"):
            return False  # nearly every entry: no need to fold it
        if len(entry) > self.longest and (not is_plain or len(entry) != self.length):
            return False
        folded = _fold(entry)
        if folded.endswith("/"):
            return self.folded.startswith(folded)
        if folded == self.folded:
            return True
        # Accents have two spellings; rather than bring Unicode's tables: same depth, same last name.
        return not is_plain and folded.count("/") == self.depth and folded.rpartition("/")[2] == self.name


def _fold(name: bytes) -> str:
    text = name.decode("utf-8", "surrogateescape")
    if not name.isascii() and not HFS_IGNORABLE.isdisjoint(text):
        text = "".join(char for char in text if char not in HFS_IGNORABLE)
    return text.casefold()


def _look_up(index: bytes, wanted: _Wanted, id_size: int, read_shared: Callable[[str], bytes]) -> bool:
    position, end = _find_entry(index, wanted, id_size)
    if position is not None:
        return True
    link = _find_link(index, end, id_size)
    if link is None or not any(link[:id_size]):
        return False
    shared = read_shared("sharedindex." + link[:id_size].hex())
    if len(shared) > MAX_INDEX_BYTES:
        raise BadIndex("too large")
    position, end = _find_entry(shared, wanted, id_size)
    if _find_link(shared, end, id_size) is not None:
        raise BadIndex("a shared index that is split")
    return position is not None and not _bit(link, id_size, position)


def _find_entry(index: bytes, wanted: _Wanted, id_size: int) -> tuple[int | None, int]:
    """Walk all entries; return the position of the last that names the path, and the offset behind them."""
    if index[:4] != b"DIRC":
        raise BadIndex("no index")
    version = int.from_bytes(index[4:8], "big")
    count = int.from_bytes(index[8:12], "big")
    if version not in (2, 3, 4):
        raise BadIndex(f"version {version}")
    fixed = STAT + id_size + 2
    is_named_by = wanted.is_named_by
    found = None
    previous = b""
    written_out = 0
    offset = HEADER
    for position in range(count):  # up to four thousand million, but each takes some bytes, or it ends here
        flags_at = offset + fixed - 2
        flags = index[flags_at]
        name_at = offset + fixed
        if flags & EXTENDED:
            if version == 2:
                raise BadIndex("extended flags in version 2")
            name_at += 2
        if version == 4:
            dropped, name_at = varint(index, name_at)
            if dropped > len(previous):
                raise BadIndex("drops more than the previous name")
            name_end = index.find(b"\0", name_at)
            name = previous[: len(previous) - dropped] + index[name_at:name_end]
            offset = name_end + 1
            previous = name
            written_out += len(name)
            if written_out > MAX_NAMES_BYTES:
                raise BadIndex("names that grow beyond all measure")
        else:
            length = (flags & 0x0F) << 8 | index[flags_at + 1]
            name_end = index.find(b"\0", name_at) if length == LONG_NAME else name_at + length
            name = index[name_at:name_end]
            # At least one NUL, then up to a multiple of eight counted from the entry's start.
            offset += (name_end - offset + 8) & ~7
            if any(index[name_end:offset]):
                raise BadIndex("padding")
        if name_end < 0 or offset > len(index) - id_size:
            raise BadIndex("an entry without an end")
        if is_named_by(name):
            found = position
    return found, offset


def varint(index: bytes, offset: int) -> tuple[int, int]:
    """Read the number at ``offset`` in git's own coding; return it and where it ends.  Raises BadIndex."""
    byte = index[offset]
    value = byte & 0x7F
    while byte & 0x80:
        offset += 1
        byte = index[offset]
        value = (value + 1) << 7 | (byte & 0x7F)
        if value > len(index):
            raise BadIndex("a length beyond the file")
    return value, offset + 1


def _find_link(index: bytes, offset: int, id_size: int) -> bytes | None:
    """Walk the extensions up to the checksum; return the content of "link"."""
    end = len(index) - id_size
    link = None
    for _ in range(MAX_EXTENSIONS):
        if offset >= end:
            return link
        signature = index[offset : offset + 4]
        start = offset + 8
        offset = start + int.from_bytes(index[offset + 4 : start], "big")
        if start > end or offset > end:
            raise BadIndex("an extension without an end")
        if signature == b"link":
            link = index[start:offset]
            if not id_size <= len(link) <= MAX_LINK_BYTES:
                raise BadIndex("link")
        elif signature != b"sdir" and not 0x41 <= signature[0] <= 0x5A:
            raise BadIndex("an extension that must be understood")  # git's rule: a capital may be ignored
    raise BadIndex("extensions without end")


def _bit(link: bytes, offset: int, position: int) -> bool:
    """Tell whether the first EWAH bitmap at ``offset``, that of deleted entries, has the bit set.

    Bit count, word count, words, (position of the last run word).  A run word says: this bit, that many times
    64 (32 bits), followed by so many literal words (31 bits).
    """
    if offset == len(link):
        return False  # git leaves the bitmaps out where nothing was deleted or replaced
    words = int.from_bytes(link[offset + 4 : offset + 8], "big")
    offset += 8
    if words * 8 > len(link) - offset:
        raise BadIndex("bitmap")
    word, bit = divmod(position, WORD)
    at = 0
    while at < words:
        run = int.from_bytes(link[offset + at * 8 : offset + at * 8 + 8], "big")
        length = run >> 1 & 0xFFFFFFFF
        literals = run >> 33
        if word < length:
            return bool(run & 1)
        word -= length
        if word < literals:
            at += 1 + word
            if at >= words:
                raise BadIndex("bitmap")
            return bool(int.from_bytes(link[offset + at * 8 : offset + at * 8 + 8], "big") >> bit & 1)
        word -= literals
        at += 1 + literals
    return False
