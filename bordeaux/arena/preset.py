"""The common part of all presets of the arena: games to be played, and tables of their results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Any, ClassVar

from bordeaux.arena import lineup
from bordeaux.arena.comparison import ComparisonTable
from bordeaux.arena.job import Job, Result
from bordeaux.arena.lineup import Seating
from bordeaux.players.protocol import Limit
from bordeaux.press.language.levels import NO_PRESS

__all__ = ["MAP", "SEATS", "Preset", "PresetPlan"]

SEATS = 7
MAP = "standard"


class Preset(ABC):
    """An experiment of a paper or of our own: its `name`, a `title`, the `paper` and its tables, and the
    number of `games` in the paper. `until` and `stale_years` are those of a `Job` (0 years: never).
    `standings` says whether it has a table of all players, `health` whether signs of bad play are always
    counted."""

    standings: ClassVar[bool] = True
    health: ClassVar[bool] = False

    def __init__(self, name: str, data: Mapping[str, Any]) -> None:
        self.name = name
        self.title = str(data["title"])
        self.paper = str(data["paper"])
        self.until = int(data["until"])
        self.stale_years = int(data["stale_years"]) or None

    @property
    @abstractmethod
    def games(self) -> int:
        """The number of games in the paper."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """The specs of all players."""

    @property
    def rounds(self) -> int:
        """The number of rounds; each has the requested number of games."""
        return 1

    def levels(self, level: int) -> tuple[int, ...]:
        """The levels at which each seating is played, one game after the other with the same seed, if a level
        is requested."""
        return (level,)

    @property
    def before(self) -> int:
        """The games that are played in addition to those that `games` counts."""
        return 0

    @abstractmethod
    def seatings(self, seed: int) -> Iterator[Seating]:
        """The seatings, game by game, without end."""

    def met(self, results: Iterable[Result]) -> list[Result]:
        """The games between different players; the tables of scores use these."""
        return [result for result in results if len(set(result.seats)) > 1]

    @abstractmethod
    def compare(self, results: Iterable[Result]) -> list[ComparisonTable]:
        """The tables of the paper with our figures, from the results so far."""

    def rows(self, results: Sequence[Result]) -> list[dict[str, Any]]:
        """The tables for programs, row by row: ``{"table", "row", "paper", "ours", "chance"}``."""
        return [
            {"table": comparison.title, "row": name, **row}
            for comparison in self.compare(results)
            for name, row in comparison.to_json().items()
        ]

    def chosen(self) -> dict[str, Any]:
        """The chosen parameters of a preset, as plain JSON values, for the set-up of a log."""
        return {}

    def plan(
        self,
        *,
        games: int | None = None,
        seed: int = 0,
        limit: Limit | None = None,
        until: int | None = None,
        keep: bool = False,
        health: bool = False,
        level: int = NO_PRESS,
    ) -> PresetPlan:
        """The plan: `games` in each round (by default as many as the paper), at each of the preset's
        `levels`. Without `until` the preset's year is used."""
        return PresetPlan(
            self,
            self.games if games is None else games * self.rounds,
            seed,
            limit or Limit(),
            self.until if until is None else until,
            keep,
            health or self.health,
            level,
        )


@dataclass(frozen=True)
class PresetPlan:
    """The games of a preset that are to be played, `games` at each of its levels. It has the interface of
    `bordeaux.arena.plan.TournamentPlan`. A longer plan begins with the games of a shorter one."""

    preset: Preset
    games: int
    seed: int
    limit: Limit
    until: int
    keep: bool
    health: bool = False
    level: int = NO_PRESS
    candidates: ClassVar[tuple[str, ...]] = ()
    block: ClassVar[int | None] = None

    @property
    def order(self) -> tuple[str, ...]:
        """All specs, in the order of the tables."""
        return self.preset.players

    @property
    def total(self) -> int:
        """The number of games in all."""
        return (self.preset.before + self.games) * len(self.preset.levels(self.level))

    def jobs(self) -> Iterator[Job]:
        """The jobs, in order."""
        levels = self.preset.levels(self.level)
        numbered = (
            (pair if len(levels) > 1 else None, seating)
            for pair, seating in enumerate(self.preset.seatings(self.seed))
            for _ in levels
        )
        made = lineup.jobs(
            islice(numbered, self.total),
            seed=self.seed,
            limit=self.limit,
            until=self.until,
            map=MAP,
            stale_years=self.preset.stale_years,
            keep=self.keep,
            health=self.health,
        )
        return (replace(job, level=level) for job, level in zip(made, cycle(levels), strict=False))

    def setup(self) -> dict[str, Any]:
        """All that determines the games, except their number, as plain JSON values."""
        return {
            "preset": self.preset.name,
            **self.preset.chosen(),
            "seed": self.seed,
            "time": self.limit.time,
            "nodes": self.limit.nodes,
            "until": self.until,
            "stale": self.preset.stale_years,
            "map": MAP,
            "games kept": self.keep,
            **({"health": True} if self.health else {}),
            **({"level": self.level} if self.level else {}),
        }
