"""Which names are refused whatever they hold: the tables of `git_metadata` and `sensitive`, in order."""

from __future__ import annotations

from .git_metadata import fold, is_bare_name, is_git_name
from .refusals import Refusal
from .sensitive import IN_DIRECTORY, is_sensitive_directory, is_sensitive_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def refuse_by_name(components: Sequence[str], above: str, *, last_is_file: bool = True) -> Refusal | None:
    """Judge names before anything is opened; return the refusal for the first that policy refuses.

    ``above`` is the name of the directory that the first component lies in.  ``last_is_file`` is False for
    the components of a directory.
    """
    last = len(components) - 1 if last_is_file else -1
    for index, name in enumerate(components):
        folded = fold(name)
        if index == last or may_be_refused_directory(folded):
            if is_git_name(folded) or (index != last and is_bare_name(folded)):
                return Refusal("git-metadata", name)
            parent = fold(components[index - 1] if index else above)
            if is_sensitive_directory(folded, parent) or (
                index == last and is_sensitive_file(folded, parent)
            ):
                return Refusal("sensitive", name)
    return None


def refuse_root(names: Sequence[str]) -> Refusal | None:
    """Judge a root that somebody names, by the components of its canonical path.

    Nothing beneath git's metadata or a directory of credentials is a root.  A directory called ``x.git`` may
    hold one: people keep work trees in a bare repository's.
    """
    above = ""
    for name in names:
        folded = fold(name)
        if is_git_name(folded):
            return Refusal("git-metadata", name)
        if is_sensitive_directory(folded, above):
            return Refusal("sensitive", name)
        above = folded
    return None


def may_be_refused_directory(folded: str) -> bool:
    """Whether a directory of this folded name could be refused; nearly every name is told that it is not.

    Every one that is refused begins with a dot, has "git" or "~" in it, or is in the table of those that
    hold secrets below certain others.
    """
    return folded[:1] == "." or "git" in folded or "~" in folded or folded in IN_DIRECTORY
