"""The search of a movement phase, stage by stage: find candidates, then decide between them.

Paper 002, section 3.3. *Finding* (`bordeaux.search.finding`) fills a pool of sets for every power, the wanted
ones first. The *decision* (`bordeaux.search.decision`) tries the best of them on what the others may order,
looks what can be forced, mixes where enemies reason too, and plays on. Long searches go back and forth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bordeaux._ext.influence import Evaluator
from bordeaux.board.position import Position
from bordeaux.search.budget import Budget
from bordeaux.search.decision import HORIZON, Decision
from bordeaux.search.finding import FINDING, Finding
from bordeaux.search.foresight import Foresight
from bordeaux.search.ideas import Ideas
from bordeaux.search.lines import CAUTION
from bordeaux.search.maxims import Maxims
from bordeaux.search.opponents import Beliefs
from bordeaux.search.rendezvous import Rendezvous
from bordeaux.search.side import Side
from bordeaux.search.situation import Situation

__all__ = ["MovementSearch"]


class MovementSearch:
    """The searches of all powers in one movement position.

    `seeds` are sets of orders (bytes of codes) to start powers from beside all hold; `given` are
    orders that powers are known to give, `beliefs` what is thought of the others. `caution`, from 0
    to 1, is the share of the worst reply when a set is judged by the enemies' replies. `ideas` are
    those in use, all by default; `rendezvous` is where this search meets those of other processes.
    """

    def __init__(
        self,
        position: Position,
        evaluator: Evaluator,
        *,
        maxims: Maxims,
        seed: int = 0,
        seeds: Mapping[str, list[bytes]] | None = None,
        beliefs: Beliefs | None = None,
        given: Mapping[str, bytes] | None = None,
        caution: float = CAUTION,
        ideas: Ideas | None = None,
        rendezvous: Rendezvous | None = None,
    ) -> None:
        self.situation = Situation(
            position,
            evaluator,
            maxims=maxims,
            seed=seed,
            seeds=seeds,
            beliefs=beliefs,
            given=given,
            caution=caution,
            ideas=ideas,
            rendezvous=rendezvous,
        )
        self.finding = Finding(self.situation)
        self.decision = Decision(self.situation)

    @property
    def sides(self) -> dict[str, Side]:
        """The powers that have been opened, with their pools."""
        return self.situation.sides

    @property
    def foresight(self) -> Foresight:
        """What draws the orders of the others."""
        return self.situation.foresight

    @property
    def nodes(self) -> int:
        """Adjudications with evaluation so far, in all processes."""
        return self.situation.nodes

    def run(self, powers: Sequence[str], budget: Budget) -> Iterator[str]:
        """Search until the budget is spent; yields a power whenever its best set has changed.

        `powers` are those whose orders are wanted; the others are searched as their background.
        """
        here = self.situation
        here.wanted = [power for power in powers if power in here.present]
        yield from self.finding.open_wanted()
        self.finding.open_rivals(budget)
        rounds = budget.rounds
        for number in range(rounds):
            yield from self.finding.run(budget, (number + FINDING) / rounds)
            yield from self.decision.run(here.rendezvous.share(here.wanted), budget, (number + 1) / rounds)

    def lines(self, power: str, count: int = 5) -> list[tuple[bytes, float]]:
        """The best few distinct sets of a power with their values, best first; the current best is
        the first. None for a power without units."""
        return self.situation.lines(power, count)

    def depth(self, power: str) -> int:
        """Movement phases looked ahead for a power, this one included."""
        return 1 + HORIZON if self.decision.played_on(power) else 1

    def pools(self) -> dict[str, list[tuple[bytes, float]]]:
        """The sets that each power would play if it searched as we do, with their shares."""
        return {power: self.foresight.mixture(side) for power, side in self.sides.items()}

    def forecast(self, power: str) -> list[tuple[bytes, float]]:
        """What a power may play, with shares of 1, the likeliest first."""
        return self.foresight.forecast(power)
