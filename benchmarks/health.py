"""The health of players: countable signs of bad play in saved games.

    python benchmarks/health.py FILE [--json]

FILE has games of ``bordeaux arena --games-file``, one a line.
"""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import click

from bordeaux.board.code import destination_of, kind_of, target_of, unit_of
from bordeaux.board.errors import FormatError
from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.cli.options import json_option
from bordeaux.cli.program import Script
from bordeaux.cli.report.output import print_json, print_table, table
from bordeaux.formats.games import Game, game_from_json
from bordeaux.formats.source import parse_json
from bordeaux.players.base import Turn
from bordeaux.players.map_index import MapSituation, situation
from bordeaux.press.diplomat.stance import deeds

# An attack is that of `bordeaux.press.diplomat.stance`: a legal move into a province where another power
# has a unit or a centre, or the support of such a move.

LEADER = 13
"""Centres from which on a power leads so far that the others should turn on it."""
PEACE = 4
"""Years in a row without an attack that make a peace between neighbours."""
FAR = 3
"""Moves to the nearest home of its power from which on a unit has strayed."""

Orders = Mapping[str, Sequence[Order | str]]
Pair = tuple[int, int]
"""Two powers by number, the lower first."""


def strayed(around: MapSituation, unit: int) -> bool:
    """Whether a unit is `FAR` moves or more from every home of its power, without an own unit in an adjacent
    province."""
    power, ground = around.power[unit], around.ground
    moves = ground.distances(around.location[unit])
    if any(moves[home] < FAR for home in ground.homes[power]):
        return False
    steps = ground.steps(around.province[unit])
    return not any(steps[around.province[other]] == 1 for other in around.units_of(power))


def bordering(around: MapSituation, taking: Iterable[int]) -> set[Pair]:
    """The pairs of these powers that have units or centres in the same or adjacent provinces."""
    held: dict[int, set[int]] = {
        power: {place for place, owner in enumerate(around.owner) if owner == power}
        | {around.province[unit] for unit in around.units_of(power)}
        for power in taking
    }
    touched = {
        power: {other for place in places for other, far in enumerate(around.ground.steps(place)) if far <= 1}
        for power, places in held.items()
    }
    return {pair for pair in combinations(sorted(held), 2) if not touched[pair[0]].isdisjoint(held[pair[1]])}


def taking_part(map: Map, orders: Orders) -> list[int]:
    """The powers (by number) that gave any order."""
    return [number for number, power in enumerate(map.powers) if orders.get(power)]


Counts = Counter[str]

#: Units from which on a power is counted; with fewer it may have nothing to do but hold.
SEVERAL = 3
#: Units with which a power could have done something against somebody else's solo.
STRONG = 5


class Figure(NamedTuple):
    """One share: how often `counted` happened in `of` opportunities. Both are fields of `Counts`. `text` is
    the description. With `mean` the figure is a number for each of `of`, and may exceed 1."""

    name: str
    counted: str
    of: str
    text: str
    mean: bool = False

    def value(self, counts: Counts) -> float | None:
        """The share or mean; None without an opportunity."""
        return counts[self.counted] / counts[self.of] if counts[self.of] else None


FIGURES = (
    Figure("all_hold", "all_hold", "phases", "phases of 3 units or more in which all hold"),
    Figure("lone_attacks", "lone", "moves", "moves at others' units without any support"),
    Figure("lone_successes", "lone_won", "lone", "of these, those that succeed"),
    Figure("repeated_bounces", "repeated", "moves", "moves that fail as they did the phase before"),
    Figure("walked_out", "walked", "phases", "own centres left to an enemy in reach, by phase"),
    Figure("walked_out_lost", "walked_lost", "walked", "of these, those lost within a year"),
    Figure("home_removals", "removed", "removals", "removals on an own centre, not elsewhere"),
    Figure("home_removals_lost", "removed_lost", "removed", "of these centres, those lost in a year"),
    Figure("blocked_builds", "blocked", "owing", "Winters with builds owed, and a home missing"),
    Figure("solos_of_others", "solos", "games", "games won by another while alive"),
    Figure("solos_beside", "solos_beside", "games", "the same with 5 units or more"),
    Figure("powers_attacked", "attacked", "movements", "powers attacked in a phase: a number", mean=True),
    Figure("peaces", "peaces", "neighbours", "of neighbours for 4 years, at peace for 4 years"),
    Figure("at_leader", "at_leader", "attackers", "of attacks beside a leader of 13 centres, on it"),
    Figure("strayed", "strayed", "fielded", "units 3 moves from home or more, none beside"),
    Figure("third_bounces", "in_vain", "moves", "moves that fail a third time in a row or more"),
)
"""The figures in the order of their columns."""


