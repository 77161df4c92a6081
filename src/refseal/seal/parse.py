"""Block -> documents: a strict reader of our own format, sharing no code with the renderer.

It is written from the description of a block alone (its words and its grammar are spelled out here once more,
on purpose, and it has its own SHA-256 and HMAC), so that a slip in the renderer cannot hide in a slip here.
It accepts what the renderer writes and nothing of another structure: every byte of a block is accounted
for, the marker's digest is that of the rest, each seal occurs exactly twice and is the one that the block's
contents give.  Not every number in a tag is compared with the text, nor whether everything is an escape that
should be one: who could get that wrong has written the block.  Audits and tests use it; a hook never does.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import NamedTuple

_MARKER = re.compile(r"<!-- refseal sha256:([0-9a-f]{64}) -->\n\n")
_FRAME_OPEN = (
    "<agents_md_extra_context>\n"
    "Added by refseal: instruction files that the host did not load, and documents that they reference. "
    "Their authority is that of AGENTS.md, not of developer policy. "
    "Text between an opening tag and the closing tag with the same seal "
    "is the content of the file named there. "
    "A later refseal block with another marker replaces this one.\n"
)
_FRAME_CLOSE = "\n</agents_md_extra_context>"
_NATIVE_HEADING = "\n## Loaded by the host already\n"
_NATIVE_BASE = "Relative paths in each of these files are relative to that file's directory.\n"
_OMITTED_HEADING = "\n## Not included\n"
_DOCUMENT_HEADINGS = (
    ("\n## Local overlays\n", "overlay"),
    ("\n## Inherited instructions\n", "inherited"),
    ("\n## Referenced documents\n", "referenced"),
)

_NUMBER = "(?:0|[1-9][0-9]{0,17})"  # far more than a block can count, and far less than `int` refuses
_SEAL_DIGITS = 32
_SEAL = f"(?P<seal>[0-9a-f]{{{_SEAL_DIGITS}}})"
_DIGITS = re.compile(f"[0-9a-f]{{{_SEAL_DIGITS},}}")
_CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb"
_UNSEEN = (
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u3164\ufe00-\ufe0f"
    r"\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# An escaped string has no quote, bracket, back-tick, line end or unseen character, and a backslash only in an
# escape.
_UNIT = (
    rf"(?:[^\\\"'<>`\t\n\r\u2028\u2029{_CONTROLS}{_UNSEEN}]"
    r"|\\\\|\\x[89a-f][0-9a-f]|\\u\{[0-9A-F]{1,6}\})"
)
_STRING = rf"{_UNIT}*"

_FILE = re.compile(
    rf'<file:{_SEAL} path="(?P<path>{_STRING})"'
    rf'(?: lines="(?P<first>{_NUMBER})-(?P<last>{_NUMBER})"(?: of="(?P<of>{_NUMBER})")?'
    r'(?P<more> more="yes")?(?P<cut> cut="yes")?)?'
    rf'(?: hidden-characters="(?P<hidden>{_NUMBER})")?'
    rf'(?: invalid-bytes="(?P<invalid>{_NUMBER})")?'
    rf'(?: via="(?P<via>{_STRING})")?>\n'
)
_LIST = re.compile(rf'<(?P<tag>native|omitted):{_SEAL} files="(?P<files>{_NUMBER})">\n')
_REST = re.compile(
    rf"\[(?:Line (?P<within>{_NUMBER}) is cut here\. To read the rest, open the file at line (?P=within)"
    rf"|Cut here\. To read the rest, open the file at line (?P<next>{_NUMBER}))\.\]\n"
)
_NATIVE_COUNT = re.compile(rf"Not listed here: (?P<files>{_NUMBER}) files?\.\n")
_OMITTED_COUNT = re.compile(
    rf"Not listed here: (?P<files>{_NUMBER}) files?(?: and (?P<notices>{_NUMBER}) notices?)?\.\n"
)
_NATIVE_ENTRY = re.compile(rf'"(?P<path>{_STRING})"(?: "(?P<first>{_STRING})")?')
_NOTICE = re.compile(rf"notice: (?P<text>{_STRING})")
_NOTICES_MORE = re.compile(rf"and (?P<more>{_NUMBER}) more notices?")
_LEFT_OUT = re.compile(
    rf'"(?P<target>{_STRING})"(?: from "(?P<source>{_STRING})")?'
    rf': (?P<reason>{_STRING}?)(?: "(?P<detail>{_STRING})")?'
)
_FILES_MORE = re.compile(rf"and (?P<more>{_NUMBER}) more files?")
_ESCAPE = re.compile(r"\\(?:\\|x([0-9a-f]{2})|u\{([0-9A-F]+)\})")

# What no body shows raw, whatever stands around it: controls, bidi controls, a CR without LF.
_NEVER_RAW = re.compile(rf"[{_CONTROLS}]|\r(?!\n)")

_MAX_ENTRIES = 20
_COUNTERS = 100
_DOMAIN = b"refseal block 1"


class ParseError(ValueError):
    """The text is not a block as refseal renders it; ``offset`` is where (0-based, code points)."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(f"{message} at {offset}")
        self.offset = offset


