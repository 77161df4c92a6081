"""Property: no byte comes from outside the roots, whatever tree and reference; and the kernel agrees.

A tree (directories, files, links, pipes) and a reference are decoded from the bytes and made on a real
disk.  Every refusal is typed, no descriptor leaks, and openat2 with RESOLVE_BENEATH finds the same file or
refuses for a reason that fits (`fuzz.properties.containment`).
"""

from __future__ import annotations

import os

from fuzz.choices import Choices
from fuzz.properties import containment
from fuzz.properties.disk import Disk


def check(data: bytes) -> None:
    """Make one tree and resolve up to four references in it."""
    choices = Choices(data)
    with Disk() as tree:
        tree.populate(choices)
        for _ in range(1 + choices.below(4)):
            extra = choices.chance(3)
            directory = choices.pick(tree.directories)
            shape = choices.below(8)
            if shape == 7:
                token = os.fsdecode(choices.line())
            else:
                start = choices.pick(
                    ("", "", "", "/", "~/", f"{tree.root}/", f"{tree.base}/extra/", f"{tree.base}/")
                )
                token = start + tree.path(choices)
            containment.holds(tree, directory, token, extra=extra)
