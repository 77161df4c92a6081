from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from refseal.audit.baseline import (
    DEFAULT_REASON,
    Baseline,
    BaselineError,
    changes,
    lies_inside,
    parse,
    render,
)
from tests.audit.samples import finding

if TYPE_CHECKING:
    from pathlib import Path


def written(*findings: object, reason: str | None = None) -> bytes:
    return render(findings, None, reason).encode()  # type: ignore[arg-type]


def test_what_was_written_accepts_the_same_findings_and_keeps_them_listed() -> None:
    found = [finding("RS201", fingerprint="a" * 32), finding("RS201", fingerprint="b" * 32)]
    stale, refused = parse(written(found[0], reason="known")).apply(found)
    assert [one.suppressed for one in found] == ["known", None]
    assert (stale, refused) == ([], [])


def test_every_entry_has_a_reason_and_keeps_it() -> None:
    first = parse(written(finding(fingerprint="a" * 32), reason="decided in May"))
    text = render([finding(fingerprint="a" * 32), finding(fingerprint="b" * 32)], first, None)
    assert [entry["reason"] for entry in json.loads(text)["findings"]] == ["decided in May", DEFAULT_REASON]


def test_baseline_inside_the_tree_accepts_no_high() -> None:
    found = [finding("RS101", fingerprint="a" * 32), finding("RS201", fingerprint="b" * 32)]
    _, refused = parse(written(*found), inside=True).apply(found)
    assert [one.suppressed for one in found] == [None, DEFAULT_REASON]
    assert refused == [found[0]]


def test_baseline_outside_accepts_a_high() -> None:
    found = [finding("RS101", fingerprint="a" * 32)]
    parse(written(*found)).apply(found)
    assert found[0].suppressed == DEFAULT_REASON


def test_entry_of_another_rule_accepts_nothing() -> None:
    found = [finding("RS201", fingerprint="a" * 32)]
    parse(written(finding("RS202", fingerprint="a" * 32))).apply(found)
    assert found[0].suppressed is None


def test_entries_that_nothing_needs_are_told() -> None:
    stale, _ = parse(written(finding(fingerprint="a" * 32))).apply([])
    assert [entry.rule for entry in stale] == ["RS101"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        b"[" * 100_000,
        b'{"schema": "refseal.baseline/1"}',
        b'{"schema": "refseal.baseline/2", "findings": []}',
        b'{"schema": "refseal.baseline/1", "findings": [1]}',
        b'{"schema": "refseal.baseline/1", "findings": [{"fingerprint": "a", "rule": "RS101"}]}',
        b'{"schema": "refseal.baseline/1", "findings": [{"fingerprint": "a", "rule": "R", "reason": " "}]}',
    ],
)
def test_what_is_no_baseline_is_refused(data: bytes) -> None:
    with pytest.raises(BaselineError):
        parse(data)


def test_changed_entries_are_told_apart() -> None:
    a, b, c = (finding(fingerprint=char * 32) for char in "abc")
    added, dropped = changes(parse(written(a, b)), parse(written(b, c)))
    assert [entry.fingerprint[0] for entry in added] == ["c"]
    assert [entry.fingerprint[0] for entry in dropped] == ["a"]
    added, _ = changes(parse(written(a)), parse(written(a, reason="another")))
    assert len(added) == 1
    assert changes(Baseline({}), parse(written(a)))[0]


def test_inside_is_told_by_spelling_and_by_what_a_link_leads_to(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "sub").mkdir(parents=True)
    (tmp_path / "out.json").write_text("{}")
    (tree / "in.json").write_text("{}")
    (tree / "link-out.json").symlink_to("../out.json")
    (tmp_path / "link-in.json").symlink_to("tree/in.json")
    (tmp_path / "alias").symlink_to("tree")
    root = str(tree)
    assert not lies_inside(str(tmp_path / "out.json"), root)
    assert lies_inside(str(tree / "in.json"), root)
    assert lies_inside(str(tree / "link-out.json"), root)  # the tree chose where it leads
    assert lies_inside(str(tmp_path / "link-in.json"), root)
    assert lies_inside(str(tmp_path / "alias" / "in.json"), root)
    assert lies_inside(str(tree / "in.json"), str(tmp_path / "alias"))
    assert lies_inside(os.path.join(root, "sub", "..", "in.json"), root)