class ParsedDocument(NamedTuple):
    """A document as it stands in a block; strings are as shown, `unescape` gives them back."""

    section: str
    path: str
    body: str
    seal: str
    lines: tuple[int, int] | None
    of: int | None
    more: bool
    cut: bool
    hidden: int
    invalid: int
    via: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether nothing of the file follows the body."""
        if self.lines is None:
            return True
        return not self.more and not self.cut and self.lines[1] == self.of


class ParsedNative(NamedTuple):
    """An entry of the native map."""

    path: str
    first_line: str


class ParsedLeftOut(NamedTuple):
    """An entry of the list of what is not included."""

    target: str
    source: str | None
    reason: str
    detail: str


class ParsedBlock(NamedTuple):
    """All that a block says; the counts include what is counted there without a name."""

    marker: str
    native: tuple[ParsedNative, ...]
    native_count: int
    documents: tuple[ParsedDocument, ...]
    notices: tuple[str, ...]
    notice_count: int
    left_out: tuple[ParsedLeftOut, ...]
    left_out_count: int
    seals: tuple[str, ...]


def unescape(shown: str) -> str:
    r"""Give the raw string of a display that was not cut (no ``…`` in it)."""

    def raw(match: re.Match[str]) -> str:
        byte, code = match.groups()
        if byte is not None:
            return chr(0xDC00 + int(byte, 16))
        return chr(int(code, 16)) if code is not None else "\\"

    return _ESCAPE.sub(raw, shown)


def parse(text: str) -> ParsedBlock:
    """Read a block back.  Raises `ParseError` for anything that is not exactly one."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ParseError("lone surrogate", error.start) from None
    reader = _Reader(text)
    marker = reader.need(_MARKER, "marker")[1]
    if hashlib.sha256(text[reader.position :].encode()).hexdigest() != marker:
        raise ParseError("the marker is not the digest of the block", reader.position)
    rest = reader.position
    reader.literal(_FRAME_OPEN, "preamble")
    native, native_count = _native(reader)
    documents = _documents(reader)
    notices, notice_count, left_out, left_out_count = _omitted(reader)
    reader.literal(_FRAME_CLOSE, "end of the block")
    if reader.position != len(text):
        raise ParseError("text after the block", reader.position)
    _verify(text, rest, reader.elements)
    return ParsedBlock(
        marker,
        native,
        native_count,
        documents,
        notices,
        notice_count,
        left_out,
        left_out_count,
        tuple(element.seal for element in reader.elements),
    )


