"""What a session of Codex in a directory gets: the question that hook, `refseal show` and audit share.

Data flows once: the user's files -> settings and Codex's configuration -> scope -> what Codex loaded ->
resolution.  Each step is imported when it is reached, and most sessions end early: a directory with no
instruction files needs no tokenizer, no seals and no transcript but for one question, whether there is an
earlier block to withdraw.
"""

from __future__ import annotations

from refseal.codex.configuration import LAYER, MAX_BYTES
from refseal.codex.deadline import LONGEST
from refseal.codex.history import History
from refseal.codex.home import Home
from refseal.pathguard import Owners, Place, Reach, Refusal, Root, read
from refseal.pathguard.repository import nearest_configured
from refseal.resolve.locating import locate
from refseal.resolve.settings import read_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final

    from refseal.codex.configuration import Configuration
    from refseal.codex.deadline import Clock
    from refseal.resolve.expansion import Expansion
    from refseal.resolve.native_view import NativeView
    from refseal.resolve.resolution import Resolution
    from refseal.resolve.scope import Scope
    from refseal.resolve.settings import Settings


MAX_NATIVE_BYTES: Final = 1 << 20
"""Bytes read of one native file, however much Codex is told to load: a model's whole context has a few MiB.

Of a longer one it is not known what Codex loaded, so nothing of it is restored.
"""

FOR_HISTORY: Final = 0.5
"""The part of the time after which no transcript is read: the instruction files matter more than a repeat."""

SETTINGS_IN_PROJECT: Final = "refseal.toml in Codex home lies in the project; none of it is used"
"""What the user is told of settings that a project could have brought along."""

SIZE_REASONS: Final = frozenset({"host-limit", "file-count", "total-bytes"})
"""Reasons that the user is told of: a larger setting, or a smaller file, would change it."""


class Session:
    """What a session gets, and why.

    ``settings``       refseal's own, from the environment and refseal.toml
    ``configuration``  Codex's own, the project's layers included; None before they are read
    ``scope``          the instruction files that belong there; None if disabled, or if there is no directory
    ``view``           what Codex has loaded of them; None if there are none
    ``expansion``      the resolver at work; None if there was nothing to resolve
    ``resolution``     its answer; None before it is finished
    ``history``        what the transcript says; None before it was asked, and if nothing is to be said at all
    ``messages``       lines for the user
    """

    __slots__ = (
        "codex_home", "configuration", "expansion", "history", "messages", "resolution", "scope", "settings",
        "view",
    )  # fmt: skip

    def __init__(self, settings: Settings, codex_home: str | None) -> None:
        self.settings = settings
        self.codex_home = codex_home
        self.configuration: Configuration | None = None
        self.scope: Scope | None = None
        self.view: NativeView | None = None
        self.expansion: Expansion | None = None
        self.resolution: Resolution | None = None
        self.history: History | None = None
        self.messages: list[str] = list(settings.problems)

    @property
    def block(self) -> str | None:
        """The text of the block that belongs into the session, or None."""
        if self.resolution is None or self.resolution.block is None:
            return None
        return self.resolution.block.text

    def finish(self) -> None:
        """Make the block of what there is; another thread may still wait for a disk for it.

        It may even wait for an instruction file: then the block is made of those that it has read.
        """
        expansion = self.expansion
        if expansion is None:
            if self.configuration is None or self.scope is None or not self.scope.unread:
                return
            from refseal.codex.contribution import expand  # noqa: PLC0415 - see the module's text

            expansion = expand(self, _no_time_spent)
        self.resolution = expansion.finish()
        by_size = [left_out for left_out in self.resolution.left_out if left_out.reason in SIZE_REASONS]
        if by_size:
            what = "one document was" if len(by_size) == 1 else f"{len(by_size)} documents were"
            self.messages.append(f"{what} left out for size, and the block names what there is room for")

    def close(self) -> None:
        """Give up the directories that the scope holds open."""
        if self.scope is not None:
            self.scope.close()


