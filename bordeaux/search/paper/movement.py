"""The search of a movement phase, stage by stage: search, mix, propose, test, play out, choose.

Paper 002, section 3.3. *Finding* (`bordeaux.search.paper.finding`) fills a pool of sets for every power, the
wanted ones first. The *decision* (`bordeaux.search.paper.decision`) has the other stages, over candidates of
these pools. Long searches alternate between the two. `SetPools` is a read-only handle on a finished search,
for press: deals, payoffs and hindsight need many sets of two powers and their points.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.search.expand import Expander
from bordeaux._ext.value.influence import Evaluator
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.code import codes_in, in_order
from bordeaux.board.position import Position
from bordeaux.search.beliefs import OpponentSampler
from bordeaux.search.budget import Budget
from bordeaux.search.paper.decision import Decision
from bordeaux.search.paper.finding import Finding
from bordeaux.search.paper.power_search import PowerSearch
from bordeaux.search.paper.state import PaperState, Situation
from bordeaux.search.paper.trial import Trial
from bordeaux.search.sets import SETTLED, Candidates, in_full

__all__ = ["MovementSearch", "SetPools"]


class MovementSearch:
    """The searches of all powers in one movement position: `situation` has what they are given, `state` what
    they have found."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.state = PaperState(situation)
        self.finding = Finding(self.state)
        self.decision = Decision(self.state)

    @property
    def points(self) -> float:
        """The points of one unit of its values: they are points."""
        return 1.0

    @property
    def position(self) -> Position:
        """The position that is searched."""
        return self.situation.position

    @property
    def ends(self) -> Valuer:
        """Values the ends of rollouts."""
        return self.situation.ends

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
        rounds = self.finding.rounds(budget)
        for number in range(rounds):
            yield from self.finding.run(budget, (number + self.finding.share) / rounds)
            yield from self.decision.run(rendezvous.share([*state.wanted]), budget, (number + 1) / rounds)

    def find(self, powers: Sequence[str], budget: Budget) -> None:
        """Fill the pools of some powers and of their near enemies, without a decision. The minimum for
        opening them may exceed the limit."""
        self.state.want(powers)
        deque(self.finding.open_wanted(), maxlen=0)
        self.finding.open_rivals(budget)
        deque(self.finding.run(budget, 1.0), maxlen=0)

    def lines(self, power: str, count: int = 5) -> list[tuple[bytes, float]]:
        """The best few distinct sets of a power with their values, best first; the current best is
        the first. None for a power without units."""
        return self.state.lines(power, count)

    def candidates(self, power: str) -> Candidates:
        """The candidates of a decision, best first, with the scores of its stages; none before that."""
        decided = self.state.decided.get(power, {}).values()
        return tuple(sorted(decided, key=lambda candidate: candidate.rank))

    def sets(self, power: str) -> list[bytes]:
        """The best few distinct sets of a power, best first, for the last stage."""
        return [in_order(codes_in(orders)) for orders, _ in self.lines(power, SETTLED)]

    def pools(self) -> dict[str, list[tuple[bytes, float]]]:
        """The sets that each power would play if it searched as we do, with their shares."""
        return {power: self.sampler.mixture(side) for power, side in self.sides.items()}

    def joint(self, power: str) -> bytes:
        """Orders of all powers but one, drawn from the beliefs about them."""
        return self.sampler.joint(power)

    def forecast(self, power: str) -> list[tuple[bytes, float]]:
        """The possible sets of a power, with probabilities, the most probable first."""
        return self.sampler.forecast(power)


class SetPools:
    """What a search of the paper knows about a movement phase. `position` is the one that was searched,
    `evaluator` evaluates the next phase."""

    def __init__(self, search: MovementSearch) -> None:
        self._search = search
        self.position: Position = search.situation.position
        self.evaluator: Evaluator = search.situation.evaluator

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
        """Any sets of a power, best first by a trial on at least so many drawn orders of the others, and the
        nodes that this took."""
        trial = Trial(self._space(power, sets), lambda: self.others(power))
        trial.run(sets, lambda: len(trial.samples) / samples)
        return trial.ranked(), len(sets) * len(trial.samples)

    def worth_to(self, powers: Mapping[str, float], joint: bytes) -> float:
        """The weighted points of some powers after joint orders of all."""
        return self._search.situation.worth_to(powers, joint)

    def ends(self, joint: Sequence[bytes]) -> list[Packed]:
        """The positions after each of some joint orders of all and the movement phases of a rollout, all with
        the same random numbers."""
        state = self._search.state
        chance, phases = [state.random.getrandbits(63)], state.sampler.horizon
        played = self._search.decision.rollout
        return [played.ends(self.position.packed, orders, phases, chance)[0] for orders in joint]

    def points(self, end: Packed, power: str) -> float:
        """The value of an end of a rollout for a power."""
        return self._search.situation.ends.points(end, self.position.map.powers.index(power))

    @property
    def played(self) -> int:
        """The nodes of rollouts so far."""
        return self._search.decision.rollout.nodes

    def _space(self, power: str, sets: Sequence[bytes]) -> Expander:
        """A space of exactly the orders of some sets, as actual orders may lie outside the search's space."""
        situation, number = self._search.situation, self.position.map.powers.index(power)
        held = in_full(self.position, power, b"").values()
        whole = [in_full(self.position, power, orders).values() for orders in sets]
        choices = [list(dict.fromkeys(codes)) for codes in zip(held, *whole, strict=True)]
        return Expander(self.position.packed, self.evaluator, number, choices, situation.maxims.on_sets)