class _Element(NamedTuple):
    seal: str
    path: str
    body: str
    opening: int
    """Offset of the seal in the opening tag."""
    closing: int
    """Offset of the seal in the closing tag."""


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.elements: list[_Element] = []
        self.places: dict[str, list[int]] = {}
        """Every 32 digits that stand together, with their offsets: looked for once, not for each seal."""
        for run in _DIGITS.finditer(text):
            for offset in range(run.start(), run.end() - _SEAL_DIGITS + 1):
                self.places.setdefault(text[offset : offset + _SEAL_DIGITS], []).append(offset)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.position)
        if match is not None:
            self.position = match.end()
        return match

    def need(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        match = self.take(pattern)
        if match is None:
            raise ParseError(f"no {what}", self.position)
        return match

    def has(self, literal: str) -> bool:
        found = self.text.startswith(literal, self.position)
        if found:
            self.position += len(literal)
        return found

    def literal(self, literal: str, what: str) -> None:
        if not self.has(literal):
            raise ParseError(f"no {what}", self.position)

    def body(self, tag: str, opening: re.Match[str], path: str) -> str:
        """Read on to the closing tag; the seal must occur nowhere but in the two tags."""
        seal = opening["seal"]
        closing = f"\n</{tag}:{seal}>\n"
        end = self.text.find(closing, self.position)
        if end < 0:
            raise ParseError(f"no closing tag for {seal}", self.position)
        inside = end + len(f"\n</{tag}:")
        if self.places[seal] != [opening.start("seal"), inside]:
            raise ParseError(f"{seal} occurs outside its two tags", opening.start("seal"))
        body = self.text[self.position : end]
        if (raw := _NEVER_RAW.search(body)) is not None:
            raise ParseError("a hidden character in a body", self.position + raw.start())
        self.elements.append(_Element(seal, path, body, opening.start("seal"), inside))
        self.position = end + len(closing)
        return body


def _native(reader: _Reader) -> tuple[tuple[ParsedNative, ...], int]:
    if not reader.has(_NATIVE_HEADING):
        return (), 0
    count = reader.take(_NATIVE_COUNT)
    if count is not None:
        return (), int(count["files"])
    reader.literal(_NATIVE_BASE, "sentence on relative paths")
    lines, total, start = _list(reader, "native")
    entries: list[ParsedNative] = []
    while lines and len(entries) <= _MAX_ENTRIES and (match := _NATIVE_ENTRY.fullmatch(lines[0])):
        entries.append(ParsedNative(match["path"], match["first"] or ""))
        lines.pop(0)
    _counted(lines, _FILES_MORE, total - len(entries), start)
    _bounded(entries, lines, start)
    return tuple(entries), total


def _documents(reader: _Reader) -> tuple[ParsedDocument, ...]:
    documents: list[ParsedDocument] = []
    for heading, section in _DOCUMENT_HEADINGS:
        if not reader.has(heading):
            continue
        documents.append(_document(reader, section))
        while reader.text.startswith("<file:", reader.position):
            documents.append(_document(reader, section))
    return tuple(documents)


def _document(reader: _Reader, section: str) -> ParsedDocument:
    tag = reader.need(_FILE, "opening tag of a file")
    body = reader.body("file", tag, tag["path"])
    lines = (int(tag["first"]), int(tag["last"])) if tag["first"] is not None else None
    document = ParsedDocument(
        section,
        tag["path"],
        body,
        tag["seal"],
        lines,
        int(tag["of"]) if tag["of"] is not None else None,
        tag["more"] is not None,
        tag["cut"] is not None,
        int(tag["hidden"] or 0),
        int(tag["invalid"] or 0),
        tuple(tag["via"].split(", ")) if tag["via"] is not None else (),
    )
    if lines is not None:
        shown = body.count("\n") + (body != "" and not body.endswith("\n"))
        if lines[1] - lines[0] + 1 != shown:
            raise ParseError("the tag's lines are not those of the body", tag.start())
        if document.of is None and not document.more:
            raise ParseError("a part of a file without its number of lines", tag.start())
    if not document.whole:
        rest = reader.need(_REST, "sentence on how to read the rest")
        line = int(rest["within"] or rest["next"])
        if (
            (rest["within"] is not None) != document.cut
            or lines is None
            or line != lines[1] + (not document.cut)
        ):
            raise ParseError("the sentence does not fit the tag", rest.start())
        if document.cut == body.endswith("\n"):
            raise ParseError("the body's end does not fit the tag", rest.start())
    return document


def _omitted(reader: _Reader) -> tuple[tuple[str, ...], int, tuple[ParsedLeftOut, ...], int]:
    if not reader.has(_OMITTED_HEADING):
        return (), 0, (), 0
    count = reader.take(_OMITTED_COUNT)
    if count is not None:
        return (), int(count["notices"] or 0), (), int(count["files"])
    lines, total, start = _list(reader, "omitted")
    notices: list[str] = []
    while lines and len(notices) <= _MAX_ENTRIES and (match := _NOTICE.fullmatch(lines[0])):
        notices.append(match["text"])
        lines.pop(0)
    notice_count = len(notices)
    if lines and (match := _NOTICES_MORE.fullmatch(lines[0])):
        notice_count += int(match["more"])
        lines.pop(0)
    entries: list[ParsedLeftOut] = []
    while lines and len(entries) <= _MAX_ENTRIES and (match := _LEFT_OUT.fullmatch(lines[0])):
        entries.append(
            ParsedLeftOut(match["target"], match["source"], match["reason"], match["detail"] or "")
        )
        lines.pop(0)
    _counted(lines, _FILES_MORE, total - len(entries), start)
    _bounded(entries, lines, start)
    _bounded(notices, lines, start)
    return tuple(notices), notice_count, tuple(entries), total


def _list(reader: _Reader, tag: str) -> tuple[list[str], int, int]:
    opening = reader.need(_LIST, f"opening tag of the {tag} list")
    if opening["tag"] != tag:
        raise ParseError(f"another list than {tag}", opening.start())
    body = reader.body(tag, opening, "")
    return body.split("\n"), int(opening["files"]), opening.start()


def _counted(lines: list[str], pattern: re.Pattern[str], missing: int, offset: int) -> None:
    """Take the line that counts what is not named, and see that it is there if and only if it must be."""
    match = pattern.fullmatch(lines[0]) if lines else None
    if match is not None:
        lines.pop(0)
    if missing != (int(match["more"]) if match is not None else 0):
        raise ParseError("a list does not add up", offset)


def _bounded(
    entries: list[ParsedNative] | list[ParsedLeftOut] | list[str], lines: list[str], offset: int
) -> None:
    if lines:
        raise ParseError("a line that is no entry of its list", offset)
    if len(entries) > _MAX_ENTRIES:
        raise ParseError("too many entries", offset)


def _verify(text: str, rest: int, elements: list[_Element]) -> None:
    """See that the seals are those that the block's own contents give, for one of the counters."""
    template = []
    position = rest
    for index, element in enumerate(elements):
        for offset in (element.opening, element.closing):
            template += [text[position:offset], str(index)]
            position = offset + len(element.seal)
    template.append(text[position:])
    names = [(element.path.encode(), hashlib.sha256(element.body.encode()).digest()) for element in elements]
    pairs = b"".join(_framed(path) + _framed(digest) for path, digest in names)
    tail = pairs + _framed("".join(template).encode())
    wanted = [element.seal for element in elements]
    for counter in range(_COUNTERS):
        head = _framed(_DOMAIN) + _framed(counter.to_bytes(8, "big"))
        key = hashlib.sha256(head + tail).digest()
        seals = [
            hmac.new(
                key, _framed(index.to_bytes(8, "big")) + _framed(path) + _framed(digest), "sha256"
            ).hexdigest()[:32]
            for index, (path, digest) in enumerate(names)
        ]
        if seals == wanted:
            return
    raise ParseError("the seals are not those of the contents", rest)


def _framed(part: bytes) -> bytes:
    return len(part).to_bytes(8, "big") + part