def session_in(
    cwd: str,
    environ: Mapping[str, str],
    *,
    home: Home | None = None,
    transcript: str | None = None,
    clock: Clock | None = None,
    started: Callable[[Session], None] | None = None,
) -> Session:
    """Return what a session in the directory ``cwd`` (absolute, as Codex spells it) gets.

    ``home``        the user's own files, if they were read already
    ``transcript``  path of the session's transcript, or None for a session that has none yet
    ``clock``       when to stop; without one the work takes as long as it takes
    ``started``     is called with the session as soon as the settings are known

    A ``cwd`` that is not there gets nothing.  The caller closes the session.
    """
    owners = Owners.of_process()
    if home is None:
        home = Home(environ, owners)
    session = Session(_settings(environ, home.settings, clock), home.codex)
    if started is not None:
        started(session)
    if session.settings.disable:
        return session
    session.messages += home.problems
    configuration = home.rules()
    try:
        scope = _locate(cwd, session.settings, owners, home, configuration)
        if home.settings is not None and scope.has_codex_home_in_project():
            # What came with a project must not say how far it reaches.
            scope.close()
            session.settings = _settings(environ, None, clock)
            session.messages = [*session.settings.problems, SETTINGS_IN_PROJECT, *home.problems]
            scope = _locate(cwd, session.settings, owners, home, configuration)
    except Refusal as refusal:
        session.messages.append(
            f"the session's directory could not be opened ({refusal.code}); nothing was added"
        )
        return session
    session.scope, settings = scope, session.settings
    _add_layers(scope, configuration, home)
    fallbacks = (
        configuration.fallbacks if settings.fallback_filenames is None else settings.fallback_filenames
    )
    session.messages += scope.problems + configuration.problems
    spent = clock.spent if clock is not None else _no_time_spent
    session.history = _history(transcript, owners, lambda: spent() > settings.deadline * FOR_HISTORY)
    session.configuration = configuration
    native_bytes = min(configuration.budget, MAX_NATIVE_BYTES)
    scope.read_instructions(fallbacks, native_bytes, lambda: spent() > settings.deadline)
    if scope.instructions or scope.unread:
        from refseal.codex.contribution import expand  # noqa: PLC0415 - see the module's text

        expand(session, spent).run()
        session.finish()
    return session


def _settings(environ: Mapping[str, str], toml: bytes | None, clock: Clock | None) -> Settings:
    settings = read_settings(environ, toml)
    if clock is not None:
        settings.deadline = clock.seconds = min(settings.deadline, LONGEST)
    return settings


def _locate(cwd: str, settings: Settings, owners: Owners, home: Home, configuration: Configuration) -> Scope:
    return locate(
        cwd,
        settings=settings,
        owners=owners,
        home=home.directory,
        codex_home=home.codex,
        markers=configuration.markers,
    )


def _history(transcript: str | None, owners: Owners, is_late: Callable[[], bool]) -> History:
    if transcript is None:
        return History()
    from refseal.codex.thread_files import history_of  # noqa: PLC0415 - see the module's text

    return history_of(transcript, owners, is_late)


def _add_layers(scope: Scope, configuration: Configuration, home: Home) -> None:
    """Take in each trusted `.codex/config.toml` from the root that Codex finds for them down to cwd."""
    top = nearest_configured(scope.cwd, configuration.markers) or scope.cwd
    places = {directory.path: directory.place for directory in scope.chain}
    for path in _down(top, scope.cwd):
        if path.rstrip("/") + "/.codex" == home.codex:
            continue  # the user's own, which was read already
        data = _layer(path, places.get(path), scope.owners)
        if data is None:
            continue
        from refseal.codex.trust import Trust  # noqa: PLC0415 - few projects have a layer

        if Trust(scope, configuration).of_layer(path, top) == "trusted":
            configuration.add_layer(data)


def _down(top: str, path: str) -> list[str]:
    """List the directories from ``top`` down to ``path``, by their spelling."""
    paths = [path]
    while paths[-1] != top:
        paths.append(paths[-1].rpartition("/")[0] or "/")
    return paths[::-1]


def _layer(path: str, place: Place | None, owners: Owners) -> bytes | None:
    if place is not None:
        return _read(LAYER, place, Reach((place.root,)))
    try:
        with Root.open(path, owners) as root:
            return _read(LAYER, Place(root), Reach((root,)))
    except Refusal:
        return None


def _no_time_spent() -> float:
    return 0.0


def _read(token: str, place: Place, reach: Reach) -> bytes | None:
    try:
        file = read(token, place, reach, MAX_BYTES)
    except Refusal:
        return None
    return None if file.more else file.data
