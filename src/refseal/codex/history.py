"""What is known of a session's past: the answer of `transcript`, and of a session that has none yet."""

from __future__ import annotations


class Loaded:
    """What Codex loaded: ``text`` exactly, or None if it loaded nothing.

    ``directory`` is the session's directory as Codex names it if project documents are in the text; None
    means that the text is Codex home's alone.
    """

    __slots__ = ("directory", "text")

    def __init__(self, directory: str | None, text: str | None) -> None:
        self.directory = directory
        self.text = text


class History:
    """What a transcript says.

    ``block``    text of our latest message that the model still sees (a block or a withdrawal), or None
    ``loaded``   what Codex loaded, or None if the transcript does not say
    ``version``  the Codex version that created the session, as written, or None
    """

    __slots__ = ("block", "loaded", "version")

    def __init__(
        self, block: str | None = None, loaded: Loaded | None = None, version: str | None = None
    ) -> None:
        self.block = block
        self.loaded = loaded
        self.version = version
