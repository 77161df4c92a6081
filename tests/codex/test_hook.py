"""The hook's answer: one strict JSON object or nothing, whatever comes in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refseal.codex import hook, session
from refseal.codex.host_limit import UNDECLARABLE
from refseal.codex.transcript import MARK
from refseal.seal.withdrawal import is_withdrawal
from tests.codex.place import SOURCE, Place, hook_message, strict, world_state

if TYPE_CHECKING:
    from pathlib import Path

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


# --- limits, messages ---------------------------------------------------------------------------------------


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
