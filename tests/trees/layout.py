r"""Hostile trees from a few words: the language of `tests/vectors/paths.jsonl`, put on the real disk.

One entry a line, in order:

    d/                a directory                      a => b      a symbolic link, its text as it stands
    f                 a file that holds its name       a ~> b      a hard link
    f = text          a file that holds ``text``
    f !fifo           also !socket, !chardev MAJOR:MINOR, !sparse BYTES, !mode OCTAL, !owner UID
    d !bind OUT       a bind mount
    !rm A, !mv A B, !cp A B, !owner A UID              file operations
    !deep N           ``d`` in ``d``, N times, and a ``t.md`` in the last
    !cve20254517 F    a path longer than PATH_MAX, spelled short through links, with a link out at its end
    !git-worktree MAIN WT, !git-bare-worktree BARE WT, !git-submodule SUPER SUB, !git-worktree-of REPO WT,
    !git-separate DIR WT, !relative-links WT MAIN, !prune-dir A            what git makes

Names are beneath ROOT unless they begin with ``OUT/``, ``HOME/``, ``CODEX/``, ``TMP/`` or ``PARENT/``, which
lie beside it.  ``$ROOT`` and its like are replaced by absolute paths, ``\xNN`` is one byte, ``\n`` a newline.
"""

from __future__ import annotations

import atexit
import functools
import os
import re
import shutil
import socket
import stat
import subprocess
import tempfile
from pathlib import Path

AREAS = ("ROOT", "OUT", "HOME", "CODEX", "TMP")
"""The directories that every case finds; PARENT is the one that they lie in."""

_ENTRY = re.compile(r"(?P<name>.+?) (?P<mark>=>|~>|=|![a-z]+)(?: (?P<rest>.*))?", re.DOTALL)
_GIT = (
    "git",
    *("-c", "user.name=Nobody", "-c", "user.email=nobody@example.invalid"),
    *("-c", "init.defaultBranch=trunk", "-c", "protocol.file.allow=always", "-c", "commit.gpgSign=false"),
)
_LONG_NAME = "d" * 247
"""As the public report has it: sixteen of them come near PATH_MAX."""


@functools.cache
def _worktree_pattern() -> Path:
    """Return a directory with a repository ``main`` and its linked worktree ``wt``, as git made them."""
    directory = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, directory)
    tree = Tree(directory)
    tree._repository(tree.parent / "main")
    tree._git_worktree_of("PARENT/main", "PARENT/wt")
    return directory


