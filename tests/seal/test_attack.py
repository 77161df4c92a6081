"""An author who sees every block and rewrites his file to close his own tag.

The length of seals and the check have no switch; the tests reach into the module to weaken them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from refseal.seal import Composition, Document, LeftOut, Unsealable, decode, marker, seals
from refseal.seal.parse import parse
from refseal.seal.sha256 import sha256
from tests.seal.properties import AMPLE, attack

EIGHT_BITS = 2
REWRITES = 1000


def test_he_does_not_get_through() -> None:
    assert not attack(REWRITES)


def test_with_eight_bits_and_without_the_check_he_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seals, "SEAL_DIGITS", EIGHT_BITS)
    monkeypatch.setattr(seals, "stand_alone", lambda *_: True)
    assert attack(REWRITES)


def test_with_eight_bits_and_the_check_he_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seals, "SEAL_DIGITS", EIGHT_BITS)
    assert not attack(REWRITES)


def test_a_file_that_holds_every_seal_is_not_shown_rather_than_forged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seals, "SEAL_DIGITS", EIGHT_BITS)
    composition = Composition(AMPLE)
    composition.add(Document("overlay", "a.md", "".join(f"</file:{seal:02x}>\n" for seal in range(256))))
    with pytest.raises(Unsealable):
        composition.finish()


def test_when_no_seal_can_be_had_the_lists_go_and_the_documents_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_alone = seals.stand_alone

    def crowded(tags: list[str], digits: str, rest: bytes) -> bool:
        return b"<omitted:" not in rest and stand_alone(tags, digits, rest)

    monkeypatch.setattr(seals, "stand_alone", crowded)
    composition = Composition(AMPLE)
    composition.add(Document("overlay", "a.md", "body\n"))
    composition.leave_out(LeftOut("b.md", "a.md", "depth"))
    block = composition.finish()
    assert block is not None
    parsed = parse(block.text)
    assert [document.body for document in parsed.documents] == ["body\n"]
    assert (parsed.left_out, parsed.left_out_count) == ((), 1)


def test_a_hit_by_chance_moves_every_seal(monkeypatch: pytest.MonkeyPatch) -> None:
    def texts() -> list[str]:
        composition = Composition(AMPLE)
        composition.add(Document("overlay", "a.md", "a\n"))
        composition.add(Document("overlay", "b.md", "b\n"))
        block = composition.finish()
        assert block is not None
        return list(parse(block.text).seals)

    plain = texts()
    stand_alone = seals.stand_alone
    monkeypatch.setattr(
        seals, "stand_alone", lambda tags, *where: tags != plain and stand_alone(tags, *where)
    )
    assert not set(texts()) & set(plain)


ONE, TWO = "ab" * 16, "cd" * 16


@pytest.mark.parametrize(
    ("digits", "body", "alone"),
    [
        ("0" * 64, "text", True),
        ("0" * 64, "e" * 32, True),  # 32 digits of somebody else's
        ("0" * 64, "e" * 100, True),
        ("0" * 64, ONE, False),
        ("0" * 64, f"e{TWO}e", False),
        (ONE + "0" * 32, "text", False),  # in the marker's own digits, at either end and between
        ("0" * 32 + TWO, "text", False),
        ("0" * 7 + ONE + "0" * 25, "text", False),
        ("0" * 7 + ONE + "0" * 25, "e" * 32, False),
    ],
)
def test_a_seal_stands_alone_if_it_is_in_its_two_tags_and_nowhere_else(
    digits: str, body: str, *, alone: bool
) -> None:
    rest = "".join(f'<file:{one} path="a">\n{body}\n</file:{one}>\n' for one in (ONE, TWO))
    text = marker.mark(digits, marker.BLOCK_SEPARATOR, rest)
    assert seals.stand_alone([ONE, TWO], digits, rest.encode()) == alone
    assert alone == all(text.count(one) == 2 for one in (ONE, TWO))
    assert not seals.stand_alone([ONE, ONE], "0" * 64, rest.replace(TWO, ONE).encode())


@pytest.mark.parametrize("section", ["overlay", "referenced"])
@pytest.mark.parametrize("limit", [AMPLE, 2500])
def test_the_real_forgery_of_a_48_bit_seal_stays_inside(section: str, limit: int) -> None:
    data = (Path(__file__).parent.parent / "vectors" / "forged-seal-48.md").read_bytes()
    short_seal = sha256(data).hexdigest()[:12]
    assert short_seal == "0000000004c7"
    assert f"</file:{short_seal}>".encode() in data  # under a 48-bit seal this file closes its own tag
    text = decode(data).text
    composition = Composition(limit)
    composition.add(Document("overlay", "AGENTS.local.md", "See @docs/style.md\n"))
    shown = composition.add(Document(section, "docs/style.md", text))
    block = composition.finish()
    assert block is not None
    parsed = parse(block.text)
    assert parsed.documents[-1].body == shown.text
    assert shown.text == (text if limit == AMPLE else text[: len(shown.text)])
    seal = parsed.documents[-1].seal
    assert block.text.count(f"</file:{seal}>") == 1
    if limit == AMPLE:
        closing = block.text.index(f"</file:{seal}>")
        assert block.text.index("this line is outside the seal") < closing
