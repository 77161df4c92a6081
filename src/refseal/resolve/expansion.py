"""From a scope to a resolution: what enters the block, and a verdict for every reference.

The path that data takes, once, from left to right::

    instructions ─┬─ native: in front of the model already ──────────────┐
                  ├─ overlays, then inherited files: into the block ─────┤ sources, depth 0
                  └─ refused: named                                      ▼
       a source's references, in order ── disk, by the source's reach ── verdict
                                                                         │ included: into the block,
                  sources of the next depth ◀────────────────────────────┘ as a source of its own

Breadth first with one queue, so a file is met first at its smallest depth.  The queue begins with the user's
own files, then overlays, then the rest: what budgets leave unread is the project's, not the user's.  The
references of a document count only as far as the block shows it.

A disk may hang.  `Expansion.run` may sit in a thread; `finish`, called from another, takes what there is,
gives every reference that was not looked at the reason "deadline", and makes the block.
"""

from __future__ import annotations

from _thread import allocate_lock

from refseal.pathguard import is_same_document

from .kinds import is_document_name, is_text_name
from .lookup import Lookup, Outcome
from .reasons import SILENT
from .resolution import Resolution, Resolved, Source
from .territory import directory_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final, TypeVar

    from refseal.pathguard import File, Place
    from refseal.seal import Composition, NativeFile
    from refseal.tokenizer import Reference

    from .instruction import Instruction
    from .native_view import Loaded, NativeView
    from .scope import Scope
    from .settings import Settings

    Answer = TypeVar("Answer")

MAX_RESOLUTIONS: Final = 1_000
"""Names that the disk is asked about for one block.  Each costs some system calls for every component, and
some more for its first one if nothing is there."""

UNASKED: Final = f"of its names the disk was not asked about more than {MAX_RESOLUTIONS:,}"
"""What is said of a document with further names that may be references or mere mentions."""

FIRST_LINE_BYTES: Final = 512
"""Enough for the 120 characters of a first line that the block shows."""


class _FinishedError(Exception):
    """Somebody has called `finish` while this thread waited for the disk: its answer is not wanted."""


