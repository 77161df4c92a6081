"""One line that takes an earlier block back, when a session that has one should have none any more."""

from __future__ import annotations

from refseal.seal.marker import LINE_SEPARATOR, digest_of, mark

_SENTENCE = "The earlier refseal block in this session is withdrawn: its files no longer apply."


def withdrawal() -> str:
    """Give the line: a marker and one sentence, always the same bytes."""
    return mark(digest_of(_SENTENCE.encode()), LINE_SEPARATOR, _SENTENCE)


def is_withdrawal(text: str) -> bool:
    """Whether ``text`` is that line."""
    return text == withdrawal()
