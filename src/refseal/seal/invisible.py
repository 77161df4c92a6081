r"""Text that a reviewer cannot see and a model can read goes out as a visible escape, such as ``\u{E0041}``.

Left alone is what people write: TAB, LF and CR LF; flags, keycaps, emoji joined by ZWJ and one variation
selector after an emoji; ZWNJ and ZWJ beside letters of scripts that join; LRM and RLM; and the few characters
that other scripts need, beside letters of theirs.  None of them may stand in runs: one bit beside each
visible letter is no channel worth hiding, a run of them is.

Whether a text has anything to look at is asked of whole-text operations that run in C; single characters are
looked at only where one of them said so.
"""

from __future__ import annotations

from refseal.codepoints import ASCII_CONTROLS, has_invisible, is_invisible
from refseal.seal.escaping import show

_FEW = 16
"""Up to so many different characters a search for each is faster than one look at every character."""


def reveal(text: str) -> tuple[str, int]:
    """Give ``text`` with everything hidden in it shown, and the number of characters that it took."""
    runs = hidden_runs(text)
    if not runs:
        return text, 0
    pieces = []
    count = position = 0
    for start, end in runs:
        pieces.append(text[position:start])
        pieces.extend([show(char) for char in text[start:end]])
        count += end - start
        position = end
    pieces.append(text[position:])
    return "".join(pieces), count


def hidden_runs(text: str) -> list[tuple[int, int]]:
    """Give the longest runs of hidden characters in ``text``: sorted pairs of offsets, start and end."""
    runs: list[tuple[int, int]] = []
    suspects = _suspects(text)
    if not suspects:
        return runs
    from refseal.seal.writing import belongs, end_of_flag  # noqa: PLC0415 - most texts have none

    start = end = flag_end = -1
    for index in suspects:
        if index < flag_end:
            continue
        flag_end = end_of_flag(text, index)
        if flag_end >= 0 or belongs(text, index):
            continue
        if index != end:
            if end >= 0:
                runs.append((start, end))
            start = index
        end = index + 1
    if end >= 0:
        runs.append((start, end))
    return runs


def _suspects(text: str) -> list[int]:
    """Give the offsets of all characters that may be hidden, in order."""
    lone_returns = "\r" in text and text.count("\r") != text.count("\r\n")
    if text.isascii():
        data = text.encode()
        if not lone_returns and len(data.translate(None, ASCII_CONTROLS)) == len(data):
            return []
    elif not lone_returns and not has_invisible(text) and not _has_surrogate(text):
        return []
    found = [char for char in set(text) if is_invisible(char) or "\ud800" <= char <= "\udfff"]
    if lone_returns:
        found.append("\r")
    if len(found) > _FEW:
        wanted = set(found)
        return [index for index, char in enumerate(text) if char in wanted]
    offsets = []
    for char in found:
        index = text.find(char)
        while index >= 0:
            offsets.append(index)
            index = text.find(char, index + 1)
    offsets.sort()
    return offsets


def _has_surrogate(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
