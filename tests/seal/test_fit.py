"""The block never exceeds the host's limit, and whatever is not in it is named or counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refseal.seal import SECTIONS, Composition, Document, LeftOut, NativeFile, lists
from refseal.seal.block import HEADINGS, size_of
from refseal.seal.cut import SMALLEST_BODY, Part, _apart, _characters, _whole_lines, all_of, head_of
from refseal.seal.fit import SMALLEST_LIMIT
from refseal.seal.invisible import reveal
from refseal.seal.parse import parse
from refseal.seal.seals import Element, Unsealable
from tests.seal.properties import AMPLE, check_fit
from tests.strategies.blocks import Input, compose, inputs


@given(inputs(filler=400, most=6, names=25), st.integers(SMALLEST_LIMIT, 3000))
def test_any_input_fits_any_limit(given_input: Input, limit: int) -> None:
    check_fit(given_input, limit)


@given(inputs(most=3), st.integers(0, 600))
def test_a_limit_near_the_size_of_the_block_is_kept(given_input: Input, tokens_less: int) -> None:
    text = compose(given_input, AMPLE).text
    if text is not None:
        check_fit(given_input, max(SMALLEST_LIMIT, -(-len(text.encode()) // 4) - tokens_less))


def sweep(limit: int) -> list[int]:
    """Render with one name growing byte by byte: the sizes of the blocks."""
    sizes = []
    for length in range(1, 110):
        composition = Composition(limit, [NativeFile("AGENTS.md", "# Rules")])
        composition.add(Document("overlay", "AGENTS.local.md", "text of a line\n" * 4000))
        composition.leave_out(LeftOut("n" * length, "AGENTS.local.md", "host-limit"))
        for _ in range(30):
            composition.leave_out(LeftOut("m" * 70, "AGENTS.local.md", "host-limit"))
        block = composition.finish()
        assert block is not None
        sizes.append(len(block.text.encode()))
    return sizes


@pytest.mark.parametrize("limit", [400, 401, 1000, 2500])
def test_the_last_byte_is_used_and_no_byte_more(limit: int) -> None:
    sizes = sweep(limit)
    assert max(sizes) == 4 * limit


def test_a_document_that_fits_to_the_byte_is_whole_and_one_byte_more_is_not() -> None:
    limit = 600
    longest = 0
    for length in range(4 * limit):
        composition = Composition(limit)
        if composition.add(Document("overlay", "a.md", "x" * length)).whole:
            longest = length
    composition = Composition(limit)
    assert composition.add(Document("overlay", "a.md", "x" * longest)).whole
    shown = (composition := Composition(limit)).add(Document("overlay", "a.md", "x" * (longest + 1)))
    assert not shown.whole
    assert 0 < len(shown.text) <= longest
    block = composition.finish()
    assert block is not None
    assert parse(block.text).documents[0].cut


def test_no_document_and_nothing_left_out_is_no_block() -> None:
    assert Composition(2500).finish() is None


def test_no_limit_is_ever_exceeded_by_lists_alone() -> None:
    for limit in range(SMALLEST_LIMIT):
        composition = Composition(limit, [NativeFile("AGENTS.md")] * 3, ["a notice"] * 3)
        composition.leave_out(LeftOut("a.md", None, "host-limit"))
        block = composition.finish()
        assert block is None or len(block.text.encode()) <= 4 * limit


@pytest.mark.parametrize("limit", [0, 1, 50, 112])
def test_below_the_smallest_limit_nothing_goes_out_rather_than_too_much(limit: int) -> None:
    composition = Composition(limit, [NativeFile("AGENTS.md")])
    shown = composition.add(Document("overlay", "a.md", "text\n" * 40))
    assert (shown.text, shown.whole, shown.included) == ("", False, False)
    assert composition.finish() is None


def test_at_the_smallest_limit_all_lists_end_in_counts() -> None:
    composition = Composition(
        SMALLEST_LIMIT, [NativeFile("d/" * 60 + "AGENTS.md", "f" * 90)] * 30, ["n" * 300] * 30
    )
    for _ in range(1000):
        assert not composition.add(Document("overlay", "x" * 200, "y" * 5000)).included
        composition.leave_out(LeftOut("文" * 200, "x" * 200, "host-limit"))
    block = composition.finish()
    assert block is not None
    parsed = parse(block.text)
    assert (parsed.native_count, parsed.notice_count, parsed.left_out_count) == (30, 30, 1000)
    assert len(block.text.encode()) <= 4 * SMALLEST_LIMIT


def test_at_the_smallest_limit_a_short_overlay_is_shown() -> None:
    composition = Composition(SMALLEST_LIMIT)
    assert composition.add(Document("overlay", "AGENTS.local.md", "Run the tests with make check.\n")).whole
    assert composition.finish() is not None


def test_a_list_names_twenty_and_counts_the_rest() -> None:
    composition = Composition(AMPLE, [NativeFile(f"{n}/AGENTS.md") for n in range(23)], ["n"] * 22)
    for number in range(25):
        composition.leave_out(LeftOut(f"{number}.md", None, "depth"))
    block = composition.finish()
    assert block is not None
    parsed = parse(block.text)
    assert (len(parsed.native), parsed.native_count) == (20, 23)
    assert (len(parsed.notices), parsed.notice_count) == (20, 22)
    assert (len(parsed.left_out), parsed.left_out_count) == (20, 25)
    assert "\nand 5 more files\n" in block.text


def test_a_truncated_document_says_so_in_its_tag_and_behind_it() -> None:
    composition = Composition(600)
    lines = "".join(f"line {number}\n" for number in range(1, 481))
    shown = composition.add(Document("referenced", "docs/a.md", lines))
    last = shown.text.count("\n")
    block = composition.finish()
    assert block is not None
    assert not shown.whole
    assert f' path="docs/a.md" lines="1-{last}" of="480">\n' in block.text
    assert f">\n[Cut here. To read the rest, open the file at line {last + 1}.]\n" in block.text
    assert [document.path for document in block.cut] == ["docs/a.md"]


def test_where_the_end_was_not_read_the_tag_says_more_and_the_torn_line_is_dropped() -> None:
    composition = Composition(AMPLE)
    shown = composition.add(Document("referenced", "a.md", "one\ntwo\ntorn he", more=True))
    block = composition.finish()
    assert shown.text == "one\ntwo\n"
    assert not shown.whole
    assert block is not None
    assert ' lines="1-2" more="yes">' in block.text
    assert "open the file at line 3.]" in block.text


def test_the_missing_lines_of_a_file_carry_their_numbers() -> None:
    composition = Composition(AMPLE)
    shown = composition.add(Document("inherited", "AGENTS.md", "l3\nl4\n", first_line=3))
    block = composition.finish()
    assert shown.whole
    assert block is not None
    assert ' path="AGENTS.md" lines="3-4" of="4">\nl3\nl4\n\n</file:' in block.text


def test_a_single_line_longer_than_the_room_is_cut_at_a_character_and_said_so() -> None:
    for char in ("x", "é", "文", "😀", "\x1b", "👩\u200d💻", "1\ufe0f\u20e3"):
        composition = Composition(300)
        shown = composition.add(Document("overlay", "a.md", char * 4000))
        block = composition.finish()
        assert block is not None
        document = parse(block.text).documents[0]
        assert document.cut
        assert document.lines == (1, 1)
        assert shown.text
        assert (char * 4000).startswith(shown.text)
        assert "[Line 1 is cut here." in block.text
        kept_for_names = 1200 // 8
        assert len(block.text.encode()) > 1200 - kept_for_names - len("👩\u200d💻".encode())


def test_earlier_documents_win_and_sections_stand_in_their_order() -> None:
    composition = Composition(AMPLE)
    for section in reversed(SECTIONS):
        composition.add(Document(section, f"{section}.md", "x\n"))
    block = composition.finish()
    assert block is not None
    assert [document.section for document in block.documents] == list(SECTIONS)
    assert [document.section for document in parse(block.text).documents] == list(SECTIONS)


def test_names_of_what_is_left_out_for_size_have_room_in_a_block_of_the_default_size() -> None:
    composition = Composition(2500, [NativeFile("AGENTS.md", "# Rules")])
    assert not composition.add(Document("overlay", "AGENTS.local.md", "text of a line\n" * 2000)).whole
    for number in range(10):
        path = f"docs/guides/chapter-{number}.md"
        assert not composition.add(Document("referenced", path, "text of a line\n" * 2000)).whole
        composition.leave_out(LeftOut(path, "AGENTS.local.md", "host-limit"))
    block = composition.finish()
    assert block is not None
    parsed = parse(block.text)
    assert len(parsed.left_out) == 10
    assert len(parsed.native) == 1


def test_a_document_that_fits_whole_may_use_the_room_for_names_that_may_never_come() -> None:
    composition = Composition(2500)
    assert composition.add(Document("overlay", "AGENTS.local.md", "text of a line\n" * 620)).whole
    block = composition.finish()
    assert block is not None
    assert len(block.text.encode()) > 9_500


@pytest.mark.parametrize(
    "cluster",
    [
        "\U0001f469\U0001f3fd\u200d\U0001f4bb",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
        "1\ufe0f\u20e3",
        "\u2764\ufe0f",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    ],
)
def test_a_cut_line_ends_with_a_whole_emoji(cluster: str) -> None:
    for shift in range(30):
        composition = Composition(300)
        shown = composition.add(Document("overlay", "a.md", "x" * shift + cluster * 1000))
        assert shown.text.removeprefix("x" * shift) == cluster * shown.text.count(cluster[0])
        block = composition.finish()
        assert block is not None
        assert "hidden-characters" not in block.text


def test_of_a_line_end_whose_second_half_was_not_read_nothing_is_shown() -> None:
    composition = Composition(2500)
    shown = composition.add(Document("overlay", "a.md", "abc\r", more=True))
    assert shown.text == "abc"
    block = composition.finish()
    assert block is not None
    assert "hidden-characters" not in block.text


@pytest.mark.parametrize("room", range(64, 76))
def test_a_cut_goes_through_no_byte_that_is_shown(room: int) -> None:
    document = Document("overlay", "a.md", r"\xff" * 400, invalid=400)
    part = head_of(document, all_of(document), 400 + room)
    assert part is not None
    assert part.text == r"\xff" * (len(part.text) // 4)


def test_a_cut_line_fills_its_room_to_the_byte() -> None:
    composition = Composition(300)
    composition.add(Document("overlay", "a.md", "x" * 4000))
    block = composition.finish()
    assert block is not None
    kept_for_names = 1200 // 8
    assert len(block.text.encode()) == 1200 - kept_for_names


@pytest.mark.parametrize("text", ["x" * 1000, "ä\x1b" * 300, "one\ntwo\n" * 100 + "x" * 300])
def test_a_head_fits_its_room_and_a_byte_less_than_the_smallest_is_none(text: str) -> None:
    document = Document("overlay", "a.md", text)
    whole = all_of(document)
    frame = Part(document, "x").element.size() - 1
    for room in range(frame, frame + 300):
        head = head_of(document, whole, room)
        assert head is None or head.element.size() <= room
    smallest = Part(document, "x" * SMALLEST_BODY).element.size()
    if text.startswith("xx"):
        head = head_of(document, whole, smallest)
        assert head is not None
        assert head.text == "x" * SMALLEST_BODY
        assert head_of(document, whole, smallest - 1) is None


def test_a_caller_that_knows_the_number_of_lines_has_it_in_the_tag() -> None:
    part = Part(Document("overlay", "a.md", "x\n", more=True, total_lines=9), "x\n")
    assert part.element.attributes == ' path="a.md" lines="1-1" of="9" more="yes"'


def test_a_comma_in_a_chain_is_shown_for_it_parts_the_names() -> None:
    part = Part(Document("overlay", "a.md", "x\n", via=("X,b.md",)), "x\n")
    assert part.element.attributes == r' path="a.md" via="X\u{2C}b.md"'


def test_a_scrap_of_a_document_is_not_shown() -> None:
    for fill in range(200, 400):
        composition = Composition(300)
        assert composition.add(Document("overlay", "a.md", "x" * fill)).included
        shown = composition.add(Document("overlay", "b.md", "y" * 1000))
        assert not shown.included or len(shown.text) >= SMALLEST_BODY


@pytest.mark.parametrize("section", SECTIONS)
def test_counts_have_room_after_documents_of_any_size(section: str) -> None:
    for length in range(200, 480):
        composition = Composition(250, [NativeFile("AGENTS.md")])
        composition.add(Document(section, "a.md", "x" * length))
        for number in range(9):
            composition.leave_out(LeftOut(f"docs/chapters/{number}.md", "a.md", "depth"))
        block = composition.finish()
        assert block is not None
        assert len(block.text.encode()) <= 1000
        assert parse(block.text).left_out_count == 9


def test_once_a_document_is_cut_smaller_ones_do_not_take_the_room_for_names() -> None:
    composition = Composition(2500)
    assert not composition.add(Document("overlay", "a.md", "text of a line\n" * 2000)).whole
    for number in range(5):
        assert not composition.add(Document("referenced", f"{number}.md", "text\n" * 100)).included
        composition.leave_out(LeftOut(f"{number}.md", "a.md", "host-limit"))
    block = composition.finish()
    assert block is not None
    assert len(parse(block.text).left_out) == 5


@pytest.mark.parametrize(
    ("files", "notices", "words"),
    [
        (0, 0, "Not listed here: 0 files.\n"),
        (1, 0, "Not listed here: 1 file.\n"),
        (2, 1, "Not listed here: 2 files and 1 notice.\n"),
        (1, 2, "Not listed here: 1 file and 2 notices.\n"),
    ],
)
def test_what_has_no_room_is_counted_in_plain_words(files: int, notices: int, words: str) -> None:
    assert lists.omitted_section([], notices, [], files, 0) == [f"\n## Not included\n{words}"]


def test_a_list_that_does_not_end_says_how_much_is_missing() -> None:
    for total, listed, last in ((3, 3, None), (3, 2, "and 1 more file"), (4, 2, "and 2 more files")):
        section = lists.native_section(["a", "b", "c"], total, listed)
        assert section[0] == (
            "\n## Loaded by the host already\n"
            "Relative paths in each of these files are relative to that file's directory.\n"
        )
        assert isinstance(section[1], Element)
        assert section[1].attributes == f' files="{total}"'
        assert (section[1].tag, section[1].path, section[1].after) == ("native", "", "")
        lines = section[1].body.split("\n")
        assert lines == ["a", "b", "c"][:listed] + ([last] if last else [])
    assert lists.native_section(["a"], 1, 0) == [
        "\n## Loaded by the host already\nNot listed here: 1 file.\n"
    ]
    (_, element) = lists.omitted_section(["n"], 1, ["a"], 1, 1)
    assert isinstance(element, Element)
    assert element.body.split("\n") == ["n", "a"]
    for notices, expected in ((1, "and 1 more notice"), (2, "and 2 more notices")):
        heading, element = lists.omitted_section(["n"], notices + 1, ["a"], 2, 1)
        assert heading == "\n## Not included\n"
        assert isinstance(element, Element)
        assert (element.tag, element.path, element.after) == ("omitted", "", "")
        assert element.body.split("\n") == ["n", expected, "a", "and 1 more file"]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("a.md", None, "missing"), '"a.md": missing'),
        (("a.md", "b.md", "missing"), '"a.md" from "b.md": missing'),
        (("a.md", "", "missing"), '"a.md" from "": missing'),
        (("a\n.md", "b'.md", "x>", "d\x1b"), r'"a\u{A}.md" from "b\u{27}.md": x\u{3E} "d\u{1B}"'),
    ],
)
def test_what_is_left_out_is_one_line(words: tuple[str, str | None, str], line: str) -> None:
    assert lists.left_out_entry(LeftOut(*words)) == line
    assert lists.native_entry(NativeFile("a\n.md")) == r'"a\u{A}.md"'
    assert lists.native_entry(NativeFile("a.md", "x" * 81)) == f'"a.md" "{"x" * 79}…"'
    assert lists.notice_entry("x" * 240) == f"notice: {'x' * 240}"
    assert len(lists.notice_entry("x" * 241)) <= len("notice: ") + 240


def plain(section: list[str | Element]) -> list[str]:
    return [
        part if isinstance(part, str) else f"{part.tag}{part.attributes}\n{part.body}" for part in section
    ]


def test_a_list_names_as_much_as_fits_to_the_byte() -> None:
    natives = [NativeFile("n" * length) for length in (3, 5, 60)]
    composition = Composition(2500, natives, ["one notice", "another " * 9])
    for length in (30, 3, 50):
        composition.leave_out(LeftOut("m" * length, None, "missing"))
    native = [lists.native_section(composition._native, 3, listed) for listed in (3, 2, 1)]
    omitted = [composition._omitted(notices, listed) for notices in (2, 1, 0) for listed in (3, 2, 1, 0)]
    for room in range(900):
        fit = [section for section in native if size_of(section) <= room]
        least = lists.native_section([], 3, 0)
        assert plain(composition._native_within(room)) == plain((fit or [least])[0])
        fit = [section for section in omitted if size_of(section) <= room]
        least = composition._omitted(0, 0)
        assert plain(composition._omitted_within(room)) == plain((fit or [least])[0])


def test_a_composition_without_names_lists_none() -> None:
    assert Composition(2500)._native_within(1000) == Composition(2500)._omitted_within(1000) == []


@pytest.mark.parametrize(
    ("document", "text", "attributes", "after"),
    [
        (Document("overlay", "a.md", "x\ny"), "x\ny", "", ""),
        (Document("overlay", "a.md", ""), "", "", ""),
        (Document("overlay", "a.md", "x\n", first_line=2), "x\n", ' lines="2-2" of="2"', ""),
        (Document("overlay", "a.md", "x\ny\n", first_line=3), "x\ny\n", ' lines="3-4" of="4"', ""),
        (
            Document("overlay", "a.md", "x\ny\nz"),
            "x\n",
            ' lines="1-1" of="3"',
            "[Cut here. To read the rest, open the file at line 2.]\n",
        ),
        (
            Document("overlay", "a.md", "x\nyy\n", first_line=5),
            "x\ny",
            ' lines="5-6" of="6" cut="yes"',
            "[Line 6 is cut here. To read the rest, open the file at line 6.]\n",
        ),
        (
            Document("overlay", "a.md", "x\n", more=True),
            "x\n",
            ' lines="1-1" more="yes"',
            "[Cut here. To read the rest, open the file at line 2.]\n",
        ),
        (
            Document("overlay", "a.md", "x\n", more=True, total_lines=9),
            "x\n",
            ' lines="1-1" of="9" more="yes"',
            "[Cut here. To read the rest, open the file at line 2.]\n",
        ),
        (
            Document("overlay", "a.md", "x\ny\n", more=True, total_lines=1),
            "x\ny\n",
            ' lines="1-2" of="2" more="yes"',
            "[Cut here. To read the rest, open the file at line 3.]\n",
        ),
        (
            Document("overlay", "a.md", "\x1bx", invalid=2, via=("b,.md",)),
            "\x1bx",
            r' hidden-characters="1" invalid-bytes="2" via="b\u{2C}.md"',
            "",
        ),
    ],
)
def test_a_tag_says_what_is_shown_of_how_much(
    document: Document, text: str, attributes: str, after: str
) -> None:
    element = Part(document, text).element
    assert (element.tag, element.path, element.attributes) == ("file", "a.md", f' path="a.md"{attributes}')
    assert element.after == after


@pytest.mark.parametrize("text", ["one\ntwo\n\n\nthree\nfour", "\n\nä\n", "x", "", "a\x1b\n\x1b\x1b\nb\n"])
def test_as_many_whole_lines_are_shown_as_fit(text: str) -> None:
    whole = Part(Document("overlay", "a.md", text), text)
    heads = ["".join(text.splitlines(keepends=True)[:count]) for count in range(text.count("\n") + 1)]
    for room in range(len(whole.element.body.encode()) + 2):
        fit = [head for head in heads if len(reveal(head)[0].encode()) <= room]
        assert _whole_lines(whole, room) == fit[-1]


@pytest.mark.parametrize("text", ["plain text", "ä\x1bö\u202ex", "", "😀😀"])
def test_as_many_characters_are_shown_as_fit(text: str) -> None:
    for room in range(40):
        fit = [text[:end] for end in range(len(text) + 1) if len(reveal(text[:end])[0].encode()) <= room]
        assert _characters(text, room) == text[: _apart(text, len(fit[-1]))]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("abc", (0, 1, 2, 3)),
        ("a\r\nb", (0, 1, 3, 4)),
        ("a\U0001f469\u200d\U0001f4bbb", (0, 1, 4, 5)),  # joined by ZWJ
        ("a\U0001f44d\U0001f3fdb", (0, 1, 3, 4)),  # a skin tone
        ("1\ufe0f\u20e3b", (0, 3, 4)),  # a keycap
        ("a1\u20e3b", (0, 1, 3, 4)),
        ("a\U0001f3f4\U000e0067\U000e0062\U000e007fb", (0, 1, 5, 6)),  # a flag of tags
        ("a\u0301b", (0, 1, 2, 3)),
    ],
)
def test_a_cut_tears_nothing_that_belongs_together(text: str, places: tuple[int, ...]) -> None:
    for end in range(len(text) + 1):
        best = max(place for place in places if place <= end)
        assert _apart(text, end) == (best or end)


def test_a_cut_goes_back_a_few_characters_and_no_further() -> None:
    text = "ab" + "\u200d" * 30 + "c"
    assert _apart(text, 16) == 1
    assert _apart(text, 17) == 17


def test_a_document_of_exactly_the_room_there_is_is_whole() -> None:
    for more, whole in ((0, True), (1, False)):
        composition = Composition(600)
        room = composition._capacity - composition._used - len(HEADINGS["overlay"])
        room -= composition._kept_for_names(short=False)
        length = room - Part(Document("overlay", "a.md", ""), "").element.size()
        assert composition.add(Document("overlay", "a.md", "x" * (length + more))).whole is whole


def test_documents_leave_names_their_share_from_the_first_that_is_left_out() -> None:
    composition = Composition(2500)
    least = composition._kept_for_names(short=False)
    assert composition._kept_for_names(short=True) == 10_000 // 8 > least
    for _ in range(9):
        composition.leave_out(LeftOut("n" * 100, None, "missing"))
    kept = composition._kept_for_names(short=False)
    assert kept == size_of(composition._omitted_within(10_000 // 8)) > 1000 > least
    with_notice = Composition(2500, notices=["n" * 100])
    assert with_notice._kept_for_names(short=False) == size_of(with_notice._omitted_within(1250)) > least


@pytest.mark.parametrize("kind", ["native", "notice", "left out", "document"])
def test_anything_at_all_is_a_block(kind: str) -> None:
    composition = Composition(
        2500,
        [NativeFile("AGENTS.md")] if kind == "native" else [],
        ["a notice"] if kind == "notice" else [],
    )
    if kind == "left out":
        composition.leave_out(LeftOut("a.md", None, "missing"))
    if kind == "document":
        composition.add(Document("overlay", "a.md", "text"))
    assert composition.finish() is not None


def test_names_give_way_where_no_seal_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[list[str | Element]] = []

    def rendering(parts: list[str | Element]) -> tuple[str, str]:
        rendered.append(parts)
        if len(rendered) == 1:
            raise Unsealable
        return "text", "digits"

    monkeypatch.setattr("refseal.seal.fit.render", rendering)
    composition = Composition(2500, [NativeFile("AGENTS.md")], ["a notice"])
    composition.add(Document("overlay", "a.md", "text"))
    composition.leave_out(LeftOut("b.md", None, "missing"))
    block = composition.finish()
    assert block is not None
    assert (block.text, block.marker) == ("text", "digits")
    assert [one.path for one in block.documents] == ["a.md"]
    document = 'file path="a.md"\ntext'
    assert plain(rendered[0])[-2:] == [
        "\n## Not included\n",
        'omitted files="1"\nnotice: a notice\n"b.md": missing',
    ]
    assert plain(rendered[1]) == [
        "\n## Loaded by the host already\nNot listed here: 1 file.\n",
        "\n## Local overlays\n",
        document,
        "\n## Not included\nNot listed here: 1 file and 1 notice.\n",
    ]
