"""The real Codex, run as its user would, in a home of its own and against a mock of its model's server."""

from __future__ import annotations

import glob
import json
import os
import queue
import subprocess
import threading
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType

    from tests.e2e.model_server import ModelServer

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
NEWEST = "newest"
"""The alias in package.json that names the newest version that we pin."""

PATIENCE = 30.0
"""Seconds until a client that says nothing is called hung: far above what a loaded machine needs (0.3 s)."""


class ClientError(AssertionError):
    """The client did not do what the harness asked it for: what it printed is the message."""


def find_program(version: str) -> str | None:
    """Give the native program of a version that `npm ci` put into node_modules, or None.

    npm's own entry, bin/codex.js, looks for the same file and runs it; without it a test needs no node.
    """
    package = os.path.join(HERE, "node_modules", f"codex-{version}")
    tail = os.path.join("@openai", "codex-*", "vendor", "*", "bin", "codex")
    for base in (os.path.join(package, "node_modules"), os.path.join(HERE, "node_modules")):
        for program in glob.glob(os.path.join(glob.escape(base), tail)):
            if os.access(program, os.X_OK) and _package_version(program).startswith(_pinned(version)):
                return program
    return None


def _pinned(version: str) -> str:
    with open(os.path.join(HERE, "package.json"), "rb") as file:
        dependencies = json.load(file)["dependencies"]
    return str(dependencies[f"codex-{version}"]).rpartition("@")[2]


def _package_version(program: str) -> str:
    vendor = os.path.dirname(os.path.dirname(os.path.dirname(program)))
    with open(os.path.join(os.path.dirname(vendor), "package.json"), "rb") as file:
        return str(json.load(file)["version"])


