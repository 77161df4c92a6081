"""RS301 to RS308, RS313, RS314: instruction files as they lie on the disk."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refseal.audit import tracked
from refseal.audit.findings import Persona, Severity
from refseal.audit.rules import foreign_file, link_escape, lookalike_name, unreadable_file
from refseal.audit.subjects import File
from tests.audit.rules.running import audit, codes, of, plant
from tests.rights import without_root_rights

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("AGENTS.md", "AGENTS.override.md", "AGENTS.local.md", "sub/AGENTS.md", ".config/AGENTS.md")


def git(root: Path, *arguments: str) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, env=environment)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    path = tmp_path / "repo"
    path.mkdir()
    (tmp_path / "out.md").write_text("secret\n")
    return path


@pytest.mark.parametrize("name", NAMES)
def test_link_out_of_the_repository_is_high(root: Path, name: str) -> None:
    depth = "../" * (name.count("/") + 1)
    (found,) = of(audit(root, {name: f"-> {depth}out.md"}), "RS301")
    assert found.severity == Severity.HIGH
    assert found.path == name


@pytest.mark.parametrize(
    "link",
    ["/etc/hostname", "docs/../../out.md", "through", "../repo/../out.md"],
    ids=["absolute", "dots", "two", "back"],
)
def test_other_ways_out_do_not_slip_through(root: Path, link: str) -> None:
    files: dict[str, str | bytes] = {"docs/": "", "through": "-> ../out.md", "AGENTS.md": f"-> {link}"}
    assert of(audit(root, files), "RS301")


@pytest.mark.parametrize("link", ["CLAUDE.md", "docs/rules.md", "docs/../CLAUDE.md", "./CLAUDE.md"])
def test_link_that_stays_inside_is_silent(root: Path, link: str) -> None:
    files: dict[str, str | bytes] = {"CLAUDE.md": "x\n", "docs/rules.md": "x\n", "AGENTS.md": f"-> {link}"}
    assert audit(root, files) == []


def test_link_to_a_credential_is_high(root: Path) -> None:
    files: dict[str, str | bytes] = {".env": "KEY=1\n", "AGENTS.md": "-> .env"}
    (found,) = audit(root, files)
    assert (found.rule.code, found.severity) == ("RS301", Severity.HIGH)


def test_hard_link_fires_and_a_copy_does_not(root: Path) -> None:
    plant(root, {"AGENTS.md": "x\n", "sub/AGENTS.md": "x\n"})
    assert audit(root) == []
    os.link(root / "AGENTS.md", root.parent / "elsewhere")
    assert codes(audit(root)) == ["RS302"]
    os.link(root / "sub/AGENTS.md", root / "sub/b.md")  # inside the repository too
    assert codes(audit(root)) == ["RS302", "RS302"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("name", NAMES)
def test_file_of_somebody_else_is_high(root: Path, name: str) -> None:
    plant(root, {name: "x\n"})
    os.chown(root / name, 4242, -1)
    (found,) = of(audit(root), "RS303")
    assert (found.path, found.severity) == (name, Severity.HIGH)


def test_refusals_have_their_rules() -> None:
    assert list(foreign_file.check(File("AGENTS.md", refusal="foreign-owner", where="AGENTS.md")))
    assert not list(foreign_file.check(File("AGENTS.md", refusal="missing")))
    assert list(unreadable_file.check(File("AGENTS.md", refusal="unreadable")))
    assert not list(unreadable_file.check(File("AGENTS.md", refusal="foreign-owner")))
    assert not list(link_escape.check(File("AGENTS.md", refusal="unreadable")))


@pytest.mark.parametrize("mode", [0o666, 0o602, 0o777])
def test_file_that_everybody_may_write_fires(root: Path, mode: int) -> None:
    plant(root, {"AGENTS.md": "x\n"})
    (root / "AGENTS.md").chmod(mode)
    assert codes(audit(root)) == ["RS304"]


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o664, 0o755])
def test_ordinary_modes_are_silent(root: Path, mode: int) -> None:
    plant(root, {"AGENTS.md": "x\n"})
    (root / "AGENTS.md").chmod(mode)
    assert audit(root) == []


@pytest.mark.parametrize("name", NAMES)
def test_pipe_is_high_and_nothing_hangs(root: Path, name: str) -> None:
    (root / name).parent.mkdir(exist_ok=True)
    os.mkfifo(root / name)
    (found,) = of(audit(root), "RS305")
    assert (found.path, found.severity) == (name, Severity.HIGH)


def test_link_to_a_pipe_and_a_directory(root: Path) -> None:
    os.mkfifo(root / "pipe")
    plant(root, {"AGENTS.md": "-> pipe", "sub/AGENTS.md/": ""})
    assert codes(audit(root)) == ["RS305"]
    assert codes(audit(root, persona=Persona.PEDANTIC)) == ["RS305", "RS305"]


def test_file_without_permission_fires(root: Path) -> None:
    plant(root, {"AGENTS.md": "x\n"})
    (root / "AGENTS.md").chmod(0)
    with without_root_rights():
        assert codes(audit(root)) == ["RS306"]


def test_link_in_a_circle_fires_and_a_broken_one_is_low(root: Path) -> None:
    (found,) = audit(root, {"AGENTS.md": "-> b.md", "b.md": "-> AGENTS.md"})
    assert (found.rule.code, found.severity) == ("RS306", Severity.MEDIUM)
    (found,) = audit(root / "sub", {"AGENTS.md": "-> gone.md"})
    assert (found.rule.code, found.severity) == ("RS306", Severity.LOW)


def test_tracked_overlay_fires_and_an_untracked_one_does_not(root: Path) -> None:
    plant(root, {"AGENTS.md": "x\n", "AGENTS.local.md": "mine\n", "sub/AGENTS.local.md": "mine\n"})
    assert of(audit(root), "RS307") == []
    git(root, "init", "-q")
    git(root, "add", "AGENTS.md")
    assert of(audit(root), "RS307") == []
    git(root, "add", "-f", "sub/AGENTS.local.md")
    assert [one.path for one in of(audit(root), "RS307")] == ["sub/AGENTS.local.md"]
    for version in ("2", "3", "4"):
        git(root, "update-index", "--index-version", version)
        assert len(of(audit(root), "RS307")) == 1


def test_tracked_overlay_is_found_with_sha_256_too(root: Path) -> None:
    git(root, "init", "-q", "--object-format=sha256")
    plant(root, {"AGENTS.local.md": "mine\n"})
    git(root, "add", "-f", "AGENTS.local.md")
    assert len(of(audit(root), "RS307")) == 1


@pytest.mark.parametrize("content", ["", "\n \n\t", "\r\n"])
def test_empty_override_that_hides_something_fires(root: Path, content: str) -> None:
    (found,) = audit(root, {"AGENTS.override.md": content, "AGENTS.md": "rules\n"})
    assert (found.rule.code, found.path) == ("RS308", "AGENTS.override.md")


def test_override_that_says_something_or_hides_nothing_is_silent(root: Path) -> None:
    assert (
        audit(
            root,
            {"AGENTS.override.md": "other rules\n", "AGENTS.md": "rules\n", "sub/AGENTS.override.md": ""},
        )
        == []
    )


def test_link_that_was_checked_out_as_text_fires(root: Path) -> None:
    files: dict[str, str | bytes] = {"CLAUDE.md": "rules\n", "AGENTS.md": "-> CLAUDE.md"}
    plant(root, files)
    git(root, "init", "-q")
    git(root, "add", ".")
    assert audit(root) == []
    (root / "AGENTS.md").unlink()
    git(root, "config", "core.symlinks", "false")
    git(root, "checkout", "AGENTS.md")
    assert not (root / "AGENTS.md").is_symlink()
    (found,) = audit(root)
    assert found.rule.code == "RS313"
    shutil.rmtree(root / ".git")  # an archive: the text alone has to tell
    assert codes(audit(root)) == ["RS313"]


@pytest.mark.parametrize("text", ["../AGENTS.md", "./rules", "docs/rules.md\n", "CLAUDE.md\r\n"])
def test_other_targets_do_not_slip_through(root: Path, text: str) -> None:
    assert codes(audit(root, {"AGENTS.md": text})) == ["RS313"]


@pytest.mark.parametrize(
    "text", ["@CLAUDE.md\n", "See CLAUDE.md\n", "Rules.\n", "# Rules\n", "https://x.example/a.md\n", ""]
)
def test_short_files_are_silent(root: Path, text: str) -> None:
    assert audit(root, {"AGENTS.md": text, "CLAUDE.md": "x\n"}) == []


@pytest.mark.parametrize(
    "name",
    [
        "\u0410GENTS.md",  # Cyrillic
        "AGENTS.md ",
        " AGENTS.md",
        "AGENTS\u200b.md",
        "AGENTS\u2024md",  # one dot leader
        "\uff21\uff27\uff25\uff2e\uff34\uff33.md",
        "AGENTS.md\n",
        "AGENTS.l\u043ecal.md",
        "\u0421LAUDE.md",
        "agents.m\u217e",  # a Roman numeral
    ],
)
def test_names_that_look_like_an_instruction_file_fire(root: Path, name: str) -> None:
    assert codes(audit(root, {f"docs/{name}": "x\n"})) == ["RS314"]


@pytest.mark.parametrize(
    "name",
    ["AGENTS.md", "agents.md", "CLAUDE.md", "АГЕНТЫ.md", "エージェント.md", "AGENTS-notes.md", "a b.md"],
)
def test_other_names_are_silent(root: Path, name: str) -> None:
    assert audit(root, {f"docs/{name}": "x\n"}) == []
    assert list(lookalike_name.check(name)) == []


# --- the index as the audit reads it


class Index:
    """A stand-in for `read_git_file`: an index of these bytes, whatever the root."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __call__(self, *_: object) -> bytes:
        return self.data


