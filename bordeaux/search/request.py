"""What a search is asked and what comes of it, as values: one request in, a stream of analyses out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypedDict, cast

from bordeaux.board.errors import BordeauxError, OrderError, PositionError, quote
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.rules.rulesets import DATC, RuleSet
from bordeaux.search.agreements import Agreement, agreed
from bordeaux.search.result import Found

__all__ = ["LINES", "Analysis", "Limit", "Options", "Request"]

#: Lines of an answer, unless told otherwise.
LINES = 5

Orders = Mapping[str, Iterable[str | Order]]


class Limit(NamedTuple):
    """What may be spent on one phase: seconds, nodes of a search, or both, whichever ends first. A
    player that does not search ignores it; one that does must keep the time."""

    time: float | None = None
    nodes: int | None = None


NO_LIMIT = Limit()


@dataclass(frozen=True)
class Request:
    """What an engine is asked.

    `powers` are those whose orders are wanted, all of the map where none is named; the `limit` is one for
    all of them together. `seeds` are sets of orders to start from, suggested or promised, each order for
    whoever has its unit. `previous` are the orders of all powers in the last movement phase, which units
    that stayed may repeat. `given` are orders that other powers are known to give; what it says of a
    wanted power is passed over. `agreements` bind powers; those whose orders are wanted keep their own.
    `rules` are those of the table, by which orders are read and what they come
    to is told; the search itself adjudicates movement by DATC. `lines` is how many sets an answer lists.

    Raises PositionError for what is no position, MapError for an unknown power, OrderError for an order where
    a list of them is wanted, and BordeauxError for a number of lines below 1, and what `agreed` raises.
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
    """The fields of a request that have a default of their own, as keywords of `Engine.search`."""

    seeds: Iterable[Iterable[str | Order]]
    previous: Orders | None
    given: Orders | None
    agreements: Iterable[Agreement]
    rules: RuleSet
    lines: int


class Analysis(NamedTuple):
    """What is known at one time: an answer for every wanted power, and those of them whose best set is new
    since the analysis before. The last of a stream is `final`; the same request to an engine of the same
    seed has the same last one, whoever looks at those before it."""

    answers: Mapping[str, Found]
    changed: tuple[str, ...]
    final: bool = False


def _by_power(position: Position, orders: Orders | None) -> dict[str, tuple[str | Order, ...]]:
    found = {}
    for name, given in (orders or {}).items():
        if isinstance(given, str | Order):
            raise OrderError(f"orders of {name} must be a list, not a single order")
        found[position.map.power(name)] = tuple(given)
    return found
