from __future__ import annotations

import pytest

from refseal.pathguard.refusals import CODES
from refseal.resolve.reasons import REASONS, SILENT, describe, verdict_of

CONTRACT = {
    "included": "included",
    "skipped": "missing duplicate self native depth file-count total-bytes host-limit deadline empty "
    "not-text binary directory glob",
    "blocked": "outside-root absolute home symlink-escape symlink-absolute symlink-loop not-regular "
    "not-a-directory sensitive git-metadata foreign-owner unreadable bad-name too-long invisible-character "
    "untrusted-project unsupported-platform",
    "inert": "code-span fence indented-code html-comment html-raw escaped",
    "worktree": "none linked submodule bare separate-git-dir unverified unsafe-root",
}


def test_every_code_of_the_contract_has_its_verdict_and_no_other_exists() -> None:
    expected = {code: verdict for verdict, codes in CONTRACT.items() for code in codes.split()}
    assert {code: verdict for code, (verdict, _) in REASONS.items()} == expected


def test_every_refusal_of_the_path_guard_can_be_explained() -> None:
    assert set(REASONS) >= CODES
    assert {verdict_of(code) for code in CODES} == {"blocked", "skipped"}


@pytest.mark.parametrize("code", REASONS)
def test_a_description_is_one_short_sentence(code: str) -> None:
    text = describe(code)
    assert text.endswith(".")
    assert text[0].isupper() or text[0] == "`"
    assert "\n" not in text
    assert len(text) <= 110


def test_what_never_enters_the_block_is_skipped_not_blocked() -> None:
    assert {verdict_of(code) for code in SILENT} == {"skipped"}


def test_an_unknown_code_is_an_error() -> None:
    with pytest.raises(KeyError):
        describe("no-such-code")
