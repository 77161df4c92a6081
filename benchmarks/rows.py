"""One figure of a benchmark, its bound, and the tables and files that figures go to."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One figure: a ratio wherever one can be had, because only ratios compare between machines.

    ``group`` and ``name`` identify it.  ``at_most`` or ``at_least`` is its bound, if it has one; ``unit`` is
    empty for a ratio; ``detail`` says in plain units what was measured, for people.
    """

    group: str
    name: str
    value: float
    unit: str = ""
    at_most: float | None = None
    at_least: float | None = None
    detail: str = ""

    @property
    def key(self) -> str:
        """Its name in the recorded file."""
        return f"{self.group}: {self.name}"

    @property
    def holds(self) -> bool:
        """Whether it keeps its bound, if it has one."""
        return (self.at_most is None or self.value <= self.at_most) and (
            self.at_least is None or self.value >= self.at_least
        )

    @property
    def bound(self) -> str:
        """The bound as people write it."""
        if self.at_most is not None:
            return f"<= {self.at_most:g}"
        return f">= {self.at_least:g}" if self.at_least is not None else ""


def table_of(title: str, rows: Iterable[Row], recorded: dict[str, float]) -> Table:
    """Lay out one group; figures that miss their bound are red."""
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for heading in ("now", "bound", "recorded"):
        table.add_column(heading, justify="right")
    table.add_column("measured")
    for row in rows:
        before = recorded.get(row.key)
        table.add_row(
            row.name,
            f"{row.value:.2f}{' ' + row.unit if row.unit else ''}",
            row.bound,
            "" if before is None else f"{before:.2f}",
            row.detail,
            style=None if row.holds else "red",
        )
    return table


def read_recorded(path: Path) -> dict[str, float]:
    """Return what was recorded: figures by their keys; nothing if there is no such file."""
    if not path.exists():
        return {}
    figures: dict[str, float] = json.loads(path.read_text())["figures"]
    return figures


def figures_of(rows: Iterable[Row]) -> dict[str, float]:
    """Return the rows' figures by their keys."""
    return {row.key: round(row.value, 3) for row in rows}


def write(path: Path, about: dict[str, str], figures: dict[str, float]) -> None:
    """Write figures as JSON, with what the last of them were measured on."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"about": about, "figures": figures}, indent=2) + "\n")
