"""Every reason code: its verdict, and one line that tells a person what it means.

The codes are part of the public contract.  The verdicts: `included`; `skipped` (a budget, an absence: no harm
meant); `blocked` (policy refused it); `inert` (in code or in a comment); `worktree` (the status of a linkage,
not of a reference).  `foreign-owner` is both a refusal and such a status.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

REASONS: Final[dict[str, tuple[str, str]]] = {
    "included": ("included", "The document is in the block."),
    # skipped
    "missing": ("skipped", "No such file, relative to the file that refers to it."),
    "duplicate": ("skipped", "The document has already been dealt with at this depth or a smaller one."),
    "self": ("skipped", "The document refers to itself."),
    "native": ("skipped", "The host has loaded this file itself."),
    "depth": ("skipped", "More references lie between it and an instruction file than REFSEAL_MAX_DEPTH."),
    "file-count": ("skipped", "REFSEAL_MAX_FILES documents, or 1,000 look-ups, were reached before it."),
    "total-bytes": ("skipped", "With it the documents would exceed REFSEAL_MAX_TOTAL_REFERENCE_BYTES."),
    "host-limit": ("skipped", "What the host shows of one block was used up before it."),
    "deadline": ("skipped", "REFSEAL_DEADLINE was reached before it was read."),
    "empty": ("skipped", "The file holds nothing but white space."),
    "not-text": ("skipped", "Its name is not one of a document, source or configuration file."),
    "binary": ("skipped", "It holds NUL bytes or UTF-16; only UTF-8 text is included."),
    "directory": ("skipped", "It is a directory; refer to a file in it."),
    "glob": ("skipped", "Patterns are not expanded; refer to each file."),
    # blocked
    "outside-root": ("blocked", "It lies outside the directories that the referring document may reach."),
    "absolute": ("blocked", "An absolute path that is in no directory that the document may reach."),
    "home": (
        "blocked",
        "Only the user's own files and untracked overlays may say `~/`, and only of files in extra roots.",
    ),
    "symlink-escape": ("blocked", "A symbolic link on the way leaves the directories that may be reached."),
    "symlink-absolute": ("blocked", "A symbolic link on the way is absolute."),
    "symlink-loop": ("blocked", "More than 40 symbolic links on the way."),
    "not-regular": ("blocked", "It is a device, a socket or a pipe."),
    "not-a-directory": ("blocked", "A part of the path is used as a directory and is none."),
    "sensitive": ("blocked", "Its name is one of credentials; those are never read."),
    "git-metadata": ("blocked", "It is part of git's own files, or has a name that git could take for them."),
    "foreign-owner": (
        "blocked",
        "The file, a directory on the way, or a part of a worktree's linkage belongs to another user.",
    ),
    "unreadable": ("blocked", "The system did not let it be read."),
    "bad-name": ("blocked", "The path is empty or holds a character that no name can have."),
    "too-long": ("blocked", "The path, or a part of it, is longer than any that is looked up."),
    "invisible-character": ("blocked", "The path holds characters that a reviewer cannot see."),
    "untrusted-project": ("blocked", "The user's configuration calls the project untrusted."),
    "unsupported-platform": ("blocked", "The system lacks what a safe walk needs."),
    # inert
    "code-span": ("inert", "It stands in a code span."),
    "fence": ("inert", "It stands in a fenced code block."),
    "indented-code": ("inert", "It stands in an indented code block."),
    "html-comment": ("inert", "It stands in an HTML comment."),
    "html-raw": (
        "inert",
        "It stands in raw HTML: in a tag or CDATA, or in <pre>, <script>, <style> or <textarea>.",
    ),
    "escaped": ("inert", "Its @ is escaped with a backslash."),
    # worktree
    "none": ("worktree", "The directory is in no linked worktree."),
    "linked": ("worktree", "A linked worktree; its main worktree is verified and in scope."),
    "submodule": ("worktree", "A submodule, or a worktree of one: it has no main worktree to inherit from."),
    "bare": ("worktree", "A worktree of a bare repository: it has no main worktree to inherit from."),
    "separate-git-dir": ("worktree", "The repository keeps its git directory elsewhere."),
    "unverified": (
        "worktree",
        "The linkage to a main worktree does not verify; if it was moved: git worktree repair.",
    ),
    "unsafe-root": (
        "worktree",
        "The main root is too wide: /, the home directory, above Codex home, or open to everybody.",
    ),
}
"""code -> (verdict, description), in the order of the contract."""

SILENT: Final = frozenset({"missing", "duplicate", "self", "native"})
"""Never in the block: they are of use to whoever audits the files, not to the model."""


def verdict_of(code: str) -> str:
    """Return the verdict of a code; a code that does not exist is a mistake of the caller's (KeyError)."""
    return REASONS[code][0]


def describe(code: str) -> str:
    """Return the one line that describes a code (KeyError: there is no such code)."""
    return REASONS[code][1]
