"""Answers of recorded games to questions about the first year, with 95 % intervals.

    python tools/opening_findings.py [GAMES] [--frequencies FILE] [--json]

GAMES is a file of saved games (../shared/data/games/human.jsonl.gz), FILE the statistics of 127,619 games
(../shared/data/openings/frequencies.csv). Only games count in which all seven powers sent orders in Spring
1901. Centres are those after 1904; a game won earlier counts with its end. Solos are shares of the games
      that somebody won. This program makes the tables of docs/studies/openings.md.

These are observations, not experiments: players who choose an opening may also play differently later.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from bordeaux.arena.statistics import Interval, bootstrap, wilson
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.cli.options import json_option
from bordeaux.cli.program import Script
from bordeaux.formats.games import Game, read_games

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
POWERS = Map.standard().powers
SOLO = 18
AFTER = "W1904A", "S1905M"
"""Phases that begin with the centres held after 1904."""
FIRST = "W1901A", "S1902M"
"""And after 1901."""
Z = 1.96


class Played(NamedTuple):
    """The data of a game for the questions: orders of its first two movement phases by power, the centres
    after 1901 and 1904 (None if the game was abandoned before) and at its end."""

    spring: dict[str, frozenset[str]]
    fall: dict[str, frozenset[str]]
    soon: dict[str, int] | None
    later: dict[str, int] | None
    end: dict[str, int]

    def moves(self, power: str, *orders: str) -> bool:
        """Whether a power gave one of these orders in Spring 1901."""
        return not self.spring[power].isdisjoint(orders)


class Row(NamedTuple):
    """One line of a table: the opening, the number of games, and figures by heading."""

    what: str
    games: int
    figures: dict[str, Interval]


class Finding(NamedTuple):
    """A question, its table, and the differences that answer it."""

    question: str
    rows: list[Row]
    answers: dict[str, Interval]


def played(game: Game) -> Played | None:
    """The data of a game for the questions; None if a power sent nothing in Spring 1901."""
    orders = {phase.name: phase.orders for phase in game.phases[:4]}
    spring = orders.get("S1901M", {})
    if not all(spring.get(power) for power in POWERS):
        return None
    end = held(game.phases[-1].state)
    soon = next((held(phase.state) for phase in game.phases if phase.name in FIRST), None)
    later = next((held(phase.state) for phase in game.phases if phase.name in AFTER), None)
    if later is None and max(end.values()) >= SOLO:
        later = end
    first, second = (
        {power: frozenset(given.get(power, ())) for power in POWERS}
        for given in (spring, orders.get("F1901M", {}))
    )
    return Played(first, second, soon, later, end)


def held(state: dict[str, Any]) -> dict[str, int]:
    """The number of centres of every power in a recorded state."""
    return {power: len(state["centers"].get(power, ())) for power in POWERS}


def centres(games: Iterable[Played], power: str) -> list[float]:
    """Centres of a power after 1904, in the games that lasted so long."""
    return [float(game.later[power]) for game in games if game.later is not None]


def solos(games: Iterable[Played], power: str) -> Interval:
    """The share of a power in the games with a solo."""
    won = [game for game in games if max(game.end.values()) >= SOLO]
    return wilson(sum(game.end[power] >= SOLO for game in won), len(won))


def mean(values: Sequence[float]) -> Interval:
    """A mean of centres with its bootstrap interval."""
    return bootstrap(values, bounds=(0.0, 34.0), rounds=2000)


def difference(first: Sequence[float], second: Sequence[float]) -> Interval:
    """The mean of the first group minus that of the second (Welch; both groups are large). Raises
    BordeauxError for fewer than two games in a group."""
    if min(len(first), len(second)) < 2:
        raise BordeauxError("too few games for these questions: give more")
    middle = float(np.mean(first) - np.mean(second))
    reach = Z * math.sqrt(np.var(first, ddof=1) / len(first) + np.var(second, ddof=1) / len(second))
    return Interval(middle, middle - reach, middle + reach)


def row(what: str, games: list[Played], powers: Sequence[str], winner: str | None = None) -> Row:
    """A line with the centres of some powers after 1904, and the solos of one."""
    figures = {f"{power.title()} 1904": mean(centres(games, power)) for power in powers}
    if winner:
        figures[f"{winner.title()} solo"] = solos(games, winner)
    return Row(what, len(games), figures)


Test = Callable[[Played], bool]


def channel(games: list[Played]) -> Finding:
    """Who gains if England or France moves to the Channel?"""
    powers = ("ENGLAND", "FRANCE", "GERMANY")

    def either(england: bool, france: bool) -> list[Played]:
        return [
            game
            for game in games
            if game.moves("ENGLAND", "F LON - ENG") == england
            and game.moves("FRANCE", "F BRE - ENG") == france
        ]

    neither, london, brest, both = (either(e, f) for f in (False, True) for e in (False, True))
    quarrel = london + brest + both
    rows = [
        row(what, records, powers, "GERMANY")
        for what, records in (
            ("neither goes", neither),
            ("England alone", london),
            ("France alone", brest),
            ("both: a bounce", both),
        )
    ]
    answers = {
        f"{power.title()}: somebody goes, less nobody": difference(
            centres(quarrel, power), centres(neither, power)
        )
        for power in powers
    }
    return Finding("Who gains when a fleet goes to the English Channel?", rows, answers)


def sweden(games: list[Played]) -> Finding:
    """What is the cost of the bounce in Sweden?"""
    powers = ("RUSSIA", "GERMANY", "ENGLAND", "TURKEY")
    met = [
        game
        for game in games
        if game.fall["RUSSIA"] & {"F BOT - SWE", "F FIN - SWE"}
        and any(order.startswith("F DEN ") for order in game.fall["GERMANY"])
    ]
    stopped = [game for game in met if "F DEN - SWE" in game.fall["GERMANY"]]
    let = [game for game in met if "F DEN - SWE" not in game.fall["GERMANY"]]
    rows = [
        row("Germany stops Russia", stopped, powers, "RUSSIA"),
        row("Germany lets it pass", let, powers, "RUSSIA"),
    ]
    answers = {
        f"{power.title()}: stopped, less let pass": difference(centres(stopped, power), centres(let, power))
        for power in powers
    }
    return Finding("What does the bounce in Sweden of Fall 1901 cost?", rows, answers)


VARIATIONS = {"Trieste": "A VIE - TRI", "Budapest": "A VIE - BUD", "Galicia": "A VIE - GAL"}


def balkans(game: Played) -> bool:
    """Whether Austria plays its usual A BUD - SER and F TRI - ALB."""
    return {"A BUD - SER", "F TRI - ALB"} <= game.spring["AUSTRIA"]


def trieste(games: list[Played], statistics: dict[str, tuple[int, float]]) -> Finding:
    """Does it pay to defend Trieste? `statistics`: games and share of wins by variation."""
    rows, answers = [], {}
    for attacked in (True, False):
        groups = {}
        for name, order in VARIATIONS.items():
            groups[name] = [
                game
                for game in games
                if balkans(game)
                and game.moves("AUSTRIA", order)
                and game.moves("ITALY", "A VEN - TRI", "A VEN - TYR", "A ROM - TYR") == attacked
            ]
            what = "Italy marches on Trieste or Tyrolia" if attacked else "Italy stays away"
            rows.append(row(f"{name}, {what}", groups[name], ["AUSTRIA"], "AUSTRIA"))
        word = "attacked" if attacked else "at peace"
        answers[f"centres, {word}: Trieste less Budapest"] = difference(
            centres(groups["Trieste"], "AUSTRIA"), centres(groups["Budapest"], "AUSTRIA")
        )
        answers[f"centres, {word}: Galicia less Trieste"] = difference(
            centres(groups["Galicia"], "AUSTRIA"), centres(groups["Trieste"], "AUSTRIA")
        )
    wins = {name: wilson(share * count, count) for name, (count, share) in statistics.items()}
    rows += [
        Row(f"{name}, the larger collection", statistics[name][0], {"wins": wins[name]}) for name in wins
    ]
    if {"Galicia", "Trieste"} <= wins.keys():
        middle = wins["Galicia"].mean - wins["Trieste"].mean
        reach = math.hypot(
            *((interval.high - interval.low) / 2 for interval in (wins["Galicia"], wins["Trieste"]))
        )
        answers["wins, the larger collection: Galicia less Trieste"] = Interval(
            middle, middle - reach, middle + reach
        )
    return Finding("Does it pay Austria to guard Trieste?", rows, answers)


def black_sea(games: list[Played]) -> Finding:
    """The Black Sea as a game of two players."""
    powers = ("RUSSIA", "TURKEY", "AUSTRIA")

    def those(russia: bool, turkey: bool) -> list[Played]:
        return [
            game
            for game in games
            if game.moves("RUSSIA", "F SEV - BLA") == russia
            and game.moves("TURKEY", "F ANK - BLA") == turkey
            and game.moves("RUSSIA", "F SEV - BLA", "F SEV - RUM")
        ]

    both, russia, turkey, neither = (those(r, t) for r in (True, False) for t in (True, False))
    rows = [
        row(what, records, powers, "RUSSIA")
        for what, records in (
            ("both go: a bounce", both),
            ("Russia alone", russia),
            ("Turkey alone, Russia to Rumania", turkey),
            ("neither, Russia to Rumania", neither),
        )
    ]
    answers = {
        "Russia: going, less not, when Turkey goes": difference(
            centres(both, "RUSSIA"), centres(turkey, "RUSSIA")
        ),
        "Russia: going, less not, when Turkey does not": difference(
            centres(russia, "RUSSIA"), centres(neither, "RUSSIA")
        ),
        "Turkey: going, less not, when Russia goes": difference(
            centres(both, "TURKEY"), centres(russia, "TURKEY")
        ),
        "Turkey: going, less not, when Russia does not": difference(
            centres(turkey, "TURKEY"), centres(neither, "TURKEY")
        ),
        "Austria: somebody goes, less nobody": difference(
            centres(both + russia + turkey, "AUSTRIA"), centres(neither, "AUSTRIA")
        ),
    }
    return Finding("Is the Black Sea worth a fleet?", rows, answers)


AUSTRIAN = (
    ("A BUD - SER", "F TRI - ALB", "A VIE - GAL"),
    ("A BUD - SER", "F TRI - ALB", "A VIE - TRI"),
    ("A BUD - SER", "F TRI - ALB", "A VIE - BUD"),
    ("A BUD - SER", "F TRI - VEN", "A VIE - GAL"),
    ("A BUD - SER", "F TRI H", "A VIE - BUD"),
    ("A BUD - RUM", "F TRI - ALB", "A VIE - TRI"),
    ("A BUD - SER", "F TRI - ADR", "A VIE - TRI"),
    ("A BUD - RUM", "F TRI - ADR", "A VIE - TRI"),
)
"""Austria's commonest first moves, those of the worked study of docs/studies/openings.md."""


