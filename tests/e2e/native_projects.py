"""Generated projects for the oracle: whatever decides which AGENTS.md files Codex loads, mixed at random."""

from __future__ import annotations

import json
import os
import random
from typing import NamedTuple

NAMES = ("AGENTS.override.md", "AGENTS.md", "CLAUDE.md", "TEAM.md", "AGENTS.local.md")
DIRECTORIES = ("", "one", "one/two", "one/two/three")


class Case(NamedTuple):
    """A project on disk, the directory of the session, and Codex's configuration for it."""

    cwd: str
    keys: str
    tables: str


class Generator:
    """Builds one project and a Codex home; the same seed gives the same files."""

    def __init__(self, seed: int, folder: str, codex_home: str) -> None:
        self._random = random.Random(seed)
        self._folder = folder
        self._codex_home = codex_home
        self._root = os.path.join(folder, "project")
        self._texts = 0

    def build(self) -> Case:
        """Write everything down."""
        depth = self._random.choice([0, 1, 2, 3, 3])
        directories = DIRECTORIES[: depth + 1]
        os.makedirs(os.path.join(self._root, directories[-1]))
        os.makedirs(os.path.join(self._folder, "outside"))
        keys, fallbacks, markers = self._configuration()
        self._markers(directories, markers)
        for directory in ("..", *directories):
            self._names(os.path.join(self._root, directory), fallbacks)
        self._home()
        cwd = os.path.join(self._root, directories[-1])
        if self._chance(0.15):
            cwd = self._linked(directories)
        return Case(os.path.normpath(cwd), "\n".join(keys), self._trust(cwd, directories))

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def _configuration(self) -> tuple[list[str], list[str], list[str]]:
        keys = []
        fallbacks: list[str] = []
        markers = [".git"]
        if self._chance(0.5):
            fallbacks = self._random.sample(["CLAUDE.md", "TEAM.md", "AGENTS.local.md", "AGENTS.md"], 2)
            if self._chance(0.2):
                fallbacks.insert(1, self._random.choice(["", "missing.md", "one/CLAUDE.md", " TEAM.md"]))
            keys.append(f"project_doc_fallback_filenames = {json.dumps(fallbacks)}")
        if self._chance(0.35):
            markers = self._random.choice([[], [".hg"], [".hg", ".git"], ["package.json"], ["AGENTS.md"]])
            keys.append(f"project_root_markers = {json.dumps(markers)}")
        if self._chance(0.4):
            budget = self._random.choice([0, 1, 7, 20, 33, 60, 100, 40_000])
            keys.append(f"project_doc_max_bytes = {budget}")
        return keys, fallbacks, markers

    def _markers(self, directories: tuple[str, ...], markers: list[str]) -> None:
        for directory in directories:
            for marker in sorted({*markers, ".git"}):
                path = os.path.join(self._root, directory, marker)
                if marker == "AGENTS.md" or not self._chance(0.6 if directory == "" else 0.15):
                    continue
                kind = self._random.choice(["directory", "directory", "file", "broken"])
                if kind == "directory":
                    os.makedirs(path)
                    if self._chance(0.5):
                        self._write(os.path.join(path, "HEAD"), b"ref: refs/heads/main\n")
                elif kind == "file":
                    self._write(path, b"gitdir: nowhere\n")
                else:
                    os.symlink("is/not/there", path)

    def _names(self, directory: str, fallbacks: list[str]) -> None:
        for name in NAMES:
            wanted = {"AGENTS.override.md": 0.25, "AGENTS.md": 0.65}.get(
                name, 0.5 if name in fallbacks else 0.1
            )
            if self._chance(wanted):
                self._entry(os.path.join(directory, name))

    def _entry(self, path: str) -> None:
        kinds = {
            "text": 60,
            "blank": 8,
            "bytes": 6,
            "big": 6,
            "directory": 5,
            "inside": 6,
            "broken": 4,
            "through a file": 1,
            "loop": 1,
        }
        (kind,) = self._random.choices(list(kinds), list(kinds.values()))
        if kind == "text":
            self._write(path, self._text())
        elif kind == "blank":
            self._write(
                path, self._random.choice([b"", b"\n", b" \t\r\n\n", "\u3000\n".encode(), b"\xef\xbb\xbf\n"])
            )
        elif kind == "bytes":
            odd = [b"\xff\xfe", b"\x00", b"\xef\xbb\xbf", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80"]
            self._write(path, self._text() + self._random.choice(odd) + self._text())
        elif kind == "big":
            self._write(path, self._text() * self._random.choice([300, 900, 2000]))
        elif kind == "directory":
            os.mkdir(path)
        elif kind == "inside":
            self._write(path + ".target", self._text())
            os.symlink(os.path.basename(path) + ".target", path)
        elif kind == "broken":
            os.symlink("is-not-there.md", path)
        elif kind == "through a file":
            self._write(path + ".target", self._text())
            os.symlink(os.path.basename(path) + ".target/below", path)
        else:
            os.symlink(os.path.basename(path), path)

    def _text(self) -> bytes:
        self._texts += 1
        text = self._random.choice(
            ["Says {}\n", "Says {}", "  Says {}  \n\n", "\n\nSays {}\n", "Säys {} €\r\n", "Says {}\n---\n\n"]
        )
        return text.format(self._texts).encode()

    def _write(self, path: str, data: bytes) -> None:
        with open(path, "wb") as file:
            file.write(data)

    def _home(self) -> None:
        for name in ("AGENTS.override.md", "AGENTS.md", "AGENTS.local.md"):
            if self._chance(0.3):
                self._entry(os.path.join(self._codex_home, name))

    def _linked(self, directories: tuple[str, ...]) -> str:
        """Reach the last directory through a link that stands elsewhere: the chain is lexical."""
        link = os.path.join(self._root, "link")
        os.symlink(os.path.join(self._root, directories[-1]), link)
        return link

    def _trust(self, cwd: str, directories: tuple[str, ...]) -> str:
        """Say of some directories whether they are trusted, and put a layer of configuration into some."""
        if not self._chance(0.45):
            return ""
        levels = {}
        for directory in directories:
            if self._chance(0.5):
                path = os.path.join(self._root, directory).rstrip("/")
                levels[path] = self._random.choice(["trusted", "trusted", "untrusted"])
        if self._chance(0.3):
            levels[cwd if self._chance(0.5) else os.path.realpath(cwd)] = "trusted"
        for path in [path for path, level in levels.items() if level == "untrusted"]:
            # Codex takes distrust of documents from a root that is a repository only; refseal from any root.
            if os.path.exists(os.path.join(path, ".git")) or path == self._root:
                self._make_repository(path)
        for directory in directories:
            if self._chance(0.4):
                self._layer(os.path.join(self._root, directory, ".codex"))
        return "".join(
            f'[projects.{json.dumps(path)}]\ntrust_level = "{level}"\n' for path, level in levels.items()
        )

    def _make_repository(self, directory: str) -> None:
        git = os.path.join(directory, ".git")
        if os.path.lexists(git) and not os.path.isdir(git):
            os.remove(git)
        os.makedirs(git, exist_ok=True)
        self._write(os.path.join(git, "HEAD"), b"ref: refs/heads/main\n")

    def _layer(self, folder: str) -> None:
        layer = self._random.choice(
            [
                f"project_doc_max_bytes = {self._random.choice([0, 5, 30, 50_000])}\n",
                'project_doc_fallback_filenames = ["TEAM.md"]\n',
                "project_doc_fallback_filenames = []\nproject_doc_max_bytes = 90\n",
                'project_root_markers = [".hg"]\n',
            ]
        )
        os.makedirs(folder)
        self._write(os.path.join(folder, "config.toml"), layer.encode())
