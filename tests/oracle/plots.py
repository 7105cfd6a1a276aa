"""Convoys woven into paradoxes: each attacks a fleet whose support decides over a convoy's fleet.

Left to chance a paradox turns up once in thousands of phases. A plot has an army, the fleets that
carry it, and a fleet at its destination; that fleet supports an attack on a carrying fleet, or the
carrying fleet itself against a supported attack, of its own plot or of another (DATC 6.F.14-29).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.oracle.board import Board, Unit, province_of
from tests.oracle.choosers import Chooser

__all__ = ["Weave", "weave"]


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
