"""Builds that are broken on purpose, one flag each: the proof that a target can fail.

The damage is done from outside, to the loaded modules of this process; the product has no switch for it.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def _put(module: str, name: str, value: Any) -> Callable[[], None]:
    """Damage that puts another value under a name of a module, or of a class in it (`Class.name`)."""
    return _change(module, name, lambda _usual: value)


def _change(module: str, name: str, changed: Callable[[Any], Any]) -> Callable[[], None]:
    """Damage that puts something made of the usual value in its place."""

    def damage() -> None:
        owner: Any = importlib.import_module(module)
        *way, last = name.split(".")
        for step in way:
            owner = getattr(owner, step)
        assert hasattr(owner, last), f"{module} has no {name}: this build is not broken"
        setattr(owner, last, changed(getattr(owner, last)))

    return damage


def _nothing(*_arguments: object, **_options: object) -> None:
    """A step that was forgotten."""


def _no_labels(_text: str) -> frozenset[str]:
    return frozenset()


def _always(*_arguments: object, **_options: object) -> bool:
    """A check that was forgotten."""
    return True


# The path guard


def _follow_links() -> None:
    """Let the kernel follow links, as whoever forgets O_NOFOLLOW does."""
    descriptors = importlib.import_module("refseal.pathguard.descriptors")
    for name in ("FILE_FLAGS", "SEARCH_FLAGS"):
        setattr(descriptors, name, getattr(descriptors, name) & ~os.O_NOFOLLOW)


def _stay_at_the_root(usual: Callable[[Any], None]) -> Callable[[Any], None]:
    """Take `..` at the root for the root, as `chroot` does."""

    def leave(walk: Any) -> None:
        if walk.components:
            usual(walk)

    return leave


def _climb(usual: Callable[[Any], None]) -> Callable[[Any], None]:
    """Give `..` to the kernel."""

    def leave(walk: Any) -> None:
        if walk.components:
            usual(walk)
        else:
            walk._held.append(os.open("..", os.O_PATH, dir_fd=walk._directory()))  # noqa: SLF001

    return leave


# Settings


def _without_bounds(usual: dict[str, Any]) -> dict[str, Any]:
    """Take any number for a depth."""

    def read(settings: Any, field: str, _label: str, value: Any) -> None:
        setattr(settings, field, int(value) if str(value).isdigit() else 5)

    return {**usual, "max_depth": read}


def _any_word_is_a_yes(usual: dict[str, Any]) -> dict[str, Any]:
    """Take every word but `false` for a yes."""

    def read(settings: Any, field: str, _label: str, value: Any) -> None:
        setattr(settings, field, value not in {"false", False})

    return {**usual, "allow_outside_root": read}


# The host


def _text_of_anybody(payload: dict[str, Any]) -> str | None:
    content = payload.get("content")
    part = content[0] if isinstance(content, list) and content else {}
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) and text.startswith("<!-- refseal ") else None


# The renderer


def _seal_of_the_body(_counter: int, identities: list[tuple[bytes, bytes]], _template: bytes) -> list[str]:
    return [digest.hex()[:32] for _, digest in identities]


def _raw(text: str, *_limit: object, **_also: object) -> str:
    return text.encode("utf-8", "replace").decode()


def _one_too_much(usual: Callable[..., None]) -> Callable[..., None]:
    """Believe that the limit is a token higher than it is."""

    def build(composition: Any, limit: int, *rest: object) -> None:
        usual(composition, limit + 1, *rest)

    return build


# The audit


def _as_it_is(text: str, *_limit: object) -> str:
    return text


def _without_a_count(usual: Callable[..., str]) -> Callable[..., str]:
    """Forget how often the same evidence was seen."""

    def give(fingerprints: Any, *parts: object) -> str:
        fingerprints._seen.clear()  # noqa: SLF001
        return usual(fingerprints, *parts)

    return give


def _accept_all(baseline: Any, findings: Any) -> tuple[list[Any], list[Any]]:
    """Forget that a tree's own baseline is the attacker's."""
    for finding in findings:
        entry = baseline.entries.get(finding.fingerprint)
        finding.suppressed = entry.reason if entry else None
    return [], []


# target -> name of the damage -> what does it
BUILDS: dict[str, dict[str, Callable[[], None]]] = {
    "audit": {
        "raw-name-in-json": _put("refseal.audit.reports.json_report", "path_shown", _raw),
        "raw-name-in-sarif": _put("refseal.audit.reports.sarif", "uri", _raw),
        "link-in-sarif": _put("refseal.audit.reports.sarif", "_unlinked", _as_it_is),
        "raw-name-in-annotation": _put("refseal.audit.reports.github", "_property", _as_it_is),
        "raw-line-at-a-terminal": _put("refseal.audit.quoting", "escape", _raw),
        "raw-name-in-page": _put("refseal.audit.reports.html", "html_escape", _as_it_is),
        "own-baseline-accepts-all": _put("refseal.audit.baseline", "Baseline.apply", _accept_all),
        "same-fingerprint-twice": _change(
            "refseal.audit.fingerprints", "Fingerprints.next", _without_a_count
        ),
    },
    "configuration": {
        "trust-forgotten": _put("refseal.codex.configuration", "Configuration.trust", _nothing),
        "search-of-bytes-too-narrow": _put(
            "refseal.codex.configuration", "can_name", lambda data, *keys: keys[0].encode() + b" = " in data
        ),
        "anything-is-a-yes": _change("refseal.resolve.setting_readers", "READERS", _any_word_is_a_yes),
        "no-bounds": _change("refseal.resolve.setting_readers", "READERS", _without_bounds),
    },
    "hook": {
        "reach-of-anything": _change("refseal.pathguard.walk", "Walk._leave", _climb),
        "follows-links": _follow_links,
        "git-metadata-is-a-document": _put("refseal.pathguard.walk", "refuse_by_name", _nothing),
        "says-it-again": _put("refseal.codex.lifecycle", "message_for", lambda block, _history: block),
        "ignores-the-limit": _put("refseal.codex.host_limit", "host_limit", lambda *_: 100_000),
        "raw-name": _put("refseal.seal.cut", "escape", _raw),
    },
    "pathguard": {
        "follows-links": _follow_links,
        "climbs-out": _change("refseal.pathguard.walk", "Walk._leave", _climb),
        "stays-at-the-root": _change("refseal.pathguard.walk", "Walk._leave", _stay_at_the_root),
        "leaks-descriptors": _put("refseal.pathguard.walk", "close", _nothing),
        "one-link-is-too-many": _put("refseal.pathguard.walk", "MAX_LINKS", 0),
    },
    "seal": {
        "seal-of-the-body": _put("refseal.seal.seals", "derive", _seal_of_the_body),
        "raw-path": _put("refseal.seal.cut", "escape", _raw),
        "raw-name": _put("refseal.seal.lists", "escape", _raw),
        "shows-what-is-hidden": _put("refseal.seal.cut", "reveal", lambda text: (_raw(text), 0)),
        "one-token-too-much": _change("refseal.seal.fit", "Composition.__init__", _one_too_much),
    },
    "tokenizer": {
        "code-spans-are-prose": _put("refseal.tokenizer.inlines", "_Scan._hide", _nothing),
        "fence-of-two": _put("refseal.tokenizer.markers", "SHORTEST_FENCE", 2),
        "indented-code-is-prose": _put("refseal.tokenizer.blocks", "_CODE_INDENT", 400),
        "begins-inside-a-word": _put("refseal.tokenizer.references", "is_boundary", _always),
        "keeps-punctuation": _put("refseal.tokenizer.references", "trimmed_end", lambda _text, _at, end: end),
        "byte-order-mark-is-text": _put("refseal.tokenizer.reading", "_BOM", "\0"),
        "definitions-are-forgotten": _put("refseal.tokenizer.reading", "_defined", _no_labels),
    },
    "transcript": {
        "message-of-anybody": _put("refseal.codex.transcript", "_hook_message", _text_of_anybody),
        "compaction-forgotten": _put("refseal.codex.transcript", "_Search.give_up_on_message", _nothing),
        "relative-cwd": _put("refseal.codex.payload", "_is_path", lambda value: isinstance(value, str)),
    },
    "worktree": {
        "back-link-forgotten": _put("refseal.pathguard.worktree", "_Judgement._check_backlink", _nothing),
        "back-link-of-any-directory": _put("refseal.pathguard.worktree", "_Judgement._leads_to", _always),
    },
}
