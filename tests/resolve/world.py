"""A small disk with a home, a Codex home and projects, and short ways to ask what becomes of it."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from refseal.pathguard import Owners
from refseal.resolve.expansion import Expansion
from refseal.resolve.locating import locate
from refseal.resolve.native_view import Loaded, NativeView
from refseal.resolve.settings import read_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from refseal.resolve.resolution import Resolution
    from refseal.resolve.scope import Scope

GIT_ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.com",
}
MARKERS = (".git",)
NATIVE_BYTES = 32_768  # what the host loads of all project files together, if nobody says otherwise
LARGE = 1 << 20  # tokens: a host limit that no test meets by accident


def mirror(scope: Scope) -> NativeView:
    """Say that the host has loaded what its rules say, whole."""
    natives = [found for found in scope.instructions if found.family == "project"]
    return NativeView([Loaded(found) for found in natives if found.origin in ("chain", "home")])


class Answer:
    """A resolution in the words of a test: paths relative to the world, tokens, reasons."""

    def __init__(self, world: World, scope: Scope, resolution: Resolution) -> None:
        self.resolution = resolution
        self.instructions = [
            (found.origin, found.family, world.short(found.path)) for found in scope.instructions
        ]
        self.shown = [world.short(source.path) for source in resolution.documents]
        self.verdicts = [(found.reference.path, found.reason) for found in resolution.references]
        self.left_out = [(world.short(left.target), left.reason) for left in resolution.left_out]
        self.block = resolution.block.text if resolution.block is not None else ""

    def reason(self, path: str) -> str | None:
        """Return the reason of the first reference with this path; None: it was a mention."""
        return dict(reversed(self.verdicts)).get(path)


class World:
    """Directories `home`, `home/.codex` and whatever a test makes of `project`."""

    def __init__(self, top: Path) -> None:
        self.top = os.path.realpath(top)
        os.chmod(self.top, 0o755)
        self.home = self.at("home")
        self.codex_home: str | None = self.at("home/.codex")
        os.makedirs(self.at("home/.codex"))

    def at(self, path: str) -> str:
        return os.path.join(self.top, path)

    def short(self, path: str) -> str:
        return path.removeprefix(self.top + "/")

    def write(self, path: str, text: str | bytes = "") -> str:
        full = self.at(path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return full

    def write_all(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            self.write(path, text)

    def link(self, path: str, target: str) -> None:
        full = self.at(path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        os.symlink(target, full)

    def directory(self, path: str, mode: int = 0o755) -> None:
        os.makedirs(self.at(path), exist_ok=True)
        os.chmod(self.at(path), mode)

    def git(self, directory: str, *arguments: str) -> None:
        os.makedirs(self.at(directory), exist_ok=True)
        subprocess.run(
            ["git", *arguments], cwd=self.at(directory), env=GIT_ENVIRONMENT, check=True, capture_output=True
        )

    def repository(self, directory: str) -> None:
        self.git(directory, "init", "-q")

    def worktree(self, main: str, tree: str) -> None:
        """Make a linked worktree of a repository, which may be new."""
        if not os.path.exists(self.at(main + "/.git")):
            self.repository(main)
        self.git(main, "commit", "-q", "--allow-empty", "-m", "x")
        self.git(main, "worktree", "add", "-q", "--detach", self.at(tree))

    def scope(
        self, cwd: str, environ: Mapping[str, str] | None = None, *, markers: Sequence[str] = MARKERS
    ) -> Scope:
        settings = read_settings(environ or {}, None)
        scope = locate(
            self.at(cwd),
            settings=settings,
            owners=Owners.of_process(),
            home=self.home,
            codex_home=self.codex_home,
            markers=markers,
        )
        scope.read_instructions(settings.fallback_filenames or (), NATIVE_BYTES, lambda: False)
        return scope

    def ask(
        self,
        cwd: str,
        environ: Mapping[str, str] | None = None,
        *,
        markers: Sequence[str] = MARKERS,
        native: Callable[[Scope], NativeView] = mirror,
        limit: int = LARGE,
        clock: Callable[[], float] = lambda: 0.0,
    ) -> Answer:
        """Resolve what belongs to a directory; the settings come from ``environ``."""
        settings = read_settings(environ or {}, None)
        assert settings.problems == []
        before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
        with self.scope(cwd, environ, markers=markers) as scope:
            expansion = Expansion(scope, native(scope), settings, limit, clock)
            expansion.run()
            answer = Answer(self, scope, expansion.finish())
        after = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
        assert after == before, "a descriptor leaks"
        return answer
