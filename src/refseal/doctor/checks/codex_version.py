"""Which Codex it is, and how much of one hook it shows the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.codex.host_limit import SINCE, UNDECLARABLE, host_limit
from refseal.doctor.findings import Finding
from refseal.seal import escape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.doctor.surroundings import Surroundings


def check(surroundings: Surroundings) -> Iterator[Finding]:
    """Look at the client on PATH."""
    client = surroundings.client
    if client is None:
        yield Finding(
            "problem",
            "There is no codex in any absolute directory of PATH.",
            "Install Codex (npm install -g @openai/codex), or run this where codex is on PATH.",
        )
        return
    program = escape(client.program, 4_096)
    if client.version is None:
        yield Finding(
            "problem",
            f"{program} does not say which version it is.",
            "Run `codex --version`, and install Codex anew if that fails.",
        )
        return
    version, limit = escape(client.version), surroundings.limit
    shows = f"it shows the model up to {limit:,} tokens of this hook"
    if host_limit(client.version, None) == UNDECLARABLE:
        since = ".".join(map(str, SINCE))
        yield Finding(
            "note", f"Codex {version} ({program}); {shows}.", f"Codex {since} and newer show more: update it."
        )
    else:
        yield Finding("ok", f"Codex {version} ({program}); {shows}.")
    if surroundings.configuration is None:
        yield Finding(
            "problem",
            "config.toml in Codex home is not valid TOML 1.0, so refseal cannot read whom it trusts.",
            "Mend the file: `codex features list` names the line if Codex cannot read it either.",
        )
