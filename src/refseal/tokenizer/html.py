"""Raw HTML as CommonMark 0.31 sees it: which tags begin a block, and where a tag in a line of prose ends."""

from __future__ import annotations

SPACE = frozenset(
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""White space in and behind a tag.

The specification means spaces, tabs and line ends.  The parser that comes with it takes what JavaScript calls
white space, others do much the same, and what a reader sees is what they show.
"""

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ALNUM = _LETTERS + "0123456789"
_LETTER_SET = frozenset(_LETTERS)
_TAG_NAME = frozenset(_ALNUM + "-")
_ATTRIBUTE_START = frozenset(_LETTERS + "_:")
_ATTRIBUTE_NAME = frozenset(_ALNUM + "_:.-")
_NO_UNQUOTED = frozenset("\"'=<>`" + "".join(map(chr, range(0x21))))

VERBATIM = ("pre", "script", "style", "textarea")
"""Tags whose content is code or no text at all, up to their closing tag, blank lines and all."""

_BLOCK_NAMES = frozenset(
    (  # noqa: SIM905 - sixty names are easier to read as words than as strings
        "address article aside base basefont blockquote body caption center col colgroup dd details dialog"
        " dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header"
        " hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search"
        " section summary table tbody td tfoot th thead title tr track ul"
    ).split()
)

_QUOTES = frozenset("\"'")

_LONGEST_NAME = 12  # one more than any of the names above: enough to tell them from longer ones

KIND_VERBATIM = 1
KIND_COMMENT = 2
KIND_BLOCK = 6
KIND_TAG = 7

MARKERS = {3: "?>", 4: ">", 5: "]]>"}
"""What ends the three kinds that open with ``<?``, ``<!X`` and ``<![CDATA[``."""


def block_kind(line: str, at: int) -> int:
    """Return which of the seven kinds of HTML block the ``<`` at ``at`` opens, 0 for none.

    Kind 7, a whole tag alone on its line, cannot interrupt a paragraph: the caller knows whether it does.
    """
    following = line[at + 1 : at + 2]
    if following == "!":
        if line.startswith("--", at + 2):
            return KIND_COMMENT
        if line[at + 2 : at + 3] in _LETTER_SET:
            return 4
        return 5 if line.startswith("[CDATA[", at + 2) else 0
    if following == "?":
        return 3
    name_at = at + 2 if following == "/" else at + 1
    window = line[name_at : name_at + _LONGEST_NAME]
    name = window[: len(window) - len(window.lstrip(_ALNUM))].lower()
    if not name:
        return 0
    after = line[name_at + len(name) : name_at + len(name) + 1]
    ends = not after or after == ">" or after in SPACE
    if ends and name in VERBATIM and following != "/":
        return KIND_VERBATIM
    if name in _BLOCK_NAMES and (ends or line.startswith("/>", name_at + len(name))):
        return KIND_BLOCK
    end = tag_end(line, at)
    if end is None:
        return 0
    while end < len(line) and line[end] in SPACE:
        end += 1
    return KIND_TAG if end == len(line) else 0


def verbatim_end(text: str, start: int, end: int) -> int | None:
    """Return where the first closing tag of `VERBATIM` within ``start`` and ``end`` stands, if one does."""
    at = text.find("</", start, end)
    while at >= 0:
        if text[at + 2 : at + 11].lower().startswith(("pre>", "script>", "style>", "textarea>")):
            return at
        at = text.find("</", at + 2, end)
    return None


def _skip(text: str, at: int, among: frozenset[str]) -> int:
    size = len(text)
    while at < size and text[at] in among:
        at += 1
    return at


def tag_end(text: str, at: int) -> int | None:
    """Return where the open or closing tag that begins with the ``<`` at ``at`` ends, if it is one.

    No attempt looks at a character that more than two others have looked at: only a quoted value hides a
    ``<`` from the tag around it, and there are only two quotes.
    """
    closing = text.startswith("/", at + 1)
    name = at + 2 if closing else at + 1
    if text[name : name + 1] not in _LETTER_SET:
        return None
    here = _skip(text, name, _TAG_NAME)
    while True:
        after = _skip(text, here, SPACE)
        char = text[after : after + 1]
        if char == ">":
            return after + 1
        if closing:
            return None
        if char == "/":
            return after + 2 if text.startswith(">", after + 1) else None
        if after == here or char not in _ATTRIBUTE_START:
            return None
        here = _skip(text, after, _ATTRIBUTE_NAME)
        equals = _skip(text, here, SPACE)
        if not text.startswith("=", equals):
            continue
        value = _skip(text, equals + 1, SPACE)
        quote = text[value : value + 1]
        if quote in _QUOTES:
            here = text.find(quote, value + 1) + 1
            if here == 0:
                return None
        else:
            here = value
            while here < len(text) and text[here] not in _NO_UNQUOTED:
                here += 1
            if here == value:
                return None
