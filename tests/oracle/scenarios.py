"""Random movement phases that are worth adjudicating: units close together, orders that interfere.

`scenario` takes its choices from a `Chooser`, so that seeded tests and Hypothesis share one description
of what trouble looks like.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeVar

from tests.oracle.board import Board, Unit, province_of
from tests.oracle.orders import ships


class Flavour(NamedTuple):
    """What kind of trouble: percentages that `scenario` goes by.

    `terrain` names the provinces used (all, water: sea and coast, split: around those with several
    coasts), `size` and `crowd` how many provinces and how full, `powers` how many powers share
    them, `move` how many units move, `clash` how many of those into others' way, `raid` how many
    fleets go for a fleet at sea, `sail` how many armies look for a convoy, `carry` how many free
    fleets carry, `help` how many of the rest support, `agree` how many of those the same move,
    `loose` how many orders are made regardless of sense, `plots` how many convoys are woven into
    paradoxes first (`weave`).
    """

    terrain: str = "all"
    size: tuple[int, ...] = (6, 9, 12, 16)
    crowd: int = 70
    powers: tuple[int, ...] = (2, 3, 4)
    move: int = 45
    clash: int = 60
    sail: int = 20
    raid: int = 10
    carry: int = 50
    help: int = 80
    agree: int = 60
    loose: int = 5
    plots: tuple[int, ...] = (0,)


FLAVOURS = {
    "random": Flavour(loose=40, size=(8, 16, 24)),
    "supports": Flavour(move=35, clash=80, help=95, crowd=90, sail=5),
    "moves": Flavour(move=90, clash=90, crowd=85, sail=10),
    "circles": Flavour(move=85, clash=98, crowd=95, size=(4, 5, 6, 7), powers=(2, 3)),
    "one power": Flavour(powers=(1, 2), move=50, clash=90, crowd=90),
    "convoys": Flavour("water", move=50, clash=60, sail=80, carry=85, crowd=80, size=(8, 10, 14)),
    "paradoxes": Flavour("water", powers=(3, 5, 7), crowd=25, size=(1, 4), loose=1, plots=(1, 1, 2, 3)),
    "knots": Flavour("water", powers=(3, 5, 7), crowd=60, size=(4, 8), plots=(2, 3, 4)),
    "coasts": Flavour("split", move=60, clash=80, crowd=75, size=(6, 8, 10)),
    "coast convoys": Flavour("split", move=50, clash=80, sail=80, carry=85, crowd=85, size=(8, 10)),
}


class Scenario(NamedTuple):
    """Units and orders of a movement phase; orders are canonical texts by power."""

    units: list[Unit]
    orders: dict[str, list[str]]

    def __str__(self) -> str:
        return "; ".join(f"{power}: {', '.join(texts)}" for power, texts in self.orders.items())


def scenario(board: Board, powers: Sequence[str], flavour: Flavour, choose: Chooser) -> Scenario:
    """Make up a movement phase."""
    players = powers[: choose.choice(flavour.powers)]
    plot = weave(board, players, flavour.plots, choose)
    at = _place(board, players, plot.at, flavour, choose)
    waters = [place for place, unit in at.items() if unit.kind == "F" and board.kinds[place] == "sea"]
    moves = dict(plot.moves)
    texts = dict(plot.texts)
    for place, unit in at.items():
        if place in texts:
            continue
        goal = _pick_move(board, at, waters, moves, place, flavour, choose)
        if goal:
            moves[place] = goal
            direct = board.step(unit.kind, unit.location, goal) is not None
            via = unit.kind == "A" and choose.chance(10 if direct else 50)
            texts[place] = f"{unit} - {goal}" + (" VIA" if via else "")
    for place, unit in at.items():
        if place not in texts:
            texts[place] = _pick_other(board, at, waters, moves, place, flavour, choose) or f"{unit} H"
    orders: dict[str, list[str]] = {}
    for place, text in texts.items():
        orders.setdefault(at[place].power, []).append(text)
    return Scenario(list(at.values()), orders)


def _place(
    board: Board, players: Sequence[str], plot: dict[str, Unit], flavour: Flavour, choose: Chooser
) -> dict[str, Unit]:
    """The units of the plot, and others among and around them, by province."""
    split = sorted({province_of(location) for _, location in board.steps if "/" in location})
    usable = [p for p in board.kinds if flavour.terrain != "water" or board.kinds[p] != "inland"]
    seas = [place for place in usable if board.kinds[place] == "sea"]
    start = {"all": usable, "water": seas, "split": split}[flavour.terrain]
    region = list(plot) or [choose.choice(start)]
    for _ in range(choose.choice(flavour.size)):
        edge = sorted({n for place in region for n in board.borders[place]} & set(usable) - set(region))
        region += [choose.choice(edge)] if edge else []
    at = dict(plot)
    for place in region:
        if place in at or not choose.chance(flavour.crowd):
            continue
        options = [(kind, location) for kind, location in board.steps if province_of(location) == place]
        if flavour.terrain != "all" and len(options) > 1 and choose.chance(40):
            options = options[:1]
        at[place] = Unit(choose.choice(players), *choose.choice(options))
    return at


def _pick_move(
    board: Board,
    at: dict[str, Unit],
    waters: list[str],
    moves: dict[str, str],
    place: str,
    flavour: Flavour,
    choose: Chooser,
) -> str:
    """Where the unit in `place` moves to; "" if it does not."""
    unit = at[place]
    if unit.kind == "A" and choose.chance(flavour.sail):
        goals = [
            goal
            for goal, kind in board.kinds.items()
            if kind == "coastal" and ships(board, place, goal, waters)
        ]
        held = [goal for goal in goals if goal in at]
        if goals:
            return choose.choice(held if held and choose.chance(flavour.clash) else goals)
    prey = [n for n in board.steps[unit.kind, unit.location] if n in waters]
    if unit.kind == "F" and prey and choose.chance(flavour.raid):
        return choose.choice(prey)
    if not choose.chance(flavour.move):
        return ""
    near = list(board.steps[unit.kind, unit.location])
    if choose.chance(flavour.loose):
        near = [location for kind, location in board.steps if kind == unit.kind]
    if not near:
        return ""
    sought = [n for n in near if province_of(n) in at or province_of(n) in map(province_of, moves.values())]
    return choose.choice(sought if sought and choose.chance(flavour.clash) else near)


def _pick_other(
    board: Board,
    at: dict[str, Unit],
    waters: list[str],
    moves: dict[str, str],
    place: str,
    flavour: Flavour,
    choose: Chooser,
) -> str:
    """A support or convoy for the unit in `place`; "" to hold."""
    unit = at[place]
    if choose.chance(flavour.loose):
        other, goal = choose.choice(list(at)), choose.choice(list(board.kinds))
        verb = choose.choice(("S", "C")) if unit.kind == "F" else "S"
        return f"{unit} {verb} {at[other]} - {goal}" if choose.chance(60) else f"{unit} S {at[other]}"
    if place in waters and choose.chance(flavour.carry):
        loads = [
            (army, goal)
            for army, goal in moves.items()
            if at[army].kind == "A"
            and board.kinds[goal] == "coastal"
            and (board.step("A", army, goal) is None or choose.chance(30))
            and board.proper_route(army, goal, waters, place)
        ]
        if loads:
            army, goal = _pick(loads, flavour, choose)
            return f"{unit} C {at[army]} - {goal}"
    if not choose.chance(flavour.help):
        return ""
    helped = [
        f"{unit} S {at[mover]} - {goal}"
        for mover, goal in moves.items()
        if board.reaches(unit.kind, unit.location, province_of(goal))
    ]
    backed = [
        f"{unit} S {at[other]}"
        for other in at
        if other not in moves and other != place and board.reaches(unit.kind, unit.location, other)
    ]
    if helped and (not backed or choose.chance(75)):
        return _pick(helped, flavour, choose)
    return choose.choice(backed) if backed else ""


def _pick(options: list[T], flavour: Flavour, choose: Chooser) -> T:
    """One of the options, and often the one that the next unit is asked about first as well."""
    return options[0] if choose.chance(flavour.agree) else choose.choice(options)


@dataclass
class Weave:
    """Units by province, moves (origin to goal) and the texts of all orders by province."""

    at: dict[str, Unit] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    lanes: list[list[str]] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)


def weave(board: Board, players: Sequence[str], counts: Sequence[int], choose: Chooser) -> Weave:
    """Make up one of `counts` plots that hang together."""
    plot = Weave()
    for _ in range(choose.choice(counts)):
        _add_convoy(board, players, plot, choose)
    for target in plot.targets:
        _bind(board, players, plot, target, choose)
    return plot


def _add_convoy(board: Board, players: Sequence[str], plot: Weave, choose: Chooser) -> None:
    """An army, its fleets and a fleet at its destination, near the convoys that are there."""
    seas = [place for place, kind in board.kinds.items() if kind == "sea" and place not in plot.at]
    if not seas:
        return
    known = {sea for lane in plot.lanes for sea in lane}
    near = {n for sea in known for m in board.borders[sea] for n in board.borders[m]}
    lane = [choose.choice([sea for sea in seas if sea in near] or seas)]
    while choose.chance(30):
        onward = [sea for sea in seas if sea in board.borders[lane[-1]] and sea not in lane]
        if not onward:
            break
        lane.append(choose.choice(onward))
    coasts = [place for place, kind in board.kinds.items() if kind == "coastal" and place not in plot.at]
    origins = [place for place in coasts if lane[0] in board.shores[place]]
    goals = [place for place in coasts if lane[-1] in board.shores[place]]
    if not origins or not goals:
        return
    origin = choose.choice(origins)
    goals = [goal for goal in goals if goal != origin]
    if not goals:
        return
    goal = choose.choice(goals)
    bank = choose.choice([key for key in board.steps if key[0] == "F" and province_of(key[1]) == goal])
    plot.at[origin] = Unit(choose.choice(players), "A", origin)
    plot.moves[origin] = goal
    plot.texts[origin] = f"A {origin} - {goal} VIA"
    for sea in lane:
        plot.at[sea] = Unit(choose.choice(players), "F", sea)
        plot.texts[sea] = f"F {sea} C A {origin} - {goal}"
    plot.at[goal] = Unit(choose.choice(players), *bank)
    plot.lanes.append(lane)
    plot.targets.append(goal)


def _bind(board: Board, players: Sequence[str], plot: Weave, target: str, choose: Chooser) -> None:
    """Let the unit that a convoy attacks decide over a carrying fleet within its reach."""
    unit = plot.at[target]
    seas = [
        sea
        for lane in plot.lanes
        for sea in lane
        if board.reaches(unit.kind, unit.location, sea) and plot.at[sea].power != unit.power
    ]
    if not seas:
        return
    sea = choose.choice(seas)
    attacker = _raider(board, players, plot, sea, choose)
    if not attacker:
        return
    if choose.chance(65):
        plot.texts[target] = f"{unit} S F {attacker} - {sea}"
        return
    plot.texts[target] = f"{unit} S F {sea}"
    places = _banks(board, plot, sea)
    if places:
        kind, location = choose.choice(places)
        plot.at[province_of(location)] = Unit(choose.choice(players), kind, location)
        plot.texts[province_of(location)] = f"{kind} {location} S F {attacker} - {sea}"


def _raider(board: Board, players: Sequence[str], plot: Weave, sea: str, choose: Chooser) -> str:
    """Location of a fleet that attacks a sea, one that does so already or a new one."""
    for place, goal in plot.moves.items():
        if goal == sea:
            return plot.at[place].location
    places = _banks(board, plot, sea)
    if not places:
        return ""
    kind, location = choose.choice(places)
    place = province_of(location)
    plot.at[place] = Unit(choose.choice(players), kind, location)
    plot.moves[place] = sea
    plot.texts[place] = f"{kind} {location} - {sea}"
    return location


def _banks(board: Board, plot: Weave, sea: str) -> list[tuple[str, str]]:
    """Free places for a fleet that can go to a sea."""
    return [
        (kind, location)
        for kind, location in board.steps
        if kind == "F" and province_of(location) not in plot.at and sea in board.steps[kind, location]
    ]


T = TypeVar("T")


class Chooser(Protocol):
    """Where the choices come from."""

    def choice(self, options: Sequence[T]) -> T:
        """One of the options."""

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred cases."""


class Seeded:
    """Choices of a seeded generator."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed)

    def choice(self, options: Sequence[T]) -> T:
        return self._random.choice(options)

    def chance(self, percent: int) -> bool:
        return self._random.random() * 100 < percent
