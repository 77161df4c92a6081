"""Whom the user trusts: for documents, for a project's own configuration, by which file."""

from __future__ import annotations

import os
from contextlib import closing
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from refseal.codex import home, session
from refseal.codex.configuration import MAX_BYTES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.codex.place import Place


def test_an_untrusted_project_contributes_one_line_and_the_user_hears_it(place: Place) -> None:
    place.write("AGENTS.local.md", "Overlay of the project\n")
    (place.home / ".codex" / "AGENTS.local.md").write_text("Overlay of the user\n")
    place.configure(f'[projects."{place.project}"]\ntrust_level = "untrusted"\n')
    said = place.answer()
    assert "untrusted" in said["systemMessage"]
    context = said["hookSpecificOutput"]["additionalContext"]
    assert "Overlay of the project" not in context
    assert "Overlay of the user" in context
    assert "untrusted" in context


def test_an_untrusted_project_with_nothing_for_us_is_not_mentioned(place: Place) -> None:
    place.configure(f'[projects."{place.project}"]\ntrust_level = "untrusted"\n')
    assert place.answer() == {}


def test_where_trust_is_required_silence_is_no_consent(place: Place) -> None:
    place.write("AGENTS.local.md", "Overlay of the project\n")
    place.environ["REFSEAL_REQUIRE_TRUST"] = "1"
    said = place.answer()
    assert "REFSEAL_REQUIRE_TRUST" in said["systemMessage"]
    assert "Overlay" not in said["hookSpecificOutput"]["additionalContext"]
    place.configure(f'[projects."{place.project}"]\ntrust_level = "trusted"\n')
    assert "Overlay of the project" in place.context()


def test_trust_is_that_of_cwd_before_that_of_the_root(place: Place) -> None:
    place.write("sub/AGENTS.local.md", "Overlay of the folder\n")
    place.configure(
        f'[projects."{place.project}"]\ntrust_level = "untrusted"\n'
        f'[projects."{place.project}/sub"]\ntrust_level = "trusted"\n'
    )
    assert "Overlay of the folder" in place.context(cwd=str(place.project / "sub"))
    place.configure(f'[projects."{place.project}"]\ntrust_level = "untrusted"\n')
    assert "Overlay of the folder" not in place.context(cwd=str(place.project / "sub"))


def test_a_project_does_not_escape_distrust_through_a_link(place: Place, tmp_path: Path) -> None:
    place.write("AGENTS.local.md", "Overlay of the project\n")
    place.configure(f'[projects."{place.project}"]\ntrust_level = "untrusted"\n')
    (tmp_path / "link").symlink_to(place.project)
    assert "Overlay of the project" not in place.context(cwd=str(tmp_path / "link"))


def test_a_folder_does_not_escape_distrust_through_a_link(place: Place, tmp_path: Path) -> None:
    place.write("sub/AGENTS.local.md", "Overlay of the folder\n")
    place.configure(f'[projects."{place.project}/sub"]\ntrust_level = "untrusted"\n')
    (tmp_path / "link").symlink_to(place.project / "sub")
    assert "Overlay of the folder" not in place.context(cwd=str(tmp_path / "link"))


def test_a_trusted_projects_own_layer_names_fallback_files(place: Place) -> None:
    place.write("NOTES.md", "Fallback: @a.md\n")
    place.write("a.md", "Referenced by it\n")
    place.write(".codex/config.toml", 'project_doc_fallback_filenames = ["NOTES.md"]\n')
    assert "Referenced by it" not in place.context()
    place.configure(f'[projects."{place.project}"]\ntrust_level = "trusted"\n')
    assert "Referenced by it" in place.context()


TRUST_CASES = [  # level of project, project/a, project/a/b; which of their layers count there (measured)
    ({}, ""),
    ({"": "trusted"}, "012"),
    ({"a": "trusted"}, "1"),
    ({"a/b": "trusted"}, "2"),
    ({"": "trusted", "a": "untrusted"}, "02"),
    ({"": "untrusted", "a/b": "trusted"}, "2"),
    ({"": "untrusted", "a": "trusted", "a/b": "trusted"}, "12"),
    ({"a": "untrusted", "a/b": "trusted"}, "2"),
]


