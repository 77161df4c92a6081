from __future__ import annotations

import pytest

from refseal.audit.reports.text import WIDTH, render
from refseal.audit.rules import RULES
from refseal.codepoints import has_invisible
from tests.audit.reports.properties import OBEYED
from tests.audit.samples import finding, hostile_results, reference, results


def test_findings_are_grouped_by_file_with_the_line_and_what_to_do() -> None:
    text = render(results(finding(), finding(line=9), finding(path="docs/b.md")))
    assert text.count("\nAGENTS.md\n") == 1
    assert "  3:5     high    RS101 symlink-escape\n          a message\n" in text
    assert "          | See @docs/a.md\n          |     ^\n" in text
    assert text.count("next: ") == 1  # said once, not beside each finding of the rule


def test_suppressed_findings_are_listed_with_the_reason() -> None:
    text = render(results(finding(suppressed="known since May")))
    assert "accepted: known since May" in text
    assert "1 accepted by the baseline" in text
    assert "Findings: no findings." in text


def test_each_reference_says_why() -> None:
    gone = reference("gone.md", resolved=None, verdict="skipped", reason="missing")
    text = render(results(references=(reference(), gone)))
    assert "included                  docs/a.md\n" in text
    assert "skipped missing           gone.md\n" in text
    assert "References: 1 included, 1 skipped, 0 blocked." in text


def test_hidden_findings_are_counted() -> None:
    report = results()
    report.repositories[0].hidden = 2
    assert "2 not shown" in render(report)


def test_nothing_raw_comes_out_of_a_hostile_repository() -> None:
    text = render(hostile_results())
    assert not has_invisible(text.replace("\n", ""))
    assert "\x1b" not in text
    assert "\u2028" not in text
    text.encode()


@pytest.mark.parametrize(
    ("line", "column"), [("##[error]x", 3), ("##vso[x]", 6), ("::error::x", 2), ("::x", 1)]
)
def test_line_that_a_runner_would_obey_is_escaped_wherever_the_place_is(line: str, column: int) -> None:
    shown = render(results(finding(excerpt=line, column=column)))
    assert not any(OBEYED.search(one.removeprefix("          | ")) for one in shown.splitlines())


def test_every_rule_fits_the_columns_of_a_terminal() -> None:
    everything = [finding(rule.code, message=rule.summary, excerpt="x" * 300, column=150) for rule in RULES]
    report = render(results(*everything, references=(reference(),)))
    assert [line for line in report.splitlines() if len(line) > WIDTH] == []


def test_word_that_is_longer_than_a_line_stays_whole() -> None:
    path = "docs/" + "long/" * 20 + "a.md"
    assert f" {path}\n          is blocked\n" in render(results(finding(message=f"{path} is blocked")))


def test_no_line_of_a_wrapped_message_begins_as_a_command() -> None:
    for width in range(80):
        report = render(results(finding(message="x" * width + " ::error::pwned")))
        assert not [line for line in report.splitlines() if line.lstrip().startswith("::")]
