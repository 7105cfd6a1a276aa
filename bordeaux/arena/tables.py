"""The results of a tournament by player: values for programs, table cells for people."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from bordeaux.arena import statistics
from bordeaux.arena.job import CRASH, ILLEGAL, LETTER, STALL, Result
from bordeaux.arena.statistics import SCORES, Interval, Score, bootstrap, paired_bootstrap, wilson
from bordeaux.board.cleaning import csv_cell
from bordeaux.board.map import Map

DIVIDED = ("share", "sum_of_squares")
"""Scores that sum to 1 over the seats of every game."""
KINDS = (CRASH, STALL, ILLEGAL, LETTER)
CSV_COLUMNS = (
    "game",
    "pair",
    "seed",
    "power",
    "player",
    "end",
    "phase",
    *SCORES,
    "points",
    "eliminated_in",
    "centres",
    "orders",
    "seconds",
    *KINDS,
)


class PlayerSummary(NamedTuple):
    """One player's line: its `games`, its `seats` in them, the mean of every score of `SCORES` with its
    interval, and its cost.

    `points` are those of Håård (2004), `centres` the number at the end. `by_year` is its mean after every
    year, from the start on (a finished game keeps its last number). `faults` counts by kind, `orders` is the
    number of orders given, and `seconds` the thinking time.
    """

    name: str
    games: int
    seats: int
    scores: dict[str, Interval]
    points: Interval
    centres: Interval
    by_year: tuple[float, ...]
    faults: dict[str, int]
    orders: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The line for programs: shares of 1; `intervals` holds both ends of those given as a number."""
        plain = {name: interval for name, interval in self.scores.items() if name != "sum_of_squares"}
        return {
            "games": self.games,
            "seats": self.seats,
            **{name: interval.mean for name, interval in plain.items()},
            "sum_of_squares": self.scores["sum_of_squares"].to_json(),
            "points": self.points.to_json(),
            "centres": self.centres.to_json(),
            "intervals": {
                name: {"low": interval.low, "high": interval.high} for name, interval in plain.items()
            },
            "centres_by_year": list(self.by_year),
            "faults": self.faults,
            "orders": self.orders,
            "seconds": self.seconds,
            "orders_per_second": self.orders / self.seconds if self.seconds else 0.0,
        }


def seats_of(results: Iterable[Result], name: str) -> Iterator[tuple[Result, int]]:
    """Every seat of a player, game by game."""
    for result in results:
        for seat, spec in enumerate(result.seats):
            if spec == name:
                yield result, seat


def group_of(result: Result) -> tuple[str, int]:
    """The group of a game: games of a pair are correlated and form one group."""
    return ("game", result.index) if result.pair is None else ("pair", result.pair)


def interval_of(held: Sequence[tuple[Result, int]], score: Score, top: float = 1.0) -> Interval:
    """The mean of a score between 0 and `top` over seats, with its 95 % interval.

    A boolean with one value a game has Wilson's interval; all else is resampled by games.
    """
    values = [score(result, seat) for result, seat in held]
    groups = [group_of(result) for result, _ in held]
    if top == 1.0 and set(values) <= {0.0, 1.0} and len(set(groups)) == len(groups):
        return wilson(sum(values), len(values))
    return bootstrap(values, groups=groups, bounds=(0.0, top))


def lines(results: Iterable[Result], order: Sequence[str] = ()) -> list[PlayerSummary]:
    """A line for every player that had a seat, those of `order` first. Results may come in any order."""
    ordered = sorted(results, key=lambda result: result.index)
    names = dict.fromkeys([*order, *(spec for result in ordered for spec in result.seats)])
    summaries = []
    for name in names:
        held = list(seats_of(ordered, name))
        if held:
            summaries.append(line(name, held))
    return summaries


def line(name: str, held: Sequence[tuple[Result, int]]) -> PlayerSummary:
    """The line of a player with the seats `held`."""
    measured = {score_name: interval_of(held, score) for score_name, score in SCORES.items()}
    if all(set(result.seats) == {name} for result, _ in held):
        # Against itself a player always has the whole of what is divided: nothing there is uncertain.
        for divided in DIVIDED:
            par = measured[divided].mean
            measured[divided] = Interval(par, par, par)
    counts = sum((faults_in(result, seat) for result, seat in held), Counter[str]())
    years = max(len(result.centres) for result, _ in held)
    totals = [
        sum(result.centres[min(year, len(result.centres) - 1)][seat] for result, seat in held)
        for year in range(years)
    ]
    top = float(max(sum(year) for result, _ in held for year in result.centres)) or 1.0
    return PlayerSummary(
        name,
        len({result.index for result, _ in held}),
        len(held),
        measured,
        measured["share"].scaled(len(held[0][0].seats)),
        interval_of(held, statistics.centres, top),
        tuple(total / len(held) for total in totals),
        {kind: counts[kind] for kind in KINDS},
        sum(result.orders[seat] for result, seat in held),
        sum(result.seconds[seat] for result, seat in held),
    )


def faults_in(result: Result, seat: int) -> Counter[str]:
    """The faults of a seat in a game, by kind."""
    counts = Counter[str]()
    for fault in result.faults:
        if fault.seat == seat:
            counts[fault.kind] += fault.count
    return counts


def letters_of(results: Iterable[Result], name: str) -> float | None:
    """The mean number of letters that a player has sent in a seat of a game; None without talks."""
    counts = [result.letters[seat] for result, seat in seats_of(results, name) if result.letters is not None]
    return sum(counts) / len(counts) if counts else None


def ends(results: Iterable[Result]) -> dict[str, int]:
    """The number of games by kind of end."""
    return dict(Counter(result.end for result in results))


