"""The experiments of the papers, and our own. `preset` gives the games, and tables that compare the paper's
figures with ours.

``data/NAME.toml`` has the figures of a paper; comments there describe what the paper leaves open. A file of
the user's own names the players of a table at which every build is measured.
"""

from __future__ import annotations

import random
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

from bordeaux.arena import plan, tables
from bordeaux.arena.job import Job, Result
from bordeaux.arena.plan import Ratio, Seating
from bordeaux.arena.statistics import SCORES, Interval, bootstrap, eliminated, points, solo, wilson
from bordeaux.arena.tables import ComparisonRow, ComparisonTable
from bordeaux.board.errors import BordeauxError, FormatError, name_of, nearest, of_kind, placed, quote, whole
from bordeaux.board.toml import parse_toml
from bordeaux.formats.source import LARGEST_TEXT, open_source, read_text
from bordeaux.players.base import Limit
from bordeaux.press.language.levels import NO_PRESS

SEATS = 7
MAP = "standard"


class Preset(ABC):
    """An experiment of a paper or of our own: its `name`, a `title`, the `paper` and its tables, and the
    number of `games` in the paper. `until` and `stale_years` are those of a `Job` (0 years: never).

    `players` are the specs of all players, `candidates` those that play the same seats with the same seeds in
    turn, if there are several. Each of the `rounds` has the requested number of games; `before` are played in
    addition.
    """

    players: tuple[str, ...]
    games: int
    candidates: tuple[str, ...] = ()
    rounds = 1
    before = 0

    def __init__(self, name: str, data: Mapping[str, Any]) -> None:
        self.name = name
        self.title = of_kind("title", data["title"], str, "a text")
        self.paper = str(data["paper"])
        self.until = whole("until", data["until"], 0)
        self.stale_years = whole("stale_years", data["stale_years"], 0) or None

    def levels(self, level: int) -> tuple[int, ...]:
        """The levels at which each seating is played, one game after the other with the same seed, if a level
        is requested."""
        return (level,)

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
        level: int = NO_PRESS,
    ) -> PresetPlan:
        """The plan: `games` in each round (by default as many as the paper), at each of the preset's
        `levels`. Without `until` the preset's year is used."""
        total = self.games if games is None else games * self.rounds
        last = self.until if until is None else until
        return PresetPlan(self, total, seed, limit or Limit(), last, keep, level)


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
    level: int = NO_PRESS

    @property
    def candidates(self) -> tuple[str, ...]:
        """The candidates of the preset."""
        return self.preset.candidates

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
        abreast = max(1, len(self.candidates))
        numbered = (
            (number // abreast if len(levels) * abreast > 1 else None, seating)
            for number, seating in enumerate(self.preset.seatings(self.seed))
            for _ in levels
        )
        made = plan.jobs(
            islice(numbered, self.total),
            seed=self.seed,
            limit=self.limit,
            until=self.until,
            map=MAP,
            stale_years=self.preset.stale_years,
            keep=self.keep,
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
            **({"level": self.level} if self.level else {}),
        }


# The opponents are players of different kinds, or those of a file of the user's own.


class Bout(NamedTuple):
    """The result of one player against six of one opponent, or at a mixed table, with the name of either. The
    sum of squares and the share of solos of the player have intervals."""

    player: str
    partner: str
    games: int
    squares: Interval
    solos: Interval
    centres: float

    def to_json(self) -> dict[str, Any]:
        """The row for programs."""
        return {
            "player": self.player,
            "partner": self.partner,
            "games": self.games,
            "sum_of_squares": self.squares.to_json(),
            "solo": self.solos.to_json(),
            "centres": self.centres,
        }


class Sparring(Preset):
    """One player against six of each opponent, and at mixed tables of opponents; several players play the
    same seats with the same seeds in turn.

    `tables` are the specs on the other seats by the name of the opponent or the table: so many, or more to
    draw from. Raises BordeauxError for data that are no such table.
    """

    def __init__(self, name: str, data: Mapping[str, Any]) -> None:
        super().__init__(name, {"title": "One against six of each", "paper": "our own", **data})
        self._each = whole("games", data["games"], 1)
        named = data.get("partners", {})
        specs = [*named.values()] if isinstance(named, dict) else named
        if not specs or not isinstance(specs, list) or not all(isinstance(spec, str) for spec in specs):
            raise BordeauxError("a table of players needs [partners] with NAME = 'SPEC'")
        self._partners: dict[str, str] = dict(zip(named, specs, strict=True))
        mixed = of_kind("mixed", data.get("mixed", {}), dict, "a table, [mixed]")
        self._mixed: dict[str, tuple[str, ...]] = {
            table: tuple(map(str, of_kind(f"mixed.{table}", names, list, "a list of names of partners")))
            for table, names in mixed.items()
        }
        self.tables = {name: (spec,) * (SEATS - 1) for name, spec in self._partners.items()}
        for table, names in self._mixed.items():
            unknown = [name for name in names if name not in self._partners]
            if unknown or len(names) < SEATS - 1 or table in self._partners:
                why = f"{quote(unknown[0])} is none" if unknown else "a name of its own, and six or more"
                raise BordeauxError(f"mixed table {quote(table)} needs names of partners: {why}")
            self.tables[table] = tuple(self._partners[name] for name in names)
        self.choose((of_kind("player", data.get("player", "bordeaux"), str, "a spec like 'bordeaux'"),))

    def choose(self, players: Sequence[str]) -> None:
        """Replace the player of the preset, if any are given. Raises BordeauxError for a player that is given
        twice, or is an opponent."""
        if players:
            self._ours = tuple(players)
        if len(set(self._ours)) < len(self._ours):
            raise BordeauxError("--players names one player twice")
        both = set(self._ours) & set(self._partners.values())
        if both:
            raise BordeauxError(
                f"{quote(min(both))} cannot be its own partner: give it options that tell the two apart"
            )
        self.players = tuple(dict.fromkeys([*self._ours, *self._partners.values()]))
        self.candidates = self._ours if len(self._ours) > 1 else ()
        self.rounds = len(self._ours) * len(self.tables)
        self.games = self._each * self.rounds

    def chosen(self) -> dict[str, Any]:
        """The players, their opponents and the mixed tables."""
        mixed = {table: list(names) for table, names in self._mixed.items()}
        return {
            "players": list(self._ours),
            "partners": dict(self._partners),
            **({"mixed": mixed} if mixed else {}),
            **({"paired": True} if self.candidates else {}),
        }

    def seatings(self, seed: int) -> Iterator[Seating]:
        """A game at each table in turn, for each of our players; our seat rotates through the powers."""
        sides = (self._side(name, seed) for name in self.tables)
        for side in chain.from_iterable(zip(*sides, strict=True)):
            for ours in self._ours:
                yield tuple(ours if spec == plan.OURS else spec for spec in side)

    def _side(self, name: str, seed: int) -> Iterator[Seating]:
        """The seatings of a table, with our seat open."""
        others = self.tables[name]
        chance = random.Random(f"sparring {seed} {name}")
        for seating in plan.against(plan.OURS, others[0], Ratio(1, SEATS - 1), seed):
            left = chance.sample(others, SEATS - 1)
            yield tuple(spec if spec == plan.OURS else left.pop() for spec in seating)

    def table_of(self, number: int) -> str:
        """The name of the table of a game, or a group of games, by its number."""
        names = list(self.tables)
        return names[number % len(names)]

    def bouts(self, results: Iterable[Result]) -> list[Bout]:
        """The rows of the table, from the results so far."""
        ordered = sorted(results, key=lambda result: result.index)
        bouts = []
        for ours in self._ours:
            for name in self.tables:
                met = [result for result in ordered if self.table_of(result.index // len(self._ours)) == name]
                if held := list(tables.seats_of(met, ours)):
                    squares = tables.interval_of(held, SCORES["sum_of_squares"])
                    owned = sum(result.centres[-1][seat] for result, seat in held) / len(held)
                    bouts.append(Bout(ours, name, len(held), squares, tables.interval_of(held, solo), owned))
        return bouts

    def rows(self, results: Sequence[Result]) -> list[dict[str, Any]]:
        """The rows of the table for programs."""
        return [bout.to_json() for bout in self.bouts(results)]

    def compare(self, results: Iterable[Result]) -> list[ComparisonTable]:
        """The sums of squares, for a picture; an equal share is one seventh."""
        by_player: dict[str, dict[str, ComparisonRow]] = {ours: {} for ours in self._ours}
        for bout in self.bouts(results):
            row = ComparisonRow(bout.partner, None, bout.squares, 1 / SEATS)
            by_player[bout.player][bout.partner] = row
        return [
            ComparisonTable(f"Sum of squares of {ours} against six", "partner", rows)
            for ours, rows in by_player.items()
        ]


class Tournament(Preset):
    """Seven players at one table, with seats drawn by lot. Before that each plays against itself, to measure
    its speed."""

    def __init__(self, name: str, data: Mapping[str, Any]) -> None:
        super().__init__(name, data)
        self.games = int(data["games"])
        self._alone = int(data["alone"])
        self._rows: list[dict[str, Any]] = data["players"]
        self.players = tuple(player["spec"] for player in self._rows)
        self.before = self._alone * len(self.players)

    def seatings(self, seed: int) -> Iterator[Seating]:
        """First the games of each against itself, then those of the table."""
        for spec in self.players:
            for _ in range(self._alone):
                yield (spec,) * SEATS
        yield from plan.drawn(self.players, SEATS, seed)

    def compare(self, results: Iterable[Result]) -> list[ComparisonTable]:
        """Tables 3.2 to 3.6; sums of scores are given for a game, numbers of games as shares."""
        ordered = sorted(results, key=lambda result: result.index)
        met = self.met(ordered)
        alone = [result for result in ordered if len(set(result.seats)) == 1]

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
                for player in self._rows
            }
            return ComparisonTable(title, "player", rows, digits)

        return [
            table(
                "Games won (table 3.2)",
                lambda player: wilson(player["solos"], self.games),
                lambda spec: counted(met, spec, solo),
            ),
            table(
                "Points from draws, a game (table 3.3)",
                lambda player: player["draw_score"] / self.games,
                lambda spec: averaged(met, spec, draws),
                2,
            ),
            table(
                "Points in all, a game (table 3.4)",
                lambda player: (SEATS * player["solos"] + player["draw_score"]) / self.games,
                lambda spec: averaged(met, spec, points),
                2,
            ),
            table(
                "Games in which it was eliminated (table 3.5)",
                lambda player: wilson(player["eliminated"], self.games),
                lambda spec: counted(met, spec, eliminated),
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
        self._player, self._rival = str(data["player"]), str(data["rival"])
        self.players = self._player, self._rival
        self._compositions: list[dict[str, Any]] = data["compositions"]
        self.games = sum(composition["games"] for composition in self._compositions)

    def levels(self, level: int) -> tuple[int, ...]:
        """The requested level, and no talks."""
        return (level, NO_PRESS) if level else (NO_PRESS,)

    def seatings(self, seed: int) -> Iterator[Seating]:
        """A game of each composition in turn; within one, the seats rotate through the powers."""
        seatings = (
            plan.against(self._player, self._rival, Ratio(count, SEATS - count), seed)
            for count in (composition["players"] for composition in self._compositions)
        )
        return chain.from_iterable(zip(*seatings, strict=True))

    def compare(self, results: Iterable[Result]) -> list[ComparisonTable]:
        """Table 3 (with negotiation) if there were talks, table 2 (without), and the share of games won by a
        solo."""
        ordered = sorted(results, key=lambda result: result.index)
        talking = [result for result in ordered if result.level]
        silent = [result for result in ordered if not result.level]
        most = f"Games won by {self._player}: solo, else most centres"
        alone = f"Games won by {self._player} with a solo"
        tables = [
            self._table(f"{most}, with negotiation (table 3)", talking, won, "talking"),
            self._table(f"{most} (table 2)", silent, won, "silent"),
            self._table(f"{alone}, with negotiation", talking, soloed),
            self._table(alone, silent, soloed),
        ]
        return tables if talking else tables[1::2]

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


OWN = ".toml"
"""How the name of a file with the user's own table ends."""
FIELDS = ("title", "player", "games", "until", "stale_years", "partners", "mixed")
"""What such a file may have."""


def preset(name: str) -> Preset:
    """The preset of a name, or of a file of one's own, which has the form of ``data/sparring.toml``. Raises
    BordeauxError for an unknown one, and for a file that is no such table."""
    if name.endswith(OWN):
        return own_preset(Path(name))
    known = presets()
    if name not in known:
        raise BordeauxError(
            f"unknown preset {quote(name)}{nearest(name, known)} (presets: {', '.join(known)})"
        )
    text = (resources.files("bordeaux.arena") / "data" / f"{name}.toml").read_text("utf-8")
    data = tomllib.loads(text)
    return KINDS[data["kind"]](name, data)


def own_preset(path: Path) -> Sparring:
    """The table of players in a file. Raises BordeauxError."""
    try:
        with open_source(path) as handle:
            data = parse_toml(read_text(handle, most=LARGEST_TEXT))
    except FormatError as error:
        raise BordeauxError(str(error) if str(path) in str(error) else f"{path}: {error}") from None
    with placed(name_of(path)):
        for name in data:
            if name not in FIELDS:
                raise BordeauxError(f"no field {quote(name)}{nearest(name, FIELDS)} ({', '.join(FIELDS)})")
        # The set-up of a log has the players; where the file lies must not matter to it.
        return Sparring(path.name, {"games": 14, "until": 1914, "stale_years": 0, **data})


def held(results: Iterable[Result], spec: str, score: Callable[[Result, int], float]) -> list[float]:
    """The score of a player in every game; it has one seat in each."""
    return [score(result, result.seats.index(spec)) for result in results]


def counted(results: Sequence[Result], spec: str, score: Callable[[Result, int], float]) -> Interval | None:
    """The share of games in which a boolean was true for a player; None without games."""
    return wilson(sum(held(results, spec, score)), len(results)) if results else None


def averaged(results: Sequence[Result], spec: str, score: Callable[[Result, int], float]) -> Interval | None:
    """The mean of a player's points in a game; None without games."""
    return bootstrap(held(results, spec, score), bounds=(0.0, float(SEATS))) if results else None


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
