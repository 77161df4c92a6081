"""What refseal says that Codex loaded is what Codex says that it loaded, for generated projects.

`codex debug prompt-input` is the oracle: it prints what the model would see, without a session.  refseal is
asked twice: without a transcript, when it mirrors Codex's rules, and with one that holds the oracle's own
text, which it must find again in the files.
"""

from __future__ import annotations

import json
import os
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from refseal.codex.session import session_in
from tests.e2e.codex_client import Codex
from tests.e2e.native_projects import Generator

if TYPE_CHECKING:
    from pathlib import Path

    from refseal.resolve.native_view import Loaded
    from tests.e2e.model_server import ModelServer

PROJECTS = int(os.environ.get("REFSEAL_ORACLE_PROJECTS", "20"))
FIRST_SEED = int(os.environ.get("REFSEAL_ORACLE_SEED", "0"))
"""How many, and from which on; `just native-oracle 200 1000` takes the seeds 1000 to 1199."""

HOME_SEPARATOR = "\n\n--- project-doc ---\n\n"
WHITE_SPACE = " \t\n\r\u3000"
"""What the generator makes files blank with."""


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + PROJECTS))
def test_the_mirrored_rules_give_the_text_that_the_client_shows(
    program: str, tmp_path: Path, model: ModelServer, seed: int
) -> None:
    codex = Codex(program, str(tmp_path / "client"), model, "/usr/bin")
    case = Generator(seed, str(tmp_path / "files"), codex.codex_home).build()
    codex.configure(case.keys, case.tables)
    shown = native_message(codex, case.cwd)
    with closing(session_in(case.cwd, codex.environment)) as session:
        loaded = [] if session.view is None else list(session.view.loaded)
        check(shown, loaded)

        told = {"text": shown} if shown else {}
        if any(entry.instruction.origin != "home" for entry in loaded):
            told["directory"] = case.cwd
        transcript = tmp_path / "transcript.jsonl"
        record = {"type": "world_state", "payload": {"full": True, "state": {"agents_md": told}}}
        transcript.write_text(
            json.dumps({"type": "session_meta", "payload": {}}) + "\n" + json.dumps(record) + "\n"
        )
        with closing(session_in(case.cwd, codex.environment, transcript=str(transcript))) as again:
            found = [] if again.view is None else list(again.view.loaded)
            assert names(found) == names(loaded)


def names(loaded: list[Loaded]) -> list[tuple[str, int | None]]:
    return [(entry.instruction.path, entry.first_missing_line) for entry in loaded]


def native_message(codex: Codex, cwd: str) -> str:
    """Give the text between the tags of the one message that holds it, or nothing."""
    items = json.loads(codex.run("-C", cwd, "debug", "prompt-input", "hi"))
    for item in items:
        for part in item["content"]:
            if part["text"].startswith("# AGENTS.md instructions"):
                body = part["text"].partition("\n\n<INSTRUCTIONS>\n")[2]
                return str(body.removesuffix("\n</INSTRUCTIONS>"))
    return ""


def check(shown: str, loaded: list[Loaded]) -> None:
    """Hold the text against the files that refseal names, up to the line where it says that they were cut."""
    home = [entry for entry in loaded if entry.instruction.origin == "home"]
    rest = shown
    for entry in home:
        text = text_of(entry).strip(WHITE_SPACE)
        assert rest.startswith(text)
        rest = rest[len(text) :]
        if len(home) < len(loaded) and rest:
            assert rest.startswith(HOME_SEPARATOR)
            rest = rest[len(HOME_SEPARATOR) :]
    between = ""
    for entry in loaded:
        if entry in home:
            continue
        if entry.first_missing_line == 1 and not begins(entry, rest.removeprefix(between)):
            continue  # nothing was left of the budget, or only white space before the cut
        assert rest.startswith(between)
        rest = rest[len(between) :]
        between = "\n\n"
        text = text_of(entry)
        if entry.first_missing_line is None:
            # A cut that took nothing but white space is none to us: it could only be the last file's.
            shown = text if rest.startswith(text) else rest
            assert text.startswith(shown)
            assert not text[len(shown) :].strip(WHITE_SPACE)
            rest = rest[len(shown) :]
            continue
        lines = text.split("\n")
        whole = "".join(line + "\n" for line in lines[: entry.first_missing_line - 1])
        assert rest.startswith(whole)
        begun = rest[len(whole) :].removesuffix("\ufffd")
        missing = lines[entry.first_missing_line - 1]
        assert missing.startswith(begun)
        assert begun != missing + "\n"
        rest = ""
    assert rest == ""


def begins(entry: Loaded, shown: str) -> bool:
    """Tell whether the file begins with what is shown, if anything is, be it a part of one character."""
    whole = shown.rstrip("\ufffd")
    text = text_of(entry)
    return bool(shown) and text.startswith(whole) and (whole != "" or not text[:1].isascii())


def text_of(entry: Loaded) -> str:
    assert entry.instruction.file is not None
    return entry.instruction.file.data.decode("utf-8", "replace")