def austria(games: list[Played]) -> Finding:
    """Austria's centres after 1901 by its first move; holds may be missing orders."""
    rows = []
    for orders in AUSTRIAN:
        moves = {order for order in orders if not order.endswith(" H")}
        centres = [
            float(game.soon["AUSTRIA"])
            for game in games
            if game.soon is not None
            and {order for order in game.spring["AUSTRIA"] if not order.endswith(" H")} == moves
        ]
        if len(centres) > 1:
            rows.append(Row("; ".join(orders), len(centres), {"Austria 1901": mean(centres)}))
    return Finding("How many centres does Austria hold after 1901?", rows, {})


def variations(path: Path) -> dict[str, tuple[int, float]]:
    """Games and share of wins of Austria's three variations in the statistics."""
    by_name = {}
    with path.open(encoding="utf-8", newline="") as handle:
        for line in csv.DictReader(handle):
            orders = {order.strip() for order in line["orders"].split(";")}
            for name, order in VARIATIONS.items():
                if (
                    line["power"] == "AUSTRIA"
                    and line["phase"] == "S1901M"
                    and orders == {"A BUD - SER", "F TRI - ALB", order}
                ):
                    by_name[name] = int(line["games"]), float(line["win_share"])
    return by_name


def findings(games: Iterable[Game], statistics: dict[str, tuple[int, float]]) -> tuple[int, list[Finding]]:
    """The number of games that count, and the findings."""
    chosen = [record for record in map(played, games) if record is not None]
    return len(chosen), [
        sweden(chosen),
        channel(chosen),
        trieste(chosen, statistics),
        black_sea(chosen),
        austria(chosen),
    ]