class Watched(NamedTuple):
    """A centre that its power has left undefended. It is counted under `key` if it is lost by the end of year
    `until`."""

    power: int
    province: int
    until: int
    key: str


Move = tuple[int, int, int]
"""A power, and the locations that a move goes from and to."""


def examine(start: Position, turns: Iterable[Turn]) -> list[Counts]:
    """The counts of each power, in the order of the map, over the turns of one game, in order. A game that
    ended in its first phase has no turns.

    Illegal orders are ignored. A phase in which a power gave no order at all is left out for it, as civil
    disorder.

    ``phases``: movement phases with `SEVERAL` units or more. ``all_hold``: those in which every unit holds
    and at least one could have done something else (supports and convoys are not holds). ``moves``: moves
    ordered. ``lone``: unsupported moves into a province with a unit of another power. ``lone_won``: those of
    them that succeed. ``repeated``: moves that fail when the same move failed in the movement phase before.
    ``in_vain``: moves that failed in the two phases before. ``walked``: own centres that their unit leaves,
    that no own unit enters, and into which a foreign unit could move in the same phase. ``walked_lost``:
    those that another power owns within a year. ``removals``: units removed. ``removed``: removals on own
    centres, up to the number of units that stay elsewhere. ``removed_lost``: their centres that another power
    owns a year later. ``owing``: Winters with more centres than units. ``blocked``: Winters in which not all
    builds could be made for lack of open homes. ``solos``: 1 if another power has won while this one had a
    unit. ``solos_beside``: 1 if it had `STRONG` units then. ``games``: 1.

    ``movements``: movement phases in which the power gave orders. ``attacked``: other powers that its orders
    attacked, added up over these phases. ``neighbours``: other powers that it has bordered for `PEACE` years
    in a row. ``peaces``: those of them with `PEACE` such years in a row without an attack by either. Two
    powers border each other in a year if both gave orders in one of its movement phases, and their provinces
    with units or centres are the same or adjacent. ``attackers``: orders that attacked while another power
    had `LEADER` centres or more. ``at_leader``: those of them that attacked such a power. ``fielded``: units
    in movement phases. ``strayed``: units that are `FAR` moves or more from every home of the power, whoever
    owns it, without an own unit in an adjacent province. Convoys do not count as moves, as in the tables of
    the map.
    """
    counter, last = TurnObserver(start.map), start
    for turn in turns:
        counter.add(turn)
        last = turn.after
    return counter.done(last)


def figures(counts: Counts) -> dict[str, dict[str, Any]]:
    """The figures for programs: ``{NAME: {"share", "count", "of"}}``, with "mean" in place of "share" for
    means. A share is None without an opportunity."""
    return {
        figure.name: {
            "mean" if figure.mean else "share": figure.value(counts),
            "count": counts[figure.counted],
            "of": counts[figure.of],
        }
        for figure in FIGURES
    }


