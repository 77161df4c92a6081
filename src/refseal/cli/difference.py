"""What the last block of a transcript carried, beside what a session gets now."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, NamedTuple

from refseal.audit.quoting import counted, for_people
from refseal.cli.tree import tokens_of, tokens_shown
from refseal.seal.parse import ParsedBlock, ParsedDocument, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.cli.output import Line

SCHEMA = "refseal.difference/1"
"""Version of the JSON: fields may be added to it, never renamed, removed or changed in meaning."""

SIGNS = {"added": ("+", "included"), "removed": ("-", "blocked"), "changed": ("~", "skipped")}


class Change(NamedTuple):
    """One document before and now; None where it is not in the block."""

    before: ParsedDocument | None
    now: ParsedDocument | None

    @property
    def kind(self) -> str:
        """Added, removed, changed or same: its body, or which part of the file that is."""
        if self.before is None:
            return "added"
        if self.now is None:
            return "removed"
        is_same = _essence(self.before) == _essence(self.now)
        return "same" if is_same else "changed"

    @property
    def document(self) -> ParsedDocument:
        """The one that there is; the newer of two."""
        found = self.now or self.before
        assert found is not None  # noqa: S101 - one of them is
        return found

    def diff(self) -> list[str]:
        """Return the changed lines with `+`, `-` or a space in front, and `@@` where some are passed over."""
        before, now = (() if one is None else one.body.splitlines() for one in (self.before, self.now))
        return list(difflib.unified_diff(list(before), list(now), n=1, lineterm=""))[2:]


class Difference(NamedTuple):
    """Two blocks, and what became of each document; None: there is none."""

    before: ParsedBlock | None
    now: ParsedBlock | None
    changes: tuple[Change, ...]

    @property
    def is_none(self) -> bool:
        """Whether the model would be told nothing else."""
        one, other = self.before, self.now
        return (one and one.marker) == (other and other.marker)


def compare(before: str | None, now: str | None) -> Difference:
    """Compare two blocks.  Raises `seal.parse.ParseError` if one is not as this version writes it."""
    old, new = (None if text is None else parse(text) for text in (before, now))
    was, stands = ({} if block is None else _by_path(block) for block in (old, new))
    changes = [Change(was.get(key), document) for key, document in stands.items()]
    changes += [Change(document, None) for key, document in was.items() if key not in stands]
    return Difference(old, new, tuple(changes))


def lines_of(difference: Difference, before: str | None, now: str | None) -> Iterator[Line]:
    """Yield the difference for people: documents, and the lines in which they differ."""
    yield [("before  ", "dim"), (_summary(difference.before, before), "plain")]
    yield [("now     ", "dim"), (_summary(difference.now, now), "plain")]
    yield []
    same = 0
    for change in difference.changes:
        if change.kind == "same":
            same += 1
            continue
        sign, style = SIGNS[change.kind]
        yield [
            (f"{sign} ", style),
            (for_people(change.document.path), "path"),
            (f"  {_sizes(change)}", "dim"),
        ]
        if change.kind == "changed":
            for line in change.diff():
                yield [("    ", "plain"), (line, {"+": "included", "-": "blocked"}.get(line[:1], "dim"))]
    yield from _left_out(difference)
    yield [(f"{counted(same, 'document')} unchanged.", "dim")]


def as_json(difference: Difference, before: str | None, now: str | None) -> dict[str, Any]:
    """Return the difference for programs; paths are escaped as they stand in the blocks."""
    return {
        "schema": SCHEMA,
        "before": _block_as_json(difference.before, before),
        "now": _block_as_json(difference.now, now),
        "same": difference.is_none,
        "documents": [
            {
                "path": change.document.path,
                "change": change.kind,
                "section": change.document.section,
                "tokens_before": None if change.before is None else tokens_of(change.before.body),
                "tokens_now": None if change.now is None else tokens_of(change.now.body),
                "diff": change.diff() if change.kind == "changed" else [],
            }
            for change in difference.changes
        ],
    }


def _by_path(block: ParsedBlock) -> dict[tuple[str, int], ParsedDocument]:
    found: dict[tuple[str, int], ParsedDocument] = {}
    for document in block.documents:
        number = 0
        while (document.path, number) in found:
            number += 1
        found[document.path, number] = document
    return found


def _essence(document: ParsedDocument) -> tuple[object, ...]:
    return document.body, document.section, document.lines, document.of, document.more, document.cut


def _summary(block: ParsedBlock | None, text: str | None) -> str:
    if block is None or text is None:
        return "no block"
    documents, size = counted(len(block.documents), "document"), tokens_shown(tokens_of(text))
    return f"{documents}, {size}, sha256:{block.marker[:12]}"


def _sizes(change: Change) -> str:
    section = change.document.section
    if change.before is None or change.now is None:
        return f"{section}, {tokens_shown(tokens_of(change.document.body))}"
    return f"{section}, {tokens_of(change.before.body):,} -> {tokens_shown(tokens_of(change.now.body))}"


def _left_out(difference: Difference) -> Iterator[Line]:
    """Name what is left out now and was not before, and the other way round."""
    before, now = (
        {} if block is None else {(one.target, one.source): one.reason for one in block.left_out}
        for block in (difference.before, difference.now)
    )
    for words, entries, others in (("left out now", now, before), ("left out before", before, now)):
        for (target, source), reason in entries.items():
            if others.get((target, source)) != reason:
                asked = "" if source is None else f" from {for_people(source)}"
                yield [
                    ("! ", "skipped"),
                    (f"{for_people(target)}{asked}", "path"),
                    (f"  {words}: {reason}", "dim"),
                ]


def _block_as_json(block: ParsedBlock | None, text: str | None) -> dict[str, Any] | None:
    if block is None or text is None:
        return None
    return {"marker": block.marker, "tokens": tokens_of(text), "documents": len(block.documents)}
