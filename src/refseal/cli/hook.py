"""``refseal hook``, for its help: `refseal.cli.main` answers the call itself before click is imported."""

from __future__ import annotations

import click


@click.command()
def hook() -> None:
    """Answer one Codex hook call.

    Reads one JSON object from standard input and writes one JSON object, or nothing, to standard output.
    The exit status is 0 whatever happens.
    """
    from refseal.codex.hook import main  # noqa: PLC0415

    main()
