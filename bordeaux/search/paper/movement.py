"""The search of a movement phase (Hall and Loeb 1995, section 3.3).

*Finding* (`bordeaux.search.paper.finding`) fills a pool of sets for every power, the wanted ones first.
*Mixing* (`bordeaux.search.paper.equilibrium`) makes a game of the pools, which predicts what is played and
adds sets. Long searches alternate between the two. Which set is the answer the last stage of all searches
decides (`bordeaux.search.settle`). `SetPools` is a read-only handle on a finished search, for press: deals,
payoffs and hindsight need many sets of two powers and their points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.search.expand import Expander
from bordeaux._ext.search.rollout import Rollout
from bordeaux._ext.value.influence import Evaluator
from bordeaux.board.code import codes_in, in_order
from bordeaux.board.position import Position
from bordeaux.search.beliefs import OpponentSampler
from bordeaux.search.paper.equilibrium import Mix
from bordeaux.search.paper.finding import FINDING, Finding
from bordeaux.search.paper.power_search import PowerSearch
from bordeaux.search.paper.state import PaperState, Situation
from bordeaux.search.sets import in_full
from bordeaux.search.task import Budget

__all__ = ["MovementSearch", "SetPools"]

#: The best sets that go to the last stage.
SETTLED = 16


class MovementSearch:
    """The searches of all powers in one movement position: `situation` has what they are given, `state` what
    they have found."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.state = PaperState(situation)
        self.finding = Finding(self.state)
        self.mix = Mix(self.state) if "equilibrium" in situation.ideas else None

    @property
    def sides(self) -> dict[str, PowerSearch]:
        """The powers that have been opened, with their pools."""
        return self.state.sides

    @property
    def sampler(self) -> OpponentSampler:
        """Draws the orders of the others."""
        return self.state.sampler

    @property
    def nodes(self) -> int:
        """Adjudications with evaluation so far, in all processes."""
        return self.state.nodes

    def run(self, powers: Sequence[str], budget: Budget) -> Iterator[str]:
        """Search until the budget is used; yields a power whenever its best set has changed.

        `powers` are those whose orders are wanted; the others are searched as their background.
        """
        state, rendezvous = self.state, self.situation.rendezvous
        state.want(powers)
        yield from self.finding.open_wanted()
        self.finding.open_rivals(budget)
        rounds = budget.rounds
        for number in range(rounds):
            until = (number + 1) / rounds
            found = until if self.mix is None else (number + FINDING) / rounds
            yield from self.finding.run(budget, found)
            if self.mix is not None:
                self.mix.run(rendezvous.share([*state.wanted]), lambda: state.progress(budget), budget, until)
                yield from state.exchange()

    def lines(self, power: str, count: int = 5) -> list[tuple[bytes, float]]:
        """The best few distinct sets of a power with their values, best first; the current best is
        the first. None for a power without units."""
        return self.state.lines(power, count)

    def sets(self, power: str) -> list[bytes]:
        """The best few distinct sets of a power for the last stage: the best one, those of its mixture, and
        then by value."""
        lines = [orders for orders, _ in self.lines(power, SETTLED)]
        mixed = [orders for orders, _ in self.sampler.mixtures.get(power, ())]
        return [in_order(codes_in(orders)) for orders in dict.fromkeys((*lines[:1], *mixed, *lines))][
            :SETTLED
        ]

    def pools(self) -> dict[str, list[tuple[bytes, float]]]:
        """The sets that each power would play if it searched as we do, with their shares."""
        return {power: self.sampler.mixture(side) for power, side in self.sides.items()}


class SetPools:
    """What a search of the paper knows about a movement phase. `position` is the one that was searched,
    `evaluator` evaluates the next phase."""

    def __init__(self, search: MovementSearch) -> None:
        self._search = search
        self.position: Position = search.situation.position
        self.evaluator: Evaluator = search.situation.evaluator
        self._rollout = Rollout(search.situation.ends, search.sampler.chooser())

    @property
    def nodes(self) -> int:
        """Adjudications with evaluation of the search."""
        return self._search.nodes

    @property
    def present(self) -> list[str]:
        """The powers that have units."""
        return self._search.situation.present

    def sets(self, power: str) -> list[bytes]:
        """The pool of a power, best first; empty for a power that was not searched for."""
        side = self._search.sides.get(power)
        return [] if side is None else side.ranked()

    def lines(self, power: str, count: int) -> list[tuple[bytes, float]]:
        """The best few distinct sets of a power with their points, best first."""
        return self._search.lines(power, count)

    def drawn(self, power: str) -> bytes:
        """Orders of a power, drawn from the beliefs about it and its agreements."""
        return self._search.sampler.orders(power)

    def others(self, power: str) -> bytes:
        """Orders of all powers but one, drawn in the same way."""
        return self._search.sampler.joint(power)

    def values(self, power: str, sets: Sequence[bytes], samples: Sequence[bytes]) -> list[list[float]]:
        """The points of any sets of a power after this phase, against each of some joint orders of the
        others, a row for each set."""
        space = self._space(power, sets)
        return space.compare([space.node_of(orders) for orders in sets], samples)

    def tried(self, power: str, sets: Sequence[bytes], samples: int) -> tuple[list[bytes], int]:
        """Any sets of a power, best first by their mean over so many drawn orders of the others, and the
        nodes that this took."""
        drawn = [self.others(power) for _ in range(samples)]
        means = dict(zip(sets, map(fmean, self.values(power, sets, drawn)), strict=True))
        return sorted(means, key=lambda orders: (-means[orders], orders)), len(sets) * samples

    def ends(self, joint: Sequence[bytes]) -> list[Packed]:
        """The positions after each of some joint orders of all and the movement phases of a rollout, all with
        the same random numbers."""
        state = self._search.state
        chance, phases = [state.random.getrandbits(63)], state.sampler.horizon
        return [self._rollout.ends(self.position.packed, orders, phases, chance)[0] for orders in joint]

    def points(self, end: Packed, power: str) -> float:
        """The value of an end of a rollout for a power."""
        return self._search.situation.ends.points(end, self.position.map.powers.index(power))

    @property
    def played(self) -> int:
        """The nodes of rollouts so far."""
        return self._rollout.nodes

    def _space(self, power: str, sets: Sequence[bytes]) -> Expander:
        """A space of exactly the orders of some sets, as actual orders may lie outside the search's space."""
        situation, number = self._search.situation, self.position.map.powers.index(power)
        held = in_full(self.position, power, b"").values()
        whole = [in_full(self.position, power, orders).values() for orders in sets]
        choices = [list(dict.fromkeys(codes)) for codes in zip(held, *whole, strict=True)]
        return Expander(self.position.packed, self.evaluator, number, choices, situation.maxims.on_sets)
