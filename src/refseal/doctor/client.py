"""The user's own Codex: which version it is, and what it says of its hooks."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import time
from typing import TYPE_CHECKING, NamedTuple

from refseal import __version__
from refseal.doctor.programs import find_program, output_of

if TYPE_CHECKING:
    from collections.abc import Mapping

PATIENCE = 20.0
"""Seconds for all of the app server's answers: they take a third of one, or a few on a loaded machine."""

MAX_BYTES = 16 << 20
"""Of all its answers: a thousand hooks have a hundredth of it."""

_VERSION = re.compile(r"\b(\d+\.\d+\.\d+[0-9A-Za-z.+-]*)")


class Unanswered(Exception):  # noqa: N818 - an answer of a kind: the argument says why there is no other
    """The client could not be asked."""


class Hook(NamedTuple):
    """One hook as the client sees it for a directory; strings are the client's, unescaped.

    ``plugin`` is its ``NAME@MARKETPLACE``, "" for a hook of a configuration file.  ``trust`` is untrusted,
    trusted, modified or managed.  ``source`` is the path of the file that defines it.
    """

    plugin: str
    event: str
    command: str
    enabled: bool
    trust: str
    source: str


class Hooks(NamedTuple):
    """What `hooks/list` says: the hooks, and the client's own sentences about those that it cannot use."""

    hooks: tuple[Hook, ...]
    warnings: tuple[str, ...]


class Client(NamedTuple):
    """The Codex on PATH.

    ``version``  None if it does not say
    ``hooks``    what it says of them; why it does not; None: it was not asked
    """

    program: str
    version: str | None
    hooks: Hooks | Unanswered | None


def ask_client(environ: Mapping[str, str], directory: str, *, about_hooks: bool) -> Client | None:
    """Ask the Codex on PATH about a session in ``directory``; None if there is none on PATH."""
    program = find_program("codex", environ)
    if program is None:
        return None
    said = output_of([program, "--version"], environ)
    found = _VERSION.search(said or "")
    hooks: Hooks | Unanswered | None = None
    try:
        if about_hooks:
            hooks = list_hooks(program, environ, directory)
    except Unanswered as unanswered:
        hooks = unanswered
    return Client(program, found[1] if found else None, hooks)


def list_hooks(program: str, environ: Mapping[str, str], directory: str) -> Hooks:
    """Start ``codex app-server``, ask it for its hooks in ``directory``, and end it.

    It loads the user's configuration as every session does, and runs none of the hooks.

    Raises:
        Unanswered: it does not start, hangs, says no, or says what cannot be understood.

    """
    try:
        process = subprocess.Popen(  # noqa: S603 - a program of the user's, from an absolute path
            [program, "app-server"],
            cwd="/",
            env=dict(environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise Unanswered("it cannot be started") from error
    with process:
        try:
            server = _Server(process)
            client = {"name": "refseal-doctor", "title": None, "version": __version__}
            server.request("initialize", {"clientInfo": client, "capabilities": {"experimentalApi": True}})
            server.send({"method": "initialized"})
            answer = server.request("hooks/list", {"cwds": [directory]})
        finally:
            with contextlib.suppress(OSError):  # it may have ended, and its children with it
                os.killpg(process.pid, signal.SIGKILL)
    return _read(answer)


class _Server:
    """JSON lines to and from a process, until the time is over."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None  # noqa: S101 - asked for above
        assert process.stdout is not None  # noqa: S101
        self._input = process.stdin
        self._output = process.stdout.fileno()
        self._end = time.monotonic() + PATIENCE
        self._data = b""
        self._size = 0
        self._number = 0

    def send(self, message: dict[str, object]) -> None:
        try:
            self._input.write(json.dumps(message).encode() + b"\n")
            self._input.flush()
        except OSError as error:
            raise Unanswered("its app server ended at once") from error

    def request(self, method: str, params: dict[str, object]) -> object:
        """Return the result of a request; what else the server tells is passed over."""
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        while True:
            try:
                answer = json.loads(self._line())
            except (ValueError, RecursionError):
                continue  # a line for people
            if isinstance(answer, dict) and answer.get("id") == self._number and "method" not in answer:
                if "result" not in answer:
                    raise Unanswered(f"its app server does not know {method}")
                return answer["result"]

    def _line(self) -> bytes:
        while b"\n" not in self._data:
            ready = select.select([self._output], [], [], max(0.0, self._end - time.monotonic()))[0]
            part = os.read(self._output, 1 << 16) if ready else None
            if part is None:
                raise Unanswered(f"its app server did not answer within {PATIENCE:g} s")
            self._size += len(part)
            if not part or self._size > MAX_BYTES:
                raise Unanswered("its app server ended without an answer")
            self._data += part
        line, _, self._data = self._data.partition(b"\n")
        return line


def _read(answer: object) -> Hooks:
    hooks: list[Hook] = []
    warnings: list[str] = []
    try:
        for entry in _list(answer, "data"):
            warnings += [str(warning) for warning in _list(entry, "warnings")]
            warnings += [str(error) for error in _list(entry, "errors")]
            hooks += [_hook(fields) for fields in _list(entry, "hooks")]
    except (KeyError, TypeError) as error:
        raise Unanswered("its app server's answer has another form than that of Codex 0.171") from error
    return Hooks(tuple(hooks), tuple(dict.fromkeys(warnings)))


def _list(value: object, key: str) -> list[object]:
    found = value[key] if isinstance(value, dict) else None
    if not isinstance(found, list):
        raise TypeError(key)
    return found


def _hook(fields: object) -> Hook:
    if not isinstance(fields, dict):
        raise TypeError("hook")
    return Hook(
        plugin=str(fields.get("pluginId") or ""),
        event=str(fields["eventName"]),
        command=str(fields.get("command") or ""),
        enabled=fields["enabled"] is True,
        trust=str(fields["trustStatus"]),
        source=str(fields.get("sourcePath") or ""),
    )