class Expansion:
    """One run from a scope to a resolution: `run`, then `finish`, which gives the same however often."""

    def __init__(
        self, scope: Scope, native: NativeView, settings: Settings, limit: int, clock: Callable[[], float]
    ) -> None:
        self._scope = scope
        self._native = native
        self._settings = settings
        self._limit = limit
        self._clock = clock
        self._lookup = Lookup(scope, settings.max_file_bytes)
        self._result = Resolution(native.notices)
        self._composition: Composition | None = None
        self._lock = allocate_lock()
        self._stopped = False
        self._finished = False
        self._seeded = False
        self._queue: list[Source] = []
        self._references: list[Reference] = []
        self._next_source = 0
        self._next_reference = 0
        self._known: list[tuple[File, str]] = []  # documents with the reason a further reference to them has
        self._by_path: dict[str, int] = {}
        self._by_identity: dict[tuple[int, int], list[int]] = {}
        self._outcomes: dict[tuple[object, ...], Outcome] = {}
        self._named: set[tuple[str, str]] = set()
        self._resolutions = 0
        self._files = 0
        self._bytes = 0

    def run(self) -> None:
        """Read everything there is to read, up to the deadline."""
        with self._lock:
            try:
                if self._finished:
                    return
                self._seed()
                while self._step():
                    pass
            except _FinishedError:
                pass

    def finish(self) -> Resolution:
        """Make the block of what there is.  May be called while `run` waits for a disk in another thread."""
        with self._lock:
            result = self._result
            if self._finished:
                return result
            self._finished = self._stopped = True
            if not self._seeded:
                self._seed()
            while self._step():
                pass
            if self._composition is None and (self._native.loaded or result.notices or result.left_out):
                self._composition = self._compose()
            if self._composition is not None:
                for left_out in result.left_out:
                    self._composition.leave_out(left_out)
                result.block = self._composition.finish()
            return result

    # --- depth 0

    def _seed(self) -> None:
        """Place the instruction files: into the block, overlays first; into the queue, the user's first."""
        self._seeded = True
        loaded = {id(entry.instruction): entry for entry in self._native.loaded}
        natives: list[tuple[Instruction, Loaded]] = []
        overlays: list[Instruction] = []
        inherited: list[Instruction] = []
        for instruction in self._scope.instructions:
            if not self._native.trusted and self._scope.is_of_project(instruction):
                continue
            entry = loaded.get(id(instruction))
            if entry is not None:
                if instruction.file is not None:
                    natives.append((instruction, entry))
                    self._learn(instruction.file, "native")
            elif instruction.family == "project" and instruction.origin in ("chain", "home"):
                # The host, or its user, left it out; if somebody refers to it, it is a document like others.
                if instruction.refusal is not None:
                    self._result.refused.append(instruction)
                continue
            elif instruction.family == "overlay":
                overlays.append(instruction)
            else:
                inherited.append(instruction)
            if instruction.refusal is not None:
                self._result.refused.append(instruction)
                if entry is None:
                    self._name(instruction.path, None, instruction.refusal.code)
        for path in list(self._scope.unread):
            self._name(path.rstrip("/") + "/", None, "deadline")
        sources = [self._place(instruction, "overlay") for instruction in overlays]
        sources += [self._place(instruction, "inherited") for instruction in inherited]
        sources += [self._place_native(instruction, entry) for instruction, entry in natives]
        position = {id(instruction): at for at, instruction in enumerate(self._scope.instructions)}

        def order(source: Source) -> tuple[int, int]:
            instruction = source.instruction
            if self._scope.territories.holding(source.place.root).tier == "user":
                group = 0
            else:
                group = 1 if source.section == "overlay" else 2
            return group, position[id(instruction)]

        self._queue = sorted((source for source in sources if source is not None), key=order)

    def _place(self, instruction: Instruction, section: str) -> Source | None:
        """Put an instruction file into the block."""
        file, place = instruction.file, instruction.place
        if file is None or place is None or self._recall(file) is not None:
            return None
        reason = self._judge(file)
        if reason is not None:
            self._learn(file, reason)
            if reason != "empty":
                self._name(file.path, None, reason)
            return None
        source = Source(file, place, section, 0, (), instruction)
        is_shown = self._show(source, 1)
        self._learn(file, "duplicate" if is_shown else "host-limit")
        return source if is_shown else None

    def _place_native(self, instruction: Instruction, entry: Loaded) -> Source | None:
        """Take a native file for its references, and restore what the host cut off."""
        file, place = instruction.file, instruction.place
        if file is None or place is None:
            return None
        source = Source(file, place, "native", 0, (), instruction)
        if entry.first_missing_line is not None:
            self._show(source, entry.first_missing_line)
        elif b"@" in file.data:
            from refseal.seal import decode  # noqa: PLC0415

            source.text = decode(file.data, more=file.more).text
            source.is_cut = file.more
        else:
            return None
        return source

    # --- the queue

    def _step(self) -> bool:
        """Take one reference, or go on to the next source; False at the end."""
        if self._next_reference < len(self._references):
            reference = self._references[self._next_reference]
            self._refer(self._queue[self._next_source - 1], reference)
            self._next_reference += 1
            return True
        if self._next_source == len(self._queue):
            return False
        source = self._queue[self._next_source]
        self._next_source += 1
        self._next_reference = 0
        self._references = []
        self._result.sources.append(source)
        if "@" in source.text:
            from refseal.tokenizer import tokenize  # noqa: PLC0415 - most sessions have nothing to tokenize

            source.tokens = tokenize(source.text)
            self._references = source.tokens.references
            if source.is_cut:
                end = _last_space(source.text)
                self._references = [found for found in self._references if found.end <= end]
        return True

    def _refer(self, source: Source, reference: Reference) -> None:
        """Settle one reference."""
        if reference.is_glob and is_document_name(reference.path):
            self._record(source, reference, "glob", None)  # whatever the disk has
            return
        outcome = self._look_up(source, reference)
        if outcome.reason is not None:
            self._record(source, reference, outcome.reason, None)
        elif outcome.file is not None:
            self._record(source, reference, self._take(source, outcome.file), outcome.file)

    def _take(self, source: Source, file: File) -> str:
        """Give a file that a reference names its verdict; the first one that does settles it for all."""
        if file.path == source.path or is_same_document(file, source.file):
            return "self"
        known = self._recall(file)
        if known is not None:
            return known
        if self._stopped:
            return "deadline"
        reason = self._judge_name(file) or self._judge(file) or self._budget(source, file)
        if reason is None:
            place = self._place_of(file)
            if place is None:
                reason = "unreadable"  # the directory went away while we looked
            else:
                document = Source(file, place, "referenced", source.depth + 1, source.chain)
                if self._show(document, 1):
                    self._files += 1
                    self._bytes += len(file.data)
                    self._queue.append(document)
                    self._learn(file, "duplicate")
                    return "included"
                reason = "host-limit"
        self._learn(file, reason)
        return reason

    def _judge_name(self, file: File) -> str | None:
        """Tell why a file is not to be read as a document by where and what it is; None: it may be."""
        if not self._native.trusted:
            territories = self._scope.territories
            place = territories.place_of(directory_of(file.path))
            if place is not None and territories.holding(place.root).tier == "project":
                return "untrusted-project"
        return None if is_text_name(file.name) else "not-text"

    @staticmethod
    def _judge(file: File) -> str | None:
        """Tell why what was read is no document; None: it is one."""
        from refseal.seal import is_binary  # noqa: PLC0415 - only if there is a file to show

        if is_binary(file.data):
            return "binary"
        if not file.more and not file.data.removeprefix(b"\xef\xbb\xbf").strip():
            return "empty"
        return None

    def _budget(self, source: Source, file: File) -> str | None:
        settings = self._settings
        if source.depth + 1 > settings.max_depth:
            return "depth"
        if self._files >= settings.max_files:
            return "file-count"
        if self._bytes + len(file.data) > settings.max_total_reference_bytes:
            return "total-bytes"
        return None

    # --- the disk

    def _look_up(self, source: Source, reference: Reference) -> Outcome:
        """Ask the disk, once for each path at each place and authority."""
        place = source.place
        key = (
            id(place.root),
            place.components,
            self._lookup.may_be_local(source) and source.path,
            reference.path,
        )
        outcome = self._outcomes.get(key)
        if outcome is not None:
            return outcome
        if self._scope.territories.holding(place.root).barred:
            return Outcome(None if reference.is_word else "outside-root")
        if self._stopped or self._clock() > self._settings.deadline:
            return Outcome(None if reference.is_word else "deadline")
        if self._resolutions >= MAX_RESOLUTIONS:
            if is_document_name(reference.path):
                return Outcome("file-count")
            self._name(source.path, None, "file-count", detail=UNASKED)  # it may be a mention: nobody knows
            return Outcome(None)
        self._resolutions += 1
        outcome = self._outcomes[key] = self._wait_for(lambda: self._lookup.ask(source, reference))
        return outcome

    def _wait_for(self, question: Callable[[], Answer]) -> Answer:
        """Ask the disk without the lock: it may take for ever, and then `finish` must not."""
        self._lock.release()
        try:
            return question()
        finally:
            self._lock.acquire()
            if self._stopped:
                raise _FinishedError

    def _place_of(self, file: File) -> Place | None:
        """Return what a document's references are relative to; None: its directory is gone."""
        if not self._scope.territories.holding(file.root).confined:
            return file.place
        return self._wait_for(lambda: self._lookup.place_of(file))

    # --- what is known, what is named

    def _learn(self, file: File, reason: str) -> None:
        """Remember what a further reference to this document gets."""
        at = len(self._known)
        self._known.append((file, reason))
        self._by_path.setdefault(file.path, at)
        self._by_identity.setdefault(file.identity, []).append(at)

    def _recall(self, file: File) -> str | None:
        at = self._by_path.get(file.path)
        if at is not None:
            return self._known[at][1]
        for at in self._by_identity.get(file.identity, ()):
            known, reason = self._known[at]
            if is_same_document(known, file):
                return reason
        return None

    def _record(self, source: Source, reference: Reference, reason: str, file: File | None) -> None:
        resolved = file.path if file is not None else None
        self._result.references.append(Resolved(source, reference, reason, resolved))
        if reason != "included" and reason not in SILENT:
            self._name(reference.path, source.path, reason, resolved)

    def _name(
        self, target: str, source: str | None, reason: str, resolved: str | None = None, *, detail: str = ""
    ) -> None:
        """Name something that is not included, once for each file, or for each token and source."""
        key = (resolved or f"{source}\0{target}", reason)
        if key in self._named:
            return
        self._named.add(key)
        from refseal.seal import LeftOut  # noqa: PLC0415 - only if there is something to name

        self._result.left_out.append(LeftOut(target, source, reason, detail))

    # --- the block

    def _show(self, source: Source, first_line: int) -> bool:
        """Put a document into the block from a line on; its text is then what the model sees of it."""
        from refseal.seal import Document, decode  # noqa: PLC0415 - only if there is something to show

        file = source.file
        data, more = file.data, file.more
        cap = self._settings.max_file_bytes
        decoded = decode(data, more=more)
        skipped = _start_of_line(decoded.text, first_line)
        text = decoded.text[skipped:]
        if source.section == "native":  # read as far as the host reads, not as far as we show
            shown_bytes = text.encode()
            if len(shown_bytes) > cap:
                text, more = shown_bytes[:cap].decode("utf-8", "ignore"), True
        source.text = decoded.text[:skipped]
        if not text and not more:
            return False
        if self._composition is None:
            self._composition = self._compose()
        document = Document(
            "inherited" if source.section == "native" else source.section,
            file.path,
            text,
            more=more,
            invalid=decoded.invalid,
            first_line=first_line,
            via=source.chain[:-1],
        )
        shown = self._composition.add(document)
        source.text += shown.text
        source.is_cut = not shown.whole and not shown.text.endswith("\n")
        if not shown.included:
            self._learn_host_limit(source)
            return False
        self._result.documents.append(source)
        return True

    def _learn_host_limit(self, source: Source) -> None:
        if source.depth == 0:
            self._name(source.path, None, "host-limit")

    def _compose(self) -> Composition:
        from refseal.seal import Composition  # noqa: PLC0415 - only if there is a block

        natives = [_native_file(entry.instruction) for entry in self._native.loaded]
        return Composition(self._limit, natives, self._result.notices)


def _native_file(instruction: Instruction) -> NativeFile:
    from refseal.seal import NativeFile, decode  # noqa: PLC0415

    file = instruction.file
    if file is None:
        return NativeFile(instruction.path)
    head = decode(file.data[:FIRST_LINE_BYTES], more=True).text.strip()
    return NativeFile(file.path, head.partition("\n")[0].strip())


def _last_space(text: str) -> int:
    """Return the offset of the last white space in a text that was cut in mid-line; -1: there is none.

    A reference behind it is none: the file may go on with its name, and `@docs/a.md` be the start of
    `@docs/a.md.txt`.
    """
    at = len(text) - 1
    while at >= 0 and not text[at].isspace():
        at -= 1
    return at


def _start_of_line(text: str, line: int) -> int:
    """Return the offset at which the 1-based line begins; the text's end if it has fewer lines."""
    offset = 0
    for _ in range(line - 1):
        end = text.find("\n", offset)
        if end < 0:
            return len(text)
        offset = end + 1
    return offset
