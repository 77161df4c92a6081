"""The plugin as Codex installs it: a copy of its folder, started by the very command of hooks.json."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parent.parent.parent / "src"


def command() -> str:
    """Return the one command of hooks.json."""
    events = json.loads((SOURCE / "hooks" / "hooks.json").read_text())["hooks"]
    (found,) = {hook["command"] for event in events.values() for group in event for hook in group["hooks"]}
    assert isinstance(found, str)
    return found


class Plugin:
    """An installed copy, a Codex home, and the environment of a session."""

    def __init__(self, folder: Path, name: str = "plugin") -> None:
        self.root = folder / name
        shutil.copytree(SOURCE, self.root, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        self.data = folder / "data" / "refseal"
        self.home = folder / "home"
        self.codex_home = self.home / ".codex"
        self.codex_home.mkdir(parents=True)
        self.programs = folder / "programs"
        self.programs.mkdir()
        self.use_python(Path(sys.executable).resolve())
        self.environment = {
            "HOME": str(self.home),
            "PATH": f"{self.programs}:/usr/bin:/bin",
            "PLUGIN_ROOT": str(self.root),
            "PLUGIN_DATA": str(self.data),
            "REFSEAL_DEADLINE": "9",  # the longest that there is: a busy machine leaves nothing out
        }

    def use_python(self, interpreter: Path, name: str = "python3") -> None:
        """Make ``interpreter`` what PATH calls ``name``."""
        (self.programs / name).unlink(missing_ok=True)
        (self.programs / name).symlink_to(interpreter)

    def start(self, stdin: bytes, cwd: Path) -> subprocess.CompletedProcess[bytes]:
        """Run the command as Codex does: a shell, in the session's directory."""
        return subprocess.run(
            ["/bin/sh", "-c", command()],
            input=stdin,
            cwd=cwd,
            env=self.environment,
            capture_output=True,
            check=False,
            timeout=30,
        )

    def answer(self, cwd: Path, **changes: Any) -> Any:
        """Return the JSON that the hook prints for a session that starts in ``cwd``; None for nothing."""
        done = self.start(payload(cwd, **changes), cwd)
        assert done.returncode == 0
        assert done.stderr == b""
        return json.loads(done.stdout) if done.stdout else None

    def context(self, cwd: Path, **changes: Any) -> str | None:
        """Return the text that the model gets."""
        said = self.answer(cwd, **changes)
        if said is None or "hookSpecificOutput" not in said:
            return None
        text = said["hookSpecificOutput"]["additionalContext"]
        assert isinstance(text, str)
        return text

    def files(self) -> dict[str, tuple[int, bytes]]:
        """Return everything in the plugin's folder: mode and content by path."""
        found = {}
        for folder, _, names in os.walk(self.root):
            for name in names:
                path = os.path.join(folder, name)
                found[path] = (os.lstat(path).st_mode, Path(path).read_bytes())
        return found


def payload(cwd: Path, **changes: Any) -> bytes:
    """Return a payload of Codex for a session in ``cwd``."""
    return json.dumps(
        {
            "session_id": "01a22be3-48d3-7a00-9bae-a9fce52c180f",
            "transcript_path": None,
            "cwd": str(cwd),
            "hook_event_name": "SessionStart",
            "model": "m",
            "permission_mode": "default",
            "source": "startup",
            **changes,
        }
    ).encode()


def project(folder: Path) -> Path:
    """Make a project with an overlay."""
    root = folder / "project"
    (root / ".git").mkdir(parents=True)
    (root / "AGENTS.local.md").write_text("Overlay of the project\n")
    return root
