#!/usr/bin/env python3
"""Checks that HEAD can be released: `just release-check`.

Both archives are built twice, from two exports of the commit, and have to be the same bytes; their metadata
has to be in order; the versions and the changelog have to agree; and the wheel, in a fresh environment
outside the tree, has to run the command line and the hook.  Prints the digests that a release is published
with.  Needs requirements/dev.txt and requirements/release.txt in the environment that it runs in.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import venv

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))


class Problem(Exception):  # noqa: N818 - an answer: this is no release
    """Why HEAD cannot be released."""


def run(*command: str, cwd: str, given: bytes = b"", environment: dict[str, str] | None = None) -> bytes:
    """Return the standard output of a command that succeeds."""
    clean = {"PATH": os.environ["PATH"], "HOME": cwd, "LANG": "C.UTF-8", **(environment or {})}
    done = subprocess.run(command, cwd=cwd, env=clean, input=given, capture_output=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).decode(errors="backslashreplace")
        raise Problem(f"{' '.join(command)}: exit status {done.returncode}\n{said}")
    return done.stdout


def git(*arguments: str) -> bytes:
    """Ask git about this clone."""
    return run("git", "-c", f"safe.directory={ROOT}", *arguments, cwd=ROOT)


def export(target: str) -> None:
    """Write the files of HEAD."""
    os.mkdir(target)
    packed = os.path.join(os.path.dirname(target), "head.tar")
    git("archive", "--output", packed, "HEAD")
    with tarfile.open(packed) as archive:
        archive.extractall(target, filter="data")


def check_requirements() -> None:
    """Ask for what has to be installed before anything is built."""
    missing = [name for name in ("build", "hatchling", "twine") if importlib.util.find_spec(name) is None]
    if missing:
        install = "pip install --require-hashes -r requirements/dev.txt -r requirements/release.txt"
        raise Problem(f"{', '.join(missing)} not installed in {sys.prefix}: {install}")


def check_versions() -> str:
    """Return the version; the package, the plugin and the changelog have to agree on it."""
    package = git("show", "HEAD:src/refseal/__init__.py").decode()
    found: list[str] = re.findall(r'^__version__ = "(.+)"$', package, re.MULTILINE)
    version = found[0]
    plugin = json.loads(git("show", "HEAD:src/.codex-plugin/plugin.json"))["version"]
    if plugin != version:
        raise Problem(f"the package is {version}, the plugin {plugin}")
    headings = re.findall(r"^## \[(.+?)\]", git("show", "HEAD:CHANGELOG.md").decode(), re.MULTILINE)
    if version not in headings:
        raise Problem(f"CHANGELOG.md has no heading for {version}")
    return version


def build_twice(scratch: str) -> dict[str, str]:
    """Return name -> path of wheel and source archive, which two builds gave alike."""
    epoch = git("log", "-1", "--format=%ct").decode().strip()
    builds: list[dict[str, str]] = []
    for name in ("first", "second"):
        source, out = os.path.join(scratch, name), os.path.join(scratch, f"{name}-out")
        export(source)
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, source,
            cwd=scratch, environment={"SOURCE_DATE_EPOCH": epoch})  # fmt: skip
        builds.append({found: os.path.join(out, found) for found in sorted(os.listdir(out))})
    first, second = builds
    if first.keys() != second.keys() or sorted(name.rpartition(".")[2] for name in first) != ["gz", "whl"]:
        raise Problem(f"expected a wheel and a source archive twice, got {[*first]} and {[*second]}")
    for name, path in first.items():
        if digest(path) != digest(second[name]):
            raise Problem(f"{name}: two builds differ")
    return first


def digest(path: str) -> str:
    """Return the SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def plant(scratch: str) -> str:
    """Make a project with an overlay and a reference; return its path."""
    project = os.path.join(scratch, "project")
    for name, text in {
        ".git/HEAD": "ref: refs/heads/main\n",
        "AGENTS.md": "Read @docs/a.md.\n",
        "AGENTS.local.md": "Mine.\n",
        "docs/a.md": "Document.\n",
    }.items():
        path = os.path.join(project, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return project


def check_answer(answer: bytes, who: str) -> None:
    """Check that a hook's answer carries both documents."""
    context = json.loads(answer)["hookSpecificOutput"]["additionalContext"]
    if "\nMine.\n" not in context or "\nDocument.\n" not in context:
        raise Problem(f"{who}: the hook's answer lacks a document:\n{context}")


def check_wheel(wheel: str, version: str, scratch: str) -> None:
    """Install the wheel into a fresh environment and run what it brings."""
    environment = os.path.join(scratch, "environment")
    venv.create(environment, with_pip=True)
    python, refseal = (os.path.join(environment, "bin", name) for name in ("python", "refseal"))
    project = plant(scratch)
    payload = json.dumps({"hook_event_name": "SessionStart", "source": "startup", "cwd": project}).encode()
    # Before its dependencies are there: the hook needs none.
    install = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*install, "--no-deps", wheel, cwd=scratch)
    check_answer(run(refseal, "hook", cwd=scratch, given=payload), "refseal hook")
    pinned = os.path.join(ROOT, "requirements", "dev.txt")
    passed = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    run(*install, "--constraint", unhashed(pinned, scratch), wheel, cwd=scratch, environment=passed)
    said = run(refseal, "--version", cwd=scratch).decode()
    if version not in said:
        raise Problem(f"refseal --version says {said!r}")
    if b"Document." not in run(refseal, "show", project, cwd=scratch):
        raise Problem("refseal show does not show the document")
    report = json.loads(run(refseal, "audit", "--format", "json", project, cwd=scratch))
    if report["summary"]["included"] != 1:
        raise Problem(f"refseal audit: {report['summary']}")
    run(refseal, "explain", cwd=scratch)


