"""Text in, references out: the one path through this package.

1. `references`: find each ``@`` that may begin a reference, and where its token ends.
2. `glance`: say at once of those in plain sight that nothing hides them.
3. `blocks`: find the run of prose that another one stands in, or what keeps it from standing in one.
4. `inlines`: find what hides it within that run.

A text without such an ``@`` costs the search for it and nothing else; nothing behind the last one is read,
unless its paragraph goes on or a link definition could matter.
"""

from __future__ import annotations

from refseal.tokenizer import references
from refseal.tokenizer.glance import settle
from refseal.tokenizer.layout import Layout, join, line_end
from refseal.tokenizer.tokens import Hint, Inert, Reference, Tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

_BOM = "\ufeff"

_PLAIN, _ESCAPED, _QUOTED, _KEYWORD = range(4)
"""What an ``@`` begins: a token, an escaped one, a path in quotes, or one of `_KEYWORDS`."""

_KEYWORDS = frozenset({"@import", "@include"})
"""What other tools write before a path.  With a path behind them they are mentions."""

DOCUMENT_EXTENSIONS = (".md", ".mdx", ".markdown", ".txt", ".rst", ".adoc")
"""Endings by which a path is taken for one though nothing is known of the disk."""

_OPENING_QUOTES = frozenset("'\u2018\u201a\u201b\u201c\u201e\u201f\u00ab\u2039")
"""What a word begins with that is quoted; `"` ends every path."""

_LONGEST_HINT = 4096  # code points of a quoted path: as many bytes as a path may have


class _Candidates:
    """The ``@``s of a text that may begin something, in order: four lists of one length."""

    __slots__ = ("at", "ends", "kinds", "origins")

    def __init__(self) -> None:
        self.at: list[int] = []
        self.ends: list[int] = []
        self.kinds: list[int] = []
        self.origins: list[int] = []  # where the same `@` stands in the text as it was given


def tokenize(text: str) -> Tokens:
    """Find the references of a Markdown text: pure, linear in its length, and without refusal for any `str`.

    Line ends are LF, CR LF or CR.  A byte order mark at the start is no text: it is counted by offsets, but
    not by columns.
    """
    tokens = Tokens()
    if "@" not in text:
        return tokens
    plain = text
    if plain.startswith(_BOM):
        plain = plain[1:]
    if "\r" in plain:
        plain = plain.replace("\r\n", "\n").replace("\r", "\n")
    found = _candidates(plain, text)
    if found.at:
        _fill(plain, found, tokens)
    return tokens


def _candidates(text: str, source: str) -> _Candidates:
    """Collect what may begin a reference in ``text``, which is ``source`` with its line ends made equal."""
    found = _Candidates()
    same = len(text) == len(source)
    size = len(text)
    origin = -1
    at = -1
    while True:
        at = text.find("@", at + 1)
        if at < 0:
            return found
        origin = at if same else source.find("@", origin + 1)
        kind = _PLAIN
        if at and not references.is_boundary(text, at):
            if text[at - 1] != "\\" or not references.is_boundary(text, at - 1):
                continue  # no boundary, were it not for the backslash
            kind = _ESCAPED
        stop = references.path_end(text, at)
        end = references.trimmed_end(text, at, stop)
        if end == at + 1:
            if kind != _PLAIN or not text.startswith('"', end):
                continue
            end = text.find('"', end + 1, end + _LONGEST_HINT) + 1
            if not end or "\n" in text[at:end]:
                continue
            kind = _QUOTED
        elif stop < size and text[stop] == "@" and end >= stop - (text[stop - 1] == "\\"):
            continue  # markup such as @x@, or a version as in @scope/name@1.2
        elif kind == _PLAIN and text[at:end] in _KEYWORDS and _word_behind(text, end):
            kind = _KEYWORD
        elif text[at + 1] == "#":
            continue  # a fragment of nothing
        found.at.append(at)
        found.ends.append(end)
        found.kinds.append(kind)
        found.origins.append(origin)


def _word_behind(text: str, end: int) -> str:
    """Return the next word on the line, if white space and a word follow at ``end``; else ""."""
    size = len(text)
    start = end
    while start < size and text[start] in " \t":
        start += 1
    if start in (end, size) or text[start] == "\n":
        return ""
    stop = references.path_end(text, start - 1)
    return text[start : references.trimmed_end(text, start - 1, stop)] or text[start]


def _looks_like_path(word: str) -> bool:
    return word[:1] not in _OPENING_QUOTES and (
        word.lower().endswith(DOCUMENT_EXTENSIONS)
        or ("/" in word and not word.startswith(("http:", "https:", "url(")))
    )


