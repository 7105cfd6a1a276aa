"""What every preset of the arena has: games to be played, and tables of what came of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Any, ClassVar

from bordeaux.arena import lineup
from bordeaux.arena.comparison import Comparison
from bordeaux.arena.job import Job, Result
from bordeaux.arena.lineup import Seating
from bordeaux.players.protocol import Limit
from bordeaux.press.language.levels import NO_PRESS

__all__ = ["MAP", "SEATS", "Preset", "PresetPlan"]

SEATS = 7
MAP = "standard"


class Preset(ABC):
    """An experiment, of a paper or our own: its `name`, a `title`, the `paper` and tables, and how many
    `games`, as the paper played; `until` and `stale_years` are those of a `Job` (0 years: never).
    `standings` says whether a table of all players belongs to it, `health` whether signs of bad play are
    counted in any case."""

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
        """How many games the paper has."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """The specs of all players."""

    @property
    def rounds(self) -> int:
        """How many times a number of games is played that somebody asks for."""
        return 1

    def levels(self, level: int) -> tuple[int, ...]:
        """The levels at which each seating is played, one game after the other with the same seed, where
        somebody asks for a level."""
        return (level,)

    @property
    def before(self) -> int:
        """Games that are played besides, before those that are counted in `games`."""
        return 0

    @abstractmethod
    def seatings(self, seed: int) -> Iterator[Seating]:
        """Who sits where, game by game, without an end."""

    def met(self, results: Iterable[Result]) -> list[Result]:
        """The games in which different players met, which tables of scores are made of."""
        return [result for result in results if len(set(result.seats)) > 1]

    @abstractmethod
    def compare(self, results: Iterable[Result]) -> list[Comparison]:
        """The tables of the paper with our figures, from as many results as there are."""

    def rows(self, results: Sequence[Result]) -> list[dict[str, Any]]:
        """The tables for programs, row by row: ``{"table", "row", "paper", "ours", "chance"}``."""
        return [
            {"table": each.title, "row": name, **row}
            for each in self.compare(results)
            for name, row in each.to_json().items()
        ]

    def chosen(self) -> dict[str, Any]:
        """What of a preset can be chosen, as plain JSON values, for the set-up of a log."""
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
        """What to play: `games` in each round, without it as many as the paper, at each of the preset's
        `levels`; without `until` up to the preset's year."""
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
    """The games of a preset that are to be played, `games` at each of its levels; has what
    `bordeaux.arena.plan.TournamentPlan` shows to those who play it. More games begin with the same ones as
    fewer."""

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
        """All that decides the games but their number, as plain JSON values."""
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
