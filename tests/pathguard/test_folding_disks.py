"""Disks that take two spellings for one name: simulated, for they are rarely at hand."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refseal.codepoints import HFS_IGNORABLE
from refseal.pathguard import Owners, Place, Reach, Refusal, Root, is_same_document, read
from refseal.pathguard import sensitive as table
from refseal.pathguard.policy import refuse_by_name
from tests.pathguard.stand_in import FoldingOs, give

if TYPE_CHECKING:
    from collections.abc import Callable


def case_insensitive(name: str) -> str:
    return name.casefold()


def apfs(name: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", name).casefold())


def hfs(name: str) -> str:
    return apfs("".join(char for char in name if char not in HFS_IGNORABLE))


DISKS = {"case-insensitive": case_insensitive, "APFS": apfs, "HFS+": hfs}


@pytest.fixture(params=DISKS)
def disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> FoldingOs:
    return mounted(DISKS[request.param], monkeypatch)


def mounted(fold: Callable[[str], str], patch: pytest.MonkeyPatch) -> FoldingOs:
    stand_in = FoldingOs(fold)
    for name in (".git/config", "docs/README.md", "caf\u00e9.md", ".env", ".ssh/id_rsa", "other.md"):
        stand_in.disk.create_file(f"/r/{name}", contents=f"inside {name}")
    give(patch, stand_in)
    return stand_in


def root() -> Root:
    return Root.open("/r", Owners(frozenset({0, FoldingOs(str.casefold).stat("/").st_uid})))


@pytest.mark.usefixtures("disk")
def test_two_spellings_of_one_file_are_one_document() -> None:
    with root() as held:
        place, reach = Place(held), Reach((held,))
        one = read("docs/README.md", place, reach, 100)
        other = read("DOCS/readme.MD", place, reach, 100)
        assert one.components != other.components
        assert is_same_document(one, other)
        assert not is_same_document(one, read("other.md", place, reach, 100))


@pytest.mark.usefixtures("disk")
@pytest.mark.parametrize("spelling", ["cafe\u0301.md", "CAF\u00c9.md"])
def test_a_name_in_another_normal_form_is_one_document_where_the_disk_says_so(
    spelling: str, disk: FoldingOs
) -> None:
    with root() as held:
        place, reach = Place(held), Reach((held,))
        if disk.fold(spelling) == disk.fold("caf\u00e9.md"):
            assert is_same_document(
                read("caf\u00e9.md", place, reach, 100), read(spelling, place, reach, 100)
            )
            return
        with pytest.raises(Refusal) as refusal:
            read(spelling, place, reach, 100)
        assert refusal.value.code == "missing"


ALIASES = (
    *(".git", ".GIT", ".Git", ".gIt", ".g\u200cit", ".gi\u200dt", "\u200e.git", ".git\ufeff", ".G\u206aIT"),
    *(
        "git~1",
        "GIT~1",
        ".git.",
        ".git ",
        ".git . .",
        ".git::$INDEX_ALLOCATION",
        ".git:x",
        ".GIT::$DATA",
        "Git~12",
    ),
    *("x\\.git", ".git\\config", ".git\u200f\u202e", "r.git", ".bare", "R.GIT"),
)


@pytest.mark.usefixtures("disk")
@pytest.mark.parametrize("alias", ALIASES)
@pytest.mark.parametrize("form", ["{}/config", "docs/../{}/config", "./{}/hooks/x.md", "/r/{}/config"])
def test_no_alias_of_git_metadata_is_ever_opened(alias: str, form: str) -> None:
    with root() as held, pytest.raises(Refusal) as refusal:
        read(form.format(alias), Place(held), Reach((held,)), 100)
    assert refusal.value.code == "git-metadata"


@pytest.mark.usefixtures("disk")
@pytest.mark.parametrize("alias", [alias for alias in ALIASES if alias not in {"r.git", ".bare", "R.GIT"}])
def test_git_metadata_is_refused_as_a_file_too(alias: str) -> None:
    with root() as held, pytest.raises(Refusal) as refusal:
        read(alias, Place(held), Reach((held,)), 100)
    assert refusal.value.code == "git-metadata"


LOOKALIKES = {
    "s": "\u017f",
    "k": "\u212a",
    "ss": "\u00df",
    "fi": "\ufb01",
    "fl": "\ufb02",
    "ff": "\ufb00",
    "st": "\ufb06",
}
"""Letters that case folding, as APFS does it, takes for ASCII ones."""


@st.composite
def respelled(draw: st.DrawFn, name: str) -> str:
    """Spell a name so that one of the folding disks still takes it for the same."""
    for plain, lookalike in LOOKALIKES.items():
        if plain in name and draw(st.booleans()):
            name = name.replace(plain, lookalike, 1)
    chars = [draw(st.sampled_from([char, char, char.upper()])) for char in name]
    if draw(st.booleans()):
        chars.insert(draw(st.integers(0, len(chars))), draw(st.sampled_from(sorted(HFS_IGNORABLE))))
    return "".join(chars)


@given(st.data())
def test_no_spelling_of_a_secret_that_a_folding_disk_knows_gets_past_the_table(data: st.DataObject) -> None:
    directory = data.draw(st.sampled_from(sorted(table.DIRECTORIES | {".git"})))
    file = data.draw(st.sampled_from(sorted(table.FILES | {".env", ".env.local", "id_rsa", "x.pem"})))
    for names in ([data.draw(respelled(directory)), "x.md"], ["x", data.draw(respelled(file))]):
        assert hfs(names[0]) == directory or hfs(names[1]) == file
        assert refuse_by_name(names, "r") is not None


@pytest.mark.usefixtures("disk")
@pytest.mark.parametrize("token", [".ENV", ".\u017fsh/id_rsa", ".SSH/ID_RSA", "docs/../.Env"])
def test_a_secret_is_not_opened_by_another_spelling(token: str) -> None:
    with root() as held, pytest.raises(Refusal) as refusal:
        read(token, Place(held), Reach((held,)), 100)
    assert refusal.value.code == "sensitive"


def test_the_simulation_would_open_what_policy_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A control: these names do mean git's directory on such a disk."""
    disk = mounted(hfs, monkeypatch)
    top = disk.open("/r", 0)
    assert disk.stat(".G\u200cIT".encode(), dir_fd=top).st_ino == disk.stat(b".git", dir_fd=top).st_ino
