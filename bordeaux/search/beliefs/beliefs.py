"""Beliefs about the other players, learnt from their orders.

Paper 002, section 5, infers intentions from the moves. Here every power is believed to follow one of a few
models (`bordeaux.search.beliefs.models`), with a probability for each. Each movement phase updates the
probabilities by how well each model predicted the orders (Bayes' rule, unit by unit).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.search.beliefs.models import HOLD, REPEAT, SEARCH, Model, Scene
from bordeaux.search.beliefs.registry import PRIOR, idea_of, opened
from bordeaux.search.ideas import Ideas
from bordeaux.search.sets import from_orders, in_full

__all__ = ["HOLD", "REASON", "SEARCH", "Beliefs", "Choices", "given_in", "note", "prior_of", "shifted"]

#: The lowest share of a model.
LEAST = 0.01
#: The weight of one unit as an observation: it is below 1, since units of a power act together.
WEIGHT = 0.25
#: The factor on earlier observations.
MEMORY = 0.95
#: The probability at the beginning that a power reasons.
REASON = 0.5
#: The weight of one unit as an observation of whether its power reasons, the factor on earlier observations,
#: and the lowest probability of either.
TELLING, LASTING, DOUBTED = 0.5, 0.97, 0.02
#: The share of random orders in what such observations are compared with.
SLIP = 0.1


class Choices(NamedTuple):
    """The sets that a power may give (bytes of codes), with two probabilities each: `drawn` if it plays as it
    draws, `chosen` if it takes the best of some draws. Both sum to 1."""

    sets: Sequence[bytes]
    drawn: Sequence[float]
    chosen: Sequence[float]


class Beliefs:
    """Probabilities of the models, for every power of a map.

    `shares` maps powers to probabilities by model. `prior` are the initial ones; a model that is not in it
    never gets any. `reason` maps powers to the probability (0 to 1) that they reason: that they take the best
    of some sets that they draw from their model, and do not play as they draw; it begins with the argument.
    `seen` are the years and the orders that powers gave last, by season; orders are codes by the unit's
    location, with a hold for units without one. Equal observations lead to equal beliefs. `net` is the file
    of a net in place of the bundled one of self-play.
    """

    def __init__(
        self,
        map: Map,
        prior: Mapping[str, float] = PRIOR,
        net: str | None = None,
        reason: float = REASON,
    ) -> None:
        self.map = map
        self.net = net
        self.reason = dict.fromkeys(map.powers, reason)
        self.shares: dict[str, dict[str, float]] = {power: dict(prior) for power in map.powers}
        self.seen: dict[str, dict[str, tuple[int, dict[int, int]]]] = {power: {} for power in map.powers}

    def __reduce__(self) -> tuple[object, ...]:
        return Beliefs._restored, (self.map, self.shares, self.seen, self.net, self.reason)

    @classmethod
    def _restored(
        cls,
        map: Map,
        shares: dict[str, dict[str, float]],
        seen: dict[str, dict[str, tuple[int, dict[int, int]]]],
        net: str | None,
        reason: dict[str, float],
    ) -> Beliefs:
        beliefs = cls(map, net=net)
        beliefs.shares, beliefs.seen, beliefs.reason = shares, seen, reason
        return beliefs

    def likeliest(self, power: str) -> str:
        """The most probable model of a power."""
        shares = self.shares[power]
        return max(shares, key=lambda model: shares[model])

    def observe(
        self,
        position: Position,
        orders: Mapping[str, Iterable[str | Order]],
        pools: Mapping[str, Sequence[tuple[bytes, float]]] | None = None,
        choices: Mapping[str, Choices] | None = None,
    ) -> None:
        """Learn from the orders that were given in a movement position; other phases have no effect.

        `pools` are the sets with their probabilities that a search of the position predicted for some powers,
        `choices` the sets that they were expected to choose among. Units without a legal order held; powers
        that are not named are unknown.
        """
        if position.phase.kind != "M":
            return
        models, given = self.models(position, pools), given_in(position, orders)
        for power, codes in given.items():
            believed = self.shares[power]
            evidence = {name: models[name].log_probability(power, codes) for name in believed}
            self.shares[power] = shifted(believed, evidence)
            if choices and power in choices:
                self.reason[power] = self._reasoning(models[SEARCH], power, codes, choices[power])
        note(self.seen, position, given)

    def chooses(self, power: str) -> float:
        """The probability (0 to 1) that a power takes the best of its draws: that it reasons, and is not like
        models that repeat their orders or hold."""
        shares = self.shares[power]
        return self.reason[power] * (1 - sum(shares.get(model, 0.0) for model in (HOLD, REPEAT)))

    def _reasoning(self, model: Model, power: str, codes: bytes, choices: Choices) -> float:
        """The probability that a power reasons, after it has given orders. Any model can judge them. The
        choices are those of a few trials, so even a power that reasons is taken to play by them half of the
        time."""

        def log_probability(shares: Sequence[float]) -> float:
            return model.foretold(power, codes, list(zip(choices.sets, shares, strict=True)), SLIP)

        reasoned = [(one + other) / 2 for one, other in zip(choices.chosen, choices.drawn, strict=True)]
        before = {"chosen": self.reason[power], "drawn": 1 - self.reason[power]}
        evidence = {"chosen": log_probability(reasoned), "drawn": log_probability(choices.drawn)}
        return shifted(before, evidence, weight=TELLING, memory=LASTING, least=DOUBTED)["chosen"]

    def models(
        self, position: Position, pools: Mapping[str, Sequence[tuple[bytes, float]]] | None = None
    ) -> dict[str, Model]:
        """All models, by name, for judging the orders of a movement position; `pools` as above."""
        # Their chance begins anew, so that nothing but what was seen matters to beliefs, travelled or not.
        scene = Scene(position, random.Random(1), {}, pools or {}, seed=1, seen=self.seen, net=self.net)
        return opened(scene)


def shifted(
    before: Mapping[str, float],
    evidence: Mapping[str, float],
    *,
    weight: float = WEIGHT,
    memory: float = MEMORY,
    least: float = LEAST,
) -> dict[str, float]:
    """The probabilities of models after a phase, from those before and the log-likelihoods of the orders. A
    model with probability 0 stays at 0."""
    believed = {model: share for model, share in before.items() if share > 0}
    logs = {model: memory * math.log(share) + weight * evidence[model] for model, share in believed.items()}
    top = max(logs.values())
    raw = {model: math.exp(value - top) for model, value in logs.items()}
    total = sum(raw.values())
    floored = {model: max(least, value / total) for model, value in raw.items()}
    total = sum(floored.values())
    return {model: floored.get(model, 0.0) / total for model in before}


def prior_of(ideas: Ideas, prior: Mapping[str, float] = PRIOR) -> dict[str, float]:
    """The initial probabilities, with 0 for models of ideas that are left out. Raises BordeauxError if all
    are."""
    kept = {name: share for name, share in prior.items() if idea_of(name) in (None, *ideas)}
    if not kept:
        raise BordeauxError(f"models name {', '.join(prior)} alone, which is left out")
    if len(kept) == len(prior):
        return kept
    return {name: share / sum(kept.values()) for name, share in kept.items()}


def given_in(position: Position, orders: Mapping[str, Iterable[str | Order]]) -> dict[str, bytes]:
    """The sets that powers gave in a position, for named powers with units; illegal orders are left out."""
    present = [power for power in position.map.powers if power in orders and position.units_of(power)]
    return {power: from_orders(position, power, orders[power]) for power in present}


def note(
    seen: dict[str, dict[str, tuple[int, dict[int, int]]]], position: Position, given: Mapping[str, bytes]
) -> None:
    """Add the sets of a movement phase to `seen`; units without an order held."""
    phase = position.phase
    for power, codes in given.items():
        seen.setdefault(power, {})[phase.season] = phase.year, in_full(position, power, codes)
