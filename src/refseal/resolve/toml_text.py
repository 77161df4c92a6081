"""TOML, read in a time that grows with the text: `tomllib` behind one bound.

Import it only where there is TOML to read: `tomllib` costs more than the rest of a hook's start.
"""

from __future__ import annotations

import tomllib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

MAX_SQUARES: Final = 1 << 25
"""The squares of the dots in each line, summed up: `tomllib` takes the square of the parts of a dotted key,
and a key stands in one line.  That is a line with 5,792 dots, and a fraction of a second."""


class BrokenToml(Exception):  # noqa: N818 - an answer of a reader, not a fault of the program
    """The bytes are no TOML in UTF-8, or such as nobody writes."""


def read_toml(data: bytes) -> dict[str, Any]:
    """Return the table in ``data``; a byte order mark at its start is passed over, as by Codex.

    Raises:
        BrokenToml: the bytes are not UTF-8 or no TOML, are nested too deeply, or have more dots in their
            lines than `MAX_SQUARES` allows.

    """
    if sum(line.count(b".") ** 2 for line in data.split(b"\n")) > MAX_SQUARES:
        raise BrokenToml
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # TOMLDecodeError and UnicodeDecodeError are ValueErrors
        raise BrokenToml from error
