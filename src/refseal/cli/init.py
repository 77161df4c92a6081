"""`refseal init`: an overlay here, which git ignores."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import click

from refseal.cli.manual import SETTINGS, Manual
from refseal.cli.output import complain, path_for_people, print_text

if TYPE_CHECKING:
    from refseal.overlay import Made
    from refseal.pathguard import Refusal
    from refseal.pathguard.exclude import Unverified

_IN_THE_WAY = {
    "not-regular": "is a link, a pipe or a device; remove it, or write to where it leads yourself",
    "directory": "is a directory; remove it or rename it",
    "not-a-directory": "is no directory; nothing is written through a link",
    "foreign-owner": "belongs to somebody else",
    "too-long": "is too long to be git's list",
    "unreadable": "cannot be written: permission, a full disk, or another process at the same time",
    "git-metadata": "is git's own directory; name a directory of the work tree",
    "missing": "is gone",
}
"""What to say of a thing that `refseal init` does not write to, by the code of the refusal."""

_BY_HAND = (
    'by hand: touch AGENTS.local.md && echo AGENTS.local.md >> "$(git rev-parse --git-path info/exclude)"'
)


@click.command(
    cls=Manual,
    exit_status={
        0: "The overlay is there, and git's list names it (if there is a repository).",
        1: "Something is in the way, and is named. Nothing was changed.",
        2: "Could not run (usage, PATH is not a directory).",
    },
    environment=SETTINGS,
    examples={
        "refseal init": "Make an overlay in this directory.",
        "refseal init ~/.codex": "Make one that holds in every project.",
    },
)
@click.argument("path", default=".", metavar="[PATH]", type=click.Path(exists=True, file_okay=False))
@click.pass_context
def init(context: click.Context, path: str) -> None:
    """Make AGENTS.local.md in PATH (default: here), and have git ignore it.

    The overlay is yours alone (mode 0600).  One that is there stays as it is.  Git ignores it through
    .git/info/exclude, which no commit carries; of a linked worktree it is the main repository's.  A line
    `!AGENTS.local.md` in a .gitignore overrules that.  In a linked worktree it takes the place of the one
    that the main checkout has in the same directory.

    Both files are written whole or not at all, and through no link.  Git is not run.  A repository whose
    .git is a link, or a file that no main repository confirms, is not written to.
    """
    from refseal.codex.home import Home  # noqa: PLC0415 - after --help
    from refseal.overlay import make_overlay  # noqa: PLC0415
    from refseal.pathguard import Owners, Refusal  # noqa: PLC0415
    from refseal.pathguard.exclude import Unverified  # noqa: PLC0415

    home = Home(os.environ, Owners.of_process())
    inherited = _inherited(os.path.abspath(path))
    try:
        made = make_overlay(os.path.abspath(path), home=home.directory, codex_home=home.codex)
    except Refusal as refusal:
        complain("init", _refused(refusal))
    except Unverified as unverified:
        complain("init", _unverified(unverified))
    else:
        _tell(made)
        if made.is_new and inherited is not None:
            complain("init", _hides(inherited))
        return
    context.exit(1)


def _inherited(directory: str) -> str | None:
    """Return the path of the main checkout's overlay that a session here gets for want of an own one."""
    from refseal.codex.session import session_in  # noqa: PLC0415 - after --help

    session = session_in(directory, os.environ)
    try:
        scope = session.scope
        if scope is None or scope.linkage.main_root is None or scope.linkage.worktree_root is None:
            return None
        below = os.path.relpath(os.path.realpath(directory), scope.linkage.worktree_root)
        counterpart = os.path.normpath(os.path.join(scope.linkage.main_root, below))
        found = [one for one in scope.instructions if (one.family, one.origin) == ("overlay", "twin")]
        return next((one.path for one in found if one.directory == counterpart and one.file), None)
    finally:
        session.close()


def _hides(inherited: str) -> str:
    """Say that the new overlay stands in for another one, and how to have both."""
    shown = path_for_people(inherited)
    if not _PLAIN.fullmatch(inherited):
        return f"it takes the place of {shown}, which held here until now"
    return f"it takes the place of {shown}, which held here until now; to have both, add the line @{shown}"


_PLAIN = re.compile(r"[\w./+-]+", re.ASCII)
"""A path that is a reference as it stands."""


def _refused(refusal: Refusal) -> str:
    if refusal.code == "unsupported-platform":
        return "this platform is not supported"
    what = _IN_THE_WAY.get(refusal.code, f"cannot be written: {refusal.code}")
    return f"{path_for_people(refusal.where)} {what}. Nothing was changed."


def _unverified(unverified: Unverified) -> str:
    linkage = unverified.linkage
    if linkage.status in ("none", "linked"):
        kind = "is no repository of git's"
    elif linkage.status in ("submodule", "bare", "separate-git-dir"):
        kind = f"keeps git's files elsewhere ({linkage.status})"
    else:
        kind = f"leads to a repository that does not confirm it ({linkage.detail or linkage.status})"
    top = path_for_people(linkage.worktree_root or "")
    return f"the .git of {top} {kind}, and is not written to. Nothing was changed; {_BY_HAND}"


def _tell(made: Made) -> None:
    path = path_for_people(made.path)
    lines = [
        f"{path} made; only you can read it." if made.is_new else f"{path} was there; it stays as it is."
    ]
    if made.exclude is None:
        lines.append("There is no git repository here, so there is nothing to ignore it in.")
    else:
        done = "lists it now" if made.is_listed else "listed it already"
        lines.append(f"{path_for_people(made.exclude)} {done}, so git ignores it.")
    print_text("".join(f"{line}\n" for line in lines))
    if made.exclude is not None and made.is_tracked:
        complain(
            "init",
            "git tracks AGENTS.local.md here (or its index cannot be read), and does not ignore what it "
            "tracks: git rm --cached AGENTS.local.md",
        )
