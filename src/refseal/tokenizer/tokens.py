"""What a text is found to hold: references, references that do not count, and hints about near misses."""

from __future__ import annotations

_DEVICES = ("\\\\?\\", "//?/")
"""How Windows begins a path that is passed on as it is."""


class Reference:
    """An ``@path`` in prose.

    ``token`` is ``text[start:end]`` of the text that was tokenized, offsets being 0-based code points;
    ``line`` and ``column`` are 1-based, in code points, at the ``@``.  ``path`` is the token without its
    ``@``, its ``#fragment`` and the backslashes that keep spaces; nothing else is changed in it, and whether
    it names anything is not known here.  Bytes that a repository chose: escape them before they are shown.
    """

    __slots__ = ("column", "end", "fragment", "line", "path", "start", "token")

    def __init__(self, token: str, path: str, fragment: str, start: int, line: int, column: int) -> None:
        self.token = token
        self.path = path
        self.fragment = fragment
        self.start = start
        self.end = start + len(token)
        self.line = line
        self.column = column

    @property
    def is_word(self) -> bool:
        """True for a single word without slash, dot or leading ``~``: a mention, unless that file exists."""
        path = self.path
        return not ("/" in path or "." in path or "\\" in path or path.startswith("~"))

    @property
    def is_glob(self) -> bool:
        """True if the path holds ``*`` or ``?``: never expanded, only reported.

        The ``?`` with which Windows begins the name of a device is none: that is an absolute path.
        """
        path = self.path[len(_DEVICES[0]) :] if self.path.startswith(_DEVICES) else self.path
        return "*" in path or "?" in path

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.token!r} at {self.line}:{self.column}>"


class Inert(Reference):
    """What would have been a reference, had it not stood where Markdown shows code or nothing.

    ``reason`` is one of ``code-span``, ``fence``, ``indented-code``, ``html-comment``, ``html-raw`` and
    ``escaped``.
    """

    __slots__ = ("reason",)

    def __init__(
        self, token: str, path: str, fragment: str, start: int, line: int, column: int, reason: str
    ) -> None:
        super().__init__(token, path, fragment, start, line, column)
        self.reason = reason

    def __repr__(self) -> str:
        return f"<Inert {self.token!r} at {self.line}:{self.column}: {self.reason}>"


class Hint:
    """A near miss that its author should hear about.

    ``kind`` is ``quoted-path`` (``@"my file.md"``: escape the space), ``import-keyword`` (``@import a.md``:
    drop the word), ``unclosed-fence`` or ``unclosed-comment`` (it swallows references up to the end of the
    text).  ``line`` and ``column`` are 1-based, at the ``@`` or at the opener; ``text`` is the piece of the
    document that is meant, raw.
    """

    __slots__ = ("column", "kind", "line", "text")

    def __init__(self, kind: str, line: int, column: int, text: str) -> None:
        self.kind = kind
        self.line = line
        self.column = column
        self.text = text

    def __repr__(self) -> str:
        return f"<Hint {self.kind} {self.text!r} at {self.line}:{self.column}>"


class Tokens:
    """Everything that one text holds, each list in document order."""

    __slots__ = ("hints", "inert", "references")

    def __init__(self) -> None:
        self.references: list[Reference] = []
        self.inert: list[Inert] = []
        self.hints: list[Hint] = []