class TurnObserver:
    """Counts turn by turn, and watches the centres that were left undefended."""

    def __init__(self, map: Map) -> None:
        self._map = map
        self._counts: list[Counts] = [Counter() for _ in map.powers]
        self._watched: list[Watched] = []
        self._failed: dict[Move, int] = {}
        self._winter = False
        self._bordering: set[Pair] | None = None
        self._fighting: set[Pair] = set()
        self._years: Counter[Pair] = Counter()
        self._quiet: Counter[Pair] = Counter()
        self._neighbours: set[Pair] = set()
        self._peaces: set[Pair] = set()

    def add(self, turn: Turn) -> None:
        """Count one turn."""
        before, after = turn.before, turn.after
        if before.phase.kind == "M":
            taking = taking_part(self._map, turn.orders)
            self._movement(before, turn.orders, taking)
            self._attacks(before, turn.orders, taking)
        elif before.phase.kind == "A":
            self._winter = True
            self._adjustments(turn)
        self._settle(after)
        if after.phase.year != before.phase.year:
            if not self._winter:
                # Nobody could build: there was no phase for it.
                self._builds(after)
            self._winter = False

    def done(self, last: Position) -> list[Counts]:
        """The counts at the end of the game, in its last position."""
        victor = last.victor if last.phase.kind == "-" else None
        for number, (counts, power) in enumerate(zip(self._counts, self._map.powers, strict=True)):
            units = len(last.units_of(power))
            counts["games"] += 1
            counts["solos"] += victor not in (None, power) and units > 0
            counts["solos_beside"] += victor not in (None, power) and units >= STRONG
            counts["neighbours"] = sum(number in pair for pair in self._neighbours)
            counts["peaces"] = sum(number in pair for pair in self._peaces)
        return self._counts

    def _movement(self, before: Position, orders: Orders, taking: Sequence[int]) -> None:
        around = situation(before)
        codes = submit(before, orders).codes()
        arrivals = before.packed.adjudicate(codes)[2]
        failed: dict[Move, int] = {}
        helped = {
            (target_of(code), around.ground.province[destination_of(code)])
            for _, code in codes
            if kind_of(code) == OrderKind.SUPPORT_MOVE
        }
        ordered = {unit_of(code): code for _, code in codes}
        for power in taking:
            counts = self._counts[power]
            units = around.units_of(power)
            given = {unit: ordered.get(around.location[unit], 0) for unit in units}
            if len(units) >= SEVERAL:
                counts["phases"] += 1
                if not any(code and kind_of(code) != OrderKind.HOLD for code in given.values()):
                    counts["all_hold"] += free(before, power)
            for unit, code in given.items():
                if not code or kind_of(code) != OrderKind.MOVE:
                    continue
                location, home, goal = around.location[unit], around.province[unit], target_of(code)
                province = around.ground.province[goal]
                arrived = arrivals[province] == home
                counts["moves"] += 1
                standing = around.at.get(province)
                foreign = standing is not None and around.power[standing] != power
                if foreign and (location, province) not in helped:
                    counts["lone"] += 1
                    counts["lone_won"] += arrived
                if not arrived:
                    move = (power, location, goal)
                    failed[move] = self._failed.get(move, 0) + 1
                    counts["repeated"] += failed[move] >= 2
                    counts["in_vain"] += failed[move] >= 3
                elif around.owner[home] == power and around.attackers(home, power)[0]:
                    entering = around.at.get(arrivals[home])
                    if entering is None or around.power[entering] != power:
                        self._watch(power, home, before, "walked")
        self._failed = failed

    def _attacks(self, before: Position, orders: Orders, taking: Sequence[int]) -> None:
        """Count the attacks of a movement phase, and units far from home."""
        number = self._map.powers.index
        around = situation(before)
        leaders = {power for power in range(len(self._map.powers)) if around.owner.count(power) >= LEADER}
        attacked: set[Pair] = set()
        for deed in deeds(before, orders):
            power, hurt = number(deed.power), set(map(number, deed.hurt))
            attacked.update((power, whose) for whose in hurt)
            if hurt and leaders - {power}:
                self._counts[power]["attackers"] += 1
                self._counts[power]["at_leader"] += not hurt.isdisjoint(leaders)
        for power in taking:
            counts, units = self._counts[power], around.units_of(power)
            counts["movements"] += 1
            counts["attacked"] += sum(who == power for who, _ in attacked)
            counts["fielded"] += len(units)
            counts["strayed"] += sum(strayed(around, unit) for unit in units)
        self._season(before.phase.season, bordering(around, taking), attacked)

    def _season(self, season: str, bordering: set[Pair], attacked: Iterable[Pair]) -> None:
        """Record who borders and fights whom; a year counts when all its moves have been seen."""
        if season == "S":
            self._bordering, self._fighting = set(), set()
        if self._bordering is None:
            # The game began in Fall.
            return
        self._bordering |= bordering
        self._fighting |= {(min(pair), max(pair)) for pair in attacked}
        if season != "F":
            return
        # A pair that does not border in this year begins again.
        self._years = Counter({pair: self._years[pair] + 1 for pair in self._bordering})
        quiet = self._bordering - self._fighting
        self._quiet = Counter({pair: self._quiet[pair] + 1 for pair in quiet})
        self._neighbours |= {pair for pair, years in self._years.items() if years >= PEACE}
        self._peaces |= {pair for pair, years in self._quiet.items() if years >= PEACE}

    def _watch(self, power: int, province: int, before: Position, key: str) -> None:
        """Count a centre left undefended, and watch until the same season of the next year whether it is
        lost."""
        self._counts[power][key] += 1
        until = before.phase.year + (before.phase.season != "S")
        self._watched.append(Watched(power, province, until, f"{key}_lost"))

    def _settle(self, after: Position) -> None:
        """Decide which of the watched centres are lost now, and which were kept."""
        left = []
        owner = situation(after).owner
        for watched in self._watched:
            if owner[watched.province] != watched.power:
                self._counts[watched.power][watched.key] += 1
            elif after.phase.year <= watched.until:
                left.append(watched)
        self._watched = left

    def _adjustments(self, turn: Turn) -> None:
        before = turn.before
        self._builds(before)
        around, then = situation(before), situation(turn.after)
        for power in taking_part(self._map, turn.orders):
            if before.adjustments(self._map.powers[power]) >= 0:
                continue
            staying = {then.province[unit] for unit in then.units_of(power)}
            own = {place for place, owner in enumerate(around.owner) if owner == power}
            gone = {around.province[unit] for unit in around.units_of(power)} - staying
            self._counts[power]["removals"] += len(gone)
            for province in sorted(gone & own)[: len(staying - own)]:
                self._watch(power, province, before, "removed")

    def _builds(self, position: Position) -> None:
        """Count the builds due in a position, and those that cannot be made."""
        for counts, power in zip(self._counts, self._map.powers, strict=True):
            owed = position.owners.count(power) - len(position.units_of(power))
            if owed > 0:
                counts["owing"] += 1
                counts["blocked"] += position.adjustments(power) < owed


