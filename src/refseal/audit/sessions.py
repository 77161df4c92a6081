"""What sessions in many directories get: the hook's own answer, asked for each and merged.

Nothing is decided here.  `refseal.codex.session` says what a session in a directory gets; this module asks
it, turns absolute paths into ones relative to the audited root, and merges equal verdicts of different
directories.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.quoting import excerpt_of
from refseal.audit.results import Reference, Scope
from refseal.audit.rules.blocked_reference import LEFT_TO_SETTINGS
from refseal.audit.subjects import Session, Verdict
from refseal.codex.configuration import DEFAULT_BUDGET
from refseal.codex.home import Home
from refseal.codex.host_limit import host_limit
from refseal.codex.session import session_in
from refseal.pathguard import Owners
from refseal.pathguard.policy import refuse_by_name
from refseal.resolve.kinds import is_document_name
from refseal.seal.decoding import decode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from refseal.codex.session import Session as Answer
    from refseal.resolve.resolution import Resolved, Source
    from refseal.resolve.scope import Scope as SessionScope

MAX_REFERENCES = 100_000
"""Verdicts that are collected in one audit, over all directories: some hundred megabytes."""

MAX_LINKS = 1_000_000
"""References times the sessions that meet them: what a few kilobytes can multiply to.  Some twenty seconds,
and a hundred megabytes of report; a thousand directories below a file of a thousand references."""

READABLE = frozenset({"included", "depth", "file-count", "total-bytes", "host-limit", "deadline"})
"""Reasons of references to documents that a session gets, or would get with other budgets."""


class Paths:
    """Spells absolute paths relative to the audited root."""

    __slots__ = ("_prefixes",)

    def __init__(self, canonical: str, spelling: str) -> None:
        # The longer one first: a link may spell the root beneath the very directory that it leads to.
        prefixes = {path.rstrip("/") + "/" for path in (canonical, spelling)}
        self._prefixes = sorted(prefixes, key=len, reverse=True)

    def relative(self, path: str) -> str:
        """Return ``path`` relative to the root (`.` is the root itself), absolute if it lies elsewhere."""
        for prefix in self._prefixes:
            if path.startswith(prefix):
                return path[len(prefix) :] or "."
            if path + "/" == prefix:
                return "."
        return path


class Base:
    """The answer for one directory, as far as it matters for those below it.

    ``scope``, ``subject``  what a report and the rules see of it
    ``references``          the merged ones of its session
    ``resolved``            relative paths of the files that they lead to
    ``native_bytes``        of the files that Codex loads itself
    ``room``                bytes by which the block may grow before anything has to be left out of it
    ``is_alone``            no marker makes a project: each directory below is one by itself
    """

    __slots__ = ("is_alone", "native_bytes", "references", "resolved", "room", "scope", "subject")

    def __init__(
        self,
        scope: Scope,
        subject: Session,
        references: list[Reference],
        resolved: frozenset[str],
        native_bytes: int,
        room: int,
        *,
        is_alone: bool = False,
    ) -> None:
        self.scope = scope
        self.subject = subject
        self.references = references
        self.resolved = resolved
        self.native_bytes = native_bytes
        self.room = room
        self.is_alone = is_alone


GROWTH = 1_000
"""Bytes by which one more native file makes a block grow, at most: a line of the map, with two strings of 120
characters that take up to four bytes each."""


class Sessions:
    """Collects what sessions in the directories of one repository get.

    ``scopes``      one for each directory
    ``subjects``    the same for the rules
    ``references``  merged, in the order in which they were met
    ``verdicts``    what the rules see of them: for each source path its verdicts
    ``documents``   relative paths of all documents that a session includes, or would with other budgets
    """

    def __init__(self, paths: Paths, environ: Mapping[str, str], *, show_inert: bool = False) -> None:
        self._paths = paths
        self._environ = environ
        self._home = Home(environ, Owners.of_process())
        self._show_inert = show_inert
        self.scopes: list[Scope] = []
        self.subjects: list[Session] = []
        self.verdicts: dict[str, list[Verdict]] = {}
        self.documents: dict[str, None] = {}
        self.is_full = False
        self._links = 0
        self._merged: dict[tuple[str, int, int, str, str], Reference] = {}

    @property
    def references(self) -> list[Reference]:
        """All references, by source and place."""
        return sorted(self._merged.values(), key=lambda one: (one.source, one.line, one.column, one.verdict))

    def add(self, directory: str, *, listed: bool = True) -> Base | None:
        """Ask what a session in the absolute ``directory`` gets; None if there is no such directory.

        ``listed``: take the answer in, as one of the scopes.
        """
        session = session_in(directory, self._environ, home=self._home)
        try:
            return self._take(directory, session, listed=listed)
        finally:
            session.close()

    def add_quiet(self, relative: str, path: str, size: int, base: Base) -> Base | None:
        """Take in a directory that adds one file without references to what sessions above it get.

        ``relative`` and ``path`` are those of the directory and of the file, relative to the audited root.

        A session there gets what one in the directory of ``base`` gets, for the file at ``path`` is native
        and refers to nothing, unless it changes what becomes of other references: because one of them leads
        to it, because Codex's budget is used up, or because the block has no more room for its name.  Then
        the answer is None, and has to be asked for.  (A test holds that both ways give the same.)
        """
        if base.is_alone:
            if size > DEFAULT_BUDGET or base.room < 0:
                return None
            scope = Scope(relative, relative, "none", None, None)
            subject = Session(root_path=relative, git_path=f"{relative}/.git")
            quiet = Base(scope, subject, [], frozenset(), size, base.room, is_alone=True)
        else:
            size += base.native_bytes
            room = base.room - GROWTH
            if size > DEFAULT_BUDGET or room < 0 or path in base.resolved:
                return None
            scope = Scope(relative, base.scope.project_root, "none", None, None)
            quiet = Base(scope, base.subject, base.references, base.resolved, size, room)
        self._list(quiet)
        return quiet

    def _list(self, base: Base) -> None:
        number = len(self.scopes)
        self.scopes.append(base.scope)
        self.subjects.append(base.subject)
        for reference in base.references:
            reference.scopes.append(number)
        self._links += len(base.references)
        self.is_full = self.is_full or self._links >= MAX_LINKS

    def _take(self, directory: str, answer: Answer, *, listed: bool) -> Base | None:
        scope = answer.scope
        if scope is None:
            return None
        relative = self._paths.relative
        linkage = scope.linkage
        root = relative(scope.project_root)
        git_root = relative(linkage.worktree_root or scope.project_root)
        subject = Session(
            root_path=root,
            git_path=".git" if git_root == "." else f"{git_root}/.git",
            unsafe=scope.unsafe,
            worktree_status=linkage.status,
            worktree_detail=linkage.detail,
            cuts=_cuts(answer, self._paths),
            shortened=_shortened(answer, self._paths),
        )
        references: dict[int, Reference] = {}
        resolution = answer.resolution
        if resolution is not None and listed:
            for resolved in resolution.references:
                self._merge(resolved, references, scope)
            for source in resolution.sources if self._show_inert else ():
                self._add_inert(source, references)
        merged = Scope(relative(directory), root, linkage.status, linkage.detail, linkage.main_root)
        base = Base(
            merged,
            subject,
            list(references.values()),
            frozenset(one.resolved for one in references.values() if one.resolved is not None),
            _native_bytes(answer),
            _room(answer),
            is_alone=linkage.worktree_root is None,
        )
        if listed:
            self._list(base)
        return base

    def _merge(self, resolved: Resolved, references: dict[int, Reference], scope: SessionScope) -> None:
        source, reference = resolved.source, resolved.reference
        path = self._paths.relative(source.path)
        leads_to = None if resolved.resolved is None else self._paths.relative(resolved.resolved)
        if leads_to is not None and resolved.reason in READABLE and not leads_to.startswith("/"):
            self.documents[leads_to] = None
        key = (path, reference.line, reference.column, resolved.reason, reference.token)
        known = self._merged.get(key)
        if known is not None:
            references[id(known)] = known
            if resolved.depth < known.depth:
                known.depth = resolved.depth
                known.chain = self._chain(resolved.chain)
            return
        if len(self._merged) >= MAX_REFERENCES:
            self.is_full = True
            return
        merged = self._merged[key] = Reference(
            path,
            reference.line,
            reference.column,
            reference.path,
            leads_to,
            resolved.verdict,
            resolved.reason,
            resolved.depth,
            self._chain(resolved.chain),
        )
        references[id(merged)] = merged
        if resolved.verdict == "included" and reference.path.isascii():
            return  # no rule has anything to say
        line = _line_around(source.text, reference.start)
        self.verdicts.setdefault(path, []).append(
            Verdict(
                reference.token,
                reference.path,
                resolved.verdict,
                resolved.reason,
                line=reference.line,
                column=reference.column,
                excerpt=excerpt_of(line, reference.column),
                is_alone=_is_alone(reference.token, line),
                is_document=is_document_name(reference.path),
                names_credential=_names_credential(reference.path),
                is_local=resolved.reason in LEFT_TO_SETTINGS and _is_local(source, scope),
            )
        )

    def _add_inert(self, source: Source, references: dict[int, Reference]) -> None:
        path = self._paths.relative(source.path)
        for inert in () if source.tokens is None else source.tokens.inert:
            key = (path, inert.line, inert.column, inert.reason, inert.token)
            known = self._merged.get(key)
            if known is None:
                if len(self._merged) >= MAX_REFERENCES:
                    self.is_full = True
                    return
                known = self._merged[key] = Reference(
                    path,
                    inert.line,
                    inert.column,
                    inert.path,
                    None,
                    "inert",
                    inert.reason,
                    source.depth + 1,
                    self._chain(source.chain),
                )
            references[id(known)] = known

    def _chain(self, chain: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self._paths.relative(path) for path in chain)


def _cuts(answer: Answer, paths: Paths) -> tuple[tuple[str, int], ...]:
    """Return what Codex cuts off: path and 1-based first missing line."""
    if answer.view is None:
        return ()
    return tuple(
        (paths.relative(native.instruction.path), native.first_missing_line)
        for native in answer.view.loaded
        if native.first_missing_line is not None
    )


def _shortened(answer: Answer, paths: Paths) -> tuple[tuple[str, int, str], ...]:
    """Return which documents the block has a part of: path, last line, and the budget that was used up."""
    found = []
    for source in () if answer.resolution is None else answer.resolution.documents:
        if source.section == "native":
            continue  # the rest of a file that Codex cut: told as such
        data = source.file.data
        if source.file.more:
            setting = "REFSEAL_MAX_FILE_BYTES"
        elif len(source.text) < len(decode(data).text):
            setting = "REFSEAL_HOST_LIMIT"
        else:
            continue
        found.append((paths.relative(source.path), source.text.count("\n"), setting))
    return tuple(found)


def _native_bytes(answer: Answer) -> int:
    """Return how much of Codex's budget is used up; all of it where that is not known."""
    scope = answer.scope
    found = [] if scope is None else [directory.project for directory in scope.chain]
    files = [instruction.file for instruction in found if instruction is not None]
    if any(file is None or file.more for file in files):
        return DEFAULT_BUDGET
    return sum(len(file.data) for file in files if file is not None)


