from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from refseal.audit.reports.github import render
from tests.audit.samples import finding, hostile_results, results

COMMAND = re.compile(r"::(error|warning|notice) [^:\n\r]*::[^\n\r]*")


def test_one_annotation_a_finding_with_its_place() -> None:
    first = render(results(finding())).splitlines()[0]
    assert first.startswith("::error file=AGENTS.md,line=3,col=5,title=RS101 symlink-escape::a message.")


def test_suppressed_findings_are_not_annotated() -> None:
    assert "::" not in render(results(finding(suppressed="known")))


def test_paths_are_relative_to_the_workspace() -> None:
    assert "file=sub/AGENTS.md," in render(results(finding()), {"/r/x": "sub/"})


def test_hostile_names_cannot_break_out() -> None:
    *commands, last = render(hostile_results()).splitlines()
    assert len(commands) == 1
    assert COMMAND.fullmatch(commands[0])
    assert last.startswith("refseal: ")


@given(st.text(), st.text())
def test_any_path_and_message_make_one_command(path: str, message: str) -> None:
    first, second, rest = re.split("[\r\n]", render(results(finding(path=path, message=message))))
    assert COMMAND.fullmatch(first)
    assert second.startswith("refseal: ")
    assert rest == ""
