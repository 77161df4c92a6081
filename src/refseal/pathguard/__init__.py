"""The path guard: no byte comes from outside the roots, whatever anybody does meanwhile.

A `Root` is a directory held open, a `Place` a directory beneath one, a `Reach` what one document may read.
`read` walks from a place to a file and gives its bytes, or raises `Refusal`; nothing else leaves this layer.

From the name to the bytes::

    names         a name as text: its forms and bounds
    policy        which names are refused whatever they hold
      git_metadata  what belongs to git; sensitive: where credentials live
    root          a directory held open; unsafe: roots too wide to be a project; owners: whose files are read
    reach         where a reference starts, and how far the document that holds it may reach
    walk          one name per system call; descriptors: how the platform opens and names them
    files         `read`, `is_directory`; handle: a file held open, for transcripts
    linkage       `find_linkage`: from a linked worktree to its main one
      worktree      the steps, taken where `.git` is a file; gitfile: git's small pointer files
    repository    the nearest directory with a marker; git_files: what is read of git's own directory
    listing       directories, and whole trees; search: a tree searched for a few names, for the audit
    writing       the one file that is made here, for `refseal init`; exclude: git's list of what it ignores
    refusals      the closed set of answers

`handle`, `git_files`, `listing`, `search`, `writing` and `exclude` are not imported here: the hook needs them
seldom, or never.
"""

from __future__ import annotations

from .files import File, is_directory, is_same_document, read, root_at
from .linkage import Linkage, find_linkage
from .owners import Owners
from .reach import Place, Reach
from .refusals import CODES, Refusal
from .root import Root
from .unsafe import is_unsafe

__all__ = [
    "CODES",
    "File",
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
    "read",
    "root_at",
]
