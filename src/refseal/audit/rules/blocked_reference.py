"""RS101 to RS117: a reference that policy refused, one rule a reason.

They share a file because they are one thing with many reasons: the resolver refuses, with a code of its
own, and the audit says how bad that is.  A reference that asks for a credential is RS109 whatever it was
refused for: a path that leaves the repository *and* names a private key is an attack, not a slip.

An absolute path or `~/` in an overlay that git does not track is one person's business: no one else gets that
file, and whether the path may be followed is said by settings that an audit does not read.  It is told, at a
severity that stops no commit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.findings import Confidence, Hit, Rule, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Verdict

_BY_OVERLAY = "name it in your own overlay, and its directory in REFSEAL_EXTRA_ROOTS."
"""The one way out of a repository."""

_TABLE = (
    (
        "RS101",
        "symlink-escape",
        Severity.HIGH,
        "A reference follows a link out of the directories that its document may read.",
        "Replace the link by the file, or remove the reference.",
    ),
    (
        "RS102",
        "outside-root",
        Severity.MEDIUM,
        "A reference leads out of the directories that its document may read.",
        f"Copy what is needed into the repository, or, with its absolute path, {_BY_OVERLAY}",
    ),
    (
        "RS103",
        "symlink-absolute",
        Severity.HIGH,
        "A reference follows a link with an absolute target.",
        "Replace the link by a relative one that stays in the repository, or by the file.",
    ),
    (
        "RS104",
        "symlink-loop",
        Severity.MEDIUM,
        "A reference follows links in a circle, or too many of them.",
        "Repair the links.",
    ),
    (
        "RS105",
        "absolute",
        Severity.MEDIUM,
        "A reference names an absolute path, which is another file on each machine.",
        f"Name the file relative to the document that refers to it, or {_BY_OVERLAY}",
    ),
    (
        "RS106",
        "home",
        Severity.MEDIUM,
        "A reference names a file in the home directory of whoever opens the repository.",
        f"Copy the file into the repository, or {_BY_OVERLAY}",
    ),
    (
        "RS107",
        "not-regular",
        Severity.HIGH,
        "A reference names a pipe, socket or device, at which a careless reader hangs.",
        "Remove the reference and the special file.",
    ),
    (
        "RS108",
        "not-a-directory",
        Severity.LOW,
        "A reference passes through a file as if it were a directory.",
        "Correct the path.",
    ),
    (
        "RS109",
        "sensitive",
        Severity.HIGH,
        "A reference asks for a file that holds credentials.",
        "Remove the reference; what it names belongs in no prompt.",
    ),
    (
        "RS110",
        "git-metadata",
        Severity.HIGH,
        "A reference reads from git's own files, which hold remotes, tokens and other people's work.",
        "Remove the reference.",
    ),
    (
        "RS111",
        "foreign-owner",
        Severity.HIGH,
        "A reference leads to a file that belongs to somebody else, who can change it at any time.",
        "Take ownership of the file, or remove the reference.",
    ),
    (
        "RS112",
        "unreadable",
        Severity.MEDIUM,
        "A referenced file cannot be read.",
        "Correct its permissions, or remove the reference.",
    ),
    (
        "RS113",
        "bad-name",
        Severity.MEDIUM,
        "A reference contains a name that no file of a repository should have.",
        "Rename the file, or correct the reference.",
    ),
    (
        "RS114",
        "too-long",
        Severity.MEDIUM,
        "A reference, or a name in it, is longer than any sensible path.",
        "Shorten the path.",
    ),
    (
        "RS115",
        "invisible-character",
        Severity.HIGH,
        "A reference contains characters that nobody sees, so it is not the path that it looks like.",
        "Type the path anew.",
    ),
    (
        "RS116",
        "untrusted-project",
        Severity.INFO,
        "Nothing of this project is included because your Codex configuration calls it untrusted.",
        "Trust the project in Codex once you have read its instruction files.",
    ),
    (
        "RS117",
        "unsupported-platform",
        Severity.INFO,
        "References are not resolved on this platform, whose file system the path guard does not know.",
        "Run the audit on Linux or macOS.",
    ),
)

RULES = tuple(
    Rule(code, reason, severity, Confidence.HIGH, summary, advice)
    for code, reason, severity, summary, advice in _TABLE
)

_BY_REASON = {rule.name: rule for rule in RULES}
_SENSITIVE = _BY_REASON["sensitive"]

LEFT_TO_SETTINGS = frozenset({"absolute", "home"})
"""Reasons that REFSEAL_EXTRA_ROOTS can lift for an overlay which git does not track.  It can for links, too,
but a link is part of the tree, and may be somebody else's."""


def check(verdict: Verdict) -> Iterator[tuple[Rule, Hit]]:
    """Yield one hit if the reference is blocked."""
    if verdict.verdict != "blocked":
        return
    rule = _SENSITIVE if verdict.names_credential else _BY_REASON[verdict.reason]
    told = rule.summary[0].lower() + rule.summary[1:].rstrip(".")
    also = "" if rule.name == verdict.reason else f" ({verdict.reason})"
    yield (
        rule,
        Hit(
            f"{quoted(verdict.token)} is blocked{also}: {told}",
            verdict.token,
            verdict.line,
            verdict.column,
            severity=Severity.LOW if verdict.is_local and rule.name in LEFT_TO_SETTINGS else None,
        ),
    )