def _room(answer: Answer) -> int:
    """Return by how many bytes the block may grow before it drives something out; below 0: not at all."""
    scope, resolution = answer.scope, answer.resolution
    if (
        scope is None
        or scope.unsafe
        or scope.linkage.status != "none"
        or len(scope.territories.of_kind("project")) != 1
        or any(found.origin != "chain" or found.refusal is not None for found in scope.instructions)
    ):
        return -1
    limit = BYTES_OF_A_TOKEN * host_limit(None, answer.settings.host_limit)
    if resolution is None:
        return limit
    if any(left_out.reason == "host-limit" for left_out in resolution.left_out):
        return -1
    return limit - (0 if resolution.block is None else len(resolution.block.text.encode()))


BYTES_OF_A_TOKEN = 4
"""As the host counts."""


def _names_credential(path: str) -> bool:
    names = [name for name in path.split("/") if name not in {"", ".", ".."}]
    refusal = refuse_by_name(names, "", last_is_file=not path.endswith("/")) if names else None
    return refusal is not None and refusal.code == "sensitive"


def _is_local(source: Source, scope: SessionScope) -> bool:
    """Tell whether a document is an overlay that git does not track; an index is read once a document."""
    instruction = source.instruction
    if instruction is None or instruction.family != "overlay":
        return False
    if source.local is None:
        source.local = scope.is_local(instruction)
    return source.local


def _is_alone(token: str, line: str) -> bool:
    """Tell whether a line says nothing but the token."""
    return not any(char.isalnum() for char in line.replace(token, "", 1))


def _line_around(text: str, offset: int) -> str:
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    ends = [end for end in (text.find("\n", offset), text.find("\r", offset)) if end >= 0]
    return text[start : min(ends, default=len(text))]