@pytest.mark.parametrize(("levels", "expected"), TRUST_CASES)
def test_each_layer_counts_only_if_its_own_directory_is_trusted(
    place: Place, levels: dict[str, str], expected: str
) -> None:
    place.write(".git/HEAD", "ref: refs/heads/main\n")
    place.write("a/b/AGENTS.md", "Native\n")
    place.configure(
        "".join(
            f'[projects."{place.project / path}"]\ntrust_level = "{level}"\n'
            for path, level in levels.items()
        )
    )
    counted = ""
    for number, directory in enumerate(("", "a", "a/b")):
        layer = place.write(os.path.join(directory, ".codex/config.toml"), "project_doc_max_bytes = 1\n")
        with closing(session.session_in(str(place.project / "a/b"), place.environ)) as found:
            assert found.view is not None
            if found.view.loaded[0].first_missing_line is not None:
                counted += str(number)
        layer.unlink()
    assert counted == expected


MARKED_CASES = [  # level of project (.hg), of its a (.git), of a/b; which of their layers count (measured)
    ({"": "trusted"}, "012"),
    ({"a": "trusted"}, "012"),
    ({"a/b": "trusted"}, "2"),
    ({"": "untrusted", "a": "trusted"}, "1"),
    ({"": "untrusted", "a/b": "trusted"}, "2"),
    ({"a": "untrusted", "a/b": "trusted"}, "2"),
]


@pytest.mark.parametrize(("levels", "expected"), MARKED_CASES)
def test_a_layer_asks_its_directory_then_the_marked_root_then_the_repository(
    place: Place, levels: dict[str, str], expected: str
) -> None:
    (place.project / ".git").rmdir()
    place.write(".hg/x", "")
    place.write("a/.git/HEAD", "ref: refs/heads/main\n")
    place.write("a/b/AGENTS.md", "Native\n")
    place.configure('project_root_markers = [".hg"]\n' + tables(place, levels))
    counted = ""
    for number, directory in enumerate(("", "a", "a/b")):
        layer = place.write(os.path.join(directory, ".codex/config.toml"), "project_doc_max_bytes = 1\n")
        counted += str(number) if budget_in(place, "a/b") is not None else ""
        layer.unlink()
    assert counted == expected


def tables(place: Place, levels: dict[str, str]) -> str:
    return "".join(
        f'[projects."{place.project / path}"]\ntrust_level = "{level}"\n' for path, level in levels.items()
    )


def test_a_layer_that_no_trusted_directory_holds_ends_nothing_for_those_below(place: Place) -> None:
    place.write(".codex/config.toml", 'project_doc_fallback_filenames = ["ROOT.md"]\n')
    place.write("a/.codex/config.toml", 'project_doc_fallback_filenames = ["A.md"]\n')
    place.configure(f'[projects."{place.project / "a"}"]\ntrust_level = "trusted"\n')
    for name in ("ROOT.md", "A.md"):
        place.write(f"a/{name}", f"{name}: @x.md\n")
    place.write("a/x.md", "Referenced")
    assert "ROOT.md" not in place.context(cwd=str(place.project / "a"))
    assert "A.md" in place.context(cwd=str(place.project / "a"))


def budget_in(place: Place, directory: str) -> int | None:
    """Give the first missing line of the AGENTS.md there, of which a layer may have left a byte."""
    with closing(session.session_in(str(place.project / directory), place.environ)) as found:
        assert found.view is not None
        return found.view.loaded[-1].first_missing_line


@pytest.mark.parametrize(("holds_head", "counts"), [(True, False), (False, True)])
def test_layers_come_from_above_an_empty_git_directory(
    place: Place, *, holds_head: bool, counts: bool
) -> None:
    """Codex 0.171.0 takes any `.git` for the root of the documents, and one with HEAD for that of layers."""
    place.write(".git/HEAD", "ref: refs/heads/main\n")
    place.write(".codex/config.toml", "project_doc_max_bytes = 1\n")
    place.configure(f'[projects."{place.project}"]\ntrust_level = "trusted"\n')
    place.write("a/AGENTS.md", "Native\n")
    (place.project / "a/.git").mkdir()
    if holds_head:
        place.write("a/.git/HEAD", "ref: refs/heads/main\n")
    assert (budget_in(place, "a") is not None) is counts


