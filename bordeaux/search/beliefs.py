"""What the others at the table are like, learnt from what they play.

Paper 002, section 5, judges intentions by the moves that were made. Here every power is believed to
follow one of a few models (`bordeaux.search.opponent_model`), with shares of 1; each movement phase shifts
the shares by how well each model foretold the orders given (Bayes' rule, unit by unit).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence

from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.search.ideas import Ideas
from bordeaux.search.models import MODELS, PRIOR, opened
from bordeaux.search.opponent_model import HOLD, SEARCH, Model, Scene
from bordeaux.search.seeds import from_orders, in_full

__all__ = ["HOLD", "SEARCH", "Beliefs", "given_in", "note", "prior_of", "shifted"]

#: No model is ever ruled out.
LEAST = 0.01
#: Units of a power act together, so each counts for less than a whole observation.
WEIGHT = 0.25
#: What was seen long ago counts for less and less.
MEMORY = 0.95


class Beliefs:
    """Shares of 1 over the models, for every power of a map.

    `shares` maps powers to shares by model; `prior` are the shares before anything was seen, and what
    is not in it is never believed. `seen` are the years and the orders that powers gave last, by season;
    orders as codes by the unit's location, with a hold for who had none. Equal observations lead to equal
    beliefs. `net` is the file of a net in place of the package's of self-play.
    """

    def __init__(self, map: Map, prior: Mapping[str, float] = PRIOR, net: str | None = None) -> None:
        self.map = map
        self.net = net
        self.shares: dict[str, dict[str, float]] = {power: dict(prior) for power in map.powers}
        self.seen: dict[str, dict[str, tuple[int, dict[int, int]]]] = {power: {} for power in map.powers}

    def __reduce__(self) -> tuple[object, ...]:
        return Beliefs._restored, (self.map, self.shares, self.seen, self.net)

    @classmethod
    def _restored(
        cls,
        map: Map,
        shares: dict[str, dict[str, float]],
        seen: dict[str, dict[str, tuple[int, dict[int, int]]]],
        net: str | None,
    ) -> Beliefs:
        beliefs = cls(map, net=net)
        beliefs.shares, beliefs.seen = shares, seen
        return beliefs

    def likeliest(self, power: str) -> str:
        """The model that a power most probably follows."""
        shares = self.shares[power]
        return max(shares, key=lambda model: shares[model])

    def observe(
        self,
        position: Position,
        orders: Mapping[str, Iterable[str | Order]],
        pools: Mapping[str, Sequence[tuple[bytes, float]]] | None = None,
    ) -> None:
        """Learn from the orders that were given in a movement position; other phases teach nothing.

        `pools` are the sets with their shares that a search of the position foretold for some powers.
        Units without a legal order held; of powers that are not named nothing is known.
        """
        if position.phase.kind != "M":
            return
        models, given = self.models(position, pools), given_in(position, orders)
        for power, codes in given.items():
            believed = self.shares[power]
            evidence = {name: models[name].log_probability(power, codes) for name in believed}
            self.shares[power] = shifted(believed, evidence)
        note(self.seen, position, given)

    def models(
        self, position: Position, pools: Mapping[str, Sequence[tuple[bytes, float]]] | None = None
    ) -> dict[str, Model]:
        """All models, by name, as the orders of a movement position are judged by them; `pools` as above."""
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
    """Shares of 1 over models after a phase, from those before and the logarithms of the probabilities that
    the models gave to what was ordered. What was ruled out, with a share of 0, stays so."""
    believed = {model: share for model, share in before.items() if share > 0}
    logs = {model: memory * math.log(share) + weight * evidence[model] for model, share in believed.items()}
    top = max(logs.values())
    raw = {model: math.exp(value - top) for model, value in logs.items()}
    total = sum(raw.values())
    floored = {model: max(least, value / total) for model, value in raw.items()}
    total = sum(floored.values())
    return {model: floored.get(model, 0.0) / total for model in before}


def prior_of(ideas: Ideas) -> dict[str, float]:
    """Shares before anything was seen, where the models that are ideas left out are not believed in."""
    kept = {name: share for name, share in PRIOR.items() if MODELS[name].idea in (None, *ideas)}
    if len(kept) == len(PRIOR):
        return kept
    return {name: share / sum(kept.values()) for name, share in kept.items()}


def given_in(position: Position, orders: Mapping[str, Iterable[str | Order]]) -> dict[str, bytes]:
    """The sets that powers gave in a position, of those that have units and are named; illegal orders are
    left out."""
    present = [power for power in position.map.powers if power in orders and position.units_of(power)]
    return {power: from_orders(position, power, orders[power]) for power in present}


def note(
    seen: dict[str, dict[str, tuple[int, dict[int, int]]]], position: Position, given: Mapping[str, bytes]
) -> None:
    """Write the sets of a movement phase into what was seen; units without an order held."""
    phase = position.phase
    for power, codes in given.items():
        seen.setdefault(power, {})[phase.season] = phase.year, in_full(position, power, codes)
