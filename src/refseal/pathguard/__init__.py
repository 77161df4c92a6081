"""The path guard: no byte comes from outside the roots, whatever anybody does meanwhile.

A `Root` is a directory held open, a `Place` a directory beneath one, a `Reach` what one document may read.
`read` walks from a place to a file and gives its bytes, or raises `Refusal`; nothing else leaves this layer.

The rooms::

    refusals       the closed set of answers            descriptors    the platform: flags, identity
    names          a name as text: forms and bounds     owners         whose files are read
    git_metadata   what belongs to git                  sensitive      where credentials live
    policy         those two, applied to a name         unsafe         roots too wide to be a project
    root           a held directory                     reach          where from, and how far
    walk           one name per system call             files          `read`, `open_file`, `is_directory`
    gitfile        git's small pointer files            worktree       `find_linkage`
    listing        directories and trees, for the audit

`listing` is not imported here, for the hook needs none of it: `refseal.pathguard.listing.walk_tree`.
"""

from __future__ import annotations

from .files import File, Handle, is_directory, is_same_document, open_file, read, root_at
from .owners import Owners
from .reach import Place, Reach
from .refusals import CODES, Refusal
from .root import Root
from .unsafe import is_unsafe
from .worktree import Linkage, find_linkage

__all__ = [
    "CODES",
    "File",
    "Handle",
    "Linkage",
    "Owners",
    "Place",
    "Reach",
    "Refusal",
    "Root",
    "find_linkage",
    "is_directory",
    "is_same_document",
    "is_unsafe",
    "open_file",
    "read",
    "root_at",
]