def unhashed(requirements: str, scratch: str) -> str:
    """Return the versions of a lock as constraints: pip takes no hashes beside a local wheel."""
    with open(requirements, encoding="utf-8") as file:
        pinned = [line.split(" \\")[0].strip() for line in file if re.match(r"[a-z0-9]", line)]
    target = os.path.join(scratch, "constraints.txt")
    with open(target, "w", encoding="utf-8") as out:
        out.write("\n".join(pinned) + "\n")
    return target


def check_plugin(archive: str, scratch: str) -> None:
    """Run the plugin's own hook, out of the source archive, as Codex starts it."""
    unpacked = os.path.join(scratch, "unpacked")
    with tarfile.open(archive) as packed:
        packed.extractall(unpacked, filter="data")
    (top,) = os.listdir(unpacked)
    plugin = os.path.join(unpacked, top, "src")
    payload = {
        "hook_event_name": "SessionStart",
        "source": "startup",
        "cwd": os.path.join(scratch, "project"),
    }
    command = 'cd / && exec "$PYTHON" -I -S "$PLUGIN_ROOT/hook.py"'
    answer = run("sh", "-c", command, cwd=scratch, given=json.dumps(payload).encode(),
                 environment={"PYTHON": sys.executable, "PLUGIN_ROOT": plugin})  # fmt: skip
    check_answer(answer, "hook.py")


def main() -> None:
    """Check everything, and print the digests."""
    with tempfile.TemporaryDirectory() as made:
        scratch = os.path.realpath(made)
        try:
            check_requirements()
            if git("status", "--porcelain", "--untracked-files=no").strip():
                print("Note: the work tree has changes; HEAD is what is checked.", file=sys.stderr)
            version = check_versions()
            built = build_twice(scratch)
            (wheel,) = (path for path in built.values() if path.endswith(".whl"))
            (archive,) = (path for path in built.values() if path.endswith(".tar.gz"))
            run(sys.executable, "-m", "twine", "check", "--strict", *built.values(), cwd=scratch)
            check_wheel(wheel, version, scratch)
            check_plugin(archive, scratch)
        except Problem as problem:
            sys.exit(f"release-check: {problem}")
        print(f"refseal {version} can be released.")
        for name, path in built.items():
            print(f"{digest(path)}  {name}")


if __name__ == "__main__":
    main()
