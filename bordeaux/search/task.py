"""What a search is asked, and all of its inputs.

A `Request` is what a user asks: a position, powers, a limit, and what is known or agreed. A `SearchTask` is
what a search gets: the same as codes, with settings, beliefs and obligations. A game master sends it to its
workers.
"""

from __future__ import annotations

import math
import random
import time as clock
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
from bordeaux.evaluation import end_value, evaluator, share_value
from bordeaux.evaluation.prospect import prospect_value
from bordeaux.rules.rulesets import DATC, RuleSet, rules_named
from bordeaux.search.agreements import Agreement, Bonds, agreed
from bordeaux.search.beliefs import Beliefs, OpponentSampler, played_on
from bordeaux.search.config import SearchConfig
from bordeaux.search.models import SEARCH, Side
from bordeaux.search.sets import by_owner, from_orders, repeated

__all__ = ["LINES", "MOST_THREADS", "Budget", "Limit", "Options", "Request", "SearchTask", "task_of"]

#: The default number of lines of an answer.
LINES = 5
#: Processes that one engine may search in, each of which takes memory.
MOST_THREADS = 256

#: Seconds reserved for the last candidates and the return of the answer.
RESERVE = 0.004
#: Limits from which on a search is large.
ROOMY_SECONDS, ROOMY_NODES = 0.25, 50_000
#: Nodes from which on pools grow with the limit.
BROAD_NODES = 20_000
#: Nodes of a second, roughly, for plans before any measurement.
NODES_PER_SECOND = 120_000
#: Limits up to which one round of finding and mixing is enough.
ROUND_SECONDS, ROUND_NODES = 4.0, 2_000_000

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


class Budget:
    """A limit in seconds or nodes, as progress from 0 to 1.

    A node is one adjudication with one evaluation. `used` counts them. `stop` is called periodically, from
    the thread of the search, to end the search before its limit. Raises BordeauxError unless at least one
    limit is given and both are positive and finite.
    """

    def __init__(
        self,
        time: float | None = None,
        nodes: int | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        Limit(time, nodes).check()
        if stop is not None:
            of_kind("stop", stop, Callable, "a function")
        self.begun = clock.perf_counter()
        self.nodes: float | None = nodes
        self.stop = stop
        self.used = 0
        # Not 0, by which shares of the time are divided.
        self.time = None if time is None else max(time - RESERVE, time / 2, 1e-9)

    def part(self, share: float = 1.0) -> Budget:
        """A share of what is left, from now on, with a count of nodes of its own."""
        part = object.__new__(Budget)
        part.begun, part.stop, part.used = clock.perf_counter(), self.stop, 0
        part.nodes = None if self.nodes is None else share * max(0.0, self.nodes - self.used)
        part.time = None if self.time is None else share * max(0.0, self.time - self.seconds())
        return part

    @property
    def roomy(self) -> bool:
        """Whether there is time for work that takes about ten milliseconds before it has a benefit."""
        return (self.time is None or self.time >= ROOMY_SECONDS) and (
            self.nodes is None or self.nodes >= ROOMY_NODES
        )

    @property
    def breadth(self) -> float:
        """The factor for the number of sets to keep: 1, and more from a sixth of a second on, up to 8."""
        return min(8.0, max(1.0, self.size / BROAD_NODES))

    @property
    def size(self) -> float:
        """The approximate number of nodes within the limit."""
        by_time = math.inf if self.time is None else self.time * NODES_PER_SECOND
        return max(1.0, min(by_time, math.inf if self.nodes is None else self.nodes))

    @property
    def rounds(self) -> int:
        """How often to alternate between finding and mixing: once, and once more for every few seconds."""
        by_time = math.inf if self.time is None else self.time / ROUND_SECONDS
        by_nodes = math.inf if self.nodes is None else self.nodes / ROUND_NODES
        return 1 + int(min(by_time, by_nodes))

    def seconds(self) -> float:
        """Seconds since the search began."""
        return clock.perf_counter() - self.begun

    def progress(self) -> float:
        """The used share of the limit; 1 or more when it is reached or the search was stopped."""
        if self.stop is not None and self.stop():
            return math.inf
        by_nodes = 0.0 if self.nodes is None else self.used / self.nodes if self.nodes else 1.0
        if self.time is None:
            return by_nodes
        return max(by_nodes, self.seconds() / self.time if self.time else 1.0)

    def late(self) -> bool:
        """Whether the time is up or the search was stopped; nodes may be over."""
        stopped = self.stop is not None and self.stop()
        return stopped or (self.time is not None and self.seconds() >= self.time)

    def over(self, share: float = 1.0) -> bool:
        """Whether this share of the limit is used."""
        return self.progress() >= share


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

    def share_value(self) -> Valuer:
        """The value by which sets are measured, in shares of the final result: in the first year that of
        people, since self-play knows few openings, and `bordeaux.evaluation.share_value` later."""
        map, year = self.position.map, self.position.phase.year
        if year <= map.start_phase.year:
            return prospect_value(map, scale=1.0)
        return share_value(map, self.config.evaluation)

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
