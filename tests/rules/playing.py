"""Positions of every kind of phase, and legal orders for them, as a `Chooser` has it."""

from __future__ import annotations

from collections.abc import Iterator

from bordeaux import Map, Order, Phase, Position, Unit
from bordeaux.board.order import OrderKind, Province
from bordeaux.board.submission import decode
from bordeaux.rules.adjudication import legal_codes
from tests.oracle.scenarios import FLAVOURS, Chooser, Scenario, scenario
from tests.rules.bridge import board

__all__ = ["POWERS", "chosen_orders", "crowded", "listed_orders", "phases", "scene", "small_map"]

Orders = dict[str, list[Order]]


def scene(game_map: Map, flavour: str, choose: Chooser) -> tuple[Position, Scenario]:
    """A movement phase of a flavour, with owners for the centres, and orders that interfere."""
    made = scenario(board(game_map), game_map.powers, FLAVOURS[flavour], choose)
    return crowded(game_map, made, choose), made


def crowded(game_map: Map, made: Scenario, choose: Chooser) -> Position:
    """The position of a scenario, in Spring or Fall; centres belong to those who stand in them, to
    those whose homes they are, to anybody or to nobody."""
    powers = game_map.powers
    holder = {unit.location.partition("/")[0]: unit.power for unit in made.units}
    homes = {tag: power for power in powers for tag in game_map.homes[power]}
    owned: dict[str, list[str]] = {}
    for tag in game_map.centres:
        if choose.chance(85):
            likely = [who for who in (holder.get(tag), homes.get(tag)) if who]
            owned.setdefault(choose.choice(likely or powers), []).append(tag)
    units = [Unit(unit.power, unit.kind, unit.location) for unit in made.units]
    return Position(game_map, Phase(1901, choose.choice("SF"), "M"), units, owned)


def listed_orders(position: Position) -> dict[str, dict[str, list[Order]]]:
    """The legal orders of every power, by the location ordered."""
    return {
        power: {place: [decode(position.map, code) for code in codes] for place, codes in places.items()}
        for power, places in legal_codes(position).items()
    }


def chosen_orders(position: Position, choose: Chooser) -> Orders:
    """A legal order for every unit, or as many builds or removals as are due; some are missing.

    Helpers like to help what is ordered already, as units that ignore each other settle little.
    """
    chosen: Orders = {}
    moves: set[tuple[str, str]] = set()
    taken: set[str] = set()
    for power, places in listed_orders(position).items():
        due = abs(position.adjustments(power)) if position.phase.kind == "A" else len(places)
        for place, orders in places.items():
            # In Winter a province with several coasts is listed several times.
            if due == 0 or place.partition("/")[0] in taken or choose.chance(5):
                continue
            due -= 1
            taken.add(place.partition("/")[0])
            fitting = [order for order in orders if (order.target, order.destination) in moves]
            order = choose.choice(fitting if fitting and choose.chance(80) else orders)
            if order.kind == OrderKind.MOVE:
                moves.add((place, order.destination))
            chosen.setdefault(power, []).append(order)
    return chosen


def phases(position: Position, choose: Chooser, limit: int) -> Iterator[tuple[Position, Orders]]:
    """Play on from a position: up to `limit` phases with the orders chosen in each."""
    for _ in range(limit):
        if position.phase.kind == "-":
            return
        orders = chosen_orders(position, choose)
        yield position, orders
        position = position.next(orders)


# Small random maps, on which everything touches everything and trouble is never far.

POWERS = ("REDS", "BLUES", "GREENS", "GREYS")
COASTS = ("NC", "SC")


def small_map(choose: Chooser) -> Map:
    """A map of six to twelve provinces with seas, coasts, and some provinces with two coasts."""
    count = choose.choice(range(6, 13))
    tags = [f"P{first}{second}" for first in "ABC" for second in "XYZW"][:count]
    kinds = ["sea", "coastal", "coastal"]
    kinds += [choose.choice(("sea", "coastal", "coastal", "inland")) for _ in tags[3:]]
    terrain = dict(zip(tags, kinds, strict=True))
    coasts: dict[str, tuple[str, ...]] = {
        tag: COASTS if terrain[tag] == "coastal" and choose.chance(25) else () for tag in tags
    }
    borders: dict[tuple[str, str], list[str]] = {}
    for tag in tags:
        if terrain[tag] != "sea":
            borders["A", tag] = []
        if terrain[tag] != "inland":
            for location in _fleet_locations(tag, coasts):
                borders["F", location] = []
    for number, one in enumerate(tags):
        # Each province borders on the one before it, so that the map hangs together.
        for other in tags[:number]:
            if other == tags[number - 1] or choose.chance(45):
                _join(one, other, terrain, coasts, borders, choose)
    return Map(
        "small",
        "A small map",
        Phase.parse("S1901M"),
        {power: power[:3] for power in POWERS},
        [
            Province(number, tag, f"Place {tag}", terrain[tag], coasts[tag], (), False, (), tag)
            for number, tag in enumerate(tags)
        ],
        {key: tuple(value) for key, value in borders.items()},
        (),
    )


def _fleet_locations(tag: str, coasts: dict[str, tuple[str, ...]]) -> list[str]:
    return [f"{tag}/{coast}" for coast in coasts[tag]] or [tag]


def _join(
    one: str,
    other: str,
    terrain: dict[str, str],
    coasts: dict[str, tuple[str, ...]],
    borders: dict[tuple[str, str], list[str]],
    choose: Chooser,
) -> None:
    """Let two provinces border on each other, by land, by water, or by both."""
    if "sea" not in (terrain[one], terrain[other]):
        borders["A", one].append(other)
        borders["A", other].append(one)
        if choose.chance(40):
            return
    if "inland" in (terrain[one], terrain[other]):
        return
    for location in _fleet_locations(one, coasts):
        for there in _fleet_locations(other, coasts):
            # Of two coasts one borders on the water, or both do.
            if "/" not in location + there or choose.chance(60):
                borders["F", location].append(there)
                borders["F", there].append(location)