@pytest.fixture(scope="module", params=["2", "4"])
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return what git wrote, with a link and a file of the names that are asked for."""
    root = tmp_path_factory.mktemp("index")
    plant(root, {"AGENTS.md": "-> a", "a": "x", "sub/AGENTS.local.md": "x", "sub/b": "x"})
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "update-index", "--index-version", request.param)
    return (root / ".git/index").read_bytes()


def modes(data: bytes) -> dict[str, int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tracked, "read_git_file", Index(data))
        return tracked.modes_of(None, frozenset({"AGENTS.md", "AGENTS.local.md"}))  # type: ignore[arg-type]  # not read


def test_index_tells_names_and_modes(index: bytes) -> None:
    assert modes(index) == {"AGENTS.md": 0o120000, "sub/AGENTS.local.md": 0o100644}


@given(data=st.data())
def test_index_that_somebody_broke_says_something_or_nothing(index: bytes, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, len(index)))
    broken = bytearray(index[:end] + data.draw(st.binary(max_size=3)) * data.draw(st.sampled_from([1, 40])))
    for _ in range(data.draw(st.integers(0, 3))):
        if broken:
            broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(
                st.sampled_from([0, 0x7F, 0x80, 0xFF])
            )
    found = modes(bytes(broken))
    assert {name.rpartition("/")[2] for name in found} <= {"AGENTS.md", "AGENTS.local.md"}


def test_index_that_ends_in_the_middle_of_a_number_says_nothing() -> None:
    endless = b"DIRC" + (4).to_bytes(4, "big") + (1).to_bytes(4, "big") + bytes(62) + b"\x80" * 24
    assert modes(endless) == {}
