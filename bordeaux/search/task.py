"""All inputs of a search as one value, which the master also sends to its workers."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple

from bordeaux._ext.value.influence import Evaluator
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.position import Position
from bordeaux.evaluation import ScaledValue, end_value, evaluator, scaled_value
from bordeaux.search.agreements import Bonds
from bordeaux.search.beliefs import Beliefs, OpponentSampler, played_on
from bordeaux.search.config import SearchConfig
from bordeaux.search.models import SEARCH, Side
from bordeaux.search.request import Request
from bordeaux.search.sets import by_owner, from_orders, repeated

__all__ = ["SearchTask", "task_of"]


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
