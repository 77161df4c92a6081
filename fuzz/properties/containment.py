"""No byte comes from outside the roots, and what the kernel itself finds beneath a root is found.

The kernel's answer is openat2 with RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS.  The guard may refuse by
policy what the kernel opens; it never opens what the kernel refuses, and never opens something else.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Final

from fuzz.properties import disk
from refseal.pathguard import File, Owners, Place, Reach, Refusal, Root, read

if TYPE_CHECKING:
    from fuzz.properties.disk import Disk

LIMIT: Final = 64

# Refused whatever the kernel says: by name, by form or by owner.
POLICY: Final = frozenset({
    "git-metadata", "sensitive", "invisible-character", "bad-name", "too-long", "unreadable", "foreign-owner",
})  # fmt: skip

# What the guard may call it where the kernel says so.
REFUSALS: Final = {
    errno.EXDEV: frozenset({"outside-root", "symlink-escape", "symlink-absolute", "absolute", "home"}),
    errno.ELOOP: frozenset({"symlink-loop", "symlink-absolute", "symlink-escape"}),
    errno.ENOENT: frozenset({"missing"}),
    errno.ENOTDIR: frozenset({"not-a-directory"}),
    errno.ENAMETOOLONG: frozenset({"too-long", "missing"}),
    errno.EINVAL: frozenset({"bad-name"}),
}


def holds(tree: Disk, directory: str, token: str, *, extra: bool) -> None:
    """Resolve one token from a directory of the tree, and compare.

    With `extra` the document may also read BASE/extra, and links may lead there; then only the promise
    itself is
    checked, because the kernel has no such notion.
    """
    before = disk.held()
    owners = Owners.of_process()
    with Root.open(tree.root, owners) as root, Root.open(os.path.join(tree.base, "extra"), owners) as other:
        roots = (root, other) if extra else (root,)
        reach = Reach(roots, link_roots=(other,) if extra else (), home=os.path.join(tree.base, "home"))
        place = Place(root, tuple(filter(None, directory.split("/"))))
        try:
            answer: File | str = read(token, place, reach, LIMIT)
        except Refusal as refusal:
            answer = refusal.code
        _promise(answer, tree, extra=extra)
        if answer == "absolute":
            assert token.startswith(("/", "\\")) or token[1:2] == ":", "this is no absolute name anywhere"
        elif not extra and not token.startswith(("/", "~")):
            _agrees(answer, tree, directory, token)
    assert disk.held() == before, "a descriptor leaked"


def _promise(answer: File | str, tree: Disk, *, extra: bool) -> None:
    if isinstance(answer, str):
        return
    assert disk.FORBIDDEN not in answer.data
    assert extra or disk.EXTRA not in answer.data
    assert len(answer.data) <= LIMIT
    allowed = [tree.root, os.path.join(tree.base, "extra")]
    assert answer.root.path in allowed[: 2 if extra else 1]
    # The canonical name, walked again by the kernel without following anything, is the very file.
    assert all(name not in {"", ".", ".."} and "/" not in name for name in answer.components)
    assert answer.path == os.path.join(answer.root.path, *answer.components)
    found = os.stat(answer.path, follow_symlinks=False)
    assert (found.st_dev, found.st_ino) == answer.identity
    with open(answer.path, "rb") as file:
        body = file.read()
    assert answer.data == body[:LIMIT]
    assert answer.more == (len(body) > LIMIT)


def _agrees(answer: File | str, tree: Disk, directory: str, token: str) -> None:
    descriptor = os.open(tree.root, os.O_PATH)
    opened: int | None = None
    failure: OSError | ValueError | None = None
    try:
        # The kernel measures containment from the root, so the way to the place is walked too.
        opened = disk.open_beneath(descriptor, os.path.join(directory, token) if directory else token)
        if opened is None:
            return
        kind, found = disk.kind_of(opened), os.fstat(opened)
    except (OSError, ValueError) as error:
        failure = error
    finally:
        for held in (descriptor, opened):
            if held is not None:
                os.close(held)
    if failure is not None:
        code = getattr(failure, "errno", None) or errno.EINVAL
        fitting = REFUSALS.get(code, frozenset()) | POLICY
        assert answer in fitting, f"the kernel says {failure}, the guard {answer}"
    elif isinstance(answer, File):
        assert kind == "file"
        assert answer.identity == (found.st_dev, found.st_ino)
    elif answer not in POLICY:
        expected = {"file": "", "directory": "directory", "special": "not-regular"}[kind]
        assert answer == expected, f"the kernel finds a {kind}, the guard says {answer}"
