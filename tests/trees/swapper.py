"""The second process of a race: does one thing to a tree, over and over, until it is ended.

``python -I swapper.py COUNTER VERB A B``, COUNTER being a file of eight bytes in which it counts its rounds.

    exchange    swap what is called A with what is called B, in one step
    replace     make A what B is (a link with that text), then what it was again
    move        rename A to B and back
"""

from __future__ import annotations

import ctypes
import mmap
import os
import sys

RENAME_EXCHANGE = 2
AT_FDCWD = -100


def exchange(one: str, other: str) -> None:
    """Swap two names: atomically on Linux, in three steps elsewhere."""
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    if (
        rename is None
        or rename(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE) != 0
    ):
        aside = f"{other}.aside"
        os.rename(other, aside)
        os.rename(one, other)
        os.rename(aside, one)


def replace(name: str, text: str) -> None:
    """Put a link where a directory is, and the directory back."""
    aside = f"{name}.aside"
    os.rename(name, aside)
    os.symlink(text, name)
    os.unlink(name)
    os.rename(aside, name)


def move(name: str, to: str) -> None:
    """Take a directory away and bring it back."""
    os.rename(name, to)
    os.rename(to, name)


def main() -> None:
    """Go on until somebody ends this process."""
    counter, verb, one, other = sys.argv[1:]
    work = {"exchange": exchange, "replace": replace, "move": move}[verb]
    with open(counter, "r+b") as file, mmap.mmap(file.fileno(), 8) as shared:
        rounds = 0
        while True:
            work(one, other)
            rounds += 1
            shared[:8] = rounds.to_bytes(8, "little")


if __name__ == "__main__":
    main()
