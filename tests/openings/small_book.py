"""A book small enough to know by heart."""

import random
from collections.abc import Sequence
from typing import Any

from bordeaux import Position, legal_orders
from bordeaux.board.map import Map
from bordeaux.formats.games import Game, game_from_json
from bordeaux.openings.book import Book
from bordeaux.openings.canonical import canonical, position_key, view_key
from bordeaux.openings.entry import Entry, Mean, Node, Record, View, by_weight
from bordeaux.openings.names import names
from tests.players.playing import standard

FIRST = {
    power: [o for o in names() if o.power == power and len(o.orders) > 2][:2]
    for power in ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
}


def orders_by_chance(position: Position, chance: random.Random) -> dict[str, list[str]]:
    """Legal orders for everybody: a known opening at the start."""
    orders_by_power: dict[str, list[str]] = {}
    for power in position.orderable():
        if position == Position.start():
            orders_by_power[power] = sorted(chance.choice(FIRST[power]).orders)
        else:
            orders_by_power[power] = [
                chance.choice(orders[:4]) for orders in legal_orders(position, power).values()
            ]
    return orders_by_power


def played(seed: int, phases: int = 12, silent: tuple[str, ...] = ()) -> dict[str, Any]:
    """A saved game of so many phases in which the `silent` powers never send orders."""
    chance = random.Random(seed)
    position = Position.start()
    recorded = []
    for _ in range(phases):
        orders = orders_by_chance(position, chance)
        orders |= {power: [] for power in silent}
        recorded.append({"name": str(position.phase), "state": position.to_json(), "orders": orders})
        position = position.next(orders)
    recorded.append({"name": str(position.phase), "state": position.to_json(), "orders": {}})
    return {"id": f"game{seed}", "map": "standard", "phases": recorded}


def game(seed: int, phases: int = 12, silent: tuple[str, ...] = ()) -> Game:
    """The same, read."""
    return game_from_json(played(seed, phases, silent))


START = Position.start()
MAP = Map.standard()

TRIESTE = ("A BUD - SER", "F TRI - ALB", "A VIE - TRI")
GALICIA = ("A BUD - SER", "F TRI - ALB", "A VIE - GAL")
HEDGEHOG = ("A BUD - SER", "F TRI - VEN", "A VIE - GAL")
"""For Austria: what people play most, what they play half as often, and what only the engine plays."""
USUAL = {
    "ENGLAND": ("F EDI - NWG", "F LON - NTH", "A LVP - YOR"),
    "FRANCE": ("F BRE - MAO", "A MAR - SPA", "A PAR - BUR"),
    "GERMANY": ("A BER - KIE", "F KIE - DEN", "A MUN - RUH"),
    "ITALY": ("F NAP - ION", "A ROM - APU", "A VEN H"),
    "RUSSIA": ("A MOS - UKR", "F SEV - BLA", "F STP/SC - BOT", "A WAR - GAL"),
    "TURKEY": ("F ANK - CON", "A CON - BUL", "A SMY H"),
}
# In Fall GERMANY stands in Burgundy and goes for Paris, with support.
THREAT = standard(
    "F1901M",
    {"FRANCE": ["A PAR", "A SPA", "F MAO"], "GERMANY": ["A BUR", "A PIC"]},
    {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["BER", "KIE", "MUN"]},
)
GREECE = ("F ALB - GRE", "A SER S F ALB - GRE", "A TRI H")
SERBIA_HOLDS = ("F ALB - GRE", "A SER H", "A TRI H")


def record(games: int, centres4: float = 5.0) -> Record:
    """What became of a set in so many games."""
    return Record(games, Mean(centres4 - 0.5, games), Mean(centres4, games), 0.6, 0.125, 0.2, 4.5)


def entry(
    power: str,
    orders: Sequence[str],
    weight: float,
    games: int = 0,
    value: float | None = None,
    probability: float | None = None,
    position: Position = START,
    centres4: float = 5.0,
) -> Entry:
    """A set of a power, played by people in so many games."""
    records = {"human": record(games, centres4)} if games else {}
    return Entry(canonical(position, power, orders), weight, records, value, probability)


def austrian() -> tuple[Entry, ...]:
    """Austria's first moves."""
    return by_weight(
        [
            entry("AUSTRIA", TRIESTE, 0.5, 200, 0.125, 0.0, centres4=4.5),
            entry("AUSTRIA", GALICIA, 0.3, 100, 0.1875, 0.25, centres4=5.5),
            entry("AUSTRIA", HEDGEHOG, 0.2, 0, 0.25, 0.75),
        ]
    )


def small_book(austria: tuple[Entry, ...] | None = None, name: str = "small") -> Book:
    """The start with one set for each power but Austria, and what follows for Austria with Trieste held."""
    powers = {"AUSTRIA": austria if austria is not None else austrian()}
    powers |= {power: (entry(power, orders, 1.0, 300, 0.2, 1.0),) for power, orders in USUAL.items()}
    key = position_key(START)
    root = Node(key, START, {"human": 300}, (), {power: powers[power] for power in MAP.powers})
    after = START.next({"AUSTRIA": TRIESTE})
    units = tuple(str(unit) for unit in after.units_of("AUSTRIA"))
    view = View(
        view_key("standard", "F1901M", "AUSTRIA", units, ()),
        MAP,
        "AUSTRIA",
        "F1901M",
        units,
        (),
        {"human": 40},
        by_weight(
            [
                entry("AUSTRIA", GREECE, 0.75, 30, position=after),
                entry("AUSTRIA", SERBIA_HOLDS, 0.25, 10, position=after),
            ]
        ),
    )
    return Book.make(MAP, {"name": name, "sources": {"human": 300}}, [root], [view])


def book_of(*sets: tuple[tuple[str, ...], float]) -> Book:
    """A book with weighted sets for France in `THREAT`."""
    entries = tuple(Entry(orders, weight) for orders, weight in sets)
    node = Node(position_key(THREAT), THREAT, {}, (), {"FRANCE": entries})
    return Book.make(THREAT.map, {}, [node], [])


def book_of_gulfs(weight: float = 1.0) -> Book:
    """A book of another map, with one set at its start: a power's units all hold."""
    start = Position.start(Map.load("gulfs"))
    entries = (Entry(canonical(start, "NORDMARK", ()), weight),)
    return Book.make(start.map, {}, [Node(position_key(start), start, {}, (), {"NORDMARK": entries})], [])