def test_a_repository_does_not_escape_distrust_through_an_empty_git_directory(place: Place) -> None:
    place.write(".git/HEAD", "ref: refs/heads/main\n")
    place.write("a/.git/x", "")
    place.write("a/b/AGENTS.local.md", "Overlay of the folder\n")
    place.configure(f'[projects."{place.project}"]\ntrust_level = "untrusted"\n')
    assert "Overlay of the folder" not in place.context(cwd=str(place.project / "a/b"))


@pytest.mark.parametrize("claimed", ["../main/.git/worktrees/x", "../main/.bare/worktrees/x"])
def test_what_a_git_file_claims_can_take_trust_away_and_not_give_it(
    place: Place, tmp_path: Path, claimed: str
) -> None:
    (place.project / ".git").rmdir()
    place.write(".git", f"gitdir: {claimed}\n")
    place.write("sub/AGENTS.local.md", "Overlay of the folder\n")
    place.configure(f'[projects."{tmp_path / "main"}"]\ntrust_level = "untrusted"\n')
    assert "Overlay of the folder" not in place.context(cwd=str(place.project / "sub"))
    place.configure(f'[projects."{tmp_path / "main"}"]\ntrust_level = "trusted"\n')
    assert "Overlay of the folder" in place.context(cwd=str(place.project / "sub"))
    place.environ["REFSEAL_REQUIRE_TRUST"] = "1"
    assert "Overlay of the folder" not in place.context(cwd=str(place.project / "sub"))


@pytest.mark.parametrize("spelling", ["link", "project"])
def test_trust_of_the_root_holds_in_both_spellings(place: Place, tmp_path: Path, spelling: str) -> None:
    """Codex 0.171.0 finds `[projects]` by the path with the link in it, too."""
    place.write("sub/AGENTS.local.md", "Overlay of the folder\n")
    (tmp_path / "link").symlink_to(place.project)
    place.configure(f'[projects."{tmp_path / spelling}"]\ntrust_level = "untrusted"\n')
    assert "Overlay of the folder" not in place.context(cwd=str(tmp_path / "link/sub"))


def test_where_two_spellings_disagree_about_trust_the_canonical_one_decides(
    place: Place, tmp_path: Path
) -> None:
    place.write("sub/AGENTS.local.md", "Overlay of the folder\n")
    (tmp_path / "link").symlink_to(place.project)
    for canonical, other in (("trusted", "untrusted"), ("untrusted", "trusted")):
        place.configure(
            f'[projects."{tmp_path / "link"}"]\ntrust_level = "{other}"\n'
            f'[projects."{place.project}"]\ntrust_level = "{canonical}"\n'
        )
        shown = "Overlay of the folder" in place.context(cwd=str(tmp_path / "link/sub"))
        assert shown is (canonical == "trusted")


def test_a_project_root_without_a_repository_is_untrusted_if_the_user_says_so(place: Place) -> None:
    (place.project / ".git").rmdir()
    place.write(".hg", "")
    place.write("sub/AGENTS.local.md", "Overlay of the folder\n")
    place.configure(
        f'project_root_markers = [".hg"]\n[projects."{place.project}"]\ntrust_level = "untrusted"\n'
    )
    assert "Overlay of the folder" not in place.context(cwd=str(place.project / "sub"))


@pytest.mark.parametrize("how", ["too long", "fifo", "directory", "loop", "foreign", "home"])
def test_a_configuration_that_cannot_be_read_trusts_nobody(place: Place, how: str) -> None:
    """Codex 0.171.0 reads a file of any length and owner, and obeys what it says of trust."""
    place.write("AGENTS.local.md", "Overlay of the project\n")
    folder = place.home / ".codex"
    file = folder / "config.toml"
    (folder / "AGENTS.local.md").write_text("Overlay of the user\n")
    if how == "too long":
        with file.open("wb") as opened:
            opened.truncate(MAX_BYTES + 1)
    elif how == "fifo":
        os.mkfifo(file)
    elif how == "directory":
        file.mkdir()
    elif how == "loop":
        file.symlink_to("config.toml")
    elif how == "foreign":
        if os.geteuid() != 0:
            pytest.skip("only root can give a file away")
        file.write_text("")
        os.chown(file, 12345, 12345)
    else:
        place.environ["CODEX_HOME"] = ".codex"
    said = place.answer()
    assert ("CODEX_HOME" if how == "home" else "config.toml in Codex home") in said["systemMessage"]
    context = said["hookSpecificOutput"]["additionalContext"]
    assert "Overlay of the project" not in context
    assert "could not be read" in context
    assert ("Overlay of the user" in context) is (how != "home")


