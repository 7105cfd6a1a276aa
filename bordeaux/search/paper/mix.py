"""The first stage of a decision: the sets of searching powers form a game, whose solution is a mixture for
each."""

from __future__ import annotations

from collections.abc import Callable

from bordeaux.search.beliefs import LEAGUE
from bordeaux.search.budget import Budget
from bordeaux.search.paper.normal_form import NormalForm
from bordeaux.search.paper.regret_matching import Anchor
from bordeaux.search.paper.state import Mixed, PaperState

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

    def __init__(self, state: PaperState) -> None:
        self.state = state

    def run(self, wanted: list[str], progress: Callable[[], float], budget: Budget, until: float) -> Mixed:
        """The mixtures of the powers that learn; none where there is nothing to mix. Nodes are counted as
        they are used, since the progress depends on them."""
        state, situation = self.state, self.state.situation
        mixed = Mixed({}, {})
        foes = {foe for power in wanted for foe in state.foes(power)} - set(wanted)
        begin = progress()
        if not (foes or len(wanted) > 1) or begin >= until:
            return mixed
        fixed = {
            power: state.sampler.forecast(power)[:FORETOLD]
            for power in situation.present
            if power not in wanted
            and (power not in state.sides or state.sampler.share(power) < SEARCHES or state.bonds.of(power))
        }
        normal_form = NormalForm(
            situation.position,
            situation.evaluator,
            state.sides,
            wanted,
            seed=state.random.getrandbits(32),
            neighbourhood=situation.neighbourhood,
            fixed=fixed,
            widen=budget.roomy,
            proposed=self._proposed if "people" in situation.ideas else None,
            anchor=self._anchor() if "people" in situation.ideas else None,
        )
        counted = 0

        def part() -> float:
            nonlocal counted
            state.spend(normal_form.nodes - counted)
            counted = normal_form.nodes
            return (progress() - begin) / ((until - begin) * MIXING)

        normal_form.run(part)
        for power in normal_form.learners:
            mixture = normal_form.equilibrium.mixture(power, VALUED).pruned()
            mixed.shares[power] = list(zip(mixture.orders, mixture.shares, strict=True))
            mixed.values[power] = list(zip(mixture.orders, mixture.values, strict=True))
        part()
        return mixed

    def _proposed(self, power: str) -> list[bytes]:
        """Sets of a power from the net of engines, which join its pool."""
        side = self.state.sides[power]
        nodes = self.state.drawn(power, LEAGUE, JOINING)
        return [side.bound(side.space.orders(node)) for node in nodes]

    def _anchor(self) -> Anchor | None:
        """The policy of people as an anchor, if powers are to be held near it."""
        points = self.state.situation.config.anchor
        return Anchor(self.state.sampler.of_people(), points) if points > 0 else None
