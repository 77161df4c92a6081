"""The package, the plugin and the changelog name one version."""

import json
import os
import re

from refseal import __version__

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def test_plugin_has_the_version_of_the_package() -> None:
    with open(os.path.join(ROOT, "src", ".codex-plugin", "plugin.json"), encoding="utf-8") as file:
        assert json.load(file)["version"] == __version__


def test_changelog_begins_with_what_is_not_released_and_names_the_version() -> None:
    with open(os.path.join(ROOT, "CHANGELOG.md"), encoding="utf-8") as file:
        headings = re.findall(r"^## \[(.+?)\](.*)$", file.read(), re.MULTILINE)
    assert headings[0] == ("Unreleased", "")
    assert all(re.fullmatch(r" - \d{4}-\d\d-\d\d", date) for _, date in headings[1:])
    assert __version__ in [name for name, _ in headings]
