"""``refseal hook``, for its help: `refseal.cli.main` answers the call itself before click is imported."""

from __future__ import annotations

import click

from refseal.cli.manual import SETTINGS, Manual


@click.command(
    cls=Manual,
    exit_status={0: "Always. What went wrong, if anything, is in the answer."},
    environment=SETTINGS,
    examples={
        "refseal hook < event.json": (
            'With {"hook_event_name": "SessionStart", "cwd": "/src/project"} in the file: what Codex would '
            "be told. `refseal show` prints the block alone."
        ),
    },
)
def hook() -> None:
    """Answer one Codex hook call (SessionStart, SubagentStart).

    Reads one JSON object from standard input and writes one JSON object, or nothing, to standard output.
    Codex starts it by itself once the plugin is installed; other hosts with the same protocol can too.
    """
    from refseal.codex.hook import main  # noqa: PLC0415

    main()
