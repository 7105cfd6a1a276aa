"""The first stage of a decision: the sets of searching powers form a game, whose solution is a mixture for
each."""

from __future__ import annotations

from collections.abc import Callable

from bordeaux.search.beliefs import LEAGUE
from bordeaux.search.budget import Budget
from bordeaux.search.paper.normal_form import NormalForm
from bordeaux.search.paper.regret_matching import Anchor
from bordeaux.search.paper.situation import Situation

__all__ = ["Mix"]

#: The share of the remaining budget for the mixtures. A power learns a mixture if the probability that it
#: searches is at least the second constant; else it plays one of so many predicted sets.
MIXING = 0.25
SEARCHES = 0.5
FORETOLD = 12
#: Sets of the net of engines that are added to the game of a power that learns.
JOINING = 4
#: Draws over which the values of mixtures are averaged.
VALUED = 50


class Mix:
    """Makes a game of the sets of the wanted powers and of searching enemies, and computes mixtures."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation

    def run(self, wanted: list[str], progress: Callable[[], float], budget: Budget, until: float) -> None:
        """Store the mixtures for predictions of the powers, and their sets in the pools."""
        situation = self.situation
        foes = {foe for power in wanted for foe in situation.foes(power)} - set(wanted)
        begin = progress()
        if not (foes or len(wanted) > 1) or begin >= until:
            return
        fixed = {
            power: situation.sampler.forecast(power)[:FORETOLD]
            for power in situation.present
            if power not in wanted
            and (
                power not in situation.sides
                or situation.sampler.share(power) < SEARCHES
                or situation.bonds.of(power)
            )
        }
        normal_form = NormalForm(
            situation.position,
            situation.evaluator,
            situation.sides,
            wanted,
            seed=situation.random.getrandbits(32),
            neighbourhood=situation.neighbourhood,
            fixed=fixed,
            widen=budget.roomy,
            proposed=self._proposed if "people" in situation.ideas else None,
            anchor=self._anchor() if "people" in situation.ideas else None,
        )
        counted = 0

        def part() -> float:
            nonlocal counted
            situation.spend(normal_form.nodes - counted)
            counted = normal_form.nodes
            return (progress() - begin) / ((until - begin) * MIXING)

        normal_form.run(part)
        for power in normal_form.learners:
            mixture = normal_form.equilibrium.mixture(power, VALUED).pruned()
            situation.sampler.mixtures[power] = list(zip(mixture.orders, mixture.shares, strict=True))
            side = situation.sides[power]
            for orders, value in zip(mixture.orders, mixture.values, strict=True):
                if side.bound(orders) == orders:
                    side.pool.setdefault(orders, value)
        part()

    def _proposed(self, power: str) -> list[bytes]:
        """Sets of a power from the net of engines, which join its pool."""
        side = self.situation.sides[power]
        nodes = self.situation.drawn(power, LEAGUE, JOINING)
        return [side.bound(side.space.orders(node)) for node in nodes]

    def _anchor(self) -> Anchor | None:
        """The policy of people as an anchor, if powers are to be held near it."""
        points = self.situation.config.anchor
        return Anchor(self.situation.sampler.of_people(), points) if points > 0 else None
