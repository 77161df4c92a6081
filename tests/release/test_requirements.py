"""What development needs is pinned to exact versions with hashes, and names no registry."""

import glob
import os
import re

import pytest

REQUIREMENTS = os.path.join(os.path.dirname(__file__), "..", "..", "requirements")
LOCKS = sorted(glob.glob(os.path.join(REQUIREMENTS, "*.txt")))


def entries(path: str) -> list[str]:
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if not line.lstrip().startswith("#")]
    return "\n".join(lines).replace("\\\n", " ").splitlines()


@pytest.mark.parametrize("path", LOCKS, ids=os.path.basename)
def test_each_package_is_one_version_with_hashes(path: str) -> None:
    found = [entry for entry in entries(path) if entry.strip()]
    assert found
    for entry in found:
        assert re.match(r"^[a-z0-9][a-z0-9._-]*(\[[a-z,]+\])?==\S+", entry), entry
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry


@pytest.mark.parametrize("path", LOCKS, ids=os.path.basename)
def test_no_registry_is_named(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        assert "://" not in file.read()


def test_each_list_of_wishes_has_its_lock() -> None:
    wishes = {os.path.splitext(name)[0] for name in os.listdir(REQUIREMENTS) if name.endswith(".in")}
    assert {os.path.splitext(os.path.basename(path))[0] for path in LOCKS} == wishes


def test_locks_agree_with_one_another() -> None:
    pinned: dict[str, set[str]] = {}
    for path in LOCKS:
        for entry in entries(path):
            if "==" in entry:
                name, _, version = entry.split()[0].partition("==")
                pinned.setdefault(name, set()).add(version)
    assert {name: versions for name, versions in pinned.items() if len(versions) > 1} == {}