@pytest.mark.parametrize("how", ["reference", "link"])
def test_no_document_of_an_untrusted_project_comes_through_codex_home(place: Place, how: str) -> None:
    """Not of one without instruction files either, of which nothing is said."""
    place.write("notes.md", "Notes of the project\n")
    overlay = place.home / ".codex/AGENTS.local.md"
    if how == "link":
        overlay.symlink_to(place.project / "notes.md")
    else:
        overlay.write_text(f"Overlay of the user: @{place.project}/notes.md\n")
        place.environ["REFSEAL_ALLOW_OUTSIDE_ROOT"] = "1"
    assert "Notes of the project" in place.context()
    place.configure(f'[projects."{place.project}"]\ntrust_level = "untrusted"\n')
    said = place.answer()
    context = said["hookSpecificOutput"]["additionalContext"]
    assert "Notes of the project" not in context
    if how == "link":
        assert "calls this project untrusted" in said["systemMessage"]
    else:
        assert "systemMessage" not in said
        assert "Overlay of the user" in context
        assert "untrusted-project" in context


def test_a_refused_overlay_of_a_codex_home_in_an_untrusted_project_is_the_projects(place: Place) -> None:
    home = place.project / "home"
    place.write("home/config.toml", f'[projects."{place.project}"]\ntrust_level = "untrusted"\n')
    place.environ["CODEX_HOME"] = str(home)
    (place.project.parent / "outside.md").write_text("Outside\n")
    (home / "AGENTS.local.md").symlink_to("../../outside.md")
    context = place.context()
    assert "calls this project untrusted" in context
    assert "AGENTS.local.md" not in context
    (home / "config.toml").write_text("")
    assert 'AGENTS.local.md": symlink-escape' in place.context()


def test_a_file_of_codex_home_that_leads_into_an_untrusted_project_takes_none_of_the_users_with_it(
    place: Place,
) -> None:
    place.write("AGENTS.md", "Text of the project\n")
    place.configure(f'[projects."{place.project}"]\ntrust_level = "untrusted"\n')
    (place.home / ".codex/AGENTS.md").symlink_to(place.project / "AGENTS.md")
    (place.home / ".codex/AGENTS.local.md").write_text("Overlay of the user\n")
    assert "Overlay of the user" in place.context()


@pytest.mark.parametrize("given", [None, ""])
def test_without_a_home_the_user_database_says_where_trust_stands(
    place: Place, monkeypatch: pytest.MonkeyPatch, given: str | None
) -> None:
    place.write("AGENTS.local.md", "Overlay of the project\n")
    place.configure(f'[projects."{place.project}"]\ntrust_level = "untrusted"\n')
    del place.environ["HOME"]
    place.environ.pop("CODEX_HOME", None)
    if given is not None:
        place.environ["HOME"] = given
    monkeypatch.setattr("pwd.getpwuid", lambda _uid: SimpleNamespace(pw_dir=str(place.home)))
    assert "calls this project untrusted" in place.context()


