"""What the others at the table are like, learnt from what they play.

Paper 002, section 5, judges intentions by the moves that were made. Here every power is believed to
follow one of a few models, with shares of 1; each movement phase shifts the shares by how well each
model foretold the orders given (Bayes' rule, unit by unit).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bordeaux.board.code import codes_in, destination_of, kind_of, target_of, unit_of
from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.search.policy import CRUDE, DUMBBOT, Policy, draw
from bordeaux.search.seeds import from_orders

__all__ = ["HOLD", "POLICIES", "SEARCH", "Beliefs"]

SEARCH = "search"
"""The model of a power that searches like us."""
HOLD = "hold"
"""The model of a power that sends nothing."""
POLICIES: dict[str, Policy] = {"dumbbot": DUMBBOT, "crude": CRUDE}
"""The models of powers that follow a fast policy."""

#: Shares before anything was seen.
PRIOR = {SEARCH: 0.6, "dumbbot": 0.3, "crude": 0.05, HOLD: 0.05}
#: No model is ever ruled out.
LEAST = 0.01
#: Times that a policy is asked what it would play.
DRAWS = 12
#: Share of chance in what a model does, and the orders that it falls upon.
SURPRISE = 0.2
CHOICES = 8
#: The same for the sets of a search, which foretell less of what another search does.
LOOSE = 0.5
#: Chance of any order of a power that searches, where its search is not known.
BLIND = 0.2
#: Units of a power act together, so each counts for less than a whole observation.
WEIGHT = 0.5
#: What was seen long ago counts for less and less.
MEMORY = 0.95

Key = tuple[int, int, int, int]


class Beliefs:
    """Shares of 1 over the models, for every power of a map.

    `shares` maps powers to shares by model; `prior` are the shares before anything was seen, and what
    is not in it is never believed. Equal observations lead to equal beliefs.
    """

    def __init__(self, map: Map, prior: Mapping[str, float] = PRIOR) -> None:
        self.map = map
        self.shares: dict[str, dict[str, float]] = {power: dict(prior) for power in map.powers}

    def __reduce__(self) -> tuple[object, ...]:
        return Beliefs._restored, (self.map, self.shares)

    @classmethod
    def _restored(cls, map: Map, shares: dict[str, dict[str, float]]) -> Beliefs:
        beliefs = cls(map)
        beliefs.shares = shares
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
        # Their chance begins anew, so that nothing but what was seen matters to beliefs, travelled or not.
        choosers = {name: policy.chooser(self.map, 1) for name, policy in POLICIES.items()}
        for number, power in enumerate(self.map.powers):
            units = position.units_of(power)
            if not units or power not in orders:
                continue
            given = {key[1]: key for key in _keys(self.map, from_orders(position, power, orders[power]))}
            for unit in units:
                location = self.map.location(unit.kind, unit.location).index
                given.setdefault(location, (OrderKind.HOLD, location, 0, 0))
            drawn = {
                name: [(draw(chooser, position.packed, number), 1 / DRAWS) for _ in range(DRAWS)]
                for name, chooser in choosers.items()
            }
            self._shift(power, self._evidence(given, drawn, (pools or {}).get(power, ())))

    def _evidence(
        self,
        given: Mapping[int, Key],
        drawn: Mapping[str, Sequence[tuple[bytes, float]]],
        pool: Sequence[tuple[bytes, float]],
    ) -> dict[str, float]:
        """Logarithm of the chance of the orders given, by model: `drawn` are the sets of the policies,
        with their shares, `pool` those of a search."""
        evidence = {
            HOLD: sum(
                math.log(1 - SURPRISE if key[0] == OrderKind.HOLD else SURPRISE / CHOICES)
                for key in given.values()
            )
        }
        for name, sets in drawn.items():
            evidence[name] = self._likelihood(given, sets, SURPRISE)
        if pool:
            evidence[SEARCH] = self._likelihood(given, pool, LOOSE)
        else:
            evidence[SEARCH] = len(given) * math.log(BLIND)
        return evidence

    def _likelihood(
        self, given: Mapping[int, Key], sets: Sequence[tuple[bytes, float]], surprise: float
    ) -> float:
        foretold: Counter[Key] = Counter()
        for orders, share in sets:
            for key in _keys(self.map, orders):
                foretold[key] += share  # type: ignore[assignment]
        return sum(
            math.log((1 - surprise) * min(1.0, foretold[key]) + surprise / CHOICES) for key in given.values()
        )

    def _shift(self, power: str, evidence: Mapping[str, float]) -> None:
        before = self.shares[power]
        logs = {model: MEMORY * math.log(before[model]) + WEIGHT * evidence[model] for model in before}
        top = max(logs.values())
        raw = {model: math.exp(value - top) for model, value in logs.items()}
        total = sum(raw.values())
        floored = {model: max(LEAST, value / total) for model, value in raw.items()}
        total = sum(floored.values())
        self.shares[power] = {model: value / total for model, value in floored.items()}


def _keys(map: Map, orders: bytes) -> list[Key]:
    """Orders in a form in which the same order has one form: coasts of supported moves left out."""
    keys: list[Key] = []
    for code in codes_in(orders):
        kind = kind_of(code)
        target = map.locations[target_of(code)].province if kind != OrderKind.HOLD else 0
        goal = (
            map.locations[destination_of(code)].province
            if kind in (OrderKind.SUPPORT_MOVE, OrderKind.CONVOY)
            else 0
        )
        keys.append((kind, unit_of(code), target, goal))
    return keys
