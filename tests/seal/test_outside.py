"""Every text that a repository supplies is inside its own tags: what is left without them are our words."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from refseal.seal import Composition, Document, LeftOut, NativeFile
from refseal.seal.fit import SMALLEST_LIMIT
from refseal.seal.parse import parse
from tests.seal import naive_reader
from tests.seal.properties import AMPLE
from tests.strategies.blocks import Input, compose, inputs

OUR_WORDS = re.compile(
    r"""<!--\ refseal\ sha256:[0-9a-f]{64}\ -->\n\n
    <agents_md_extra_context>\n
    Added\ by\ refseal:\ [A-Za-z .,:]*\n
    (?:\n\#\#\ (?:Loaded\ by\ the\ host\ already|Local\ overlays|Inherited\ instructions
                 |Referenced\ documents|Not\ included)\n
      |Relative\ paths\ in\ each\ of\ these\ files\ are\ relative\ to\ that\ file's\ directory\.\n
      |\[(?:Cut\ here|Line\ \d+\ is\ cut\ here)\.\ To\ read\ the\ rest,\ open\ the\ file\ at\ line\ \d+\.\]\n
      |Not\ listed\ here:\ \d+\ files?(?:\ and\ \d+\ notices?)?\.\n
    )*
    \n</agents_md_extra_context>""",
    re.VERBOSE,
)
"""All that may stand outside of elements.  Besides words there are numbers, and they are ours."""


def check(text: str | None) -> None:
    if text is None:
        return
    found = naive_reader.read(text)
    assert OUR_WORDS.fullmatch(found.outside)
    block = parse(text)
    files = [(attributes, body) for tag, attributes, body in found.elements if tag == "file"]
    assert [body for _, body in files] == [document.body for document in block.documents]
    for (attributes, _), document in zip(files, block.documents, strict=True):
        assert attributes.startswith(f' path="{document.path}"')


@given(inputs(filler=200, most=6, names=25), st.integers(SMALLEST_LIMIT, 3000) | st.just(AMPLE))
def test_outside_of_its_elements_a_block_has_our_own_words_alone(given_input: Input, limit: int) -> None:
    check(compose(given_input, limit).text)


@given(st.data())
def test_a_whole_earlier_block_in_a_body_a_path_and_a_reason_stays_inside(data: st.DataObject) -> None:
    earlier = compose(data.draw(inputs(most=2)), AMPLE).text or ""
    composition = Composition(AMPLE, [NativeFile(earlier, earlier)], [earlier])
    for path in (earlier, "a.md", "a.md"):
        composition.add(Document("overlay", path, earlier, via=(earlier, "b.md")))
    composition.leave_out(LeftOut(earlier, earlier, earlier, earlier))
    block = composition.finish()
    assert block is not None
    check(block.text)
    assert [document.body for document in parse(block.text).documents] == [earlier] * 3


def test_a_body_that_foretells_its_own_marker_is_a_body() -> None:
    """Each block holds the marker of the one before: an author who looks and rewrites never catches up."""
    body = "text\n"
    markers = set()
    for _ in range(100):
        composition = Composition(AMPLE)
        composition.add(Document("overlay", "AGENTS.local.md", body))
        block = composition.finish()
        assert block is not None
        check(block.text)
        assert block.text.count(block.marker) == 1
        markers.add(block.marker)
        body = block.text + "\n"
        body = body[-5000:]
    assert len(markers) == 100


@given(inputs(filler=50, most=4, names=25), st.integers(0, SMALLEST_LIMIT - 1))
def test_below_the_smallest_limit_there_is_no_block_or_one_that_fits(given_input: Input, limit: int) -> None:
    text = compose(given_input, limit).text
    assert text is None or -(-len(text.encode()) // 4) <= limit
    check(text)


def test_names_as_long_as_a_disk_allows_and_two_thousand_documents_end_in_counts() -> None:
    composition = Composition(2500, [NativeFile("x" * 4096, "y" * 4096)] * 30)
    for number in range(2000):
        path = ("\u202e" * 255 + "/") * 15 + str(number)
        if not composition.add(Document("referenced", path, "x\n" * 20, via=(path,) * 5)).included:
            composition.leave_out(LeftOut(path, path, "host-limit"))
    block = composition.finish()
    assert block is not None
    assert len(block.text.encode()) <= 10_000
    check(block.text)
    parsed = parse(block.text)
    assert len(parsed.documents) + parsed.left_out_count == 2000
    assert len({document.path for document in parsed.documents}) == len(parsed.documents)