def free(position: Position, power: int) -> bool:
    """Whether a power (by number) has a unit that can do something other than hold."""
    return any(len(codes) > 1 for codes in position.packed.legal().get(power, {}).values())


def turns_of(game: Game) -> Iterator[Turn]:
    """The turns of a saved game. Raises FormatError or PositionError."""
    positions = map(game.position, range(len(game.phases)))
    for phase, (before, after) in zip(game.phases, pairwise(positions), strict=False):
        yield Turn(before, phase.orders, after)


def counts_of(path: Path) -> dict[str, Counts]:
    """The counts of every player of the games in a file, by name. Raises FormatError for any other file."""
    players: defaultdict[str, Counts] = defaultdict(Counter)
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        for number, line in enumerate(lines, start=1):
            try:
                saved = parse_json(line)
                seats = list(saved["players"].values())
            except (ValueError, TypeError, KeyError, AttributeError):
                raise FormatError(f"{path}, line {number}: no game of bordeaux arena --games-file") from None
            game = game_from_json(saved)
            for name, counts in zip(seats, examine(game.position(0), turns_of(game)), strict=True):
                players[name] += counts
    return players


@click.command(cls=Script)
@click.argument("path", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@json_option
def main(path: Path, as_json: bool) -> None:
    """Count signs of bad play of every player in the games of FILE."""
    players = counts_of(path)
    if as_json:
        print_json({name: figures(counts) for name, counts in players.items()})
        return
    made = table("in per cent", *players, numbers=tuple(players))
    for figure in FIGURES:
        values = [figure.value(counts) for counts in players.values()]
        shown = ("" if x is None else f"{x:.2f}" if figure.mean else f"{100 * x:.1f}" for x in values)
        made.add_row(figure.text, *shown)
    print_table("Health", made)


if __name__ == "__main__":
    main()
