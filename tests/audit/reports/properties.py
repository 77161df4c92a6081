"""What holds for the reports of every audit, as plain functions for hypothesis and the fuzzing engine."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote_to_bytes, urlsplit

import jsonschema

from refseal.audit.reports import github, html, json_report, sarif, text
from refseal.codepoints import has_invisible

if TYPE_CHECKING:
    from collections.abc import Callable

    from refseal.audit.results import Results

PROJECT: Final = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
JSON_SCHEMA: Final = os.path.join(PROJECT, "docs", "schema", "audit-1.json")
SARIF_SCHEMA: Final = os.path.join(PROJECT, "tests", "vectors", "sarif-schema-2.1.0.json")

COMMAND: Final = re.compile(
    r"::(error|warning|notice) (file=[^:,\n\r]*,)?(line=\d+,col=\d+,)?title=[^:,\n\r]*::[^\n\r]*"
)

OBEYED: Final = re.compile(r"\A\s*::|##(vso)?\[")
"""What a runner obeys in the log of a job: GitHub's and Azure's commands."""

TAGS: Final = frozenset({
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "code", "ul", "li", "b", "div",
    "pre", "span", "table", "tr", "th", "td", "svg", "g", "rect", "text", "path", "defs", "marker", "polygon",
})  # fmt: skip
"""What the page is made of; a name that brings another element has broken out."""


@cache
def validator(path: str) -> Any:
    """Return the validator of a schema, which has itself been checked."""
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema, format_checker=kind.FORMAT_CHECKER)


def check_json(results: Results) -> None:
    """One strict, plain value, valid by the published schema, with every finding and reference in it."""
    shown = json_report.render(results)
    value = strict(shown)
    validator(JSON_SCHEMA).validate(value)
    for given, found in zip(results.repositories, value["repositories"], strict=True):
        assert len(found["findings"]) == len(given.findings)
        assert len(found["references"]) == len(given.references)


def check_sarif(results: Results) -> None:
    """Expect a log valid by the standard's schema; each place is the very path, relative, byte for byte."""
    shown = sarif.render(results)
    log = strict(shown)
    rules = [run["tool"]["driver"].pop("rules") for run in log["runs"]]  # the same in every log: `test_sarif`
    validator(SARIF_SCHEMA).validate(log)
    for repository, run, described in zip(results.repositories, log["runs"], rules, strict=True):
        for finding, result in zip(repository.findings, run["results"], strict=True):
            assert described[result["ruleIndex"]]["id"] == result["ruleId"] == finding.rule.code
            uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            parts = urlsplit(uri)
            assert not any((parts.scheme, parts.netloc, parts.query, parts.fragment))
            assert unquote_to_bytes(parts.path) == os.fsencode(finding.path or ".")
            assert "](" not in result["message"]["text"].replace("\\]", "")
            assert (finding.suppressed is not None) == bool(result["suppressions"])


def check_github(results: Results) -> None:
    """One command a finding that is not suppressed, one line that counts, and nothing else."""
    *commands, last, end = re.split("[\r\n]", github.render(results))
    assert end == ""
    assert last.startswith("refseal: ")
    assert len(commands) == sum(finding.suppressed is None for finding in results.findings())
    assert all(COMMAND.fullmatch(command) for command in commands)


def check_text(results: Results) -> None:
    """Nothing that a terminal or a runner acts on, and nothing that a person cannot see."""
    shown = text.render(results)
    check_visible(shown)
    for line in shown.splitlines():
        assert not OBEYED.search(line)


def check_html(results: Results) -> None:
    """No element, attribute or address but the page's own."""
    page = html.render(results)
    check_visible(page)
    reader = _Page()
    reader.feed(page)
    reader.close()
    assert reader.foreign == []


def check_visible(shown: str) -> None:
    assert not has_invisible(shown.replace("\n", ""))
    assert "\u2028" not in shown
    shown.encode()  # no lone surrogate


def strict(shown: str) -> Any:
    """Read one value, in ASCII, on lines; no constant that is no JSON, no name twice."""
    assert shown.isascii()
    assert shown.endswith("\n")
    assert shown.replace("\n", "").isprintable()

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    def refuse(constant: str) -> Any:
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(shown, object_pairs_hook=once, parse_constant=refuse)


class _Page(HTMLParser):
    """Collects what does not belong to the page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.foreign: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.foreign.append(tag)
        self.foreign += [
            name for name, _ in attrs if name.startswith("on") or name in {"href", "src", "action"}
        ]

    def handle_comment(self, data: str) -> None:
        self.foreign.append(f"<!--{data}")


CHECKS: Final[tuple[Callable[[Results], None], ...]] = (
    check_json, check_sarif, check_github, check_text, check_html,
)  # fmt: skip
