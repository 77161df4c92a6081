"""What holds for every report, on results made by hand and by hypothesis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refseal.audit.quoting import quoted
from refseal.audit.results import Results
from tests.audit.reports.properties import CHECKS
from tests.audit.samples import finding, hostile_results, reference, results

if TYPE_CHECKING:
    from collections.abc import Callable

names = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(
    lambda name: not name.startswith("/")
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.__name__))
@pytest.mark.parametrize("report", [Results(), results(), hostile_results()])
def test_report_of_a_sample_is_sound(check: Callable[[Results], None], report: Results) -> None:
    check(report)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.__name__))
def test_report_of_any_names_is_sound(check: Callable[[Results], None]) -> None:
    @given(names, st.text(), st.text())
    def is_sound(path: str, word: str, line: str) -> None:
        found = finding(path=path, message=f"names {quoted(word)}", excerpt=line)
        check(results(found, references=(reference(word, source=path),), root="/r/" + path))

    is_sound()
