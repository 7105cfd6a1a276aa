"""Whether a stalemate line can be broken: a proof, or the orders that do it (Hall and Loeb 1995, section
4.3.7).

All attackers count as one power, with a unit of any kind in every province outside, on any coast. So
everything that real enemies can do is included. Since units inside never move:

- a convoy gains nothing. The last fleet of its route is adjacent to where the army lands. So the fleet can
  attack there itself, with the same supports and the same effect on a support that is to be cut;
- attackers of the same province do best as one move and supports for it;
- so an attacker that reaches a province counts one towards taking it, whether by the move or a support. Any
  other attacker counts one if it cuts a support that nobody else cuts. A province with s supports falls if
  and only if it can be attacked at all and these come to s + 2.

The greatest number is a matching of attackers and supports, which is exact and fast. `attacks` generates
the same attacks as orders, every combination, for the adjudicator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.evaluation import StalemateLine, barred, holding


class Break(NamedTuple):
    """A way to break a line: the province that falls, and attackers' orders that take it."""

    province: str
    orders: tuple[str, ...]


class Verdict(NamedTuple):
    """The result of a proof: `breaks` holds one way for every province that falls."""

    unbreakable: bool
    breaks: tuple[Break, ...]


def outside(map: Map, line: StalemateLine) -> tuple[str, ...]:
    """The provinces of possible attackers: all that are neither held nor sheltered."""
    return tuple(p.name for p in map.provinces if p.name not in line.held and p.name not in line.sheltered)


def reached(map: Map, line: StalemateLine, place: str) -> dict[str, tuple[str, str, str]]:
    """The provinces that an attacker in a province can move to, each with a unit that does so: its kind, its
    location and its destination. No fleets where the line assumes none."""
    ways: dict[str, tuple[str, str, str]] = {}
    for kind in "AF":
        for location in map.locations_in(kind, place):
            if barred(line, location):
                continue
            for goal in map.adjacent(kind, location.name):
                ways.setdefault(goal.partition("/")[0], (kind, location.name, goal))
    return ways


def verify(map: Map, line: StalemateLine) -> Verdict:
    """Prove that no placement and no orders of attackers break a line, or give those that do.

    It is broken if a unit of the line is dislodged, or if a province behind it, or one assumed free of
    fleets, can be entered. Raises BordeauxError for a line whose units cannot fulfil their tasks.
    """
    _check(map, line)
    ways = {place: reached(map, line, place) for place in outside(map, line)}
    breaks = []
    for place, goals in ways.items():
        breaks += [Break(goal, (_move(goals[goal]),)) for goal in line.sheltered if goal in goals]
        breaks += [
            Break(goal.partition("/")[0], (f"F {location.name} - {goal}",))
            for location in map.locations_in("F", place)
            for goal in map.adjacent("F", location.name)
            if not barred(line, location) and barred(line, map.location("F", goal))
        ]
    for target in line.held:
        assault = _assault(line, ways, target)
        if assault is not None:
            breaks.append(assault)
    return Verdict(not breaks, tuple(breaks))


def _check(map: Map, line: StalemateLine) -> None:
    for unit, place, fitting in zip(line.units, line.held, holding(map, line), strict=True):
        kind, _, name = unit.partition(" ")
        if map.location(kind, name) not in fitting:
            raise BordeauxError(f"stalemate line {line.name}: {unit} cannot support {line.supports[place]}")
    for helper, helped in line.supports.items():
        if helper not in line.held or helped not in line.held:
            raise BordeauxError(f"stalemate line {line.name}: no units for {helper} S {helped}")
    if set(line.held) & set(line.sheltered) or len(set(line.held)) < len(line.held):
        raise BordeauxError(f"stalemate line {line.name}: a province is held twice, or held and sheltered")


def _assault(
    line: StalemateLine, ways: Mapping[str, Mapping[str, tuple[str, str, str]]], target: str
) -> Break | None:
    """The attackers' best orders against one unit of the line, if they dislodge it."""
    strikers = [place for place, goals in ways.items() if target in goals]
    helpers = [place for place, helped in line.supports.items() if helped == target]
    cuts = _matching({p: [h for h in helpers if h in ways[p]] for p in ways if p not in strikers})
    if not strikers or len(strikers) + len(cuts) < len(helpers) + 2:
        return None
    first, *others = strikers
    move = ways[first][target]
    orders = [_move(move)]
    for place in others[: len(helpers) + 1 - len(cuts)]:
        kind, location, _ = ways[place][target]
        orders.append(f"{kind} {location} S {_move(move)}")
    orders += [_move(ways[place][helper]) for helper, place in cuts.items()]
    return Break(target, tuple(orders))


def _move(way: tuple[str, str, str]) -> str:
    kind, location, goal = way
    return f"{kind} {location} - {goal}"


def _matching(choices: Mapping[str, list[str]]) -> dict[str, str]:
    """The largest matching of choosers and items: augmenting paths."""
    taken: dict[str, str] = {}

    def place(chooser: str, tried: set[str]) -> bool:
        for chosen in choices[chooser]:
            if chosen not in tried:
                tried.add(chosen)
                if chosen not in taken or place(taken[chosen], tried):
                    taken[chosen] = chooser
                    return True
        return False

    for chooser in choices:
        place(chooser, set())
    return taken
