"""The plan of a tournament: a line-up, the number of games, and all that determines them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from bordeaux.arena.job import Job
from bordeaux.arena.lineup import (
    OURS,
    Ratio,
    Seating,
    against,
    block,
    drawn,
    jobs,
    mixed,
    pairs,
)
from bordeaux.arena.starts import Starts
from bordeaux.board.errors import BordeauxError
from bordeaux.players.protocol import Limit
from bordeaux.press.language.levels import NO_PRESS

__all__ = ["TournamentPlan"]


@dataclass(frozen=True)
class TournamentPlan:
    """A tournament to be played.

    `players` are the specs of one side, or of the whole table if there is no `rival`. Several players against
    a rival are candidates; they play the same seats and seeds in pairs of games. `ratio` has the seats of
    both sides. `random` draws seats by lot. `games` is the number of games (of each candidate if there are
    several). With `starts` games begin there and end after the years of those, so `until` does not apply; the
    single seat of our side is that of the start. The other fields are those of a `Job`.
    """

    players: tuple[str, ...]
    rival: str | None
    ratio: Ratio | None
    random: bool
    games: int
    seats: int
    seed: int
    limit: Limit
    until: int
    map: str = "standard"
    stale_years: int | None = 5
    keep: bool = False
    health: bool = False
    level: int = NO_PRESS
    starts: Starts | None = None

    @property
    def candidates(self) -> tuple[str, ...]:
        """The candidates of a paired tournament; else none."""
        return self.players if self.rival is not None and len(self.players) > 1 else ()

    @property
    def order(self) -> tuple[str, ...]:
        """All specs, in the order of the tables."""
        return tuple(dict.fromkeys([*self.players, *([self.rival] if self.rival is not None else [])]))

    @property
    def total(self) -> int:
        """The number of games in all."""
        return self.games * max(1, len(self.candidates))

    @property
    def repeats(self) -> int:
        """The number of games in a row from one start: one for each candidate; at a balanced mixed table one
        for each player of the list, so that all have every seat of it once."""
        if self.rival is None:
            return 1 if self.random else len(self.players)
        return max(1, len(self.candidates))

    @property
    def block(self) -> int | None:
        """The number of games after which the seats are balanced for the first time; None if they need not
        be. Seats of our side that come from starts are not balanced."""
        if self.starts is not None and self.rival is not None:
            return None
        return block(self._seatings() if self.rival is None else self._sides())

    def jobs(self) -> Iterator[Job]:
        """The jobs, in order."""
        plain = jobs(
            islice(self._numbered(), self.total),
            seed=self.seed,
            limit=self.limit,
            until=self.until,
            map=self.map,
            stale_years=self.stale_years,
            keep=self.keep,
            health=self.health,
            level=self.level,
        )
        return plain if self.starts is None else self._begun(plain, self.starts)

    def setup(self) -> dict[str, Any]:
        """All that determines the games, except their number, as plain JSON values."""
        return {
            "players": list(self.players),
            "against": self.rival,
            "ratio": None if self.ratio is None else list(self.ratio),
            "seats": "random" if self.random else "balanced",
            "seed": self.seed,
            "time": self.limit.time,
            "nodes": self.limit.nodes,
            "until": self.until if self.starts is None else None,
            "stale": self.stale_years,
            "map": self.map,
            "games kept": self.keep,
            # Logs made without health, talks or starts do not have the words, and go on.
            **({"health": True} if self.health else {}),
            **({"level": self.level} if self.level else {}),
            **({} if self.starts is None else self.starts.setup()),
        }

    def our_seats(self) -> Iterator[tuple[int, ...]]:
        """The seats of our side in every game, or in every pair where there are candidates, in order.
        Raises BordeauxError without a rival."""
        for seating in self._sides():
            yield tuple(seat for seat, spec in enumerate(seating) if spec == OURS)

    def _sides(self) -> Iterator[Seating]:
        if self.rival is None or self.ratio is None:
            raise BordeauxError("a mixed table has no side of its own; give --against")
        if self.starts is not None:
            seats = [start.seat for start in self.starts.chosen]
            return (tuple(OURS if at == seat else self.rival for at in range(self.seats)) for seat in seats)
        return against(OURS, self.rival, self.ratio, self.seed)

    def _seatings(self) -> Iterator[Seating]:
        if self.rival is not None:
            return (
                tuple(self.players[0] if spec == OURS else spec for spec in side) for side in self._sides()
            )
        return (drawn if self.random else mixed)(self.players, self.seats, self.seed)

    def _numbered(self) -> Iterator[tuple[int | None, Seating]]:
        if self.candidates:
            return pairs(self.players, self._sides())
        return ((None, seating) for seating in self._seatings())

    def _begun(self, plain: Iterator[Job], starts: Starts) -> Iterator[Job]:
        """The jobs with their starts."""
        for job in plain:
            start = starts.chosen[job.index // self.repeats]
            yield replace(job, start=start.position, until=start.year + starts.years - 1)
