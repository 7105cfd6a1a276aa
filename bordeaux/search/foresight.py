"""What the others may play in one position: joint orders drawn from what is believed of each."""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Mapping

from bordeaux.board.code import as_bytes, codes_in, is_via, kind_of, unit_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.lines import probabilities
from bordeaux.search.opponents import HOLD, POLICIES, SEARCH, Beliefs
from bordeaux.search.policy import draw
from bordeaux.search.side import Side

__all__ = ["Foresight"]

#: Draws that a forecast is made of.
FORECAST = 50
#: Nobody thinks just as we do. Of a power that searches so many draws are of the fast policy; of the rest so
#: many are of all its pool and not of what our search of it holds for best, and then so many points make one
#: set e times as likely as another; and a unit of it goes where nobody foresaw with this chance.
FAST = 0.25
STRANGE = 0.6
LOOSELY = 100.0
ASTRAY = 0.2
ALONE = (OrderKind.HOLD, OrderKind.MOVE)


class Foresight:
    """Draws the orders of everybody but one power.

    A power that is believed to search plays from the pool of its side, one that follows a policy
    what the policy draws, one that holds nothing. `given` are orders (bytes of codes) that are
    known and not drawn. All chance is that of `random`.
    """

    def __init__(
        self,
        position: Position,
        beliefs: Beliefs,
        sides: Mapping[str, Side],
        random: random.Random,
        given: Mapping[str, bytes] | None = None,
    ) -> None:
        self.position = position
        self.beliefs = beliefs
        self.sides = sides
        self.random = random
        self.given = given or {}
        self.mixtures: dict[str, list[tuple[bytes, float]]] = {}
        self._choosers = {
            name: policy.chooser(position.map, random.getrandbits(64)) for name, policy in POLICIES.items()
        }

    def share(self, power: str) -> float:
        """How far it is believed that a power searches, as a share of 1; 0 when its orders are known."""
        return 0.0 if power in self.given else self.beliefs.shares[power][SEARCH]

    def policy(self, power: str, name: str = "dumbbot") -> bytes:
        """Orders of a power as a policy draws them."""
        return draw(self._choosers[name], self.position.packed, self.position.map.powers.index(power))

    def orders(self, power: str, *, likeliest: bool = False) -> bytes:
        """Orders of one power: drawn, or the best of the likeliest model."""
        if power in self.given:
            return self.given[power]
        shares = self.beliefs.shares[power]
        if likeliest:
            model = self.beliefs.likeliest(power)
        else:
            model = self.random.choices(list(shares), list(shares.values()))[0]
        if model == HOLD:
            return b""
        if model != SEARCH:
            return self.policy(power, model)
        side = self.sides.get(power)
        if side is None:
            return self.policy(power)
        if likeliest:
            return side.best
        if self.random.random() < FAST:
            return self.policy(power)
        strange = side.pool and self.random.random() < STRANGE
        sets, weights = zip(*(self._loosely(side) if strange else self.mixture(side)), strict=True)
        return self._astray(power, self.random.choices(sets, weights)[0])

    def _astray(self, power: str, orders: bytes) -> bytes:
        """A set of a power in which now and then a unit holds, or moves, where it was not foreseen."""
        chance = self.random.random
        codes = [
            self.random.choice(self._ways[unit_of(code)]) if chance() < ASTRAY else code
            for code in codes_in(orders)
        ]
        return as_bytes(codes)

    @functools.cached_property
    def _ways(self) -> dict[int, list[int]]:
        """Holds and moves but for those by convoy, of all units by location."""
        return {
            location: [code for code in codes if kind_of(code) in ALONE and not is_via(code)]
            for units in self.position.packed.legal().values()
            for location, codes in units.items()
        }

    def _loosely(self, side: Side) -> list[tuple[bytes, float]]:
        """The sets of a pool with shares that fall off slowly with the points behind the best."""
        pool = side.ranked()
        return list(zip(pool, probabilities([side.pool[each] for each in pool], LOOSELY), strict=True))

    def mixture(self, side: Side) -> list[tuple[bytes, float]]:
        """The sets that a searching power plays from, with their shares."""
        if side.power in self.mixtures:
            return self.mixtures[side.power]
        pool = side.ranked()
        return list(zip(pool, probabilities([side.pool[orders] for orders in pool]), strict=True))

    def joint(self, power: str, *, likeliest: bool = False) -> bytes:
        """Orders of everybody but one power."""
        units = self.position.orderable()
        return b"".join(
            self.orders(other, likeliest=likeliest)
            for other in self.position.map.powers
            if other != power and units.get(other)
        )

    def forecast(self, power: str) -> list[tuple[bytes, float]]:
        """What a power may play, with shares of 1, the likeliest first, from so many draws.

        In a movement phase every unit has an order: those that get none hold.
        """
        drawn = Counter(self._in_full(power, self.orders(power)) for _ in range(FORECAST))
        ranked = sorted(drawn, key=lambda orders: (-drawn[orders], orders))
        return [(orders, drawn[orders] / FORECAST) for orders in ranked]

    def _in_full(self, power: str, orders: bytes) -> bytes:
        """A set with a hold for every unit that has no order, in the order of the locations, so that
        sets that come to the same are the same."""
        if self.position.phase.kind != "M":
            return orders
        map = self.position.map
        units = self.position.units_of(power)
        locations = sorted(map.location(unit.kind, unit.location).index for unit in units)
        codes = {location: OrderKind.HOLD | location << 16 for location in locations}
        codes |= {unit_of(code): code for code in codes_in(orders)}
        return as_bytes(codes.values())
