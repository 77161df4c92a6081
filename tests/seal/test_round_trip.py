"""`parse(render(x)) == x`, whatever x is made of."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refseal.seal.parse import parse
from tests.seal.properties import AMPLE, check_marker_changes, check_round_trip
from tests.strategies.blocks import Input, compose, hostile_text, inputs


@given(inputs())
def test_the_parser_gives_back_exactly_what_went_in(given_input: Input) -> None:
    check_round_trip(given_input)


@given(st.data())
def test_nothing_learnt_from_an_earlier_rendering_helps(data: st.DataObject) -> None:
    first = data.draw(inputs())
    earlier = compose(first, AMPLE).text
    if earlier is None:
        return
    block = parse(earlier)
    learnt = [block.marker, earlier, earlier.partition("\n\n")[2], earlier[-200:]]
    for seal in block.seals:
        learnt += [
            seal,
            f"</file:{seal}>",
            f"\n</file:{seal}>\n",
            f'<file:{seal} path="x">\n',
            seal[:16],
            seal[16:],
        ]
        learnt += [f"\n</native:{seal}>\n", f"\n</omitted:{seal}>\n"]
    again = data.draw(inputs(learnt))
    check_round_trip(again)
    # The same files once more, one of them with a learnt string at its end: the attacker rewrites his own.
    if first.documents:
        victim = first.documents[-1]
        victim.text += data.draw(st.sampled_from(learnt))
        check_round_trip(first)


@given(st.data())
def test_changing_one_character_of_any_body_changes_the_marker(data: st.DataObject) -> None:
    given_input = data.draw(inputs().filter(lambda one: any(document.text for document in one.documents)))
    candidates = [index for index, one in enumerate(given_input.documents) if one.text]
    which = data.draw(st.sampled_from(candidates))
    position = data.draw(st.integers(0, len(given_input.documents[which].text) - 1))
    check_marker_changes(given_input, which, position, data.draw(hostile_text(max_size=1)))
