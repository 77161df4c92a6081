"""A repository in, everything that can be said of its instruction files out.

Data flows once: the tree is walked for names; each instruction file is read and looked at; for each
directory that has one the hook's own resolver says what a session there gets; each document that it
includes is looked at as well.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from refseal.audit import tracked
from refseal.audit.collector import Collector
from refseal.audit.findings import Persona, Severity
from refseal.audit.ignored import Ignored
from refseal.audit.quoting import excerpt_of
from refseal.audit.results import Repository
from refseal.audit.reuse import PLAIN_NAME, Reuse
from refseal.audit.rules import (
    FILE_RULES,
    SCOPE_RULES,
    TEXT_RULES,
    VERDICT_RULES,
    audit_incomplete,
    blocked_reference,
    glob_reference,
    lookalike_name,
    nested_root,
    project_configuration,
)
from refseal.audit.sessions import Paths, Sessions
from refseal.audit.subjects import File, Session, Text
from refseal.audit.tree import MAX_FILES, MAX_TOLD, walk
from refseal.codex.configuration import DEFAULT_BUDGET, LAYER, Configuration
from refseal.codex.configuration import MAX_BYTES as MAX_CONFIGURATION_BYTES
from refseal.codex.home import Home
from refseal.pathguard import Owners, Place, Reach, Refusal, Root, find_linkage, read
from refseal.pathguard.git_files import is_repository
from refseal.pathguard.reach import join
from refseal.resolve.instruction import OVERLAY, PROJECT_NAMES
from refseal.resolve.kinds import is_document_name
from refseal.resolve.setting_readers import is_bare_name
from refseal.resolve.settings import read_settings
from refseal.resolve.territory import is_beneath

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from refseal.audit.findings import Hit
    from refseal.audit.quoting import Excerpt
    from refseal.audit.subjects import Verdict
    from refseal.audit.tree import Found, Tree
    from refseal.tokenizer import Reference

MAX_BYTES = 1 << 20
"""Of one instruction file: thirty times what Codex reads of all of them together."""

MAX_MENTIONS = 20
"""Mentions in a file, each asked of the disk, up to which that is less work than to ask for a session."""

MAX_FALLBACKS = 64
"""Further names of instruction files in one repository: each is looked for in every directory."""

NO_CODEX_HOME = "/dev/no-codex-home"
"""Where Codex home is for an audit that is to know nothing of the user's: a path at which nothing is, and
where no repository can put anything.  It keeps `~/.codex` out, while the home directory itself is still known
for what it is, an unsafe root.  It has to be missing, not refused: where Codex home cannot be read, nobody is
trusted."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to audit.

    ``codex_home``       the user's Codex home, with settings and environment; None: none of it enters
    ``cwd``              look at this directory alone (relative to the root or absolute)
    ``show_inert``       list references in code and comments too
    ``persona``          who reads the report
    ``include_ignored``  look into directories that git ignores
    ``home``             the home directory
    ``reuse``            False: ask for every single session (see `reuse`); for tests of that module
    """

    codex_home: str | None = None
    cwd: str | None = None
    show_inert: bool = False
    persona: Persona = Persona.REGULAR
    include_ignored: bool = False
    home: str | None = None
    reuse: bool = True


def scan(path: str, options: Options, progress: Callable[[str], None] | None = None) -> Repository:
    """Audit the directory at ``path``.

    Raises only Refusal, and only if the directory itself cannot be looked at.  Hits of rules that the
    persona does not want are counted in `Repository.hidden`.
    """
    owners = Owners.of_process()
    spelling = os.path.abspath(path)
    with Root.open(spelling, owners) as root:
        git_owner = root.git_owner
        root.owners = owners.including(root.owner, *(() if git_owner is None else (git_owner,)))
        return _Scan(root, spelling, options, progress).run()


class _Scan:
    """The state of one scan."""

    def __init__(
        self, root: Root, spelling: str, options: Options, progress: Callable[[str], None] | None
    ) -> None:
        self._root = root
        self._spelling = spelling
        self._options = options
        self._progress = progress
        self._reach = Reach((root,))
        self._repository = Repository(root.path or spelling)
        self._findings = Collector(self._repository, options.persona)
        self._environ = _environment(options)
        self._modes: dict[tuple[str, ...], dict[str, int]] = {}
        self._own_roots: frozenset[tuple[str, ...]] = frozenset()
        self._plain: dict[tuple[str, ...], int] = {}
        # The user's own files could make any two directories differ.
        self._may_reuse = options.reuse and options.codex_home is None and not self._may_hold_home()

    def run(self) -> Repository:
        tree = self._walk()
        for what in tree.incomplete:
            self._findings.add_all(audit_incomplete.RULE, None, audit_incomplete.check(what, Severity.HIGH))
        self._tell_refused(tree)
        for components, name in tree.odd_names:
            self._findings.add_all(
                lookalike_name.RULE, "/".join((*components, name)), lookalike_name.check(name)
            )
        self._own_roots = frozenset(components for components, _ in tree.git_entries)
        for components, kind in tree.git_entries:
            self._look_at_git(components, kind)
        self._repository.files = len(tree.files)
        for number, found in enumerate(tree.files):
            self._look_at_file(found, tree)
            if self._progress is not None and number % 100 == 0:
                self._progress(f"read {number} of {len(tree.files)} instruction files")
        for found in tree.near[:MAX_FILES]:
            self._look_at_near(found)
        self._look_at_sessions(tree)
        self._findings.finish()
        return self._repository

    # --- names

    def _walk(self) -> Tree:
        """Walk the tree; a second time if what the first one found names further instruction files."""
        names = _fallbacks_of_user(self._options)
        tree = self._walk_for(names)
        named = [name for layer in tree.layers for name in self._look_at_layer(layer)]
        further = tuple(dict.fromkeys(name for name in named if name not in names))[:MAX_FALLBACKS]
        if not further:
            return tree
        if self._options.codex_home is None:
            # Whoever opens the project may trust it, and then these names count.
            self._environ["REFSEAL_FALLBACK_FILENAMES"] = ",".join(further)
        return self._walk_for((*names, *further))

    def _walk_for(self, names: tuple[str, ...]) -> Tree:
        ignored = self._ignored()
        tree = walk(self._root, names, ignored=ignored, progress=self._tell_walk)
        self._repository.ignored = 0 if ignored is None else ignored.count
        return tree

    def _look_at_layer(self, components: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of instruction files that a project's own configuration of Codex adds."""
        place = Place(self._root, components)
        try:
            data = read(LAYER, place, self._reach, MAX_CONFIGURATION_BYTES).data
        except Refusal:
            return ()
        layer = Configuration()
        layer.add_layer(data)
        fallbacks = tuple(name for name in layer.fallbacks if is_bare_name(name) and "," not in name)
        fallbacks = tuple(name for name in fallbacks if name not in (*PROJECT_NAMES, OVERLAY))
        path = "/".join((*components, LAYER))
        hits = project_configuration.check(fallbacks, layer.budget, DEFAULT_BUDGET)
        self._findings.add_all(project_configuration.RULE, path, hits)
        return fallbacks

    def _may_hold_home(self) -> bool:
        """Tell whether the home directory could lie in the tree, where its own rules hold for a root."""
        home, top = self._options.home, self._root.path or "/"
        return home is not None and is_beneath(os.path.realpath(home), top)

    def _ignored(self) -> Ignored | None:
        if self._options.include_ignored:
            return None
        try:
            return Ignored(self._root)
        except Refusal:
            return None

    def _tell_walk(self, count: int) -> None:
        if self._progress is not None:
            self._progress(f"looked at {count} directories")

    def _tell_refused(self, tree: Tree) -> None:
        for components, code in tree.refused[:MAX_TOLD]:
            what = f"this directory was not looked at: {code}"
            path = "/".join(components[:MAX_SHOWN_DEPTH])
            self._findings.add_all(audit_incomplete.RULE, path, audit_incomplete.check(what))
        if len(tree.refused) > MAX_TOLD:
            what = f"{len(tree.refused) - MAX_TOLD} more directories were not looked at"
            self._findings.add_all(audit_incomplete.RULE, None, audit_incomplete.check(what))
        for components in tree.withheld[:MAX_TOLD]:
            hits = audit_incomplete.check_withheld("this directory")
            self._findings.add_all(audit_incomplete.RULE, "/".join(components), hits)
        if len(tree.withheld) > MAX_TOLD:
            hits = audit_incomplete.check_withheld(f"{len(tree.withheld) - MAX_TOLD} more directories")
            self._findings.add_all(audit_incomplete.RULE, None, hits)

    # --- files ---------------------------------------------------------------------------------------------

    def _look_at_file(self, found: Found, tree: Tree) -> None:
        path = "/".join((*found.components, found.name))
        file = self._read(found, path, tree)
        text = file.text
        for rule in FILE_RULES:
            for hit in rule.check(file):
                self._findings.add(rule.RULE, path, hit, _excerpt(text, hit))
        if text is not None:
            self._look_at_text(text)

    def _look_at_near(self, found: Found) -> None:
        """Look at a file that is an instruction file where the disk minds no case."""
        name = next((one for one in (*PROJECT_NAMES, OVERLAY) if one.lower() == found.name.lower()), None)
        if name is None:
            return
        path = "/".join((*found.components, found.name))
        self._findings.add_all(lookalike_name.RULE, path, lookalike_name.check_case(found.name))
        self._look_at_document(path)

    def _look_at_document(self, path: str) -> None:
        """Look at the text of a file that is, or may become, part of what an agent gets."""
        *components, name = path.split("/")
        try:
            file = read(name, Place(self._root, tuple(components)), self._reach, MAX_BYTES)
        except Refusal:
            return  # it has changed in this moment, or a verdict says it already
        self._look_at_text(Text(path, file.data, more=file.more))

    def _look_at_text(self, text: Text) -> None:
        for rule in TEXT_RULES:
            for hit in rule.check(text):
                self._findings.add(rule.RULE, text.path, hit, _excerpt(text, hit))
        if text.more:
            what = f"only the first {len(text.data)} bytes of this file were looked at"
            self._findings.add_all(audit_incomplete.RULE, text.path, audit_incomplete.check(what))

    def _read(self, found: Found, path: str, tree: Tree) -> File:
        is_overlay = found.name == OVERLAY
        is_link = found.kind == "link"
        mode_of_index = self._mode_of(found.components, found.name) if is_overlay else None
        try:
            file = read(found.name, Place(self._root, found.components), self._reach, MAX_BYTES)
        except Refusal as refusal:
            return File(
                path,
                refusal=refusal.code,
                where=refusal.where,
                is_link=is_link,
                is_overlay=is_overlay,
                tracked=mode_of_index is not None,
            )
        names = tree.names[found.components]
        text = Text(path, file.data, more=file.more)
        if (
            names == [PLAIN_NAME]
            and found.kind == "file"
            and file.links == 1
            and self._refers_to_nothing(text, found.components)
        ):
            self._plain[found.components] = len(file.data)
        return File(
            path,
            text,
            is_link=is_link,
            names=file.links,
            mode=0 if is_link else file.mode,
            is_overlay=is_overlay,
            tracked=mode_of_index is not None,
            tracked_as_link=_may_be_target(file.data)
            and tracked.is_link(self._mode_of(found.components, found.name) or 0),
            hides=_hidden_by(found.name, names),
        )

    def _refers_to_nothing(self, text: Text, components: tuple[str, ...]) -> bool:
        """Tell whether a text has nothing in it that could become an entry of the report."""
        if text.more or (self._options.show_inert and text.tokens.inert):
            return False
        references = text.tokens.references
        if not references:
            return True
        if len(references) > MAX_MENTIONS:
            return False
        place = Place(self._root, components)
        return all(self._is_mention(reference, place) for reference in references)

    def _is_mention(self, reference: Reference, place: Place) -> bool:
        """Tell whether the resolver says nothing of a reference: neither it nor its directory is there."""
        path = reference.path
        if reference.is_glob or is_document_name(path):
            return False
        missing = self._missing(path, place)
        if missing is None or reference.is_word:
            return missing is not None
        first, *below = path.split("/")
        if missing == first and first not in below:
            return True  # it was the very first name that is not there
        return first not in {"", ".", ".."} and self._missing(first, place) is not None

    def _missing(self, path: str, place: Place) -> str | None:
        """Return the name in ``path`` that is not there; None if everything is, or the guard refuses it."""
        try:
            read(path, place, self._reach, 0)
        except Refusal as refusal:
            return refusal.where if refusal.code == "missing" else None
        return None

    def _mode_of(self, components: tuple[str, ...], name: str) -> int | None:
        """Return the mode that git's index has for a file: that of the nearest work tree, read once."""
        depth = next((n for n in range(len(components), 0, -1) if components[:n] in self._own_roots), 0)
        top = components[:depth]
        if top not in self._modes:
            self._modes[top] = self._modes_below(top)
        return self._modes[top].get("/".join((*components[depth:], name)))

    def _modes_below(self, top: tuple[str, ...]) -> dict[str, int]:
        names = frozenset((*PROJECT_NAMES, OVERLAY))
        if not top:
            return tracked.modes_of(self._root, names)
        try:
            with Root.open(self._absolute(top), self._root.owners) as root:
                return tracked.modes_of(root, names)
        except Refusal:
            return {}

    def _absolute(self, components: tuple[str, ...]) -> str:
        return join(self._root.path, components)

    def _look_at_git(self, components: tuple[str, ...], kind: str) -> None:
        detail = self._why_bogus(self._absolute(components), kind)
        if detail is not None:
            path = "/".join((*components, ".git"))
            session = Session(git_path=path, is_nested=True, git_is_bogus=True, worktree_detail=detail)
            for where, hit in nested_root.check(session):
                self._findings.add(nested_root.RULE, where, hit)

    def _why_bogus(self, directory: str, kind: str) -> str | None:
        """Return why a nested `.git` is no repository, None if it is one (or vanished)."""
        owners = self._root.owners
        try:
            if kind == "file":
                linkage = find_linkage(directory, owners, home=None, codex_home=None)
                return linkage.detail if linkage.status == "unverified" else None
            with Root.open(directory, owners) as root:
                return None if is_repository(root) else "repository"
        except Refusal as refusal:
            return None if refusal.code == "missing" else refusal.code

    # --- sessions ------------------------------------------------------------------------------------------

    def _look_at_sessions(self, tree: Tree) -> None:
        paths = Paths(self._root.path or self._spelling, self._spelling)
        sessions = Sessions(paths, self._environ, show_inert=self._options.show_inert)
        asker = Reuse(sessions, self._spelling, tree, self._plain if self._may_reuse else {})
        directories = self._directories(tree)
        for number, components in enumerate(directories):
            asker.ask(components)
            if self._progress is not None and number % 50 == 0:
                self._progress(f"resolved {number} of {len(directories)} directories")
            if sessions.is_full:
                left = len(directories) - number - 1
                what = f"there are more references than the audit collects; {left} directories were left out"
                hits = audit_incomplete.check(what, Severity.HIGH)
                self._findings.add_all(audit_incomplete.RULE, None, hits)
                break
        self._repository.scopes = sessions.scopes
        self._repository.references = sessions.references
        self._judge_sessions(sessions)
        for path in sessions.documents:
            *above, name = path.split("/")
            if name not in tree.names.get(tuple(above), ()):  # else it was looked at already
                self._look_at_document(path)

    def _directories(self, tree: Tree) -> list[tuple[str, ...]]:
        """Return where sessions are asked for, the upper ones first."""
        if self._options.cwd is not None:
            below = os.path.relpath(os.path.join(self._spelling, self._options.cwd), self._spelling)
            return [() if below == "." else tuple(below.split("/"))]
        inherits = self._may_inherit()
        # The root itself tells about its linkage, and inherits if it is a linked worktree.
        roots: set[tuple[str, ...]] = {()} if inherits else set()
        return sorted(roots.union(found.components for found in tree.files))

    def _may_inherit(self) -> bool:
        return find_linkage(self._spelling, self._root.owners, home=None, codex_home=None).status != "none"

    def _judge_sessions(self, sessions: Sessions) -> None:
        seen: set[tuple[str, str, str, int | None]] = set()
        for subject in dict.fromkeys(sessions.subjects):  # many directories share one
            for rule in SCOPE_RULES:
                for path, hit in rule.check(subject):
                    key = (rule.RULE.code, path, hit.message, hit.line)
                    if key not in seen:
                        seen.add(key)
                        self._findings.add(rule.RULE, path, hit)
        for path, verdicts in sessions.verdicts.items():
            self._judge(path, sorted(verdicts, key=lambda one: (one.line, one.column)))

    def _judge(self, path: str, verdicts: Sequence[Verdict]) -> None:
        excerpts = {(verdict.line, verdict.column): verdict.excerpt for verdict in verdicts}
        for verdict in verdicts:
            for rule, hit in blocked_reference.check(verdict):
                self._findings.add(rule, path, hit, verdict.excerpt)
            for module in VERDICT_RULES:
                for hit in module.check(verdict):
                    self._findings.add(module.RULE, path, hit, verdict.excerpt)
        for hit in glob_reference.check(verdicts):
            self._findings.add(glob_reference.RULE, path, hit, excerpts.get((hit.line or 0, hit.column or 0)))


