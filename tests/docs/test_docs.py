"""What the documentation says is so, where that can be checked; and what there is, it names."""

from __future__ import annotations

import glob
import importlib.util
import os
import re
import textwrap
from typing import TYPE_CHECKING, Any

import click
import pytest

from refseal.audit import rules, scan
from refseal.cli.commands import commands
from refseal.resolve.reasons import REASONS
from refseal.resolve.setting_readers import ALIASED, READERS
from refseal.resolve.settings import ALIAS_PREFIX, PREFIX, Settings, read_settings
from tests.audit import test_every_rule

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
PAGES = sorted(
    os.path.relpath(path, ROOT)
    for pattern in ("*.md", "docs/**/*.md", "threat-model/*.md")
    for path in glob.glob(os.path.join(ROOT, pattern), recursive=True)
)
OPTIONS_OF_OTHERS = {"--worktree"}
"""Named in the documentation, but not ours."""

EXAMPLES = {"fuzz/regressions/<target>/", "docs/a.md"}
"""Paths that stand for others."""


ROOMS = "src|tests|fuzz|docs|threat-model|benchmarks|requirements|scripts"
PATH = re.compile(rf"`((?:{ROOMS})/[^`\s:#]*)(?:(?:::|#)[^`\s]+)?`")
"""A path of this repository in a code span, with or without the name of a test or a line in it."""


def read(page: str) -> str:
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return file.read()


def load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("loaded", os.path.join(ROOT, path))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def command(name: str) -> click.Command:
    found = commands.get_command(click.Context(commands), name)
    assert found is not None, f"there is no command {name}"
    return found


def options_of(name: str) -> set[str]:
    return {"--help", *(spelling for parameter in command(name).params for spelling in parameter.opts)}


def table(text: str, heading: str) -> list[list[str]]:
    """Return the cells of the first table after a heading, without its head."""
    rows = re.findall(r"^\|.*\|$", text[text.index(heading) :].split("\n\n#", 1)[0], re.MULTILINE)
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows[2:]]


# --- links and paths


