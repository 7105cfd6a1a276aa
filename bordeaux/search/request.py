"""The input of a search as a value."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypedDict, cast

from bordeaux.board.errors import BordeauxError, OrderError, PositionError, quote
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.rules.rulesets import DATC, RuleSet
from bordeaux.search.agreements import Agreement, agreed

__all__ = ["LINES", "MOST_THREADS", "Limit", "Options", "Request"]

#: The default number of lines of an answer.
LINES = 5
#: Processes that one engine may search in, each of which takes memory.
MOST_THREADS = 256

Orders = Mapping[str, Iterable[str | Order]]


class Limit(NamedTuple):
    """The limit for one phase: seconds, nodes of a search, or both, whichever is reached first. A player that
    does not search ignores it; one that does must keep the time."""

    time: float | None = None
    nodes: int | None = None

    def check(self) -> None:
        """Raise BordeauxError unless there is a limit for a search, and each is positive and finite."""
        if self.time is None and self.nodes is None:
            raise BordeauxError("a search needs a limit: time in seconds or a number of nodes")
        if self.time is not None and not (math.isfinite(self.time) and self.time > 0):
            raise BordeauxError(f"time must be a positive number of seconds, not {self.time}")
        if self.nodes is not None and self.nodes < 1:
            raise BordeauxError(f"nodes must be a positive number, not {self.nodes}")


NO_LIMIT = Limit()


@dataclass(frozen=True)
class Request:
    """A request to an engine.

    `powers` are those whose orders are wanted, by default all of the map; the `limit` is for all of them
    together. `seeds` are sets of orders to start from, suggested or promised; each order is for the owner of
    its unit. `previous` are the orders of all powers in the last movement phase, which units that stayed may
    repeat. `given` are known orders of other powers; entries for wanted powers are ignored. `agreements` bind
    powers; those whose orders are wanted keep their own. `rules` are those for reading orders and for their
    results; the search itself adjudicates movement by DATC. `lines` is the number of sets in an answer.

    Raises PositionError for something other than a position, MapError for an unknown power, OrderError for an
    order in place of a list of orders, BordeauxError for a number of lines below 1, and what `agreed` raises.
    """

    position: Position
    powers: tuple[str, ...] = ()
    limit: Limit = NO_LIMIT
    seeds: Iterable[Iterable[str | Order]] = ()
    previous: Orders | None = None
    given: Orders | None = None
    agreements: Iterable[Agreement] = ()
    rules: RuleSet = DATC
    lines: int = LINES

    def __post_init__(self) -> None:
        given: object = cast(object, self.position)
        if not isinstance(given, Position):
            raise PositionError(f"a position comes first, as Position.start(), not {quote(str(given))}")
        map = self.position.map
        named = tuple(dict.fromkeys(map.power(power) for power in self.powers))
        object.__setattr__(self, "powers", named or map.powers)
        object.__setattr__(self, "seeds", tuple(tuple(orders) for orders in self.seeds))
        object.__setattr__(self, "previous", _by_power(self.position, self.previous))
        object.__setattr__(self, "given", _by_power(self.position, self.given))
        object.__setattr__(self, "agreements", agreed(self.position, self.agreements, self.rules))
        if self.lines < 1:
            raise BordeauxError(f"lines must be a positive number, not {self.lines}")


class Options(TypedDict, total=False):
    """The fields of a request with a default, as keywords of `Engine.search`."""

    seeds: Iterable[Iterable[str | Order]]
    previous: Orders | None
    given: Orders | None
    agreements: Iterable[Agreement]
    rules: RuleSet
    lines: int


def _by_power(position: Position, orders: Orders | None) -> dict[str, tuple[str | Order, ...]]:
    by_power = {}
    for name, given in (orders or {}).items():
        if isinstance(given, str | Order):
            raise OrderError(f"orders of {name} must be a list, not a single order")
        by_power[position.map.power(name)] = tuple(given)
    return by_power
