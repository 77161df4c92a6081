"""JSON, read and written: the one place on the hook's path that knows it.

The interpreter's own C scanner and encoder (``_json``) are used directly.  The package ``json`` in front of
them imports ``re`` to skip white space, and that alone costs as much as an interpreter's whole start; where
an interpreter has no ``_json`` the package stands in.  There is no parser of our own.

What is stricter here than in ``json``: a name that occurs twice in one object, ``NaN`` and the infinities
are no JSON; nesting that would exhaust the stack and integers too long to convert are refused like any
other broken text.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_WHITE_SPACE = " \t\n\r"


class Broken(Exception):  # noqa: N818 - the answer of a reader, not a fault of the program
    """The bytes are not one JSON text."""


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Broken
    return found


def _constant(_name: str) -> object:
    raise Broken


class _Context:
    """What the C scanner asks of a decoder."""

    strict = True
    object_hook = None
    object_pairs_hook = staticmethod(_pairs)
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_constant)


def _reader() -> Callable[[str], object]:
    try:
        from _json import make_scanner  # noqa: PLC0415
    except ImportError:
        from json import loads  # noqa: PLC0415 - the fallback; see above why it is not imported at once

        return lambda text: loads(text, object_pairs_hook=_pairs, parse_constant=_constant)

    scan = make_scanner(_Context())  # type: ignore[arg-type]  # typeshed wants the context to be a scanner

    def read_text(text: str) -> object:
        stripped = text.strip(_WHITE_SPACE)
        value, end = scan(stripped, 0)
        if end != len(stripped):
            raise Broken
        return value

    return read_text


def _quoter() -> Callable[[str], str]:
    try:
        from _json import encode_basestring_ascii  # noqa: PLC0415
    except ImportError:
        from json import dumps  # noqa: PLC0415 - the fallback

        return dumps
    return encode_basestring_ascii


_read_text = _reader()
_quote = _quoter()


def read(data: bytes) -> object:
    """Return the value of one JSON text in UTF-8.

    Raises:
        Broken: the bytes are not UTF-8 or no JSON text; a name is doubled in an object; a number is not
            finite by its spelling or too long; the nesting is too deep.

    """
    try:
        return _read_text(data.decode("utf-8"))
    # SystemError: up to Python 3.11 the scanner takes the class of its errors from the package ``json``, and
    # where nobody has imported that it fails without an exception.
    except (ValueError, StopIteration, RecursionError, MemoryError, SystemError) as error:
        raise Broken from error


def write(value: object) -> bytes:
    """Write ``value`` as one strict JSON text in ASCII.

    Made of dicts with string names, strings, whole numbers, True, False and None.
    Lone surrogates, which no strict reader accepts, are written as question marks.

    Raises:
        TypeError: anything else was in it.

    """
    return "".join(_pieces(value)).encode("ascii")


def _pieces(value: object) -> Iterator[str]:
    """Give the text in pieces, to be joined once: a block is long, and each join copies it."""
    if isinstance(value, str):
        yield _quote(value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8"))
    elif isinstance(value, dict):
        yield "{"
        for number, (name, item) in enumerate(value.items()):
            if not isinstance(name, str):
                raise TypeError(type(name).__name__)
            if number:
                yield ","
            yield from _pieces(name)
            yield ":"
            yield from _pieces(item)
        yield "}"
    elif value is None or isinstance(value, bool):
        yield {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, int):
        yield str(value)
    else:
        raise TypeError(type(value).__name__)
