"""Ask the core and the oracle the same question, and compare what they say."""

from __future__ import annotations

import functools
import re

from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind, Unit
from bordeaux.board.position import Position
from bordeaux.rules import Resolution, adjudicate
from tests.oracle import Board, Outcome, resolve
from tests.oracle.scenarios import Scenario

__all__ = ["board", "core", "differences", "order"]

TEXT = re.compile(r"([AF]) (\S+) (?:(H)|(-) (\S+)( VIA)?|([SC]) ([AF]) (\S+)(?: - (\S+))?)")
FAILURES = {"bounce", "void", "cut", "disrupted", "no convoy"}
FAILED = {"illegal", "invalid", "fails", "cut"}


@functools.lru_cache(maxsize=8)
def board(game_map: Map) -> Board:
    """A map as the oracle sees it."""
    return Board.of(game_map)


def order(text: str) -> Order:
    """An order of the package from canonical text, read without the package's own reader."""
    match = TEXT.fullmatch(text)
    assert match is not None, text
    unit, location, _, move, destination, via, verb, kind, target, goal = match.groups()
    if move:
        return Order(OrderKind.MOVE, unit, location, destination=destination, via=bool(via))
    if verb == "C":
        return Order(OrderKind.CONVOY, unit, location, kind, target, goal)
    if verb and goal:
        return Order(OrderKind.SUPPORT_MOVE, unit, location, kind, target, goal)
    if verb:
        return Order(OrderKind.SUPPORT_HOLD, unit, location, kind, target)
    return Order(OrderKind.HOLD, unit, location)


def core(scenario: Scenario, game_map: Map) -> Resolution:
    """What the package makes of a scenario."""
    units = [Unit(unit.power, unit.kind, unit.location) for unit in scenario.units]
    position = Position(game_map, "S1901M", units, {})
    return adjudicate(
        position, {power: [order(text) for text in texts] for power, texts in scenario.orders.items()}
    )


def differences(scenario: Scenario, game_map: Map) -> list[str]:
    """Where core and oracle disagree: success, dislodgement, next units, retreat options. The list
    ends with the orders, and is empty when they agree."""
    truth = resolve(board(game_map), scenario.units, scenario.orders)
    compare = _compare(scenario, truth, core(scenario, game_map))
    return [*compare, str(scenario)] if compare else []


def _compare(scenario: Scenario, truth: Outcome, resolution: Resolution) -> list[str]:
    differences = []
    for unit in scenario.units:
        place = unit.location.partition("/")[0]
        words = set(resolution.results[str(unit)])
        dislodged = "dislodged" in words
        if dislodged != (place in truth.dislodged):
            differences.append(f"{unit}: core {sorted(words)}, oracle {truth.tags[place]}")
            continue
        # A convoy that Szykman's rule stops need not be told from one that stands.
        failures = FAILURES - {"disrupted"} if truth.orders[place].kind == "convoy" else FAILURES
        if bool(words & failures) != (truth.tags[place][0] in FAILED):
            differences.append(f"{unit}: core {sorted(words)}, oracle {truth.tags[place]}")
    next_units = {(unit.power, str(unit)) for unit in resolution.after.units}
    true_units = {(unit.power, str(unit)) for unit in truth.units.values()}
    if next_units != true_units:
        differences.append(f"units: core {next_units - true_units}, oracle {true_units - next_units}")
    options = {
        str(dislodged.unit): set(dislodged.retreats)
        for dislodged in resolution.after.dislodged
        if dislodged.retreats
    }
    true_options = {
        str(unit): set(truth.retreats[place])
        for place, unit in truth.dislodged.items()
        if truth.retreats[place]
    }
    if options != true_options:
        differences.append(f"retreats: core {options}, oracle {true_options}")
    return differences
