from __future__ import annotations

import itertools
import random
import re
from html.parser import HTMLParser

import pytest

from refseal.audit.reports.graph import MAX_NODES, draw
from refseal.audit.reports.html import render
from refseal.codepoints import has_invisible
from tests.audit.samples import finding, hostile_results, reference, results


class Page(HTMLParser):
    """Collects elements and attributes, and checks that every element is closed where it should be."""

    VOID = frozenset({"meta", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


def test_page_shows_findings_references_and_the_graph() -> None:
    blocked = reference("~/x.md", resolved=None, verdict="blocked", reason="home")
    text = render(results(finding(), references=(reference(), blocked)))
    assert "svg" in Page(text).elements
    assert "a message" in text
    assert "RS101" in text


def test_page_needs_no_script_and_no_network() -> None:
    page = Page(render(hostile_results()))
    assert not {"script", "img", "link", "iframe", "object", "form", "a", "base"} & set(page.elements)
    for name, value in page.attributes:
        assert not name.startswith("on")
        assert name not in {"src", "href", "style"}
        if name == "xmlns":
            assert value == "http://www.w3.org/2000/svg"


def test_hostile_names_form_no_markup() -> None:
    text = render(hostile_results())
    assert "<img" not in text
    assert not has_invisible(text.replace("\n", ""))
    text.encode()


def test_picture_is_bounded_and_says_what_it_leaves_out() -> None:
    many = tuple(reference(f"{n}.md", resolved=f"{n}.md") for n in range(MAX_NODES * 2))
    picture = draw(results(references=many).repositories[0])
    assert picture.count("<rect") == MAX_NODES
    assert f"{MAX_NODES + 1} more references are not in the picture" in picture


def test_cycle_has_one_box_a_document() -> None:
    back = reference(
        "AGENTS.md", source="b.md", resolved="AGENTS.md", verdict="skipped", reason="duplicate", depth=2
    )
    there = reference("b.md", source="AGENTS.md", resolved="b.md")
    assert draw(results(references=(there, back)).repositories[0]).count("<rect") == 2


def test_no_reference_no_picture() -> None:
    assert draw(results().repositories[0]) == ""


def boxes(picture: str) -> list[tuple[float, float, float, float]]:
    found = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', picture)
    return [(float(x), float(y), float(width), float(height)) for x, y, width, height in found]


@pytest.mark.parametrize("seed", range(20))
def test_boxes_of_a_picture_never_overlap_and_lie_within_it(seed: int) -> None:
    chance = random.Random(seed)
    many = tuple(
        reference(f"{n}.md", source=f"{chance.randrange(n + 1)}.md", resolved=f"{n}.md", depth=1 + n % 6)
        for n in range(chance.randrange(1, 300))
    )
    picture = draw(results(references=many).repositories[0])
    placed = sorted(boxes(picture))
    width, height = map(float, re.findall(r'viewBox="0 0 (\d+) (\d+)"', picture)[0])
    for (x, y, wide, high), (x2, y2, _, _) in itertools.pairwise(placed):
        assert x2 - x >= wide or (x2 == x and y2 - y >= high)
        assert min(x, y) >= 0
        assert x + wide <= width
        assert y + high <= height
    assert width <= 1_160


def test_line_of_a_box_is_one_that_pointing_at_it_leaves() -> None:
    picture = draw(results(references=(reference("a.md", resolved="a.md"),)).repositories[0])
    assert ".graph:has(.n1:hover) .edge:not(.j1)" in picture
    assert 'class="edge included j0 j1"' in picture