class Codex:
    """One version of the client with a home folder, a Codex home and a configuration of its own."""

    def __init__(self, program: str, folder: str, model: ModelServer, python: str) -> None:
        """Set up the homes beneath `folder`; `python` is the folder that holds the `python3` on PATH."""
        self.program = program
        self.home = os.path.join(folder, "home")
        self.codex_home = os.path.join(folder, "codex")
        os.makedirs(self.home, exist_ok=True)
        os.makedirs(self.codex_home, exist_ok=True)
        self.as_user: tuple[str, ...] = ()
        """A command that runs the rest of its line as somebody else (`setpriv …`), or nothing."""
        self.environment = {
            "HOME": self.home,
            "CODEX_HOME": self.codex_home,
            "PATH": os.pathsep.join([python, "/usr/local/bin", "/usr/bin", "/bin"]),
            "LANG": "C.UTF-8",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            # Nothing may leave the machine: whatever is not the mock goes to a closed port.
            "HTTP_PROXY": "http://127.0.0.1:9",
            "HTTPS_PROXY": "http://127.0.0.1:9",
            "NO_PROXY": "127.0.0.1,localhost",
        }
        self._model = model
        self._tables = ""
        self._keys = ""
        if not os.path.exists(os.path.join(self.codex_home, "config.toml")):
            self.configure()

    def configure(self, keys: str = "", tables: str = "") -> None:
        """Write config.toml: the mock as the provider, then these top-level keys and tables of the test.

        What `codex plugin` wrote into it before is kept.
        """
        path = os.path.join(self.codex_home, "config.toml")
        text = (
            f'model = "gpt-test"\nmodel_provider = "mock"\ncheck_for_update_on_startup = false\n{keys}\n'
            f'[model_providers.mock]\nname = "mock"\nbase_url = "{self._model.url}"\n'
            f'wire_api = "responses"\nsupports_websockets = false\n\n'
            f"[analytics]\nenabled = false\n\n{tables}\n"
        )
        plugins = ""
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                plugins = "".join(_plugin_tables(file))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + plugins)

    def run(self, *arguments: str, cwd: str = "/", status: int = 0) -> str:
        """Run one command to its end and give what it printed; another exit status is an error."""
        done = subprocess.run(
            [*self.as_user, self.program, *arguments],
            env=self.environment,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        output = done.stdout.decode("utf-8", "replace")
        if done.returncode != status:
            raise ClientError(
                f"{arguments}: {done.returncode}\n{output}\n{done.stderr.decode(errors='replace')}"
            )
        return output

    def execute(
        self, prompt: str, *, cwd: str, options: Sequence[str] = (), command: Sequence[str] = ()
    ) -> str:
        """Run `codex exec` (or `exec resume ID`, `exec fork ID` as `command`); give the thread's id."""
        output = self.run("exec", "--json", "--skip-git-repo-check", "-C", cwd, *options, *command, prompt)
        for line in output.splitlines():
            if line.startswith("{"):
                event = json.loads(line)
                if event.get("type") == "thread.started":
                    return str(event["thread_id"])
        raise ClientError(output)

    def resume(self, thread: str, prompt: str, *, cwd: str, options: Sequence[str] = ()) -> str:
        """Go on with a thread in a new process; give its id."""
        return self.execute(prompt, cwd=cwd, options=options, command=("resume", thread))

    def install(self, marketplace: str, plugin: str = "refseal@refseal") -> str:
        """Install a plugin from a folder as a user does; give the folder that Codex copied it to."""
        self.run("plugin", "marketplace", "add", marketplace)
        output = self.run("plugin", "add", plugin)
        return output.rpartition("Installed plugin root: ")[2].splitlines()[0]

    def hooks(self, cwd: str) -> list[dict[str, Any]]:
        """Ask the app server for the hooks that a session in this directory would run."""
        with AppServer(self) as server:
            listed = server.request("hooks/list", {"cwds": [cwd]})["data"]
        assert [entry["errors"] for entry in listed] == [[]]
        return [hook for entry in listed for hook in entry["hooks"]]

    def trust_hooks(self, cwd: str) -> None:
        """Trust the plugin's hooks as the client's review does: the two hashes into config.toml."""
        lines = []
        for hook in self.hooks(cwd):
            definition, _, content = hook["currentHash"].partition("/")
            lines.append(
                f"\n[hooks.state.{json.dumps(hook['key'])}]\ntrusted_hash = {json.dumps(definition)}\n"
            )
            if content:
                lines.append(f"trusted_content_hash = {json.dumps(content)}\n")
        with open(os.path.join(self.codex_home, "config.toml"), "a", encoding="utf-8") as file:
            file.write("".join(lines))

    def transcript(self, thread: str) -> str:
        """Give the path of a thread's transcript."""
        pattern = os.path.join(glob.escape(self.codex_home), "sessions", "*", "*", "*", f"*{thread}.jsonl")
        (path,) = glob.glob(pattern)
        return path


def _plugin_tables(lines: Iterator[str] | IO[str]) -> Iterator[str]:
    keep = False
    for line in lines:
        if line.startswith("["):
            keep = line.startswith(("[marketplaces", "[plugins", "[hooks"))
        if keep:
            yield line


class AppServer:
    """`codex app-server`: JSON lines on stdin and stdout, as editors speak; many threads in one process."""

    def __init__(self, codex: Codex, *options: str) -> None:
        self._process = subprocess.Popen(
            [*codex.as_user, codex.program, *options, "app-server"],
            env=codex.environment,
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self._last = 0
        self.notifications: list[dict[str, Any]] = []
        """Everything that the server told without being asked, in order."""
        self.request(
            "initialize",
            {
                "clientInfo": {"name": "refseal-e2e", "title": None, "version": "0"},
                "capabilities": {"experimentalApi": True},
            },
        )
        self._send({"method": "initialized"})

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(json.loads(line))
        self._answers.put({"method": "closed"})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _next(self) -> dict[str, Any]:
        try:
            found = self._answers.get(timeout=PATIENCE)
        except queue.Empty:
            raise ClientError(f"the app server is silent after {self.notifications[-3:]}") from None
        if found.get("method") == "closed":
            raise ClientError(f"the app server ended after {self.notifications[-3:]}")
        return found

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Ask, and give the result; an error is raised."""
        self._last += 1
        number = self._last
        self._send({"id": number, "method": method, "params": params})
        while True:
            answer = self._next()
            if answer.get("id") == number and "method" not in answer:
                if "error" in answer:
                    raise ClientError(f"{method}: {answer['error']}")
                result = answer["result"]
                assert isinstance(result, dict)
                return result
            self.notifications.append(answer)

    def wait(self, method: str, thread: str) -> dict[str, Any]:
        """Wait for the next notification of that kind about a thread and give its parameters."""
        while True:
            answer = self._next()
            self.notifications.append(answer)
            params = answer.get("params", {})
            if answer.get("method") == method and params.get("threadId") == thread:
                assert isinstance(params, dict)
                return params
            if answer.get("method") == "error" and not params.get("willRetry"):
                raise ClientError(str(params))

    def start(self, cwd: str, **params: Any) -> str:
        """Start a thread and give its id."""
        return str(self.request("thread/start", {"cwd": cwd, **params})["thread"]["id"])

    def resume(self, thread: str, **params: Any) -> None:
        """Load a thread from its transcript."""
        self.request("thread/resume", {"threadId": thread, **params})

    def fork(self, thread: str, **params: Any) -> str:
        """Fork a thread and give the new one's id."""
        return str(self.request("thread/fork", {"threadId": thread, **params})["thread"]["id"])

    def say(self, thread: str, prompt: str, **params: Any) -> None:
        """Say something in a thread and wait until its turn is over."""
        text = {"type": "text", "text": prompt, "text_elements": []}
        self.request("turn/start", {"threadId": thread, "input": [text], **params})
        turn = self.wait("turn/completed", thread)["turn"]
        if turn["status"] != "completed":
            raise ClientError(str(turn))

    def compact(self, thread: str) -> None:
        """Compact a thread and wait until that is over (its next turn then starts with `compact`)."""
        self.request("thread/compact/start", {"threadId": thread})
        self.wait("turn/completed", thread)

    def revert(self, thread: str, *, keep: int) -> None:
        """Take back all turns of a thread but the first `keep`."""
        params = {"threadId": thread, "sortDirection": "asc"}
        turns = self.request("thread/turns/list", params)["data"]
        self.request("thread/revert", {"threadId": thread, "beforeTurnId": turns[keep]["id"]})

    def hook_runs(self, thread: str) -> list[dict[str, Any]]:
        """Give the summary of each hook that ended in that thread so far."""
        return [
            told["params"]["run"]
            for told in self.notifications
            if told.get("method") == "hook/completed" and told["params"]["threadId"] == thread
        ]

    def told(self, thread: str) -> list[str]:
        """Give what hooks told the people at the client (`systemMessage`) in that thread so far."""
        return [
            entry["text"]
            for run in self.hook_runs(thread)
            for entry in run["entries"]
            if entry["kind"] == "warning"
        ]

    def close(self) -> None:
        """End the server: it ends when its input does."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        self._process.stdout.close()

    def __enter__(self) -> AppServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