@pytest.mark.parametrize("home", ["home", "~", "unknown"])
def test_where_no_home_can_be_found_trust_is_not_known(
    place: Place, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    def nobody(_uid: int) -> None:
        raise KeyError

    place.write("AGENTS.local.md", "Overlay of the project\n")
    place.environ.pop("CODEX_HOME", None)
    place.environ["HOME"] = "" if home == "unknown" else home
    monkeypatch.setattr("pwd.getpwuid", nobody)
    said = place.answer()
    assert "HOME is no absolute path" in said["systemMessage"]
    context = said["hookSpecificOutput"]["additionalContext"]
    assert "Overlay of the project" not in context
    assert "could not be read" in context


def test_settings_in_a_codex_home_in_the_project_are_not_used(place: Place) -> None:
    """No setting is read from a project, wherever it calls its own Codex home."""
    place.write("AGENTS.local.md", "@../outside.md\n")
    (place.project.parent / "outside.md").write_text("Outside\n")
    place.write("sub/home/refseal.toml", "allow_outside_root = true\n")
    usual = place.home / ".codex/refseal.toml"
    usual.write_text("allow_outside_root = true\n")
    assert "Outside" in place.context()
    place.environ["CODEX_HOME"] = str(place.project / "sub/home")
    said = place.answer()
    assert said["systemMessage"] == f"refseal: {session.SETTINGS_IN_PROJECT}"
    assert "outside-root" in said["hookSpecificOutput"]["additionalContext"]
    place.environ["REFSEAL_ALLOW_OUTSIDE_ROOT"] = "1"
    assert "Outside" in place.context()


def test_a_configuration_of_the_owner_of_codex_home_is_obeyed(place: Place) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    place.write("AGENTS.local.md", "Overlay of the project\n")
    place.configure(f'[projects."{place.project}"]\ntrust_level = "untrusted"\n')
    for path in (place.home / ".codex", place.home / ".codex/config.toml"):
        os.chown(path, 12345, 12345)
    assert "calls this project untrusted" in place.context()
    place.configure("")
    assert "Overlay of the project" in place.context()


MACHINE_CASES = [  # system's, user's, managed; first missing line of a native file of two lines (measured)
    ("project_doc_max_bytes = 1", "", "", 1),
    ("project_doc_max_bytes = 1", "project_doc_max_bytes = 99", "", None),
    ("", "project_doc_max_bytes = 99", "project_doc_max_bytes = 1", 1),
    ("project_doc_max_bytes = 1", "", "project_doc_max_bytes = 99", None),
]


def configure_machine(
    place: Place, monkeypatch: pytest.MonkeyPatch, system: str = "", managed: str = ""
) -> None:
    folder = place.home.parent / "machine/etc/codex"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text(system)
    (folder / "managed_config.toml").write_text(managed)
    monkeypatch.setattr(home, "MACHINE", str(place.home.parent / "machine"))


@pytest.mark.parametrize(("system", "user", "managed", "expected"), MACHINE_CASES)
def test_the_machines_own_files_stand_below_and_above_the_users(
    place: Place, monkeypatch: pytest.MonkeyPatch, system: str, user: str, managed: str, expected: int | None
) -> None:
    place.write("AGENTS.md", "Native\nand more\n")
    configure_machine(place, monkeypatch, system, managed)
    place.configure(user)
    assert budget_in(place, "") == expected


def test_what_is_managed_stands_above_a_trusted_projects_layer_too(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write(".git/HEAD", "ref: refs/heads/main\n")
    place.write("AGENTS.md", "Native\nand more\n")
    place.write(".codex/config.toml", "project_doc_max_bytes = 99\n")
    place.configure(f'[projects."{place.project}"]\ntrust_level = "trusted"\n')
    configure_machine(place, monkeypatch, "project_doc_max_bytes = 1")
    assert budget_in(place, "") is None
    configure_machine(place, monkeypatch, "", "project_doc_max_bytes = 1")
    assert budget_in(place, "") == 1


@pytest.mark.parametrize(
    ("system", "user", "managed", "shown"),
    [
        ("untrusted", "", "", False),
        ("untrusted", "trusted", "", True),
        ("trusted", "untrusted", "", False),
        ("", "trusted", "untrusted", False),
        ("", "untrusted", "trusted", True),
    ],
)
def test_the_machine_has_its_say_in_trust(
    place: Place, monkeypatch: pytest.MonkeyPatch, system: str, user: str, managed: str, *, shown: bool
) -> None:
    """Each of them measured on Codex 0.171.0, with the files in /etc/codex."""
    place.write("AGENTS.local.md", "Overlay of the project\n")

    def level(text: str) -> str:
        return f'[projects."{place.project}"]\ntrust_level = "{text}"\n' if text else ""

    configure_machine(place, monkeypatch, level(system), level(managed))
    place.configure(level(user))
    assert ("Overlay of the project" in place.context()) is shown
