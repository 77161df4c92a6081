from __future__ import annotations

import pytest

from refseal.resolve.kinds import is_document_name, is_text_name


@pytest.mark.parametrize(
    "name",
    [
        "a.md", "A.MD", "a.b.rst", "x.py", "x.tsx", "package.json", "user.yaml", "README", "license",
        "Makefile", "Dockerfile", "Dockerfile.dev", ".gitignore", ".editorconfig", ".env.example",
        "CODEOWNERS", "go.mod",
        "LICENSE-MIT", "core.instructions.md", "[id].md", "AGENTS.md",
    ],
)  # fmt: skip
def test_documents_source_and_configuration_are_text(name: str) -> None:
    assert is_text_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "a.png", "a.pdf", "a.docx", "a.zip", "a.exe", "a.so", "a.sqlite", "a.pem", "a.p12", "maria", "", ".",
        "a.", "README.pdf", "md", "a.md.gz", "core.12345", "readme.exe",
    ],
)  # fmt: skip
def test_everything_else_is_not(name: str) -> None:
    assert not is_text_name(name)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.md", True), ("docs/a.MDX", True), ("a.markdown", True), ("a.txt", True), ("a.rst", True),
        ("a.adoc", True), ("docs.rs", False), ("a.py", False), ("md", False), ("a.md/b", False),
        ("x/md", False), (".md", True), ("", False), ("a.md/", True),
        ("a.md//", True), ("a/", False), ("/", False), ("a.b.md", True), ("a.txtX", False), ("a.md/X", False),
    ],
)  # fmt: skip
def test_only_six_extensions_make_a_missing_file_worth_a_report(path: str, *, expected: bool) -> None:
    assert is_document_name(path) is expected
