"""Where both parsers of CommonMark agree on what is text, code, comment or raw HTML, so do we."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles.agreement import Tally, compare, with_probes
from tests.oracles.parsers import both, spec_examples
from tests.strategies.markdown import documents_with_definitions, places, places_in
from tests.strategies.prose import examples_in_containers, ordinary_documents
from tests.tokenizer.oracle_marks import needs_commonmark

EXAMPLES = st.deferred(lambda: st.just(spec_examples()))
"""Read when they are first wanted: where there is no oracle there is no specification either."""

CORPUS = sorted((Path(__file__).parent.parent / "vectors" / "markdown").glob("*.md"))


@needs_commonmark
def test_agrees_on_every_example_of_the_specification_at_every_offset() -> None:
    tally = Tally()
    examples = spec_examples()
    assert len(examples) == 652
    for example in examples:
        texts = [(with_probes(example, [offset]), 1) for offset in range(len(example) + 1)]
        compare(texts, *both(), tally)
    print(tally)
    assert tally.compared > 15_000
    assert not tally.faults


@needs_commonmark
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: str(path.stem))
def test_agrees_on_long_ordinary_files(path: Path) -> None:
    """Many probes at once, so that what one line leaves behind is there when the next is read."""
    text = path.read_bytes().decode()
    assert len(text.splitlines()) >= 300
    tally = Tally()
    texts = []
    for shift in range(0, 160, 8):
        offsets = [at for at in range(shift, len(text), 160) if text[at - 1 : at + 1] != "\r\n"]
        texts.append((with_probes(text, offsets), len(offsets)))
    compare(texts, *both(), tally)
    print(tally)
    assert tally.compared > 1_000
    assert not tally.faults


@needs_commonmark
@given(grown=st.lists(places(), min_size=10, max_size=10))
def test_agrees_on_grown_documents(grown: list[tuple[str, list[int]]]) -> None:
    agree(grown)


def agree(grown: list[tuple[str, list[int]]]) -> None:
    tally = Tally()
    compare([(with_probes(text, offsets), len(offsets)) for text, offsets in grown], *both(), tally)
    assert not tally.faults


@needs_commonmark
@given(grown=st.lists(places_in(documents_with_definitions()), min_size=10, max_size=10))
def test_agrees_on_links_by_definition(grown: list[tuple[str, list[int]]]) -> None:
    agree(grown)


@needs_commonmark
@given(grown=places_in(ordinary_documents(), most=12))
def test_agrees_on_documents_as_people_write_them(grown: tuple[str, list[int]]) -> None:
    agree([grown])


@needs_commonmark
@given(grown=st.lists(places_in(EXAMPLES.flatmap(examples_in_containers)), min_size=4, max_size=4))
def test_agrees_on_examples_of_the_specification_in_containers(grown: list[tuple[str, list[int]]]) -> None:
    agree(grown)
