from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import refseal
from refseal.resolve.setting_readers import ALIASED, READERS, _whole, is_bare_name
from refseal.resolve.settings import Settings, read_settings
from refseal.seal import SMALLEST_LIMIT

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(refseal.__file__)))
DEFAULTS = {
    "max_depth": 5,
    "max_files": 32,
    "max_file_bytes": 32_768,
    "max_total_reference_bytes": 131_072,
    "allow_outside_root": False,
    "extra_roots": (),
    "fallback_filenames": None,
    "codex_home": None,
    "host_limit": None,
    "deadline": 5.0,
    "require_trust": False,
    "disable": False,
}
GOOD = {
    "max_depth": ("3", "3", 3),
    "max_files": ("7", "7", 7),
    "max_file_bytes": ("1000", "1000", 1000),
    "max_total_reference_bytes": ("0", "0", 0),
    "allow_outside_root": ("true", "true", True),
    "extra_roots": ("/a:~/b:~", '["/a", "~/b", "~"]', ("/a", "~/b", "~")),
    "fallback_filenames": ("X.md, Y.md", '["X.md", "Y.md"]', ("X.md", "Y.md")),
    "codex_home": ("/c", None, "/c"),
    "host_limit": ("2500", "2500", 2500),
    "deadline": ("0.5", "0.5", 0.5),
    "require_trust": ("1", "true", True),
    "disable": ("yes", "true", True),
}


def values(settings: Settings) -> dict[str, object]:
    return {field: getattr(settings, field) for field in DEFAULTS}


def test_nothing_set_gives_the_defaults_and_no_problem() -> None:
    settings = read_settings({}, None)
    assert values(settings) == DEFAULTS
    assert settings.problems == []


def test_every_setting_has_a_reader_and_a_case_here() -> None:
    assert set(READERS) == set(DEFAULTS) == set(GOOD)


@pytest.mark.parametrize("field", GOOD)
def test_each_setting_by_environment(field: str) -> None:
    text, _, expected = GOOD[field]
    settings = read_settings({"REFSEAL_" + field.upper(): text}, None)
    assert values(settings) == DEFAULTS | {field: expected}
    assert settings.problems == []


@pytest.mark.parametrize("field", [field for field in GOOD if GOOD[field][1] is not None])
def test_each_setting_by_file(field: str) -> None:
    _, toml, expected = GOOD[field]
    settings = read_settings({}, f"{field} = {toml}\n".encode())
    assert values(settings) == DEFAULTS | {field: expected}
    assert settings.problems == []


@pytest.mark.parametrize("field", ALIASED)
def test_the_older_plugins_names_are_aliases(field: str) -> None:
    text, _, expected = GOOD[field]
    settings = read_settings({"CODEX_AGENTS_MD_PLUS_" + field.upper(): text}, None)
    assert values(settings) == DEFAULTS | {field: expected}


def test_the_environment_comes_before_the_file_and_the_own_name_before_the_alias() -> None:
    environ = {
        "CODEX_AGENTS_MD_PLUS_MAX_DEPTH": "2",
        "CODEX_AGENTS_MD_PLUS_MAX_FILES": "2",
        "REFSEAL_MAX_DEPTH": "1",
    }
    settings = read_settings(environ, b"max_depth = 3\nmax_files = 3\nmax_file_bytes = 3\n")
    assert (settings.max_depth, settings.max_files, settings.max_file_bytes) == (1, 2, 3)


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("max_depth", "-1"), ("max_depth", "five"), ("max_depth", "1_0"), ("max_depth", "٣"),
        ("max_depth", "1e3"),
        ("max_depth", "9" * 5000), ("max_depth", "101"), ("max_files", "1001"), ("max_file_bytes", "0"),
        ("max_file_bytes", "99999999999"), ("host_limit", "0"), ("deadline", "0"), ("deadline", "nan"),
        ("host_limit", "199"),
        ("deadline", "inf"), ("deadline", "-1"), ("deadline", "soon"), ("allow_outside_root", "maybe"),
        ("codex_home", "relative"), ("extra_roots", ":".join(["/a"] * 65)),
    ],
)  # fmt: skip
def test_a_bad_value_is_reported_and_the_default_used(field: str, bad: str) -> None:
    # Also where the file has a good one: a mistyped "no" must not become the file's "yes".
    settings = read_settings({"REFSEAL_" + field.upper(): bad}, b"allow_outside_root = true\nmax_depth = 9\n")
    assert getattr(settings, field) == DEFAULTS[field]
    assert len(settings.problems) == 1
    assert settings.problems[0].startswith("REFSEAL_" + field.upper() + ": ")
    assert len(settings.problems[0]) < 200


