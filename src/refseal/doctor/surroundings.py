"""All that the checks look at, gathered once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from refseal.codex.home import Home
from refseal.codex.host_limit import UNDECLARABLE, host_limit
from refseal.codex.session import Session, session_in
from refseal.doctor.client import Client, ask_client
from refseal.pathguard import Owners, Place, Reach, Refusal, Root, is_directory
from refseal.resolve.settings import PREFIX, read_settings
from refseal.resolve.toml_text import BrokenToml, read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "refseal"
"""The plugin's name, in whichever marketplace it is."""


class Plugin(NamedTuple):
    """A plugin that Codex's configuration names.

    ``identifier`` is NAME@MARKETPLACE; ``present`` whether Codex has a copy of it to run.
    """

    identifier: str
    enabled: bool
    present: bool

    @property
    def name(self) -> str:
        """Its name without the marketplace."""
        return self.identifier.rpartition("@")[0]

    @property
    def is_usable(self) -> bool:
        """Whether Codex looks for hooks in it."""
        return self.enabled and self.present


class Surroundings(NamedTuple):
    """What one user has, as far as the hook depends on it.

    ``codex_home``     Codex's own (CODEX_HOME, else ~/.codex); None without a home directory
    ``our_home``       where refseal looks for its settings: REFSEAL_CODEX_HOME, else the same
    ``configuration``  config.toml of ``codex_home``: an empty table if there is none; None: no TOML
    ``client``         the Codex on PATH; None: there is none
    ``limit``          tokens that this Codex shows of one hook
    ``session``        what a new session in ``directory`` gets
    """

    environ: Mapping[str, str]
    directory: str
    codex_home: str | None
    our_home: str | None
    configuration: dict[str, Any] | None
    plugins: tuple[Plugin, ...]
    client: Client | None
    limit: int
    session: Session

    @property
    def own_plugins(self) -> list[Plugin]:
        """Every entry of this plugin, in whichever marketplace."""
        return [plugin for plugin in self.plugins if plugin.name == NAME]


def survey(environ: Mapping[str, str], directory: str) -> Surroundings:
    """Look at everything; ``directory`` is the absolute path of a session.  Close the session afterwards."""
    owners = Owners.of_process()
    codexs = Home({name: value for name, value in environ.items() if name != PREFIX + "CODEX_HOME"}, owners)
    ours = Home(environ, owners)
    configuration = _table(codexs.configuration or b"")
    plugins = tuple(_plugins(configuration or {}, codexs.codex, owners))
    # An app server writes its databases into Codex home: it is not started where it has nothing to say.
    is_usable = any(plugin.name == NAME and plugin.is_usable for plugin in plugins)
    client = ask_client(environ, directory, about_hooks=is_usable)
    version = None if client is None else client.version
    wanted = read_settings(environ, ours.settings).host_limit
    limit = host_limit(version, wanted)
    # A new session's transcript will name this version; there is none yet to read it from.
    knows_limit = {**environ, PREFIX + "HOST_LIMIT": str(limit)} if limit == UNDECLARABLE else environ
    return Surroundings(
        environ=environ,
        directory=directory,
        codex_home=codexs.codex,
        our_home=ours.codex,
        configuration=configuration,
        plugins=plugins,
        client=client,
        limit=limit,
        session=session_in(directory, knows_limit),
    )


def _table(data: bytes) -> dict[str, Any] | None:
    try:
        return read_toml(data)
    except BrokenToml:
        return None


def _plugins(configuration: dict[str, Any], codex_home: str | None, owners: Owners) -> list[Plugin]:
    tables = configuration.get("plugins")
    found = []
    for identifier, table in tables.items() if isinstance(tables, dict) else ():
        enabled = not (isinstance(table, dict) and table.get("enabled") is False)
        found.append(Plugin(identifier, enabled, _is_present(identifier, codex_home, owners)))
    return found


def _is_present(identifier: str, codex_home: str | None, owners: Owners) -> bool:
    """Whether Codex home holds a copy in ``plugins/cache/MARKETPLACE/NAME``, as Codex 0.144 to 0.171 do."""
    name, _, marketplace = identifier.rpartition("@")
    if codex_home is None or not name or not marketplace:
        return False
    try:
        with Root.open(codex_home, owners) as root, Root.open("/", owners) as anywhere:
            # The folder is the user's own, and may be a link to somewhere else.
            reach = Reach((root,), link_roots=(anywhere,))
            return is_directory(f"plugins/cache/{marketplace}/{name}", Place(root), reach)
    except Refusal:
        return False
