"""What sessions in many directories get: the hook's own answer, asked for each and merged.

Nothing is decided here.  `refseal.codex.session` says what a session in a directory gets; this module asks
it, turns absolute paths into ones relative to the audited root, and merges equal verdicts of different
directories.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.results import Reference, Scope
from refseal.audit.subjects import Session, Verdict
from refseal.codex.session import session_in
from refseal.pathguard.policy import refuse_by_name
from refseal.resolve.kinds import is_document_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from refseal.codex.session import Session as Answer
    from refseal.resolve.expansion import Resolved, Source

MAXIMUM_REFERENCES = 200_000
"""Verdicts that are collected in one audit, over all directories: some hundred megabytes."""


class Paths:
    """Spells absolute paths relative to the audited root."""

    __slots__ = ("_prefixes",)

    def __init__(self, canonical: str, spelling: str) -> None:
        self._prefixes = tuple(dict.fromkeys(path.rstrip("/") + "/" for path in (canonical, spelling)))

    def relative(self, path: str) -> str:
        """Return ``path`` relative to the root (`.` is the root itself), absolute if it lies elsewhere."""
        for prefix in self._prefixes:
            if path.startswith(prefix):
                return path[len(prefix) :] or "."
            if path + "/" == prefix:
                return "."
        return path


class Sessions:
    """Collects what sessions in the directories of one repository get.

    ``scopes``      one for each directory
    ``subjects``    the same for the rules
    ``references``  merged, in the order in which they were met
    ``verdicts``    what the rules see of them: for each source path its verdicts
    ``documents``   bytes of every document that a session includes, by relative path
    """

    def __init__(self, paths: Paths, environ: Mapping[str, str], *, show_inert: bool = False) -> None:
        self._paths = paths
        self._environ = environ
        self._show_inert = show_inert
        self.scopes: list[Scope] = []
        self.subjects: list[Session] = []
        self.verdicts: dict[str, list[Verdict]] = {}
        self.documents: dict[str, tuple[bytes, bool]] = {}
        self.is_full = False
        self._merged: dict[tuple[str, int, int, str, str], Reference] = {}

    @property
    def references(self) -> list[Reference]:
        """All references, by source and place."""
        return sorted(self._merged.values(), key=lambda one: (one.source, one.line, one.column, one.verdict))

    def add(self, directory: str) -> None:
        """Ask what a session in the absolute ``directory`` gets, and take it in."""
        session = session_in(directory, self._environ)
        try:
            self._take(directory, session)
        finally:
            session.close()

    def _take(self, directory: str, answer: Answer) -> None:
        scope = answer.scope
        if scope is None:
            return
        relative = self._paths.relative
        linkage = scope.linkage
        number = len(self.scopes)
        root = relative(scope.project_root)
        self.scopes.append(
            Scope(relative(directory), root, linkage.status, linkage.detail, linkage.main_root)
        )
        git_root = relative(linkage.worktree_root or scope.project_root)
        self.subjects.append(
            Session(
                root_path=root,
                git_path=".git" if git_root == "." else f"{git_root}/.git",
                unsafe=scope.unsafe,
                worktree_status=linkage.status,
                worktree_detail=linkage.detail,
                cuts=_cuts(answer, self._paths),
            )
        )
        if answer.resolution is None:
            return
        for resolved in answer.resolution.references:
            self._merge(resolved, number)
        for source in answer.resolution.sources:
            path = relative(source.path)
            if path not in self.documents and not path.startswith("/"):
                self.documents[path] = (source.file.data, source.file.more)
            if self._show_inert:
                self._add_inert(source, number)

    def _merge(self, resolved: Resolved, number: int) -> None:
        source, reference = resolved.source, resolved.reference
        path = self._paths.relative(source.path)
        key = (path, reference.line, reference.column, resolved.reason, reference.token)
        known = self._merged.get(key)
        if known is not None:
            known.scopes.append(number)
            if resolved.depth < known.depth:
                known.depth = resolved.depth
                known.chain = self._chain(resolved.chain)
            return
        if len(self._merged) >= MAXIMUM_REFERENCES:
            self.is_full = True
            return
        self._merged[key] = Reference(
            path,
            reference.line,
            reference.column,
            reference.path,
            None if resolved.resolved is None else self._paths.relative(resolved.resolved),
            resolved.verdict,
            resolved.reason,
            resolved.depth,
            self._chain(resolved.chain),
            [number],
        )
        self.verdicts.setdefault(path, []).append(
            Verdict(
                reference.token,
                reference.path,
                resolved.verdict,
                resolved.reason,
                line=reference.line,
                column=reference.column,
                line_text=_line_around(source.text, reference.start),
                is_document=is_document_name(reference.path),
                names_credential=_names_credential(reference.path),
            )
        )

    def _add_inert(self, source: Source, number: int) -> None:
        path = self._paths.relative(source.path)
        for inert in () if source.tokens is None else source.tokens.inert:
            key = (path, inert.line, inert.column, inert.reason, inert.token)
            known = self._merged.get(key)
            if known is not None:
                if known.scopes[-1] != number:
                    known.scopes.append(number)
            elif len(self._merged) < MAXIMUM_REFERENCES:
                self._merged[key] = Reference(
                    path,
                    inert.line,
                    inert.column,
                    inert.path,
                    None,
                    "inert",
                    inert.reason,
                    source.depth + 1,
                    self._chain(source.chain),
                    [number],
                )

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


def _names_credential(path: str) -> bool:
    names = [name for name in path.split("/") if name not in {"", ".", ".."}]
    refusal = refuse_by_name(names, "", last_is_file=not path.endswith("/")) if names else None
    return refusal is not None and refusal.code == "sensitive"


def _line_around(text: str, offset: int) -> str:
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    ends = [end for end in (text.find("\n", offset), text.find("\r", offset)) if end >= 0]
    return text[start : min(ends, default=len(text))]
