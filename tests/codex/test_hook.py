"""The hook's answer: one strict JSON object or nothing, in time, whatever comes in and whatever hangs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refseal.codex import home, hook, session
from refseal.codex.configuration import MAX_BYTES
from refseal.codex.deadline import Clock
from refseal.codex.host_limit import UNDECLARABLE
from refseal.codex.transcript import MARK
from refseal.resolve import lookup, scope
from refseal.seal.withdrawal import is_withdrawal

SOURCE = Path(hook.__file__).parents[2]


class Place:
    """A project and a home, and the hook's answers there."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        (self.project / ".git").mkdir(parents=True)
        self.home = folder / "home"
        (self.home / ".codex").mkdir(parents=True)
        self.environ = {"HOME": str(self.home)}
        self.transcript = folder / "sessions" / "2026" / "11" / "30" / "rollout-x.jsonl"
        self.transcript.parent.mkdir(parents=True)

    def write(self, path: str, text: str | bytes) -> Path:
        target = self.project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())
        return target

    def configure(self, text: str, name: str = "config.toml") -> None:
        (self.home / ".codex" / name).write_text(text)

    def record(self, *records: dict[str, Any], version: str = "0.171.0") -> None:
        meta = {"type": "session_meta", "payload": {"id": "x", "cli_version": version}}
        self.transcript.write_text("".join(json.dumps(record) + "\n" for record in (meta, *records)))

    def answer(self, **changes: Any) -> dict[str, Any]:
        payload = {
            "hook_event_name": "SessionStart",
            "cwd": str(self.project),
            "source": "startup",
            **changes,
        }
        if self.transcript.exists():
            payload.setdefault("transcript_path", str(self.transcript))
        return strict(hook.answer(json.dumps(payload).encode(), self.environ))

    def context(self, **changes: Any) -> str:
        text = self.answer(**changes).get("hookSpecificOutput", {}).get("additionalContext", "")
        assert isinstance(text, str)
        return text


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def strict(output: bytes) -> dict[str, Any]:
    """Read an answer as strictly as Codex does."""
    if output == b"":
        return {}
    text = output.decode("ascii")
    assert text.endswith("}\n")
    assert text.startswith("{")

    def no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    said = json.loads(text, object_pairs_hook=no_doubles)
    assert isinstance(said, dict)
    assert said
    assert set(said) <= {"hookSpecificOutput", "systemMessage"}
    said.get("systemMessage", "").encode("utf-8")
    if "hookSpecificOutput" in said:
        specific = said["hookSpecificOutput"]
        assert set(specific) == {"hookEventName", "additionalContext"}
        assert specific["hookEventName"] in {"SessionStart", "SubagentStart"}
        assert specific["additionalContext"]
        specific["additionalContext"].encode("utf-8")
    return said


def hook_message(text: str) -> dict[str, Any]:
    return {
        "type": "response_item",
        "payload": {
            "type": "message",
            "role": "developer",
            "content": [{"type": "input_text", "text": text}],
            "internal_chat_message_metadata_passthrough": {
                "content_item_kinds": ["hooks.additional_context"]
            },
        },
    }


def world_state(agents_md: dict[str, Any]) -> dict[str, Any]:
    return {"type": "world_state", "payload": {"full": True, "state": {"agents_md": agents_md}}}


# --- what comes in ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b" \n"])
def test_no_input_gives_no_output(data: bytes) -> None:
    assert hook.answer(data, {}) == b""


@pytest.mark.parametrize(
    "data", [b"{", b"[]", b"\xff", b"{} {}", b'{"hook_event_name":"SessionStart"}', b"[" * 99_999]
)
def test_broken_input_gives_one_message(data: bytes) -> None:
    assert set(strict(hook.answer(data, {}))) == {"systemMessage"}


@pytest.mark.parametrize(
    "cwd", ["/nowhere/at/all", "/dev/null", "/etc/hostname", "/proc/1/cwd/x", "/" + "a" * 300]
)
def test_a_directory_that_is_none_gives_no_context(place: Place, cwd: str) -> None:
    assert "hookSpecificOutput" not in place.answer(cwd=cwd)