MAX_SHOWN_DEPTH = 64
"""Components of a directory's path that is named only because it was not looked at."""


def _environment(options: Options) -> dict[str, str]:
    home = {} if options.home is None else {"HOME": options.home}
    if options.codex_home is None:
        return {**home, "REFSEAL_CODEX_HOME": NO_CODEX_HOME}
    return {**os.environ, **home, "CODEX_HOME": options.codex_home, "REFSEAL_CODEX_HOME": options.codex_home}


def _fallbacks_of_user(options: Options) -> tuple[str, ...]:
    """Return the further names of instruction files that the user's own files give."""
    if options.codex_home is None:
        return ()
    owners = Owners.of_process()
    home = Home(_environment(options), owners)
    settings = read_settings(_environment(options), home.settings)
    if settings.fallback_filenames is not None:
        return settings.fallback_filenames
    names = home.rules().fallbacks
    return tuple(name for name in names if is_bare_name(name))


def _excerpt(text: Text | None, hit: Hit) -> Excerpt | None:
    if text is None or hit.line is None:
        return None
    return excerpt_of(text.line(hit.line), hit.column or 1)


def _may_be_target(data: bytes) -> bool:
    """Tell whether the bytes could be a link's target: one short line."""
    return 0 < len(data) <= MAX_TARGET and b"\n" not in data.rstrip(b"\n")


MAX_TARGET = 4_096
"""Bytes: PATH_MAX."""


def _hidden_by(name: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the project family beside ``name`` that Codex would have read in its stead."""
    if len(names) == 1 or name not in PROJECT_NAMES:
        return ()
    later = PROJECT_NAMES[PROJECT_NAMES.index(name) + 1 :]
    return tuple(one for one in later if one in names)
