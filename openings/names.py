"""Names of openings."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.openings.canonical import canonical
from bordeaux.openings.entry import Entry
from bordeaux.openings.record import Mean

__all__ = ["Alliance", "Name", "Opening", "alliances_of", "entry_to_json", "name_of", "names"]

NEAR = 0.5
"""Share of the orders that a set must have in common with an opening to be near it."""


class Opening(NamedTuple):
    """A named first move: `orders` are canonical; a family of openings omits units."""

    power: str
    name: str
    orders: frozenset[str]
    aliases: tuple[str, ...]


class Alliance(NamedTuple):
    """A name that needs orders of several powers."""

    name: str
    orders: Mapping[str, frozenset[str]]


class Name(NamedTuple):
    """The name of a set of orders: whether it `exact`ly is that opening, and the `share` of common orders,
    from 0 to 1."""

    name: str
    exact: bool
    share: float

    def __str__(self) -> str:
        return self.name if self.exact else f"near {self.name}"


@cache
def _data() -> dict[str, list[dict[str, object]]]:
    text = (resources.files("bordeaux.openings") / "data" / "names.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def names() -> tuple[Opening, ...]:
    """All named openings of the standard map, those of a power from the best known to the least."""
    return tuple(
        Opening(
            str(entry["power"]),
            str(entry["name"]),
            frozenset(_texts(entry["orders"])),
            _texts(entry.get("aliases")),
        )
        for entry in _data()["opening"]
    )


@cache
def _alliances() -> tuple[Alliance, ...]:
    alliances = []
    for entry in _data()["alliance"]:
        orders = entry["orders"]
        assert isinstance(orders, dict)
        alliances.append(
            Alliance(str(entry["name"]), {power: frozenset(_texts(given)) for power, given in orders.items()})
        )
    return tuple(alliances)


def _texts(given: object) -> tuple[str, ...]:
    return tuple(str(text) for text in given) if isinstance(given, list) else ()


@cache
def _start() -> Position:
    return Position.start(Map.standard())


def name_of(power: str, orders: Iterable[str], phase: str = "S1901M") -> Name | None:
    """The name of a power's orders in the first phase of the standard map.

    Among openings that match completely the one with the most specified units is taken. Else it is the
    nearest that shares at least half of the orders. None if nothing is near, or in another phase. Raises
    MapError for an unknown power.
    """
    start = _start()
    name = start.map.power(power)
    if phase != str(start.phase):
        return None
    given = frozenset(canonical(start, name, orders))
    own = [opening for opening in names() if opening.power == name]
    fitting = [opening for opening in own if opening.orders <= given]
    if fitting:
        return Name(max(fitting, key=lambda opening: len(opening.orders)).name, True, 1.0)
    shares = {opening.name: len(opening.orders & given) / len(given) for opening in own}
    nearest = max(shares, key=lambda name: shares[name], default=None)
    if nearest is None or shares[nearest] < NEAR:
        return None
    return Name(nearest, False, round(shares[nearest], 4))


def alliances_of(orders: Mapping[str, Iterable[str]]) -> list[str]:
    """Names of the first orders of several powers together, such as Juggernaut."""
    start = _start()
    given = {power: frozenset(canonical(start, power, sent)) for power, sent in orders.items()}
    return [
        alliance.name
        for alliance in _alliances()
        if all(needed <= given.get(power, frozenset()) for power, needed in alliance.orders.items())
    ]


def entry_to_json(position: Position, power: str, entry: Entry) -> dict[str, Any]:
    """A set of the book with its results; None means unknown."""
    name, record = name_of(power, entry.orders, str(position.phase)), entry.record
    return {
        "orders": list(entry.orders),
        "weight": entry.weight,
        "games": entry.games,
        "value": entry.value,
        "probability": entry.probability,
        "name": None if name is None else str(name),
        "score": record.score,
        "survival": record.survival,
        "solo": record.solo,
        "centres2": _mean(record.centres2),
        "centres4": _mean(record.centres4),
    }


def _mean(mean: Mean) -> float | None:
    return mean.mean if mean.count else None