def contexts(text: str, stops: list[int]) -> tuple[list[str], Layout]:
    """Say what hides each of the sorted ``stops`` of a text whose line ends are LF; "" where nothing does.

    Any character may be asked about.  Marks belong to what they open; what stands before the text of a line
    goes with that text, as the end of the line before does.  Nothing hides the end of the text.

    Markdown reads a NUL as U+FFFD (CommonMark 0.31, 2.3), which is no control any more.  A text of ASCII
    would take twice the memory for it; there any other symbol that is not in the text says the same.
    """
    shown = text.replace("\0", "\xa6" if text.isascii() else "\ufffd")
    settled = settle(shown, stops)
    if len(settled) == len(stops):
        return settled, Layout(0)
    from refseal.tokenizer import blocks  # noqa: PLC0415 - a glance is enough for many documents

    layout = blocks.walk(shown, stops, len(settled))
    reasons = layout.reasons
    reasons[: len(settled)] = settled
    if not layout.units:
        return reasons, layout
    from refseal.tokenizer import inlines  # noqa: PLC0415 - and blocks are for some of the others

    labels = _Labels(shown)
    for unit in layout.units:
        pieces = unit.pieces
        offsets = []
        piece = 0
        base = 0  # what to take from an offset in the text to get the one in the unit
        for at in stops[unit.first : unit.last]:
            while at >= pieces[piece][1]:
                piece += 1
                base += pieces[piece][0] - pieces[piece - 1][1] - 1
            start = pieces[piece][0]
            offsets.append(max(at, start) - base - pieces[0][0])
        content = join(shown, pieces)
        reasons[unit.first : unit.last] = inlines.classify(
            content, offsets, labels, is_paragraph=unit.is_paragraph
        )
    return reasons, layout


class _Labels:
    """The labels of all link reference definitions of a text, found when they are first asked for."""

    __slots__ = ("labels", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.labels: AbstractSet[str] | None = None

    def __call__(self) -> AbstractSet[str]:
        if self.labels is None:
            self.labels = _defined(self.text)
        return self.labels


def _defined(text: str) -> AbstractSet[str]:
    from refseal.tokenizer import blocks, links  # noqa: PLC0415 - asked for by few texts

    colons = []
    at = text.find("]:")
    while at >= 0:
        colons.append(at)
        at = text.find("]:", at + 2)
    labels: set[str] = set()
    for unit in blocks.walk(text, colons).units:
        if unit.is_paragraph and text[unit.pieces[0][0]] == "[":
            labels.update(links.definitions(join(text, unit.pieces))[1])
    return labels


def _fill(text: str, found: _Candidates, tokens: Tokens) -> None:
    reasons, layout = contexts(text, found.at)
    line = 1
    line_start = 0
    counted = 0
    hints = []
    for at, end, kind, origin, reason in zip(
        found.at, found.ends, found.kinds, found.origins, reasons, strict=True
    ):
        lines = text.count("\n", counted, at)
        if lines:
            line += lines
            line_start = text.rfind("\n", counted, at) + 1
        counted = at
        column = at - line_start + 1
        token = text[at:end]
        if kind >= _QUOTED:
            if not reason:
                if kind == _KEYWORD:
                    word = _word_behind(text, end)
                    if _looks_like_path(word):
                        hints.append(Hint("import-keyword", line, column, f"{token} {word}"))
                elif _looks_like_path(token[2:-1]):
                    hints.append(Hint("quoted-path", line, column, token))
            continue
        if kind == _ESCAPED and not reason:
            reason = "escaped"  # noqa: PLW2901 - where prose escapes it, that is the reason
        path, fragment = references.split(token)
        if reason:
            tokens.inert.append(Inert(token, path, fragment, origin, line, column, reason))
        else:
            tokens.references.append(Reference(token, path, fragment, origin, line, column))
    tokens.hints = hints
    if layout.unclosed >= 0:
        _hint_unclosed(text, found, layout, tokens)


def _hint_unclosed(text: str, found: _Candidates, layout: Layout, tokens: Tokens) -> None:
    """Add the hint for a fence or comment that runs to the end, if it swallows what looks like a document."""
    at = layout.unclosed
    if text[at] != "<":
        kind = "unclosed-fence"
    elif text.startswith("<!--", at):
        kind = "unclosed-comment"
    else:
        return
    for index in range(layout.swallowed, len(found.at)):
        if found.kinds[index] == _PLAIN:
            path = references.split(text[found.at[index] : found.ends[index]])[0]
            if path.lower().endswith(DOCUMENT_EXTENSIONS):
                break
    else:
        return
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    tokens.hints.append(Hint(kind, line, column, text[at : line_end(text, at)]))
    tokens.hints.sort(key=lambda hint: (hint.line, hint.column))
