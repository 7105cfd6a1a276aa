"""A read-only handle on a finished search of the paper, for press: the sets that it found for several powers.

Deals, payoffs and hindsight need many sets of two powers and their points, which the search of the paper has.
Sets are bytes of codes (`bordeaux.board.code`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bordeaux._ext.expand import Expander
from bordeaux._ext.influence import Evaluator
from bordeaux._ext.packed import Packed
from bordeaux.board.position import Position
from bordeaux.search.paper import MovementSearch, Trial
from bordeaux.search.sets import in_full

__all__ = ["SetPools"]


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
