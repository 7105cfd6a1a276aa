"""Figures of a paper beside ours, with intervals where available."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from bordeaux.arena.statistics import Interval
from bordeaux.arena.tables import number, share

__all__ = ["ComparisonRow", "ComparisonTable"]


class ComparisonRow(NamedTuple):
    """One line: its name in the paper, the paper's figure (with an interval if the paper gives counts), our
    figure, and the figure expected by chance. Missing figures are None."""

    label: str
    theirs: Interval | float | None
    ours: Interval | None
    chance: float | None = None


class ComparisonTable(NamedTuple):
    """One table of a paper, with rows by name. `digits` is the number of decimals, None for shares of 1."""

    title: str
    heading: str
    rows: dict[str, ComparisonRow]
    digits: int | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The column heads for people, without columns that would be empty."""
        return (self.heading, *(name for name, _ in self._figures()))

    def cells(self) -> list[tuple[str, ...]]:
        """The cells for people, row by row."""
        labels = [name if row.label == name else f"{name} ({row.label})" for name, row in self.rows.items()]
        figures = [[self._shown(figure) for figure in column] for _, column in self._figures()]
        return list(zip(labels, *figures, strict=True))

    def to_json(self) -> dict[str, Any]:
        """For programs: ``{NAME: {"paper": x, "ours": {"mean", "low", "high"}, "chance": x}}``."""
        return {
            name: {
                "paper": row.theirs.to_json() if isinstance(row.theirs, Interval) else row.theirs,
                "ours": None if row.ours is None else row.ours.to_json(),
                "chance": row.chance,
            }
            for name, row in self.rows.items()
        }

    def _figures(self) -> list[tuple[str, Sequence[Interval | float | None]]]:
        rows = self.rows.values()
        columns: list[tuple[str, Sequence[Interval | float | None]]] = [
            ("by chance", [row.chance for row in rows]),
            ("paper", [row.theirs for row in rows]),
            ("ours", [row.ours for row in rows]),
        ]
        return [(name, column) for name, column in columns if any(value is not None for value in column)]

    def _shown(self, figure: Interval | float | None) -> str:
        if figure is None:
            return ""
        if isinstance(figure, Interval):
            return share(figure) if self.digits is None else number(figure, self.digits)
        return f"{100 * figure:.1f}%" if self.digits is None else f"{figure:.{self.digits}f}"