def faults(results: Iterable[Result]) -> list[dict[str, Any]]:
    """Every fault with its game, power and player, in the order of the games."""
    return [
        {
            "game": result.index,
            "player": result.seats[fault.seat],
            "seat": fault.seat,
            "kind": fault.kind,
            "phase": fault.phase,
            "count": fault.count,
            "text": fault.text,
        }
        for result in sorted(results, key=lambda result: result.index)
        for fault in result.faults
    ]


def repeated(results: Iterable[Result]) -> int:
    """The number of games that went as another one did: the same players in the same seats, as many orders
    of each, and the same centres in every year."""
    went = Counter((result.seats, result.orders, result.centres) for result in results)
    return went.total() - len(went)


def to_json(results: Sequence[Result], order: Sequence[str], seconds: float) -> dict[str, Any]:
    """The whole result of a tournament; `seconds` is its duration."""
    players = {summary.name: summary.to_json() for summary in lines(results, order)}
    for name, player in players.items():
        letters = letters_of(results, name)
        if letters is not None:
            player["letters"] = letters
    return {
        "players": players,
        "seconds": seconds,
        "games": len(results),
        "ends": ends(results),
        "overhead": sum(result.overhead for result in results) / max(1, len(results)),
        "faults": faults(results),
    }


class Changed(NamedTuple):
    """The number of games that went otherwise than those of the first candidate, by the centres of any seat
    after any year, and the number of `games` in all."""

    otherwise: int
    games: int


def differences(
    results: Iterable[Result], seats: Iterable[tuple[int, ...]], candidates: Sequence[str]
) -> dict[str, dict[str, Interval]]:
    """The difference of each later candidate to the first, by candidate and score, with its 95 % interval;
    also that in ``centres`` at the end. Empty before the first complete pair."""
    games = complete(results, len(candidates))
    numbers = range(max(games, default=-1) + 1)
    whole = [
        (games[number], chosen) for number, chosen in zip(numbers, seats, strict=False) if number in games
    ]
    if not whole:
        return {}
    most = float(max(sum(result.centres[-1]) for pair, _ in whole for result in pair)) or 1.0
    measured = [
        *((name, score, 1.0) for name, score in SCORES.items()),
        ("centres", statistics.centres, most),
    ]
    return {
        candidate: {
            name: paired_bootstrap(
                [mean_over(pair[place], chosen, score) for pair, chosen in whole],
                [mean_over(pair[0], chosen, score) for pair, chosen in whole],
                bounds=(0.0, top),
            )
            for name, score, top in measured
        }
        for place, candidate in enumerate(candidates[1:], start=1)
    }


def changed(results: Iterable[Result], candidates: Sequence[str]) -> dict[str, Changed]:
    """For each later candidate, how often its games differ from those of the first."""
    games = complete(results, len(candidates)).values()
    return {
        candidate: Changed(sum(pair[place].centres != pair[0].centres for pair in games), len(games))
        for place, candidate in enumerate(candidates[1:], start=1)
    }


def complete(results: Iterable[Result], candidates: int) -> dict[int, list[Result]]:
    """The games of so many candidates by pair, in order, without pairs in which some are missing."""
    games: dict[int, list[Result]] = {}
    for result in sorted(results, key=lambda result: result.index):
        games.setdefault(result.index // candidates, []).append(result)
    return {number: pair for number, pair in games.items() if len(pair) == candidates}


def mean_over(result: Result, seats: tuple[int, ...], score: Score) -> float:
    """The mean score over some seats of a game."""
    return sum(score(result, seat) for seat in seats) / len(seats)


def share(interval: Interval) -> str:
    """A share in per cent with its interval."""
    return f"{100 * interval.mean:.1f}% ({100 * interval.low:.0f}-{100 * interval.high:.0f})"


def number(interval: Interval, digits: int) -> str:
    """A number with its interval."""
    low, high = (f"{end:.{digits}f}" for end in (interval.low, interval.high))
    return f"{interval.mean:.{digits}f} ({low}-{high})"


COLUMNS = ("player", "games", "solo", "draw", "survived", "eliminated", "squares", "points", "centres")
"""The heads of the columns of the readable table."""


def row(of: PlayerSummary) -> tuple[str, ...]:
    """The cells of a line, in the order of `COLUMNS`."""
    games = f"{of.games}" if of.seats == of.games else f"{of.games} x {of.seats / of.games:.3g}"
    shares = (share(of.scores[name]) for name in ("solo", "draw", "survived", "eliminated"))
    figures = (of.scores["sum_of_squares"], of.points, of.centres)
    rest = (number(figure, digits) for figure, digits in zip(figures, (3, 2, 1), strict=True))
    return (of.name, games, *shares, *rest)


def cells(results: Iterable[Result], order: Sequence[str] = ()) -> list[tuple[str, ...]]:
    """The table for people, one row of cells for a player; see `row`."""
    return [row(summary) for summary in lines(results, order)]


def print_csv(results: Iterable[Result], map: Map) -> str:
    """One line for every seat of every game, below a header line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for result in sorted(results, key=lambda result: result.index):
        for seat, power in enumerate(map.powers):
            counts = faults_in(result, seat)
            writer.writerow(
                [
                    result.index,
                    result.pair,
                    result.seed,
                    power,
                    csv_cell(result.seats[seat]),
                    result.end,
                    result.phase,
                    *(round(score(result, seat), 6) for score in SCORES.values()),
                    round(statistics.points(result, seat), 6),
                    result.eliminated[seat],
                    result.centres[-1][seat],
                    result.orders[seat],
                    round(result.seconds[seat], 6),
                    *(counts[kind] for kind in KINDS),
                ]
            )
    return text.getvalue()


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
