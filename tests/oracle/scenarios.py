"""Random movement phases that are worth adjudicating: units close together, orders that interfere.

`scenario` takes its choices from a `Chooser`, so that seeded tests, Hypothesis and the cross-check
script in `tools` share one description of what trouble looks like.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tests.oracle.board import Board, Unit, province_of
from tests.oracle.choosers import Chooser, T
from tests.oracle.orders import ships
from tests.oracle.plots import weave

__all__ = ["FLAVOURS", "Flavour", "Scenario", "scenario"]


class Flavour(NamedTuple):
    """What kind of trouble: percentages that `scenario` goes by.

    `terrain` names the provinces used (all, water: sea and coast, split: around those with several
    coasts), `size` and `crowd` how many provinces and how full, `powers` how many powers share
    them, `move` how many units move, `clash` how many of those into others' way, `raid` how many
    fleets go for a fleet at sea, `sail` how many armies look for a convoy, `carry` how many free
    fleets carry, `help` how many of the rest support, `agree` how many of those the same move,
    `loose` how many orders are made regardless of sense, `plots` how many convoys are woven into
    paradoxes first (`tests.oracle.plots`).
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
