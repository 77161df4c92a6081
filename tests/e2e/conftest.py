"""The real Codex with the plugin installed and trusted, a home for each test; skipped without the client."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Protocol

import pytest
from click.testing import CliRunner

from refseal.cli.commands import commands
from tests.e2e.codex_client import HERE, NEWEST, REPOSITORY, Codex, find_program
from tests.e2e.model_server import ModelServer
from tests.e2e.project import Project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MARKETPLACES = {
    "refseal": REPOSITORY,
    "probe": os.path.join(HERE, "probe"),
}
"""Plugin name -> the folder that a user would add as a marketplace."""


class NewCodex(Protocol):
    """Make a Codex with a plugin installed and trusted; a test may have more than one."""

    def __call__(
        self, version: str = NEWEST, *, plugin: str = "refseal", folder: str = "client"
    ) -> Codex: ...


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.e2e)


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture(scope="session")
def python_folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give a folder whose `python3` is the interpreter of this test run, as a user's PATH would have it."""
    folder = tmp_path_factory.mktemp("python")
    (folder / "python3").symlink_to(os.path.realpath(sys.executable))
    return str(folder)


@pytest.fixture(scope="session")
def installed(
    tmp_path_factory: pytest.TempPathFactory, python_folder: str
) -> Iterator[Callable[[str, str], Codex]]:
    """Install a plugin once for each version, as a user does; tests get copies of that Codex home."""
    homes: dict[tuple[str, str], Codex] = {}
    with ModelServer() as unused:

        def install(version: str, plugin: str) -> Codex:
            if (version, plugin) not in homes:
                codex = Codex(
                    program_of(version), str(tmp_path_factory.mktemp("installed")), unused, python_folder
                )
                codex.install(MARKETPLACES[plugin], f"{plugin}@{plugin}")
                codex.trust_hooks("/")
                homes[version, plugin] = codex
            return homes[version, plugin]

        yield install


def program_of(version: str) -> str:
    """Give the client's program; skip the test that needs it where `npm ci` did not install it."""
    program = find_program(version)
    if program is None:
        reason = f"codex-{version} is not in tests/e2e/node_modules: npm ci --prefix tests/e2e"
        pytest.skip(reason if shutil.which("npm") else f"{reason} (and npm is missing)")
    return program


@pytest.fixture
def new_codex(
    tmp_path_factory: pytest.TempPathFactory,
    model: ModelServer,
    python_folder: str,
    installed: Callable[[str, str], Codex],
) -> NewCodex:
    def make(version: str = NEWEST, *, plugin: str = "refseal", folder: str = "client") -> Codex:
        template = installed(version, plugin)
        base = str(tmp_path_factory.mktemp("scratch") / folder)
        for name in ("plugins", "config.toml"):
            source, target = os.path.join(template.codex_home, name), os.path.join(base, "codex", name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            (shutil.copytree if os.path.isdir(source) else shutil.copy)(source, target)
        codex = Codex(program_of(version), base, model, python_folder)
        codex.configure()  # the mock of this test has a port of its own
        return codex

    return make


@pytest.fixture
def codex(new_codex: NewCodex) -> Codex:
    """Give the newest client that we pin, with the plugin trusted through its stored hashes."""
    return new_codex()


@pytest.fixture
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Give a git repository with nothing in it."""
    return Project.create(str(tmp_path_factory.mktemp("work") / "project"))


@pytest.fixture
def program() -> str:
    """Give the newest client's program, for tests that need no plugin in it."""
    return program_of(NEWEST)


class Show(Protocol):
    """Give what `refseal show` prints for a directory, in the environment of that Codex."""

    def __call__(self, codex: Codex, directory: str, *options: str, own_process: bool = False) -> str: ...


@pytest.fixture(scope="session")
def show() -> Show:
    def run(codex: Codex, directory: str, *options: str, own_process: bool = False) -> str:
        arguments = ["show", *options, directory]
        if codex.as_user or own_process:
            done = subprocess.run(
                [*codex.as_user, sys.executable, "-m", "refseal", *arguments],
                env={**codex.environment, "PYTHONPATH": os.path.join(REPOSITORY, "src")},
                cwd="/",
                capture_output=True,
                check=True,
                timeout=30,
            )
            return done.stdout.decode()
        # The same command without another interpreter: it is run for almost every test.
        strange = {name: None for name in os.environ if name not in codex.environment}
        invoked = CliRunner(env={**strange, **codex.environment}).invoke(
            commands, arguments, catch_exceptions=False
        )
        assert invoked.exit_code == 0
        return invoked.stdout_bytes.decode()

    return run
