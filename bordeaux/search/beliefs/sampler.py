"""The possible orders of the others in one position: joint orders drawn from the beliefs about each."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from bordeaux._ext.policy import Chooser
from bordeaux.board.code import as_bytes, codes_in
from bordeaux.board.position import Position
from bordeaux.search.agreements import REDRAWN, Bond, Bonds
from bordeaux.search.beliefs.beliefs import Beliefs
from bordeaux.search.beliefs.learnt import LikePeople
from bordeaux.search.beliefs.models import FAST, SEARCH, Scene, Side, mixture
from bordeaux.search.beliefs.registry import PHASES, opened
from bordeaux.search.sets import in_full

__all__ = ["OpponentSampler"]

#: Draws for a prediction.
FORECAST = 50


class OpponentSampler:
    """Draws the orders of all powers but one, each by a model that is drawn from the beliefs about it.

    `given` are known orders (bytes of codes), which are not drawn. The others keep their agreements in
    `bonds`, each with the probability of its trust. Rollouts play all powers by the policy of
    the model `played_on`. That model also draws for a power that is believed to search but has no side.
    `random` makes all random choices.
    """

    def __init__(
        self,
        position: Position,
        beliefs: Beliefs,
        sides: Mapping[str, Side],
        random: random.Random,
        given: Mapping[str, bytes] | None = None,
        bonds: Bonds | None = None,
        *,
        played_on: str = FAST,
    ) -> None:
        self.position = position
        self.beliefs = beliefs
        self.sides = sides
        self.random = random
        self.given = given or {}
        self.bonds = bonds or Bonds(position)
        self.mixtures: dict[str, list[tuple[bytes, float]]] = {}
        self.played_on = played_on
        self._scene = Scene(position, random, sides, self.mixtures, seen=beliefs.seen, net=beliefs.net)
        self._models = opened(self._scene)

    def reseed(self, chance: random.Random) -> None:
        """Begin another sequence of random choices, which depends on `chance` alone, so that each stage of a
        search draws from a source of its own."""
        self.random.seed(chance.getrandbits(64))
        self._models.reseed(chance.getrandbits(64))

    def share(self, power: str) -> float:
        """The probability that a power searches; 0 if its orders are known."""
        return 0.0 if power in self.given else self.beliefs.shares[power].get(SEARCH, 0.0)

    def policy(self, power: str, model: str = FAST) -> bytes:
        """Orders of a power drawn by the fast policy, or another model."""
        return self._models[model].draw(power)

    def of_people(self) -> Callable[[str, bytes], float]:
        """A function that gives the log probability of a set of a power under the net of people."""
        return LikePeople(self._scene).of_set

    def chooser(self) -> Chooser:
        """The policy that plays all powers in rollouts."""
        return self._models[self.played_on].chooser()

    @property
    def horizon(self) -> int:
        """The number of movement phases of a rollout."""
        return PHASES[self.played_on]

    def orders(self, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        """Orders of one power: drawn, or the best of the most probable model; `plain` as in `Model.draw`."""
        if power in self.given:
            return self.given[power]
        model = self.beliefs.likeliest(power) if likeliest else self._drawn_model(power)
        return self._kept(model, power, likeliest=likeliest, plain=plain)

    def draws(self, power: str, count: int) -> list[bytes]:
        """So many draws of a power's orders."""
        if power in self.given or self.bonds.of(power):
            return [self.orders(power) for _ in range(count)]
        shares = self.beliefs.shares[power]
        models = self.random.choices(list(shares), list(shares.values()), k=count)
        return [self._by(model, power) for model in models]

    def _kept(self, model: str, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        """Orders of a power by a model that keep its obligations: those that break one are drawn anew a few
        times, and then changed."""
        orders = self._by(model, power, likeliest=likeliest, plain=plain)
        bonds = self.bonds.of(power)
        if not bonds:
            return orders
        kept = self.bonds.likely(power) if likeliest else self._keeping(bonds)
        for _ in range(REDRAWN):
            if not any(bond.bars(code) for bond in kept for code in codes_in(orders)):
                break
            # Who keeps the peace has something else to do, and does not stand still where it would attack.
            orders = self._by(model, power, plain=plain or likeliest)
        return self.bonds.kept(orders, kept)

    def _keeping(self, bonds: Iterable[Bond]) -> list[Bond]:
        """The obligations that are kept in this draw."""
        return [bond for bond in bonds if self.random.random() < bond.trust]

    def _drawn_model(self, power: str) -> str:
        shares = self.beliefs.shares[power]
        return self.random.choices(list(shares), list(shares.values()))[0]

    def _by(self, model: str, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        """Orders of a power by a model; another model is used before a side has been opened."""
        stands = self.played_on if model == SEARCH and power not in self.sides else model
        return self._models[stands].draw(power, likeliest=likeliest, plain=plain)

    def mixture(self, side: Side) -> list[tuple[bytes, float]]:
        """The sets that a searching power plays from, with their shares."""
        return list(mixture(self._scene, side.power))

    def joint(self, power: str, *, likeliest: bool = False) -> bytes:
        """Orders of all powers but one."""
        units = self.position.orderable()
        return b"".join(
            self.orders(other, likeliest=likeliest)
            for other in self.position.map.powers
            if other != power and units.get(other)
        )

    def forecast(self, power: str) -> list[tuple[bytes, float]]:
        """The possible sets of a power, with probabilities, the most probable first, from a number of draws.

        In a movement phase every unit has an order: units without one hold.
        """
        drawn = Counter(self.in_full(power, self.orders(power, plain=True)) for _ in range(FORECAST))
        ranked = sorted(drawn, key=lambda orders: (-drawn[orders], orders))
        return [(orders, drawn[orders] / FORECAST) for orders in ranked]

    def in_full(self, power: str, orders: bytes) -> bytes:
        """A set with a hold for every unit without an order, in the order of the locations, so that equal
        sets are equal bytes."""
        if self.position.phase.kind != "M":
            return orders
        return as_bytes(in_full(self.position, power, orders).values())
