"""What a search is asked, and all of its inputs.

A `Request` is what a user asks: a position, powers, a limit, and what is known or agreed. A `SearchTask` is
what a search gets: the same as codes, with settings, beliefs and obligations. A game master sends it to its
workers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypedDict

from bordeaux._ext.value.influence import Evaluator
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.errors import BordeauxError, of_kind, positive, whole
from bordeaux.board.order import Order
from bordeaux.board.position import Position, checked
from bordeaux.board.submission import by_power, submit
from bordeaux.evaluation import ScaledValue, end_value, evaluator, scaled_value
from bordeaux.rules.rulesets import DATC, RuleSet, rules_named
from bordeaux.search.agreements import Agreement, Bonds, agreed
from bordeaux.search.beliefs import Beliefs, OpponentSampler, played_on
from bordeaux.search.config import SearchConfig
from bordeaux.search.models import SEARCH, Side
from bordeaux.search.sets import by_owner, from_orders, repeated

__all__ = ["LINES", "MOST_THREADS", "Limit", "Options", "Request", "SearchTask", "task_of"]

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

    def checked(self) -> Limit:
        """The same. Raises BordeauxError unless time is a positive number, and nodes a whole one, or None."""
        if self.time is not None:
            positive("time", self.time)
        if self.nodes is not None:
            whole("nodes", self.nodes, 1)
        return self

    def check(self) -> None:
        """Raise BordeauxError unless there is a limit for a search, and what is there is valid."""
        if self.checked() == NO_LIMIT:
            raise BordeauxError("a search needs a limit: time in seconds or a number of nodes")


NO_LIMIT = Limit()


@dataclass(frozen=True)
class Request:
    """A request to an engine.

    `powers` are those whose orders are wanted, by default all of the map; the `limit` is for all of them
    together. `seeds` are sets of orders to start from, suggested or promised; each order is for the owner of
    its unit. `previous` are the orders of all powers in the last movement phase, which units that stayed may
    repeat. `given` are known orders of other powers; entries for wanted powers are ignored. `agreements` bind
    powers; those whose orders are wanted keep their own. `rules` (or their name) are those for reading orders
    and for their results; the search itself adjudicates movement by DATC. `lines` is the number of sets in an
    answer.

    Raises PositionError for something other than a position, MapError for an unknown power, OrderError for
    what is no list of orders and for given orders that are illegal, BordeauxError for an invalid limit or
    number of lines, and what `agreed` raises.
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
        map = checked(self.position).map
        wanted = of_kind("powers", self.powers, Iterable, "a list of powers")
        seeds = of_kind("seeds", self.seeds, Iterable, "a list of sets of orders")
        named = tuple(dict.fromkeys(map.power(power) for power in wanted))
        rules = rules_named(self.rules)
        known = by_power(map, self.given)
        legal = submit(self.position, known, given_routes=rules.given_routes).legal()
        given = {
            power: tuple(entry.order for entry in legal.orders if entry.power == power) for power in known
        }
        of_kind("limit", self.limit, Limit, "a Limit").checked()
        for name, value in (
            ("powers", named or map.powers),
            (
                "seeds",
                tuple(tuple(of_kind("a seed", orders, Iterable, "a set of orders")) for orders in seeds),
            ),
            ("previous", by_power(map, self.previous)),
            ("given", given),
            ("rules", rules),
            ("agreements", agreed(self.position, self.agreements, rules)),
            ("lines", whole("lines", self.lines, 1)),
        ):
            object.__setattr__(self, name, value)


class Options(TypedDict, total=False):
    """The fields of a request with a default, as keywords of `Engine.search`."""

    seeds: Iterable[Iterable[str | Order]]
    previous: Orders | None
    given: Orders | None
    agreements: Iterable[Agreement]
    rules: RuleSet
    lines: int


class SearchTask(NamedTuple):
    """All inputs of a search of one position.

    `seed` determines all random choices. `seeds` are sets that were suggested, promised or given before, by
    power (bytes of codes); `given` are known orders of powers. `beliefs` are those about the powers, by
    default the initial ones, and `bonds` the obligations from agreements. `raised` are the points of regional
    goals, as for `bordeaux.evaluation.evaluator`.
    """

    position: Position
    config: SearchConfig = SearchConfig()
    seed: int = 0
    seeds: Mapping[str, list[bytes]] = {}
    beliefs: Beliefs | None = None
    given: Mapping[str, bytes] = {}
    bonds: Bonds | None = None
    raised: Mapping[str, Mapping[str, float]] = {}

    def evaluator(self) -> Evaluator:
        """The evaluation of the next phase, regional goals included."""
        return evaluator(self.position.map, self.config.evaluation, raised=self.raised)

    def value(self) -> Valuer:
        """The value of the ends of rollouts, in points."""
        return end_value(self.position.map, self.config.evaluation, self.evaluator())

    def scaled_value(self) -> ScaledValue:
        """The same in the unit of the search."""
        return scaled_value(self.position.map, self.config.evaluation, self.evaluator())

    def sampler(self, random: random.Random, sides: Mapping[str, Side] | None = None) -> OpponentSampler:
        """Draws orders of the others from the beliefs; `sides` are the powers that are searched for."""
        map, config = self.position.map, self.config
        beliefs = self.beliefs or Beliefs(map, config.prior, net=config.policy)
        if "beliefs" not in config.ideas:
            beliefs = Beliefs(map, {SEARCH: 1.0}, net=beliefs.net)
        return OpponentSampler(
            self.position,
            beliefs,
            {} if sides is None else sides,
            random,
            self.given,
            self.bonds,
            played_on=played_on(config.ideas),
        )

    def sound(self, power: str) -> Callable[[bytes], bytes]:
        """What makes a set of a power playable (`Bonds.sound`)."""
        return partial((self.bonds or Bonds(self.position)).sound, power)


def task_of(request: Request, config: SearchConfig, seed: int, beliefs: Beliefs) -> SearchTask:
    """The task of a request, without regional goals."""
    position, rules = request.position, request.rules
    bonds = Bonds(position, tuple(request.agreements), rules)
    starts = by_owner(position, request.seeds, rules)
    for sets in (repeated(position, request.previous or {}, rules), bonds.seeds()):
        for power, orders in sets.items():
            starts.setdefault(power, []).append(orders)
    given = {
        power: from_orders(position, power, orders, rules) for power, orders in (request.given or {}).items()
    }
    return SearchTask(position, config, seed, starts, beliefs, given, bonds)
