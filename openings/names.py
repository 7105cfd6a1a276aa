"""Names of openings."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.position import Position
from bordeaux.openings.canonical import canonical
from bordeaux.openings.entry import Entry

NEAR = 0.5
"""Share of the orders that a set must have in common with an opening to be near it."""


class Opening(NamedTuple):
    """A named first move: `orders` are canonical; a family of openings omits units."""

    power: str
    name: str
    orders: frozenset[str]


@cache
def _data() -> dict[str, dict[str, Any]]:
    """The openings by power, and the ``alliances``: by name, the orders."""
    text = (resources.files("bordeaux.openings") / "data" / "names.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def names() -> tuple[Opening, ...]:
    """All named openings of the standard map, those of a power from the best known to the least."""
    return tuple(
        Opening(power, name, frozenset(orders))
        for power in Map.standard().powers
        for name, orders in _data()[power].items()
    )


@cache
def _start() -> Position:
    return Position.start(Map.standard())


def name_of(power: str, orders: Iterable[str], phase: str = "S1901M", map: Map | None = None) -> str | None:
    """The name of a power's orders in the first phase of the standard map: that of an opening all of whose
    orders are given, the one with the most orders if there are several. None without such an opening, in
    another phase, and on another `map`. Raises MapError for an unknown power."""
    if phase != str(_start().phase) or map not in (None, _start().map):
        return None
    given, own = _openings_of(power, orders)
    fitting = [opening for opening in own if opening.orders <= given]
    return max(fitting, key=lambda opening: len(opening.orders)).name if fitting else None


def nearest(power: str, orders: Iterable[str]) -> tuple[str, float] | None:
    """The opening that has the most orders in common with a power's first orders, and their share of these;
    None below half. Raises MapError for an unknown power."""
    given, own = _openings_of(power, orders)
    units = len(_start().units_of(_start().map.power(power)))
    shares = {opening.name: len(opening.orders & given) / units for opening in own}
    name = max(shares, key=lambda name: shares[name], default="")
    return (name, round(shares[name], 4)) if shares.get(name, 0.0) >= NEAR else None


def beginnings(power: str, orders: Iterable[str]) -> list[str]:
    """The openings that have all of a power's first orders, and more. Raises MapError."""
    given, own = _openings_of(power, orders)
    return [opening.name for opening in own if given < opening.orders]


def _openings_of(power: str, orders: Iterable[str]) -> tuple[frozenset[str], list[Opening]]:
    """A power's first orders in canonical form, and its openings. A unit without an order has none: a name
    is not given for a hold that nobody ordered."""
    start, sent = _start(), list(orders)
    name = start.map.power(power)
    ordered = {parse_order(order, start.map, start).location.partition("/")[0] for order in sent}
    given = (order for order in canonical(start, name, sent) if order.split()[1].partition("/")[0] in ordered)
    return frozenset(given), [each for each in names() if each.power == name]


def alliances_of(orders: Mapping[str, Iterable[str]]) -> list[str]:
    """Names of the first orders of several powers together, such as Juggernaut."""
    start = _start()
    given = {power: frozenset(canonical(start, power, sent)) for power, sent in orders.items()}
    return [
        name
        for name, needed in _data()["alliances"].items()
        if all(given.get(power, frozenset()).issuperset(orders) for power, orders in needed.items())
    ]


def entry_to_json(position: Position, power: str, entry: Entry) -> dict[str, Any]:
    """A set of the book with its results; None means unknown."""
    record = entry.record
    return {
        "orders": list(entry.orders),
        "weight": entry.weight,
        "games": entry.games,
        "value": entry.value,
        "probability": entry.probability,
        "name": name_of(power, entry.orders, str(position.phase), position.map),
        "score": record.score,
        "survival": record.survival,
        "solo": record.solo,
        "centres2": record.centres2.known,
        "centres4": record.centres4.known,
    }