def test_an_unknown_event_gives_nothing(place: Place) -> None:
    place.write("AGENTS.local.md", "Overlay\n")
    assert place.answer(hook_event_name="Stop") == {}


def test_a_project_with_nothing_for_us_gives_nothing(place: Place) -> None:
    place.write("README.md", "@docs/a.md")
    assert place.answer() == {}


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.sampled_from(["/", "/tmp", "SessionStart", "resume"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
fields = st.dictionaries(
    st.sampled_from(["hook_event_name", "cwd", "source", "transcript_path", "session_id", "agent_id"]),
    json_values,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    st.binary(max_size=200) | fields.map(lambda found: json.dumps(found).encode()),
    st.dictionaries(
        st.sampled_from(
            [
                "HOME",
                "CODEX_HOME",
                "REFSEAL_DEADLINE",
                "REFSEAL_MAX_DEPTH",
                "REFSEAL_EXTRA_ROOTS",
                "REFSEAL_HOST_LIMIT",
            ]
        ),
        st.text() | st.sampled_from(["/", "0", "1", "-1", "1e9", "nan", "/nowhere"]),
    ),
)
def test_no_input_makes_it_fail_or_print_anything_but_one_object(
    data: bytes, environ: dict[str, str]
) -> None:
    strict(hook.answer(data, environ))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.binary(max_size=300), st.text(max_size=200), st.binary(max_size=200), st.binary(max_size=100))
def test_no_files_make_it_fail_either(
    place: Place, overlay: bytes, native: str, transcript: bytes, config: bytes
) -> None:
    place.write("AGENTS.local.md", overlay)
    place.write("AGENTS.md", native.encode("utf-8", "surrogatepass"))
    place.transcript.write_bytes(transcript)
    (place.home / ".codex" / "config.toml").write_bytes(config)
    (place.home / ".codex" / "refseal.toml").write_bytes(config)
    strict(
        hook.answer(
            json.dumps(
                {
                    "hook_event_name": "SessionStart",
                    "cwd": str(place.project),
                    "transcript_path": str(place.transcript),
                }
            ).encode(),
            place.environ,
        )
    )


def test_a_fault_of_ours_is_one_message_and_tells_nothing_of_the_files(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("AGENTS.local.md", "Overlay\n")

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("</secret>")

    monkeypatch.setattr(session, "locate", fail)
    said = place.answer()
    assert list(said) == ["systemMessage"]
    assert "RuntimeError" in said["systemMessage"]
    assert "secret" not in said["systemMessage"]


# --- repeats ------------------------------------------------------------------------------------------------

SOURCES = ["startup", "resume", "fork", "clear", "compact"]
EVENTS = [("SessionStart", source) for source in SOURCES] + [("SubagentStart", "")]


@pytest.mark.parametrize(("event", "source"), EVENTS)
def test_the_same_block_is_not_said_twice(place: Place, event: str, source: str) -> None:
    place.write("AGENTS.local.md", "Overlay\n")
    block = place.context(hook_event_name=event, source=source)
    assert block.startswith(MARK)
    place.record(hook_message(block))
    assert place.answer(hook_event_name=event, source=source) == {}


@pytest.mark.parametrize(("event", "source"), EVENTS)
def test_a_changed_block_is_said(place: Place, event: str, source: str) -> None:
    place.write("AGENTS.local.md", "Overlay\n")
    place.record(hook_message(place.context()))
    place.write("AGENTS.local.md", "Overlay, changed\n")
    assert "Overlay, changed" in place.context(hook_event_name=event, source=source)


@pytest.mark.parametrize(("event", "source"), EVENTS)
def test_a_block_of_which_nothing_is_left_is_withdrawn_once(place: Place, event: str, source: str) -> None:
    overlay = place.write("AGENTS.local.md", "Overlay\n")
    block = place.context()
    overlay.unlink()
    place.record(hook_message(block))
    withdrawal = place.context(hook_event_name=event, source=source)
    assert is_withdrawal(withdrawal)
    place.record(hook_message(block), hook_message(withdrawal))
    assert place.answer(hook_event_name=event, source=source) == {}


def test_after_a_compaction_the_block_is_said_again(place: Place) -> None:
    place.write("AGENTS.local.md", "Overlay\n")
    block = place.context()
    place.record(hook_message(block), {"type": "compacted", "payload": {"message": "m"}})
    for source in SOURCES:
        assert place.context(source=source) == block


def test_a_block_that_another_replaced_is_said_again(place: Place) -> None:
    place.write("AGENTS.local.md", "One\n")
    one = place.context()
    place.write("AGENTS.local.md", "Two\n")
    two = place.context()
    place.record(hook_message(one), hook_message(two))
    assert place.answer() == {}
    place.write("AGENTS.local.md", "One\n")
    assert place.context() == one


# --- trust, limits, messages --------------------------------------------------------------------------------


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


def test_bad_settings_and_a_broken_configuration_are_told(place: Place) -> None:
    place.write("AGENTS.local.md", "Overlay\n")
    place.environ["REFSEAL_MAX_DEPTH"] = "many"
    place.configure("project_doc_max_bytes = = 3")
    said = place.answer()
    assert "REFSEAL_MAX_DEPTH" in said["systemMessage"]
    assert "config.toml" in said["systemMessage"]
    assert "Overlay" in said["hookSpecificOutput"]["additionalContext"]


def test_documents_left_out_for_size_are_told(place: Place) -> None:
    place.write("AGENTS.local.md", "@a.md @b.md\n")
    place.write("a.md", "a")
    place.write("b.md", "b")
    place.environ["REFSEAL_MAX_FILES"] = "1"
    said = place.answer()
    assert "left out for size" in said["systemMessage"]
    assert "b.md" in said["hookSpecificOutput"]["additionalContext"]


def test_a_session_of_an_old_codex_gets_what_that_shows(place: Place) -> None:
    place.write("AGENTS.local.md", "Line of text\n" * 2_000)
    place.record(version="0.144.6")
    assert len(place.context().encode()) <= UNDECLARABLE * 4
    place.record(version="0.145.0")
    assert len(place.context().encode()) > UNDECLARABLE * 4
    place.environ["REFSEAL_HOST_LIMIT"] = "300"
    assert len(place.context().encode()) <= 1_200


def test_disabled_it_says_nothing_at_all(place: Place) -> None:
    place.write("AGENTS.local.md", "Overlay\n")
    block = place.context()
    place.record(hook_message(block + "other"))
    place.environ["REFSEAL_DISABLE"] = "1"
    assert place.answer() == {}


def test_settings_are_read_from_codex_home_and_never_from_the_project(place: Place) -> None:
    place.write("AGENTS.local.md", "@a.md\n")
    place.write("a.md", "Referenced\n")
    for name in ("refseal.toml", ".codex/refseal.toml"):
        place.write(name, "max_depth = 0\ndisable = true\n")
    assert "Referenced" in place.context()
    place.configure("max_depth = 0\n", "refseal.toml")
    assert "Referenced" not in place.context()


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


def test_settings_that_cannot_be_read_are_told(place: Place) -> None:
    place.write("AGENTS.local.md", "Overlay of the project\n")
    (place.home / ".codex/refseal.toml").mkdir()
    said = place.answer()
    assert "refseal.toml in Codex home could not be read" in said["systemMessage"]
    assert "Overlay of the project" in said["hookSpecificOutput"]["additionalContext"]


def test_a_budget_without_end_does_not_make_us_read_without_end(place: Place) -> None:
    place.configure(f"project_doc_max_bytes = {2**63 - 1}")
    with place.write("AGENTS.md", "Native: @docs/a.md\n").open("ab") as file:
        file.truncate(1 << 40)
    place.write("docs/a.md", "Referenced\n")
    with closing(session.session_in(str(place.project), place.environ)) as found:
        assert found.scope is not None
        (native,) = found.scope.instructions
        assert native.file is not None
        assert len(native.file.data) <= session.MAX_NATIVE_BYTES + found.settings.max_file_bytes
        assert found.view is not None
        assert found.view.loaded[0].first_missing_line is None
    assert "Referenced" in place.context()


def test_a_directory_too_deep_for_us_is_not_said_to_be_unreadable_for_codex(place: Place) -> None:
    place.write("AGENTS.md", "Native\n")
    deep = place.write("d/" * 300 + "AGENTS.md", "Native, and deep\n").parent
    with closing(session.session_in(str(deep), place.environ)) as found:
        assert found.view is not None
        assert found.view.notices == ()
        assert [entry.instruction.path for entry in found.view.loaded] == [str(place.project / "AGENTS.md")]
    place.configure(f'project_doc_fallback_filenames = ["{"x" * 300}"]')
    with closing(session.session_in(str(deep.parents[280]), place.environ)) as found:
        assert found.view is not None
        assert "could not read" in found.view.notices[0]


def test_a_directory_whose_name_reached_us_mangled_is_told(place: Place, tmp_path: Path) -> None:
    """JSON has no way to spell a name that is not UTF-8: what arrives is a directory that is not there."""
    os.mkdir(os.fsencode(tmp_path) + b"/\xff")
    assert set(place.answer(cwd=f"{tmp_path}/\ufffd")) == {"systemMessage"}


def test_what_codex_loaded_comes_from_the_transcript(place: Place) -> None:
    place.write("AGENTS.md", "one\ntwo\nthree\n")
    place.record(world_state({"directory": str(place.project), "text": "one\ntw"}))
    context = place.context()
    assert "\ntwo\nthree\n" in context
    place.record(world_state({}))
    assert place.answer() == {}
    place.record(world_state({"directory": str(place.project), "text": "something else"}))
    assert "two" not in place.context()


# --- what hangs ---------------------------------------------------------------------------------------------


def test_a_hanging_read_costs_only_what_it_would_have_read(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("AGENTS.local.md", "Overlay: @docs/a.md @docs/hangs.md @docs/b.md\n")
    for name in ("a", "b", "hangs"):
        place.write(f"docs/{name}.md", f"Document {name}\n")
    real = lookup.read  # type: ignore[attr-defined]

    def slow(token: str, *rest: Any) -> Any:
        if "hangs" in token:
            time.sleep(60)
        return real(token, *rest)

    monkeypatch.setattr(lookup, "read", slow)
    place.environ["REFSEAL_DEADLINE"] = "0.8"
    started = time.monotonic()
    said = place.answer()
    assert time.monotonic() - started < 0.8
    context = said["hookSpecificOutput"]["additionalContext"]
    assert "Overlay: " in context
    assert "Document a" in context
    assert '"docs/hangs.md"' in context
    assert '"docs/b.md"' in context
    assert "deadline" in context
    assert "file system" in said["systemMessage"]


@pytest.mark.parametrize("where", ["read", "locate", "_history", "Home"])
def test_a_disk_that_hangs_from_the_start_gives_one_message(
    place: Place, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    place.write("AGENTS.local.md", "Overlay\n")
    place.record()
    monkeypatch.setattr(session, where, lambda *_, **__: time.sleep(60))
    monkeypatch.setattr(hook, "Clock", lambda *_: Clock(0.5))
    place.environ["REFSEAL_DEADLINE"] = "0.5"
    started = time.monotonic()
    said = place.answer()
    assert time.monotonic() - started < 0.6
    assert list(said) == ["systemMessage"]


def test_a_hang_that_holds_what_the_answer_needs_gives_one_message(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("AGENTS.local.md", "Overlay: @docs/missing\n")
    place.write("docs/a.md", "a")
    monkeypatch.setattr(lookup, "is_directory", lambda *_: time.sleep(60))
    place.environ["REFSEAL_DEADLINE"] = "0.8"
    started = time.monotonic()
    said = place.answer()
    assert time.monotonic() - started < 0.9
    assert "systemMessage" in said


def test_a_crawling_disk_is_left_in_time(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.write("AGENTS.local.md", "".join(f"@docs/{number}.md\n" for number in range(30)))
    for number in range(30):
        place.write(f"docs/{number}.md", f"Document {number}.\n")
    real = lookup.read  # type: ignore[attr-defined]

    def slow(*arguments: Any) -> Any:
        time.sleep(0.1)
        return real(*arguments)

    monkeypatch.setattr(lookup, "read", slow)
    place.environ["REFSEAL_DEADLINE"] = "1"
    started = time.monotonic()
    said = place.answer()
    assert time.monotonic() - started < 1
    assert "file system" not in said.get("systemMessage", ""), "the work ends by itself, and in time"
    context = said["hookSpecificOutput"]["additionalContext"]
    assert "Document 0." in context
    assert "Document 29." not in context
    assert "deadline" in context


def hang_at(monkeypatch: pytest.MonkeyPatch, part: str, seconds: float = 60) -> None:
    """Let the reading of instruction files take that long in directories whose path ends so."""
    real = scope.read  # type: ignore[attr-defined]

    def slow(token: str, place: Any, *rest: Any) -> Any:
        if "/".join((place.root.path, *place.components)).endswith(part):
            time.sleep(seconds)
        return real(token, place, *rest)

    monkeypatch.setattr(scope, "read", slow)


def test_a_hanging_instruction_file_costs_only_what_comes_after_it(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place.home / ".codex/AGENTS.local.md").write_text("Overlay of the user\n")
    for directory in ("", "a", "a/hangs", "a/hangs/b"):
        place.write(os.path.join(directory, "AGENTS.local.md"), f"Overlay in /{directory}.\n")
    hang_at(monkeypatch, "/hangs")
    place.environ["REFSEAL_DEADLINE"] = "0.8"
    started = time.monotonic()
    said = place.answer(cwd=str(place.project / "a/hangs/b"))
    assert time.monotonic() - started < 0.8
    context = said["hookSpecificOutput"]["additionalContext"]
    for text in ("Overlay of the user", "Overlay in /.", "Overlay in /a.", "deadline", '/a/hangs/"', '/b/"'):
        assert text in context
    assert "Overlay in /a/hangs" not in context
    assert "file system" in said["systemMessage"]


def test_a_crawling_disk_is_left_in_the_midst_of_the_instruction_files(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = ""
    for number in range(12):
        place.write(os.path.join(directory, "AGENTS.local.md"), f"Overlay {number}.\n")
        directory = os.path.join(directory, "d")
    hang_at(monkeypatch, "", 0.05)
    place.environ["REFSEAL_DEADLINE"] = "1"
    started = time.monotonic()
    said = place.answer(cwd=str((place.project / directory).parent))
    assert time.monotonic() - started < 1
    assert "file system" not in said.get("systemMessage", ""), "the work ends by itself, and in time"
    context = said["hookSpecificOutput"]["additionalContext"]
    assert "Overlay 0." in context
    assert "Overlay 11." not in context
    assert "deadline" in context


@pytest.mark.parametrize("part", [".codex", "/project"])
def test_a_hang_withdraws_nothing(place: Place, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    overlay = place.write("AGENTS.local.md", "Overlay\n")
    block = place.context()
    overlay.unlink()
    place.record(hook_message(block))
    hang_at(monkeypatch, part)
    place.environ["REFSEAL_DEADLINE"] = "0.6"
    assert not is_withdrawal(place.context())


def test_a_hang_before_anything_is_known_withdraws_nothing(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    overlay = place.write("AGENTS.local.md", "Overlay\n")
    block = place.context()
    overlay.unlink()
    place.record(hook_message(block))
    monkeypatch.setattr(session, "locate", lambda *_, **__: time.sleep(60))
    place.environ["REFSEAL_DEADLINE"] = "0.6"
    assert set(place.answer()) == {"systemMessage"}


def test_a_hang_of_which_no_block_can_be_made_withdraws_nothing(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("AGENTS.local.md", "Overlay\n")
    place.record(hook_message(place.context()))

    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(session.Session, "expand", fail)
    hang_at(monkeypatch, "/project")
    place.environ["REFSEAL_DEADLINE"] = "0.6"
    assert set(place.answer()) == {"systemMessage"}


def test_an_untrusted_project_gives_nothing_when_the_disk_hangs_either(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("AGENTS.local.md", "Overlay of the project\n")
    place.write("hangs/AGENTS.local.md", "Overlay in a folder\n")
    place.configure(f'[projects."{place.project}"]\ntrust_level = "untrusted"\n')
    hang_at(monkeypatch, "/hangs")
    place.environ["REFSEAL_DEADLINE"] = "0.8"
    assert "Overlay" not in place.context(cwd=str(place.project / "hangs"))


def test_a_deadline_beyond_the_hosts_own_is_cut(place: Place) -> None:
    place.environ["REFSEAL_DEADLINE"] = "600"
    assert session.session_in(str(place.project), place.environ, clock=Clock()).settings.deadline <= 9


@pytest.mark.parametrize(("module", "directory"), [("lookup", ""), ("scope", "sub")])
def test_a_system_call_that_never_returns_does_not_keep_the_process(
    place: Place, module: str, directory: str
) -> None:
    """A FIFO without a writer: the open hangs in the kernel, as that of a dead network mount does."""
    place.write("AGENTS.local.md", "Overlay: @docs/a.md\n")
    place.write("docs/a.md", "a")
    (place.project / "sub").mkdir()
    pipe = place.home / "pipe"
    os.mkfifo(pipe)
    code = f"""
import os, sys
sys.path.insert(0, {str(SOURCE)!r})
from refseal.codex import hook
from refseal.resolve import {module}
read = {module}.read
def hang(token, place, *rest):
    if place.components == {tuple(directory.split())} and token != "AGENTS.override.md":
        os.open({str(pipe)!r}, os.O_RDONLY)
    return read(token, place, *rest)
{module}.read = hang
hook.main()
os._exit(0)
"""
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps({"hook_event_name": "SessionStart", "cwd": str(place.project / directory)}).encode(),
        env={**place.environ, "REFSEAL_DEADLINE": "1"},
        capture_output=True,
        check=True,
        timeout=20,
    )
    assert time.monotonic() - started < 5
    assert done.stderr == b""
    said = strict(done.stdout)
    assert "Overlay: " in said["hookSpecificOutput"]["additionalContext"]
    assert "deadline" in said["hookSpecificOutput"]["additionalContext"]


# --- what is loaded -----------------------------------------------------------------------------------------

SLOW_TO_IMPORT = {
    "re", "json", "typing", "dataclasses", "pathlib", "enum", "hashlib", "tomllib", "functools",
    "collections", "contextlib", "threading", "signal", "subprocess", "inspect", "warnings", "datetime",
}  # fmt: skip


def test_an_ordinary_run_imports_nothing_slow(place: Place) -> None:
    place.write("AGENTS.local.md", "Overlay: @docs/a.md and @somebody\n")
    place.write("docs/a.md", "Document, see @b.md\n")
    place.write("docs/b.md", "The other\n")
    place.write("AGENTS.md", "Native with @docs/a.md\n")
    place.configure('model = "m"\n[projects."/p"]\ntrust_level = "trusted"\n')
    place.record(world_state({"directory": str(place.project), "text": "Native with @docs/a.md\n"}))
    payload = json.dumps(
        {
            "hook_event_name": "SessionStart",
            "cwd": str(place.project),
            "transcript_path": str(place.transcript),
        }
    ).encode()
    code = f"""
import sys
sys.path.insert(0, {str(SOURCE)!r})
before = set(sys.modules)
from refseal.codex.hook import answer
said = answer({payload!r}, {place.environ!r})
assert b"The other" in said, said
print(*sorted(name for name in set(sys.modules) - before))
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert loaded & SLOW_TO_IMPORT == set()
    assert {name for name in loaded if not name.startswith("refseal")} <= {
        "__future__", "_json", "_sha2", "_sha256", "_stat", "errno", "stat",
    }  # fmt: skip
    assert not any(name.startswith(("refseal.cli", "refseal.audit")) for name in loaded)