class Tree:
    """A case on disk, below ``parent``; `swaps` are what a second process should keep doing."""

    def __init__(self, parent: Path, layout: list[str] | tuple[str, ...] = ()) -> None:
        self.parent = parent
        self.swaps: list[tuple[str, Path, str]] = []
        self._late: list[tuple[Path, str]] = []
        for area in AREAS:
            (parent / area).mkdir(exist_ok=True)
        (parent / "TMP").chmod(0o1777)
        for line in layout:
            self.add(line)
        for path, target in self._late:
            os.link(self.path(target), path)

    @property
    def root(self) -> Path:
        return self.parent / "ROOT"

    def expand(self, text: str) -> str:
        """Replace the names of areas and the escapes of bytes."""
        for area in AREAS:
            text = text.replace(f"${area}", str(self.parent / area))
        raw = re.sub(rb"\\x([0-9a-f]{2})", lambda match: bytes.fromhex(match[1].decode()), os.fsencode(text))
        return os.fsdecode(raw.replace(b"\\n", b"\n"))

    def path(self, name: str) -> Path:
        name = self.expand(name)
        if name.startswith("/"):
            return Path(name)
        area, slash, rest = name.partition("/")
        if area == "PARENT":
            return self.parent / rest
        if area in AREAS and (slash or area != "ROOT"):
            return self.parent / name
        return self.root / name

    def add(self, line: str) -> None:
        """Make what one line says."""
        if line.startswith("!"):
            verb, *names = line[1:].split(" ")
            getattr(self, "_" + verb.replace("-", "_"))(*names)
            return
        if line.startswith("OUT2="):
            line = line.removeprefix("OUT2=")
        match = _ENTRY.fullmatch(line)
        if match is None:
            path = self.path(line)
            if line.endswith("/"):
                path.mkdir(parents=True, exist_ok=True)
            else:
                self._write(path, self.expand(line))
            return
        name, mark, rest = match["name"], match["mark"], match["rest"] or ""
        if mark in {"!exchange", "!rename", "!replace"}:
            self.swaps.append((mark, self.path(name), rest))
            return
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if mark == "=>":
            path.symlink_to(self.expand(rest))
        elif mark == "~>":
            if self.path(rest).exists():
                os.link(self.path(rest), path)
            else:
                self._late.append((path, rest))
        elif mark == "=":
            self._write(path, self.expand(rest))
        else:
            getattr(self, "_" + mark[1:])(name, *rest.split())

    @staticmethod
    def _write(path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(os.fsencode(text))

    def _fifo(self, name: str) -> None:
        os.mkfifo(self.path(name))

    def _socket(self, name: str) -> None:
        with socket.socket(socket.AF_UNIX) as server:
            here = Path.cwd()
            os.chdir(self.path(name).parent)  # the name of a socket may have 108 bytes at most
            try:
                server.bind(self.path(name).name)
            finally:
                os.chdir(here)

    def _chardev(self, name: str, numbers: str) -> None:
        major, minor = numbers.split(":")
        os.mknod(self.path(name), 0o666 | stat.S_IFCHR, os.makedev(int(major), int(minor)))

    def _sparse(self, name: str, size: str) -> None:
        self._write(self.path(name), "")
        os.truncate(self.path(name), int(size))

    def _mode(self, name: str, mode: str) -> None:
        if not self.path(name).exists():
            self._write(self.path(name), name)
        self.path(name).chmod(int(mode, 8))

    def _owner(self, name: str, uid: str) -> None:
        if not os.path.lexists(self.path(name)):
            self._write(self.path(name), name)
        os.chown(self.path(name), int(uid), -1, follow_symlinks=False)

    def _bind(self, name: str, source: str) -> None:
        subprocess.run(["mount", "--bind", str(self.path(f"{source}/")), str(self.path(name))], check=True)

    def _rm(self, name: str) -> None:
        path = self.path(name)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()

    _prune_dir = _rm

    def _mv(self, name: str, to: str) -> None:
        self.path(to).parent.mkdir(parents=True, exist_ok=True)
        self.path(name).rename(self.path(to))

    def _cp(self, name: str, to: str) -> None:
        if self.path(name).is_dir():
            shutil.copytree(self.path(name), self.path(to), symlinks=True)
        else:
            shutil.copy2(self.path(name), self.path(to))

    def _deep(self, depth: str) -> None:
        """Build from the inside out, for no single path to the bottom may be given to the system."""
        here = os.open(self.root, os.O_RDONLY)
        try:
            for _ in range(int(depth)):
                os.mkdir("d", dir_fd=here)
                below = os.open("d", os.O_RDONLY, dir_fd=here)
                os.close(here)
                here = below
            os.close(os.open("t.md", os.O_CREAT | os.O_WRONLY, dir_fd=here))
        finally:
            os.close(here)

    def _cve20254517(self, flag: str) -> None:
        """Let links of one letter stand for long directories, and a link at the end climb out of them."""
        self._write(self.parent / f"{flag}.md", flag)
        here = os.open(self.root, os.O_RDONLY)
        letters = "abcdefghijklmnop"
        try:
            for letter in letters:
                os.mkdir(_LONG_NAME, dir_fd=here)
                os.symlink(_LONG_NAME, letter, dir_fd=here)
                below = os.open(_LONG_NAME, os.O_RDONLY, dir_fd=here)
                os.close(here)
                here = below
            os.symlink("../" * len(letters), "l" * 254, dir_fd=here)
        finally:
            os.close(here)

    def remove(self) -> None:
        """Take down also what is too deep for `shutil.rmtree`: one level at a time, from the top."""
        for name in ("d", _LONG_NAME):
            while (self.root / name).is_dir() and not (self.root / name).is_symlink():
                self._lift(name)
        shutil.rmtree(self.parent)

    def _lift(self, name: str) -> None:
        """Put what lies in ``name`` in its place."""
        aside = self.parent / "lifted"
        (self.root / name).rename(aside)
        for entry in aside.iterdir():
            if entry.name == name:
                entry.rename(self.root / name)
        shutil.rmtree(aside)

    def git(self, directory: Path, *arguments: str) -> None:
        environ = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        environ.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1", HOME=str(self.parent / "HOME"))
        subprocess.run(
            [*_GIT, *arguments], cwd=directory, env=environ, check=True, capture_output=True, timeout=60
        )

    def _repository(self, path: Path, *options: str) -> Path:
        path.mkdir(parents=True, exist_ok=True)
        self.git(path, "init", "--quiet", "--template=", *options)
        self.git(path, "commit", "--quiet", "--allow-empty", "--message", "Begin")
        return path

    def _git_worktree(self, main: str, worktree: str) -> None:
        """Let git make the first pair, and copy that for all others: git takes a tenth of a second."""
        repository, linked = self.path(main), self.path(worktree)
        if (repository / ".git").exists():
            self._git_worktree_of(main, worktree)
            return
        pattern = _worktree_pattern()
        shutil.copytree(pattern / "main", repository, symlinks=True, dirs_exist_ok=True)
        shutil.copytree(pattern / "wt", linked, symlinks=True, dirs_exist_ok=True)
        admin = repository / ".git" / "worktrees" / linked.name
        (repository / ".git" / "worktrees" / "wt").rename(admin)
        (linked / ".git").write_text(f"gitdir: {os.path.realpath(admin)}\n", encoding="utf-8")
        (admin / "gitdir").write_text(f"{os.path.realpath(linked)}/.git\n", encoding="utf-8")

    def _git_worktree_of(self, repository: str, worktree: str) -> None:
        self.path(worktree).parent.mkdir(parents=True, exist_ok=True)
        self.git(self.path(repository), "worktree", "add", "--quiet", "--detach", str(self.path(worktree)))

    def _git_bare_worktree(self, bare: str, worktree: str) -> None:
        source = self._repository(self.parent / "source")
        self.git(source, "clone", "--quiet", "--bare", str(source), str(self.path(bare)))
        self._git_worktree_of(bare, worktree)

    def _git_submodule(self, main: str, name: str) -> None:
        source = self._repository(self.parent / "source")
        repository = self._repository(self.path(main))
        self.git(repository, "submodule", "--quiet", "add", str(source), name)

    def _git_separate(self, directory: str, worktree: str) -> None:
        self.path(directory).parent.mkdir(parents=True, exist_ok=True)
        self._repository(self.path(worktree), f"--separate-git-dir={self.path(directory)}")

    def _relative_links(self, worktree: str, _main: str) -> None:
        """Write both pointers as git does with `worktree.useRelativePaths`."""
        gitfile = self.path(worktree) / ".git"
        admin = Path(gitfile.read_text(encoding="utf-8").removeprefix("gitdir: ").rstrip())
        gitfile.write_text(f"gitdir: {os.path.relpath(admin, gitfile.parent)}\n", encoding="utf-8")
        (admin / "gitdir").write_text(f"{os.path.relpath(gitfile, admin)}\n", encoding="utf-8")
