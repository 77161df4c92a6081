"""Runs one rule over a text, or the whole audit over a tree, as the tests of the rules want it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refseal.audit.findings import Persona, Severity
from refseal.audit.scan import Options, scan
from refseal.audit.subjects import Text

if TYPE_CHECKING:
    from pathlib import Path

    from refseal.audit.findings import Finding, Hit


def hits(rule: Any, text: str | bytes, persona: Persona = Persona.REGULAR) -> list[Hit]:
    """Return what a rule on texts says to this persona."""
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return [hit for hit in rule.check(Text("AGENTS.md", data)) if hit.persona <= persona]


def severities(rule: Any, text: str | bytes) -> list[Severity]:
    """Return the severities of what a rule on texts says to everybody."""
    return [rule.RULE.severity if hit.severity is None else hit.severity for hit in hits(rule, text)]


def plant(root: Path, files: dict[str, str | bytes]) -> None:
    """Write files (a name that ends in `/` is a directory, a value that starts with `-> ` a link)."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            path.mkdir(exist_ok=True)
        elif isinstance(content, str) and content.startswith("-> "):
            path.symlink_to(content[3:])
        elif isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_bytes(content.encode())


def audit(root: Path, files: dict[str, str | bytes] | None = None, **options: Any) -> list[Finding]:
    """Return the findings of the whole audit over ``files`` beneath ``root``."""
    plant(root, files or {})
    return scan(str(root), Options(**options)).findings


def codes(findings: list[Finding]) -> list[str]:
    return [finding.rule.code for finding in findings]


def of(findings: list[Finding], code: str) -> list[Finding]:
    return [finding for finding in findings if finding.rule.code == code]