def show(finding: Finding) -> None:
    """Print a finding for people."""
    print(f"\n{finding.question}")
    for what, games, figures in finding.rows:
        cells = [
            f"{name} {100 * x.mean:.1f} % ({100 * x.low:.1f} to {100 * x.high:.1f})"
            if name.endswith(("solo", "wins"))
            else f"{name} {x.mean:.2f} ({x.low:.2f} to {x.high:.2f})"
            for name, x in figures.items()
        ]
        print(f"  {what:44} {games:6} games   {'   '.join(cells)}")
    for what, x in finding.answers.items():
        print(f"  -> {what}: {x.mean:+.3f} ({x.low:+.3f} to {x.high:+.3f})")


@click.command(cls=Script)
@click.argument("games", type=Path, default=DATA / "games" / "human.jsonl.gz")
@click.option(
    "--frequencies",
    type=Path,
    default=DATA / "openings" / "frequencies.csv",
    metavar="FILE",
    help="How often openings were played.",
)
@json_option
def main(games: Path, frequencies: Path, as_json: bool) -> None:
    """Answer questions about the first year from the saved games of a file GAMES."""
    count, answers = findings(read_games(games), variations(frequencies))
    if as_json:
        print(
            json.dumps(
                {
                    "games": count,
                    "findings": [
                        {
                            "question": answer.question,
                            "rows": [
                                {
                                    "what": row.what,
                                    "games": row.games,
                                    **{name: value.to_json() for name, value in row.figures.items()},
                                }
                                for row in answer.rows
                            ],
                            "answers": {name: value.to_json() for name, value in answer.answers.items()},
                        }
                        for answer in answers
                    ],
                }
            )
        )
        return
    print(f"{count} games in which all seven powers sent orders in Spring 1901")
    for answer in answers:
        show(answer)


if __name__ == "__main__":
    main()
