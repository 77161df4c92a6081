"""Codex's configuration: what it decides, and that TOML is read only where it can decide something."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refseal.codex import configuration
from refseal.codex.configuration import Configuration


def test_without_a_file_codex_defaults_hold() -> None:
    read = Configuration()
    assert (read.markers, read.fallbacks, read.budget, read.problems) == ((".git",), (), 32_768, [])
    assert read.trust("/p") is None
    assert not read.can_untrust()


def test_the_three_keys_are_read() -> None:
    read = Configuration(
        b'project_root_markers = [".hg", ".git"]\n"project_doc_fallback_filenames" = ["A.md"]\n'
        b"project_doc_max_bytes = 10\n"
    )
    assert (read.markers, read.fallbacks, read.budget) == ((".hg", ".git"), ("A.md",), 10)


def test_a_key_spelled_with_an_escape_is_read_too() -> None:
    assert Configuration(b'"project\\u005fdoc_max_bytes" = 10').budget == 10


@pytest.mark.parametrize(
    "text",
    [
        'project_root_markers = "x"',
        "project_root_markers = [1]",
        'project_doc_max_bytes = "9"',
        "project_doc_max_bytes = -1",
        "project_doc_max_bytes = true",
        "project_doc_max_bytes = 1.5",
        "project_doc_fallback_filenames = {a = 1}",
        "[nested]\nproject_doc_max_bytes = 3",
    ],
)
def test_values_with_which_codex_does_not_start_change_nothing(text: str) -> None:
    read = Configuration(text.encode())
    assert (read.markers, read.fallbacks, read.budget, read.problems) == ((".git",), (), 32_768, [])


def test_broken_toml_is_reported_once() -> None:
    read = Configuration(b'project_doc_max_bytes = \n[projects."/p"]\ntrust_level = "trusted"\n')
    assert read.trust("/p") is None
    assert len(read.problems) == 1
    assert read.budget == 32_768


@pytest.mark.parametrize(
    "text",
    [
        '\ufeff[projects."/p"]\ntrust_level = "untrusted"\n',
        'projects = {"/p" = {\n trust_level = "untrusted",\n}}\n',
        '[projects."/\\x70"]\ntrust_level = "untrusted"\n',
        'project_doc_max_bytes = \n[projects."/p"]\ntrust_level = "untrusted"\n',
    ],
)
def test_untrusted_project_stays_so_in_a_file_that_codex_reads_and_tomllib_does_not(text: str) -> None:
    """Each of the first three is understood by Codex 0.171.0: it loads no document of the project."""
    assert Configuration(text.encode()).trust("/p") == "untrusted"


def test_file_that_cannot_be_read_distrusts_no_project_that_it_does_not_name() -> None:
    read = Configuration(b'x = {\n}\n[projects."/p"]\ntrust_level = "untrusted"\n')
    assert read.trust("/q") is None
    assert Configuration(b'x = {\n}\napproval_policy = "untrusted"\n[projects."/p"]\n').trust("/p") is None


def test_file_that_cannot_be_read_is_not_outvoted_by_one_below_it() -> None:
    trusted = b'[projects."/p"]\ntrust_level = "trusted"\n'
    broken = b'projects = {"/p" = {\n trust_level = "untrusted",\n}}\n'
    assert Configuration(broken, system=trusted).trust("/p") == "untrusted"
    assert Configuration(trusted, system=broken).trust("/p") == "untrusted"
    assert Configuration(trusted, system=trusted).trust("/p") == "trusted"


def test_a_layer_overrides_names_and_budget_but_not_markers() -> None:
    read = Configuration(b'project_doc_fallback_filenames = ["A.md"]')
    read.add_layer(b'project_doc_fallback_filenames = ["B.md"]\nproject_root_markers = ["x"]')
    read.add_layer(b"project_doc_max_bytes = 7\n")
    assert (read.markers, read.fallbacks, read.budget) == ((".git",), ("B.md",), 7)


def test_the_first_directory_with_a_level_decides() -> None:
    read = Configuration(
        b'[projects."/p"]\ntrust_level = "trusted"\n[projects."/p/s"]\ntrust_level = "untrusted"\n'
        b'[projects."/q"]\ntrust_level = "perhaps"\n[projects]\n"/r" = 3\n'
    )
    assert read.trust("/p/s", "/p") == "untrusted"
    assert read.trust("/x", None, "/p") == "trusted"
    assert read.trust("/q", "/r", "/x") is None


@pytest.mark.parametrize(
    ("text", "can"),
    [
        ('approval_policy = "untrusted"\n', False),
        ('approval_policy = "untrusted"\n[projects."/p"]\ntrust_level = "untrusted"', True),
        ('projects = { "/p" = { trust_level = "untrusted" } }', True),
        ("[projects]\n\"/p\".trust_level = 'untrusted'", True),
        ('[projects."/p"]\ntrust_level = """\nuntrusted"""', True),
        ('[projects."/p"]\ntrust_level = "un\\u0074rusted"', True),
        ('[projects."/p"]\n"trust\\u005flevel" = "untrusted"', True),
        ('[projects."/p"]\ntrust_level = "trusted"', False),
    ],
)
def test_whether_anything_can_be_untrusted_is_known_without_toml(text: str, can: bool) -> None:  # noqa: FBT001
    read = Configuration(text.encode())
    assert read.can_untrust() is can
    assert not (read.trust("/p") == "untrusted" and not can)


@given(st.text(st.sampled_from("untrsed_lvl=\"'\\\n[]{}./p approjectsicy0074"), max_size=60))
def test_no_untrusted_project_escapes_the_search_of_bytes(text: str) -> None:
    for whole in (text, '[projects."/p"]\ntrust_level = ' + text, '[projects]\n"/p" = { ' + text):
        read = Configuration(whole.encode())
        assert read.can_untrust() or read.trust("/p") != "untrusted"


@given(st.binary(max_size=80))
def test_no_bytes_make_it_fail(data: bytes) -> None:
    for whole in (data, b"project_doc_max_bytes = " + data, b"trust_level\n" + data):
        read = Configuration(whole)
        read.add_layer(whole)
        read.trust("/p")


def test_thirty_trusted_projects_cost_no_import_of_toml() -> None:
    text = 'model = "m"\napproval_policy = "untrusted"\n' + "".join(
        f'[projects."/p{number}"]\ntrust_level = "trusted"\n' for number in range(30)
    )
    source = Path(configuration.__file__).parents[2]
    code = (
        f"import sys; sys.path.insert(0, {str(source)!r})\n"
        "from refseal.codex.configuration import Configuration\n"
        f"read = Configuration({text.encode()!r})\n"
        "assert not read.can_untrust()\n"
        "raise SystemExit('tomllib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-I", "-S", "-c", code], check=False).returncode == 0