@pytest.mark.parametrize(
    "line",
    [
        "max_depth = true", "max_depth = 1.5", "allow_outside_root = 1.0", 'extra_roots = "/a"',
        "extra_roots = [1]", 'fallback_filenames = "A.md"',
        "deadline = true", "deadline = []", "max_depth = {}",
        "max_depth = 1979-05-27",
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_type_in_the_file_is_reported(line: str) -> None:
    settings = read_settings({}, line.encode())
    assert values(settings) == DEFAULTS
    assert len(settings.problems) == 1


def test_a_list_keeps_its_good_entries() -> None:
    settings = read_settings({"REFSEAL_EXTRA_ROOTS": "/a:b::~c:/d"}, None)
    assert settings.extra_roots == ("/a", "/d")
    assert len(settings.problems) == 2


def test_the_overlays_name_is_reserved_and_paths_are_no_names() -> None:
    settings = read_settings(
        {"REFSEAL_FALLBACK_FILENAMES": "AGENTS.local.md,a/b,..,OK.md,OK.md,AGENTS.md"}, None
    )
    assert settings.fallback_filenames == ("OK.md",)
    assert len(settings.problems) == 3


@pytest.mark.parametrize("toml", [b"max_depth =", b"\xff\xfe", b"[" * 5000, b"a = 1\na = 2"])
def test_a_broken_file_is_reported_as_a_whole(toml: bytes) -> None:
    settings = read_settings({"REFSEAL_MAX_DEPTH": "2"}, toml)
    assert settings.max_depth == 2
    assert settings.problems == ["refseal.toml is not valid TOML in UTF-8; none of it is used"]


def test_a_key_that_nests_without_end_is_reported_like_any_other() -> None:
    settings = read_settings({}, b"max_depth." + b"a." * 3_000 + b"a = 1")
    assert settings.max_depth == 5
    problem = "a value that is nested too deep is not a whole number from 0 to 100; 5 is used"
    assert settings.problems == [f"refseal.toml: max_depth: {problem}"]
    assert len(read_settings({}, b"max_depth." + b"a." * 20_000 + b"a = 1").problems) == 1


def test_an_unknown_key_is_reported() -> None:
    settings = read_settings({}, b'max_dept = 2\ncodex_home = "/x"\n')
    assert values(settings) == DEFAULTS
    assert settings.problems == [
        "refseal.toml: there is no setting 'max_dept'",
        "refseal.toml: there is no setting 'codex_home'",
    ]


def test_an_empty_variable_counts_as_not_set() -> None:
    environ = {"REFSEAL_" + field.upper(): "" for field in DEFAULTS}
    settings = read_settings(environ, b"max_depth = 2")
    assert values(settings) == DEFAULTS | {"max_depth": 2}
    assert settings.problems == []


def test_the_file_parser_is_imported_only_if_there_is_a_file() -> None:
    code = "import sys; from refseal.resolve.settings import read_settings; read_settings({}, None); "
    code += (
        "print([name for name in ('tomllib', 're', 'typing', 'dataclasses', 'enum') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {SOURCE!r}); {code}"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "[]\n"


@given(
    st.dictionaries(st.sampled_from(["REFSEAL_" + field.upper() for field in DEFAULTS]), st.text(max_size=30))
)
def test_no_value_of_the_environment_is_an_error(environ: dict[str, str]) -> None:
    settings = read_settings(environ, None)
    assert settings.max_file_bytes > 0
    assert all(line.isascii() or "'" not in line for line in settings.problems)


@given(st.binary(max_size=60))
def test_no_file_is_an_error(toml: bytes) -> None:
    assert read_settings({}, toml).max_depth >= 0


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("max_depth", "-1", "'-1' is not a whole number from 0 to 100; 5 is used"),
        ("max_file_bytes", "0", "'0' is not a whole number from 1 to 67108864; 32768 is used"),
        ("host_limit", "x", "'x' is not a whole number from 200 to 16777216; nothing is used"),
        ("deadline", "0", "'0' is not a number of seconds above 0, up to 600; 5.0 is used"),
        ("allow_outside_root", "may\x1bbe", r"'may\x1bbe' is not true or false; false is used"),
        ("codex_home", "relative", "'relative' is not an absolute path; nothing is used"),
        ("codex_home", "/a\0b", r"'/a\x00b' is not an absolute path; nothing is used"),
        ("extra_roots", "a", "'a' is not an absolute path; it is left out"),
        ("extra_roots", "/a\0b", r"'/a\x00b' is not an absolute path; it is left out"),
        (
            "extra_roots",
            "/" + ":/" * 64,
            f"'{'/:' * 29}/... is not a list of at most 64 entries; nothing is used",
        ),
        ("extra_roots", "~x", "'~x' is not an absolute path; it is left out"),
        ("fallback_filenames", ".", "'.' is not a file name; it is left out"),
        ("fallback_filenames", "..", "'..' is not a file name; it is left out"),
        ("fallback_filenames", "a/b", "'a/b' is not a file name; it is left out"),
        (
            "fallback_filenames",
            "AGENTS.local.md",
            "AGENTS.local.md is reserved for the overlay; it is left out",
        ),
        ("max_files", "9" * 58, f"'{'9' * 58}' is not a whole number from 0 to 1000; 32 is used"),
        ("max_files", "9" * 59, f"'{'9' * 59}... is not a whole number from 0 to 1000; 32 is used"),
    ],
)
def test_a_problem_says_what_was_wrong_and_what_is_used(field: str, value: str, problem: str) -> None:
    name = "REFSEAL_" + field.upper()
    assert read_settings({name: value}, None).problems == [f"{name}: {problem}"]


@pytest.mark.parametrize(
    ("field", "lowest", "highest"),
    [
        ("max_depth", 0, 100),
        ("max_files", 0, 1000),
        ("max_file_bytes", 1, 1 << 26),
        ("max_total_reference_bytes", 0, 1 << 26),
        ("host_limit", SMALLEST_LIMIT, 1 << 24),
        ("deadline", 0.001, 600),
    ],
)
def test_both_ends_of_a_range_belong_to_it(field: str, lowest: float, highest: float) -> None:
    for value in (lowest, highest):
        settings = read_settings({"REFSEAL_" + field.upper(): str(value)}, None)
        assert (getattr(settings, field), settings.problems) == (value, [])
    for value in (lowest - 1, highest + 1):
        assert len(read_settings({"REFSEAL_" + field.upper(): str(value)}, None).problems) == 1


def test_a_list_may_have_as_many_entries_as_its_bound() -> None:
    for count, problems in ((64, 0), (65, 1)):
        settings = read_settings({"REFSEAL_EXTRA_ROOTS": ":".join(f"/{n}" for n in range(count))}, None)
        assert len(settings.problems) == problems
        assert len(settings.extra_roots) == (0 if problems else 64)


@pytest.mark.parametrize("toml", ["extra_roots = 1", "extra_roots = [1]", 'fallback_filenames = "x"'])
def test_what_is_no_list_is_said_to_be_none(toml: str) -> None:
    field, value = toml.split(" = ")
    shown = value.replace('"', "'")
    assert read_settings({}, toml.encode()).problems == [
        f"refseal.toml: {field}: {shown} is not a list of strings; nothing is used"
    ]


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (0, 0), (10, 10), (11, None), (-1, None), ("0", 0), (" 10 ", 10), ("11", None), ("x", None),
        ("", None), ("0" * 12, 0), ("0" * 13, None), ("\u0661", None), (True, None), (1.0, None),
        (None, None),
    ],
)  # fmt: skip
def test_a_whole_number_is_a_number_within_its_range(value: object, kept: int | None) -> None:
    settings = Settings()
    _whole(0, 10)(settings, "max_depth", "here", value)
    assert settings.max_depth == (5 if kept is None else kept)
    problem = f"here: {value!a} is not a whole number from 0 to 10; 5 is used"
    assert settings.problems == ([problem] if kept is None else [])


@pytest.mark.parametrize(
    ("word", "switched"),
    [
        (word, word in {"1", "true", "yes", "on", "ON "})
        for word in ["1", "true", "yes", "on", "0", "false", "no", "off", "OFF"]
    ],
)
def test_a_switch_takes_the_words_that_people_use(word: str, *, switched: bool) -> None:
    settings = read_settings({"REFSEAL_REQUIRE_TRUST": word}, None)
    assert (settings.require_trust, settings.problems) == (switched, [])


@pytest.mark.parametrize("word", ["true", "false"])
def test_a_switch_takes_the_words_of_toml(word: str) -> None:
    settings = read_settings({}, f"require_trust = {word}".encode())
    assert (settings.require_trust, settings.problems) == (word == "true", [])


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("a", True), ("", False), (".", False), ("..", False), ("...", True), ("a/b", False), ("a\0", False),
        ("a" * 255, True), ("a" * 256, False), ("é" * 127, True), ("é" * 128, False), ("\ud800", True),
    ],
)  # fmt: skip
def test_a_bare_name_is_one_that_a_directory_can_hold(name: str, *, is_one: bool) -> None:
    assert is_bare_name(name) is is_one