@pytest.mark.parametrize("page", PAGES)
def test_relative_links_lead_somewhere(page: str) -> None:
    """Outside of code; a fragment has to be a heading of the page."""
    text = re.sub(r"^( *)```.*?^\1```", "", read(page), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"`[^`\n]*`", "", text)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        path, _, fragment = target.partition("#")
        found = os.path.normpath(os.path.join(ROOT, os.path.dirname(page), path)) if path else page
        assert os.path.exists(os.path.join(ROOT, found)), f"{page}: {target}"
        if fragment:
            headings = re.findall(r"^#+ (.*)$", read(os.path.relpath(found, ROOT)), re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
            assert fragment in anchors, f"{page}: {target}"


@pytest.mark.parametrize("page", PAGES)
def test_paths_in_code_spans_exist(page: str) -> None:
    for path in PATH.findall(read(page)):
        if page == "docs/contributing.md" and "long_line" in path:
            continue  # what its reader is about to write
        if page == "docs/rules.md" or path in EXAMPLES:
            continue  # examples of other people's repositories
        assert glob.glob(os.path.join(ROOT, path)), f"{page}: {path}"


def test_recipes_exist() -> None:
    recipes = set(re.findall(r"^([a-z][a-z-]*)(?: [^:\n]*)?:(?!=)", read("justfile"), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"(?:`|^)just ([a-z][a-z-]*)", read(page), re.MULTILINE))
        assert named <= recipes, page


# --- commands and options


def test_readme_lists_the_commands() -> None:
    listed = [row[0].strip("`").split()[1] for row in table(read("README.md"), "## Commands")]
    assert sorted(listed) == sorted(commands.list_commands(click.Context(commands)))


def test_page_of_commands_is_what_help_prints() -> None:
    page = load("docs/write_commands.py").page()
    assert read("docs/commands.md") == page, "run `just commands`"


@pytest.mark.parametrize("page", [page for page in PAGES if page != "docs/commands.md"])
def test_commands_and_options_exist(page: str) -> None:
    text = read(page)
    for name, rest in re.findall(r"(?:`|^|\s|/)refseal (?!-)([a-z]+)\b([^`\n|]*)(?=[`\n|])", text):
        if name not in commands.list_commands(click.Context(commands)):
            continue  # "refseal resolves …": a sentence
        used = set(re.findall(r"(?<!\S)(--[a-z][a-z-]+)", rest))
        assert used - options_of(name) == set(), f"{page}: refseal {name}{rest}"
    spans = {option for span in re.findall(r"`(--[a-z][a-z-]+)[^`]*`", text) for option in [span]}
    known = set.union(*(options_of(name) for name in commands.list_commands(click.Context(commands))))
    assert spans - known - OPTIONS_OF_OTHERS == set(), page


# --- settings and codes


def test_settings_page_has_a_section_for_each() -> None:
    sections = re.findall(r"^### `(REFSEAL_\w+)`$", read("docs/settings.md"), re.MULTILINE)
    assert sorted(sections) == sorted(PREFIX + field.upper() for field in READERS)


def test_readme_lists_the_settings_with_their_defaults() -> None:
    rows = {row[0].strip("`"): row[1] for row in table(read("README.md"), "## Settings")}
    assert sorted(rows) == sorted(PREFIX + field.upper() for field in READERS)
    defaults = Settings()
    for field in READERS:
        value = getattr(defaults, field)
        if value is None or value == ():
            continue  # said in words
        shown = (
            str(value).lower() if isinstance(value, bool) else f"{value:g}" if value < 1_000 else str(value)
        )
        assert rows[PREFIX + field.upper()] == shown, field


@pytest.mark.parametrize("page", PAGES)
def test_every_variable_that_is_named_exists(page: str) -> None:
    known = {PREFIX + field.upper() for field in READERS} | {
        ALIAS_PREFIX + field.upper() for field in ALIASED
    }
    named = set(re.findall(r"\b(?:REFSEAL|CODEX_AGENTS_MD_PLUS)_[A-Z][A-Z_]*[A-Z]\b", read(page)))
    assert named - known == set()


def test_example_of_the_settings_file_is_understood() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", read("docs/settings.md"), re.DOTALL)
    settings = read_settings({}, example.encode())
    assert settings.problems == []
    assert settings.require_trust


def test_reason_codes_are_those_of_the_contract() -> None:
    listed = {
        row[0].split()[0]: re.findall(r"`([a-z-]+)`", row[1])
        for row in table(read("docs/how-it-works/resolver.md"), "| verdict | codes |")
    }
    for verdict, codes in listed.items():
        own = [code for code, (of, _) in REASONS.items() if of == verdict]
        extra = ["foreign-owner"] if verdict == "worktree" else []  # both a refusal and a status
        assert codes == own + extra
    assert set(listed) == {verdict for verdict, _ in REASONS.values()}


# --- the example of a rule


def blocks_of_the_example() -> list[str]:
    """Return the rule, its test and its row, as somebody would write them into files."""
    part = read("docs/contributing.md").partition("## Add an audit rule")[2].partition("\n## ")[0]
    return [
        textwrap.dedent(block)
        for block in re.findall(r"^ +```python\n(.*?)^ +```", part, re.DOTALL | re.MULTILINE)
    ]


def test_example_of_a_rule_passes_its_test_and_its_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule, test, row = blocks_of_the_example()
    (tmp_path / "long_line.py").write_text(rule)
    (tmp_path / "test_long_line.py").write_text(test)
    module = load(str(tmp_path / "long_line.py"))
    monkeypatch.setattr(rules, "long_line", module, raising=False)
    tried = load(str(tmp_path / "test_long_line.py")).test_line_is_found_by_its_length
    (cases,) = tried.pytestmark
    for case in cases.args[1]:
        tried(*case)
    monkeypatch.setattr(scan, "TEXT_RULES", (*rules.TEXT_RULES, module))
    ((code, looks),) = eval(f"{{{row}}}", {**vars(test_every_rule)}).items()  # noqa: S307 - our own page
    assert code == module.RULE.code
    assert code not in rules.BY_CODE, "the example takes a number that a rule has"
    for number, (look, fires) in enumerate(
        [(looks.fires, True), (looks.silent, False), *((mutation, True) for mutation in looks.mutations)]
    ):
        root = tmp_path / str(number)
        root.mkdir()
        assert (code in look(root)) is fires


# --- pictures, records, snippets


def test_pictures_are_what_refseal_prints() -> None:
    for name, picture in load("docs/pictures/draw.py").pictures().items():
        assert read(f"docs/pictures/{name}") == picture, "run `just pictures`"


def test_every_decision_is_in_the_list() -> None:
    records = {os.path.basename(page) for page in PAGES if page.startswith("docs/decisions/")} - {"README.md"}
    listed = re.findall(r"\]\(([a-z-]+\.md)\)", read("docs/decisions/README.md"))
    assert sorted(listed) == sorted(records)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.startswith("docs/decisions/") and "README" not in page]
)
def test_every_decision_says_what_lost(page: str) -> None:
    assert re.search(r"The (problem|question)", read(page))
    assert re.search(r"Decided|The decision", read(page))
    assert re.search(r"What lost|What was not done", read(page))


def snippets(language: str) -> list[Any]:
    yaml = pytest.importorskip("yaml")
    return [
        yaml.safe_load(block)
        for block in re.findall(rf"```{language}\n(.*?)```", read("README.md"), re.DOTALL)
    ]


def test_workflow_of_the_readme_fits_the_action() -> None:
    yaml = pytest.importorskip("yaml")
    action = yaml.safe_load(read("action.yml"))
    (workflow,) = [found for found in snippets("yaml") if "jobs" in found]
    (step,) = [step for step in workflow["jobs"]["audit"]["steps"] if "refseal" in step["uses"]]
    assert set(step["with"]) <= set(action["inputs"])
    assert all(isinstance(value, str) for value in step["with"].values())
    assert workflow["permissions"] == {}
    assert workflow["jobs"]["audit"]["permissions"]["contents"] == "read"


def test_configuration_for_pre_commit_names_a_hook_that_exists() -> None:
    yaml = pytest.importorskip("yaml")
    hooks = {hook["id"] for hook in yaml.safe_load(read(".pre-commit-hooks.yaml"))}
    (configuration,) = [found for found in snippets("yaml") if "repos" in found]
    assert {hook["id"] for hook in configuration["repos"][0]["hooks"]} <= hooks
