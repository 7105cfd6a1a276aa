"""The experiments of the papers, and our own. `preset` gives the games, and tables that compare the paper's
figures with ours.

``data/NAME.toml`` has the figures of a paper; comments there describe what the paper leaves open.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import resources
from itertools import chain
from typing import Any

from bordeaux.arena import lineup
from bordeaux.arena.comparison import ComparisonRow, ComparisonTable
from bordeaux.arena.job import Result
from bordeaux.arena.lineup import Ratio, Seating
from bordeaux.arena.preset import SEATS, Preset, PresetPlan
from bordeaux.arena.scores import points, solo
from bordeaux.arena.sparring import Sparring
from bordeaux.arena.statistics import Interval, bootstrap, wilson
from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.press.language.levels import NO_PRESS

__all__ = ["Preset", "PresetPlan", "preset", "presets"]


class Tournament(Preset):
    """Seven players at one table, with seats drawn by lot. Before that each plays against itself, to measure
    its speed."""

    def __init__(self, name: str, data: Mapping[str, Any]) -> None:
        super().__init__(name, data)
        self._games = int(data["games"])
        self._alone = int(data["alone"])
        self._players: list[dict[str, Any]] = data["players"]

    @property
    def games(self) -> int:
        """The number of games in the paper."""
        return self._games

    @property
    def players(self) -> tuple[str, ...]:
        """The specs of all players, best first."""
        return tuple(player["spec"] for player in self._players)

    @property
    def before(self) -> int:
        """The games of every player against itself."""
        return self._alone * len(self._players)

    def seatings(self, seed: int) -> Iterator[Seating]:
        """First the games of each against itself, then those of the table."""
        for spec in self.players:
            for _ in range(self._alone):
                yield (spec,) * SEATS
        yield from lineup.drawn(self.players, SEATS, seed)

    def compare(self, results: Iterable[Result]) -> list[ComparisonTable]:
        """Tables 3.2 to 3.6; sums of scores are given for a game, numbers of games as shares."""
        ordered = sorted(results, key=lambda result: result.index)
        met = self.met(ordered)
        alone = [result for result in ordered if len(set(result.seats)) == 1]
        seven = (0.0, float(SEATS))

        def draws(result: Result, seat: int) -> float:
            return points(result, seat) - SEATS * solo(result, seat)

        def table(
            title: str,
            theirs: Callable[[dict[str, Any]], Interval | float | None],
            ours: Callable[[str], Interval | None],
            digits: int | None = None,
        ) -> ComparisonTable:
            rows = {
                player["spec"]: ComparisonRow(player["label"], theirs(player), ours(player["spec"]))
                for player in self._players
            }
            return ComparisonTable(title, "player", rows, digits)

        return [
            table(
                "Games won (table 3.2)",
                lambda player: wilson(player["solos"], self._games),
                lambda spec: counted(met, spec, solo),
            ),
            table(
                "Points from draws, a game (table 3.3)",
                lambda player: player["draw_score"] / self._games,
                lambda spec: averaged(met, spec, draws, seven),
                2,
            ),
            table(
                "Points in all, a game (table 3.4)",
                lambda player: (SEATS * player["solos"] + player["draw_score"]) / self._games,
                lambda spec: averaged(met, spec, points, seven),
                2,
            ),
            table(
                "Games in which it was eliminated (table 3.5)",
                lambda player: wilson(player["eliminated"], self._games),
                lambda spec: counted(met, spec, lambda result, seat: float(not result.alive[seat])),
            ),
            table(
                "Orders per second of thinking, against itself (table 3.6)",
                lambda player: player.get("orders_per_second"),
                lambda spec: speed([result for result in alone if result.seats[0] == spec]),
                1,
            ),
        ]


class Compositions(Preset):
    """Two players at one table in every composition, each in turn. With a level, every game is also played
    without talks, with the same seats and seed."""

    def __init__(self, name: str, data: Mapping[str, Any]) -> None:
        super().__init__(name, data)
        self._player = str(data["player"])
        self._rival = str(data["rival"])
        self._compositions: list[dict[str, Any]] = data["compositions"]

    @property
    def games(self) -> int:
        """The number of games without negotiation in the paper, in all."""
        return sum(composition["games"] for composition in self._compositions)

    @property
    def players(self) -> tuple[str, ...]:
        """The specs of both."""
        return self._player, self._rival

    def levels(self, level: int) -> tuple[int, ...]:
        """The requested level, and no talks."""
        return (level, NO_PRESS) if level else (NO_PRESS,)

    def seatings(self, seed: int) -> Iterator[Seating]:
        """A game of each composition in turn; within one, the seats rotate through the powers."""
        seatings = (
            lineup.against(self._player, self._rival, Ratio(count, SEATS - count), seed)
            for count in (composition["players"] for composition in self._compositions)
        )
        return chain.from_iterable(zip(*seatings, strict=True))

    def compare(self, results: Iterable[Result]) -> list[ComparisonTable]:
        """Table 3 (with negotiation) if there were talks, table 2 (without), and the share of games won by a
        solo."""
        ordered = sorted(results, key=lambda result: result.index)
        talking = [result for result in ordered if result.level]
        silent = [result for result in ordered if not result.level]
        won_by = f"Games won by {self._player}: solo, else most centres"
        tables = []
        if talking:
            tables.append(self._table(f"{won_by}, with negotiation (table 3)", talking, won, "talking"))
        tables.append(self._table(f"{won_by} (table 2)", silent, won, "silent"))
        if talking:
            title = f"Games won by {self._player} with a solo, with negotiation"
            tables.append(self._table(title, talking, soloed))
        tables.append(self._table(f"Games won by {self._player} with a solo", silent, soloed))
        return tables

    def _table(
        self, title: str, games: Sequence[Result], worth: Callable[[Result, str], float], paper: str = ""
    ) -> ComparisonTable:
        """A row for every composition; `paper` selects the figures of the paper."""
        rows = {}
        for composition in self._compositions:
            count = composition["players"]
            values = [worth(game, self._player) for game in games if game.seats.count(self._player) == count]
            name = f"{count} {self._player}, {SEATS - count} {self._rival}"
            theirs = {"": None, "silent": composition, "talking": composition["talking"]}[paper]
            rows[name] = ComparisonRow(
                name,
                wilson(theirs["won"], theirs["games"]) if theirs else None,
                wilson(sum(values), len(values)) if values else None,
                count / SEATS if theirs else None,
            )
        return ComparisonTable(title, "composition", rows)


KINDS: dict[str, type[Tournament] | type[Compositions] | type[Sparring]] = {
    "tournament": Tournament,
    "compositions": Compositions,
    "sparring": Sparring,
}


def presets() -> tuple[str, ...]:
    """The names of all presets."""
    folder = resources.files("bordeaux.arena") / "data"
    return tuple(sorted(file.name[:-5] for file in folder.iterdir() if file.name.endswith(".toml")))


def preset(name: str) -> Preset:
    """The preset of a name. Raises BordeauxError for an unknown one."""
    known = presets()
    if name not in known:
        raise BordeauxError(
            f"unknown preset {quote(name)}{nearest(name, known)} (presets: {', '.join(known)})"
        )
    text = (resources.files("bordeaux.arena") / "data" / f"{name}.toml").read_text("utf-8")
    data = tomllib.loads(text)
    return KINDS[data["kind"]](name, data)


def held(results: Iterable[Result], spec: str, score: Callable[[Result, int], float]) -> list[float]:
    """The score of a player in every game; it has one seat in each."""
    return [score(result, result.seats.index(spec)) for result in results]


def counted(results: Sequence[Result], spec: str, score: Callable[[Result, int], float]) -> Interval | None:
    """The share of games in which a boolean was true for a player; None without games."""
    return wilson(sum(held(results, spec, score)), len(results)) if results else None


def averaged(
    results: Sequence[Result],
    spec: str,
    score: Callable[[Result, int], float],
    bounds: tuple[float, float],
) -> Interval | None:
    """The mean score of a player in a game; None without games."""
    return bootstrap(held(results, spec, score), bounds=bounds) if results else None


def speed(results: Sequence[Result]) -> Interval | None:
    """Orders per second of thinking time, over all seats; None for fewer than two games."""
    timed = [result for result in results if sum(result.seconds) > 0]
    if len(timed) < 2:
        return None
    seconds = [sum(result.seconds) for result in timed]
    rates = [sum(result.orders) / spent for result, spent in zip(timed, seconds, strict=True)]
    return bootstrap(rates, weights=seconds, bounds=None)


def won(result: Result, spec: str) -> float:
    """The part of a game that the seats of a player have won: the solo, else an equal part for each seat with
    the most centres at the end."""
    if result.winner is not None:
        return soloed(result, spec)
    counts = result.centres[-1]
    leading = [seat for seat, count in enumerate(counts) if count == max(counts)]
    return sum(result.seats[seat] == spec for seat in leading) / len(leading)


def soloed(result: Result, spec: str) -> float:
    """1 if a seat of a player has a solo."""
    return float(result.winner is not None and result.seats[result.winner] == spec)
