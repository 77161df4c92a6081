"""Directories that git ignores: left out of an audit, for they are no part of what a repository hands on.

Codex reads an `AGENTS.md` in an ignored directory all the same.  So a tree is left out only if git ignores
it *and* git's index has nothing in it: nothing that comes with a repository can hide behind its own
`.gitignore`.  Without an index nothing is left out at all.

Patterns are those of https://git-scm.com/docs/gitignore, applied to directories alone: files are always
looked at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from refseal.pathguard import Place, Reach, Refusal, read
from refseal.pathguard.git_files import read_git_file
from refseal.resolve.git_index import MAX_INDEX_BYTES
from refseal.seal.decoding import decode

if TYPE_CHECKING:
    from refseal.pathguard import Root
    from refseal.pathguard.search import Searched

FILE = ".gitignore"

MAX_BYTES = 65_536
"""Of one `.gitignore`: the longest in use have a tenth of it."""
MAX_PATTERNS = 1_000
"""Of one file, each matched against every directory below it."""
MAX_PATTERN = 200
"""Characters of one pattern."""
MAX_STARS = 8
"""Wildcards in one pattern: each can multiply the time that a match takes."""


class Ignored:
    """The patterns that hold along the walk, which comes to each directory before those in it.

    ``count``  how many directories were left out so far
    """

    __slots__ = ("_index", "_patterns", "_root", "count")

    def __init__(self, root: Root) -> None:
        """Read the index; raises Refusal if none can be read: then nothing counts as ignored."""
        index = read_git_file(root, "index", MAX_INDEX_BYTES)
        # Version 4 writes names as differences, in which no directory can be looked for; a split index has
        # them in another file, and a sparse one only those of whole directories.  A name that looks like such
        # an extension costs a longer walk and no more.
        if (
            index is None
            or index[:4] != b"DIRC"
            or index[7:8] not in {b"\2", b"\3"}
            or b"\0link\0" in index
            or b"sdir\0\0\0\0" in index
        ):
            raise Refusal("missing", "index")
        self._index = index.lower()
        self._root = root
        self._patterns: dict[tuple[str, ...], list[Pattern]] = {}
        self.count = 0

    def filter(self, searched: Searched) -> None:
        """Take the ignored directories out of ``searched.descend``."""
        components = searched.components
        if (FILE, "file") in searched.found:
            self._read(components)
        kept = []
        for name in searched.descend:
            path = (*components, name)
            if self._is_ignored(path) and not self._is_tracked(path):
                self.count += 1
            else:
                kept.append(name)
        searched.descend = kept

    def _read(self, components: tuple[str, ...]) -> None:
        try:
            file = read(FILE, Place(self._root, components), Reach((self._root,)), MAX_BYTES)
        except Refusal:
            return
        lines = decode(file.data).text.split("\n", MAX_PATTERNS)[:MAX_PATTERNS]
        patterns = [pattern for pattern in map(parse, lines) if pattern is not None]
        if patterns:
            self._patterns[components] = patterns

    def _is_ignored(self, path: tuple[str, ...]) -> bool:
        """Tell by the last pattern that matches, the nearest file first."""
        for depth in range(len(path) - 1, -1, -1):
            for pattern in reversed(self._patterns.get(path[:depth], ())):
                if pattern.matches(path[depth:]):
                    return not pattern.negated
        return False

    def _is_tracked(self, path: tuple[str, ...]) -> bool:
        """Tell whether the index may have something in the directory: any name in its bytes will do.

        Names are compared without their case, and others than ASCII count as tracked: a disk may open one
        directory by several spellings.
        """
        text = "/".join(path)
        if not text.isascii():
            return True
        name = text.lower().encode()
        return name + b"/" in self._index or name + b"\0" in self._index


class Pattern:
    """One line of a `.gitignore`, for directories."""

    __slots__ = ("_expression", "anchored", "negated")

    def __init__(self, expression: re.Pattern[str], *, anchored: bool, negated: bool) -> None:
        self._expression = expression
        self.anchored = anchored
        self.negated = negated

    def matches(self, path: tuple[str, ...]) -> bool:
        """Tell whether the directory ``path``, relative to the file's, is meant."""
        return self._expression.fullmatch("/".join(path) if self.anchored else path[-1]) is not None


def parse(line: str) -> Pattern | None:
    """Return the pattern of one line; None for a comment, and for one that is too wild to be run.

    As for git, a line ends with LF alone, and one CR before it is no part of the pattern.
    """
    text = line.removesuffix("\r")
    while text.endswith(" ") and not text.endswith("\\ "):
        text = text[:-1]
    if not text or text.startswith("#") or len(text) > MAX_PATTERN or text.count("*") > MAX_STARS:
        return None
    negated = text.startswith("!")
    text = text.removeprefix("!").rstrip("/")
    anchored = "/" in text
    text = text.removeprefix("/")
    if not text:
        return None
    try:
        return Pattern(re.compile(_expression(text), re.DOTALL), anchored=anchored, negated=negated)
    except re.error:
        return None


def _expression(text: str) -> str:
    """Return the regular expression of a pattern; it takes time linear in the name, times the wildcards.

    What stands between two wildcards is matched as early as it can be and never again (an atomic group),
    which is right for wildcards and takes the backtracking out of a hostile pattern.
    """
    pieces = _pieces(text)
    parts = []
    while pieces:
        piece = pieces.pop(0)
        if piece != _STAR:
            parts.append(piece)
            continue
        fixed = []
        while pieces and pieces[0] not in {_STAR, _DIRECTORIES}:
            fixed.append(pieces.pop(0))
        follows = "".join(fixed)
        parts.append(f"(?>[^/]*?{follows})" if pieces else f"[^/]*{follows}")
    return "".join(parts)


_STAR = "*"
_DIRECTORIES = "(?:[^/]+/)*"


def _pieces(text: str) -> list[str]:
    """Return expressions of single characters, `_STAR` and `_DIRECTORIES`."""
    pieces = []
    index = 0
    while index < len(text):
        if text.startswith("**/", index) and (index == 0 or text[index - 1] == "/"):
            pieces.append(_DIRECTORIES)
            index += 3
            continue
        if text.startswith("/**", index) and index + 3 == len(text):
            pieces.append("/.+")
            break
        char = text[index]
        if char == "*":
            pieces.append(_STAR)
            while text.startswith("*", index + 1):
                index += 1
        elif char == "?":
            pieces.append("[^/]")
        elif char == "[" and "]" in text[index + 2 :]:
            end = text.index("]", index + 2)
            inside = text[index + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            pieces.append("[" + ("^" + inside[1:] if inside[:1] in {"!", "^"} else inside) + "]")
            index = end
        elif char == "\\" and index + 1 < len(text):
            index += 1
            pieces.append(re.escape(text[index]))
        else:
            pieces.append(re.escape(char))
        index += 1
    return pieces
