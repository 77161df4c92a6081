"""The roots of a scope, opened and told apart: project, main worktree, Codex home, extra roots, the chain.

The project root is the nearest lexical ancestor of cwd that holds a marker, as the host finds it, and the
chain leads from there down to cwd.  Nothing is read here but what git says about a linked worktree.
"""

from __future__ import annotations

from refseal.pathguard import Place, Refusal, Root, find_linkage, is_unsafe
from refseal.pathguard.reach import join
from refseal.pathguard.repository import nearest_holding

from .scope import Directory, Scope
from .territory import Territory, components_beneath, is_beneath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from refseal.pathguard import Owners

    from .settings import Settings


def locate(
    cwd: str,
    *,
    settings: Settings,
    owners: Owners,
    home: str | None,
    codex_home: str | None,
    markers: Sequence[str],
) -> Scope:
    """Open the roots of a scope; no file is read.  Raises Refusal if cwd cannot be opened.

    ``cwd``         absolute
    ``home``        the user's home directory, what `~/` means; None: unknown
    ``codex_home``  the host's own directory; it need not exist
    ``markers``     names that make a directory a project root
    ``owners``      whose files are read; those of cwd, of the project root and of its `.git` come to it
    """
    scope = Scope(lexical(cwd), settings, lexical(home) if home else None)
    try:
        _open_roots(scope, owners, lexical(codex_home) if codex_home else None, markers)
    except BaseException:
        scope.close()
        raise
    return scope


def lexical(path: str) -> str:
    """Return an absolute path without `.`, `..` and doubled slashes, as text: links are not asked."""
    names: list[str] = []
    for name in path.split("/"):
        if name == "..":
            del names[-1:]
        elif name not in ("", "."):
            names.append(name)
    return "/" + "/".join(names)


def _open_roots(scope: Scope, owners: Owners, codex_home: str | None, markers: Sequence[str]) -> None:
    cwd = Root.open(scope.cwd, owners)
    scope.hold(cwd)
    scope.project_root = nearest_holding(scope.cwd, markers) or scope.cwd
    project = cwd if scope.project_root == scope.cwd else Root.open(scope.project_root, owners)
    scope.hold(project)
    scope.unsafe = is_unsafe(project, home=scope.home, codex_home=codex_home)
    # An unsafe root says nothing about its owner: whoever plants a `.git` in /tmp must not be trusted for it.
    uids = {cwd.owner}
    if not scope.unsafe:
        uids |= {project.owner, *_git_owner(project), *_git_owner(cwd)}
    scope.owners = owners = owners.including(*uids)
    cwd.owners = project.owners = owners
    territories = scope.territories
    is_cwd = cwd.identity == project.identity
    if scope.unsafe and is_cwd:
        territories.add(Territory(project, "cwd"))
    else:
        territories.add(Territory(project, "project", confined=scope.unsafe))
    if scope.unsafe and not is_cwd and is_beneath(cwd.path, project.path):
        territories.add(Territory(cwd, "cwd"))
    scope.linkage = find_linkage(scope.cwd, owners, home=scope.home, codex_home=codex_home)
    scope.authority.git_directories = frozenset(scope.linkage.git_directories)
    if scope.linkage.main_root is not None:
        main = Root.open(scope.linkage.main_root, owners)
        # Its path was judged a moment ago; what is there now has to be the same directory.
        if main.identity != scope.linkage.main_identity or territories.find(main) is not None:
            main.close()
        else:
            territories.add(Territory(main, "main"))
    if codex_home is not None:
        _add_codex_home(scope, codex_home)
    if scope.settings.extra_roots:
        from .extra_roots import add_extra_roots  # noqa: PLC0415 - few people have any

        add_extra_roots(scope)
    if scope.settings.allow_outside_root:
        territories.add(Territory(Root.open("/", owners), "anywhere"))
    _add_chain(scope, project, cwd, codex_home)


def _git_owner(root: Root) -> tuple[int, ...]:
    owner = root.git_owner
    return () if owner is None else (owner,)


def _add_codex_home(scope: Scope, codex_home: str) -> None:
    """Hold Codex home, if it exists.  Inside a project it is the project's, but for the usual ~/.codex."""
    try:
        root = Root.open(codex_home, scope.owners)
    except Refusal:
        return
    is_usual = scope.home is not None and codex_home == join(scope.home, (".codex",))
    place = scope.territories.place_of(root.path)
    if place is not None and not is_usual:
        root.close()
        reach = scope.authority.reach_of(place.root)
        try:
            place = scope.territories.narrow(place, reach)
        except Refusal:
            return
    else:
        scope.territories.add(Territory(root, "home"))
        place = Place(root)
    scope.codex_home = Directory(codex_home, place)


def _add_chain(scope: Scope, project: Root, cwd: Root, codex_home: str | None) -> None:
    """Find the place of every directory of the chain.

    Where no link stands in the chain the canonical paths follow from the lexical ones; otherwise each
    directory is asked.
    """
    territories = scope.territories
    names = components_beneath(scope.cwd, scope.project_root)
    is_plain = join(project.path, names) == cwd.path
    for depth in range(len(names) + 1):
        path = join(scope.project_root, names[:depth])
        if is_plain:
            canonical = join(project.path, names[:depth])
        else:
            root = Root.open(path, scope.owners)
            canonical = root.path
            if territories.place_of(canonical) is None:
                _add_strand(scope, root, cwd, codex_home)
            else:
                root.close()
        place = territories.place_of(canonical)
        if place is not None:
            try:
                place = territories.narrow(place, scope.authority.reach_of(place.root))
            except Refusal:
                place = None
        scope.chain.append(Directory(path, place))


def _add_strand(scope: Scope, root: Root, cwd: Root, codex_home: str | None) -> None:
    """Hold a directory of the chain that a link has put outside the project root."""
    confined = is_unsafe(root, home=scope.home, codex_home=codex_home) and root.identity != cwd.identity
    scope.territories.add(Territory(root, "strand", confined=confined))
    if confined and is_beneath(cwd.path, root.path):
        scope.territories.add(Territory(Root.open(scope.cwd, scope.owners), "cwd"))
