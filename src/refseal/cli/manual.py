"""Help as a manual page has it: what a command does, its options, exit status, environment, examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Mapping

HELP = {"help_option_names": ["-h", "--help"]}
"""`context_settings` of every command."""

SETTINGS = {
    "REFSEAL_*": "The settings of refseal, as the hook has them (README, Settings).",
    "CODEX_HOME": "Where Codex keeps its configuration; REFSEAL_CODEX_HOME goes first. Default: ~/.codex.",
}
"""The variables that a command reads which resolves as the hook does."""

NO_COLOR = {"NO_COLOR": "If set to anything, nothing is coloured. A pipe or file never is."}


class Manual(click.Command):
    """A command whose help also has sections for its exit status, environment and examples."""

    def __init__(
        self,
        *arguments: Any,
        exit_status: Mapping[int, str],
        environment: Mapping[str, str] | None = None,
        examples: Mapping[str, str],
        **options: Any,
    ) -> None:
        """Take the sections beside what every command has; ``examples`` are command lines with their use."""
        options.setdefault("context_settings", HELP)
        super().__init__(*arguments, **options)
        self.exit_status = {str(status): meaning for status, meaning in exit_status.items()}
        self.environment = dict(environment or {})
        self.examples = dict(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the sections at the end."""
        for title, entries in (("Exit status", self.exit_status), ("Environment", self.environment)):
            if entries:
                with formatter.section(title):
                    formatter.write_dl(list(entries.items()))
        with formatter.section("Examples"):
            for command, use in self.examples.items():
                formatter.write(f"{'':>{formatter.current_indent}}{command}\n")
                formatter.indent()
                formatter.write_text(use)
                formatter.dedent()
