"""Brute force: every joint order of every other unit on the board, adjudicated by the rules alone."""

import itertools
import random

import numpy as np

from bordeaux._ext.rules.batch import adjudicate_many
from bordeaux.board.map import Map
from bordeaux.board.order import Unit
from bordeaux.board.position import Position
from bordeaux.rules.adjudication import legal_orders
from bordeaux.search.proof import Goal
from bordeaux.search.sets import from_orders

BATCH = 8192

#: Provinces close together, with seas among them, so that few units meet often.
CORNERS = (
    ("BUL", "SER", "GRE", "RUM", "CON", "AEG", "BLA", "ALB", "BUD"),
    ("HOL", "BEL", "RUH", "KIE", "NTH", "DEN", "MUN", "HEL", "ENG", "LON"),
    ("VEN", "TRI", "TYR", "VIE", "BUD", "ADR", "ALB", "APU", "ROM"),
    ("NWY", "SWE", "FIN", "STP", "BOT", "BAR", "SKA", "NTH", "DEN"),
    ("SPA", "POR", "MAO", "GAS", "MAR", "WES", "LYO", "PIE", "BRE"),
)


def random_position(random: random.Random, own: int, others: int) -> Position:
    """A Fall with `own` Austrian units and `others` of two other powers, close together."""
    map = Map.standard()
    places = random.sample(random.choice(CORNERS), min(9, own + others))
    units = []
    for i, place in enumerate(places):
        kinds = [kind for kind in "AF" if map.locations_in(kind, place)]
        power = "AUSTRIA" if i < own else random.choice(["TURKEY", "ITALY"])
        kind = random.choice(kinds)
        units.append(Unit(power, kind, random.choice(map.locations_in(kind, place)).name))
    owners: dict[str, list[str]] = {}
    for centre in map.centres:
        owners.setdefault(random.choice(["AUSTRIA", "TURKEY", "ITALY"]), []).append(centre)
    return Position(map, "F1905M", units, owners)


def random_orders(random: random.Random, position: Position, power: str) -> list[str]:
    """One legal order for every unit, supports and moves as likely as each other."""
    chosen = []
    for orders in legal_orders(position, power).values():
        kinds = {order.split(" ")[2] for order in orders}
        kind = random.choice(sorted(kinds))
        chosen.append(random.choice([order for order in orders if order.split(" ")[2] == kind]))
    return chosen


def worst(position: Position, power: str, goal: Goal, orders: list[str]) -> int:
    """The least number of centres that the power keeps, or the most that another has, over all replies."""
    map = position.map
    legal = [
        [from_orders(position, other, [order]) for order in listed]
        for other in map.powers
        if other != power and (not goal.against or other == goal.against)
        for listed in legal_orders(position, other).values()
    ]
    fixed = from_orders(position, power, orders)
    base = np.frombuffer(position.packed.tobytes(), np.uint8)
    counts = []
    replies = itertools.product(*legal)
    while chunk := list(itertools.islice(replies, BATCH)):
        sets = [fixed + b"".join(reply) for reply in chunk]
        starts = np.concatenate([[0], np.cumsum([len(orders) // 8 for orders in sets])]).astype(np.int64)
        rows = np.repeat(base[None], len(chunk), axis=0)
        out = np.zeros_like(rows)
        codes = np.frombuffer(b"".join(sets), np.uint64)
        adjudicate_many(map.tables, rows, starts, codes, out)
        n = len(map.provinces)
        telling = np.concatenate(
            [out[:, : 2 * n], out[:, 512 : 512 + 2 * n], out[:, 1024 : 1024 + 4 * n]], axis=1
        )
        # Rows that look alike come to the same.
        alike = {row.tobytes(): i for i, row in enumerate(np.ascontiguousarray(telling))}
        counts += [owned_after(position, out[i], goal, power) for i in alike.values()]
    return min(counts) if goal.keeping else max(counts)


def owned_after(position: Position, row: np.ndarray, goal: Goal, power: str) -> int:
    """Centres that a power owns after a movement, when the others retreat as is worst for the goal."""
    map = position.map
    words = row.view(np.uint16)
    standing, driven = words[:256], words[256:512]
    ways = row[1024:2048].view(np.uint32)
    whose = map.powers.index(goal.whose)
    owners = dict(zip(map.centres, position.owners, strict=True))
    owned, empty = set(), set()
    for centre in map.centres:
        token = int(standing[map.province(centre).index])
        owner = map.powers[(token >> 10) - 1] if token else owners[centre]
        if owner == goal.whose:
            owned.add(centre)
        if not token:
            empty.add(centre)
    retreats = []
    for place in np.flatnonzero(driven):
        unit = map.units_by_token[int(driven[place])]
        if (unit.power == map.powers[whose]) == goal.keeping:
            continue
        goals = [
            n.partition("/")[0]
            for k, n in enumerate(map.adjacent(unit.kind, unit.location))
            if ways[place] >> k & 1
        ]
        retreats.append([None, *(goal_ for goal_ in goals if goal_ in empty)])
    best = 0
    for choice in itertools.product(*retreats):
        taken = [order for order in choice if order is not None]
        if len(set(taken)) == len(taken):
            best = max(best, sum((centre in owned) == goal.keeping for centre in taken))
    return len(owned) - best if goal.keeping else len(owned) + best
