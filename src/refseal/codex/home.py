"""The user's own files and the machine's: where home and Codex home are, and what is configured there."""

from __future__ import annotations

from refseal.codex.configuration import MANAGED, MAX_BYTES, SYSTEM, USER, Configuration
from refseal.pathguard import Place, Reach, Refusal, Root, read
from refseal.pathguard.reach import join
from refseal.system import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

    from refseal.pathguard import Owners

SETTINGS_FILE: Final = "refseal.toml"

MACHINE: Final = "/"
"""Where the machine's own files are looked up."""


class Home:
    """Where the home directory and Codex home are, and the bytes of what is configured there.

    ``directory``      $HOME, or None; if Codex home is not told either and HOME is empty, the user database's
    ``codex``          Codex home: REFSEAL_CODEX_HOME, else CODEX_HOME, else ~/.codex; None: unknown
    ``settings``       refseal.toml; None without one
    ``configuration``  config.toml; empty without one, None: it could not be read
    ``system``         the same for the machine's file below it
    ``managed``        the same for the machine's file above it
    ``problems``       one line for the user about each file that is there and could not be read

    Without a Codex home nothing is read at all, and whether a project is trusted is not known.
    """

    __slots__ = ("codex", "configuration", "directory", "managed", "problems", "settings", "system")

    def __init__(self, environ: Mapping[str, str], owners: Owners) -> None:
        self.directory = _absolute(environ.get("HOME"))
        self.codex = _absolute(environ.get("REFSEAL_CODEX_HOME"))
        self.settings: bytes | None = None
        self.configuration: bytes | None = b""
        self.system: bytes | None = b""
        self.managed: bytes | None = b""
        self.problems: list[str] = []
        if self.codex is None and environ.get("CODEX_HOME"):
            self.codex = _absolute(environ.get("CODEX_HOME"))
            if self.codex is None:  # Codex takes it from the directory it was started in, which is not told
                self.problems.append("CODEX_HOME is no absolute path; set REFSEAL_CODEX_HOME to one")
                self.configuration = None
                return
        if self.codex is None:
            if not environ.get("HOME"):
                self.directory = _home_of_user()
            if self.directory is None:  # Codex finds one all the same, and whom the user trusts stands there
                self.problems.append("HOME is no absolute path; set REFSEAL_CODEX_HOME to Codex home")
                self.configuration = None
                return
            self.codex = join(self.directory, (".codex",))
        with Root.open(MACHINE, owners) as anywhere:
            self._read_user(self.codex, anywhere, owners)
            self.system = self._read(SYSTEM, anywhere, anywhere)
            self.managed = self._read(MANAGED, anywhere, anywhere)

    def rules(self) -> Configuration:
        """Return what Codex's own files say, without the project's."""
        return Configuration(self.configuration, self.system, self.managed)

    def _read_user(self, codex: str, anywhere: Root, owners: Owners) -> None:
        try:
            with Root.open(codex, owners) as root:
                self.settings = self._read(SETTINGS_FILE, root, anywhere) or None
                # Codex obeys this one whoever owns it; in a container that is often the folder's owner.
                root.owners = anywhere.owners = owners.including(root.owner)
                self.configuration = self._read(USER, root, anywhere)
                anywhere.owners = owners
        except Refusal as refusal:
            if refusal.code != "missing":
                self.problems.append(f"Codex home could not be opened ({refusal.code})")
                self.configuration = None

    def _read(self, name: str, root: Root, anywhere: Root) -> bytes | None:
        """Return a file's bytes, none if it is not there; None, and a problem, if they could not be read.

        These files are often links into a folder of dotfiles, or into one of a system's generations.
        """
        label = name if name.startswith("/") else f"{name} in Codex home"
        try:
            file = read(name.lstrip("/"), Place(root), Reach((root,), link_roots=(anywhere,)), MAX_BYTES)
        except Refusal as refusal:
            if refusal.code == "missing":
                return b""
            self.problems.append(f"{label} could not be read ({refusal.code})")
            return None
        if file.more:
            self.problems.append(f"{label} is longer than {MAX_BYTES} bytes and was not read")
            return None
        return file.data


def _home_of_user() -> str | None:
    """Return the home that the user database has, which Codex takes without a HOME (measured on 0.171.0)."""
    import pwd  # noqa: PLC0415 - nearly every session has a HOME

    try:
        return _absolute(pwd.getpwuid(os.getuid()).pw_dir)
    except (KeyError, OSError):
        return None


def _absolute(path: str | None) -> str | None:
    return path if path and path.startswith("/") and "\0" not in path else None
