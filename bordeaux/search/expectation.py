"""What is expected of every power in a position: the sets that it may play, with their shares.

An expectation hangs on the position and on what is known (earlier and given orders, agreements), not on the
seed of a search. Powers draw sets from the beliefs about them. As far as they are believed to reason, they
take the best of some draws. A leader who can win within this phase is expected to try as well.
"""

from __future__ import annotations

import math
import random
import sys
from collections import Counter
from collections.abc import Mapping

from bordeaux._ext.search.contest import Contest
from bordeaux._ext.search.rollout import Rollout
from bordeaux.board.code import codes_in, in_order
from bordeaux.board.position import Position
from bordeaux.policy.net import WIDE, load_net
from bordeaux.policy.people import MOST_SETS, People
from bordeaux.search.beliefs import Choices, OpponentSampler
from bordeaux.search.forcing import winning_tries
from bordeaux.search.sets import Mixture, likeliest, mixed
from bordeaux.search.task import SearchTask

__all__ = ["Expectation"]

#: Sets drawn for each power.
DRAWN = 96
#: A power that reasons takes the best of so many draws, each compared against so many samples of all others;
#: and the trials of which its shares are the mean.
AMONG, GLANCES, TRIALS = 8.0, 2, 3
#: Nodes of a search below which fewer sets are drawn, and nobody reasons.
LEAST_NODES = 3_000
#: The share of a leader's draws that try to win at once, where that is possible.
TRIES = 0.25


class Expectation:
    """The expected sets of all powers of a task that must give orders, before a search of about `size` nodes.

    `mixtures` maps powers to shares by sets. `choices` are what powers draw and what they choose among, for
    the beliefs, of powers for which these differ. `nodes` is the work.
    """

    def __init__(self, task: SearchTask, size: float = math.inf) -> None:
        sampler = task.sampler(random.Random("expected"))
        self.position: Position = task.position
        self.nodes = 0
        self.choices: dict[str, Choices] = {}
        owing = [power for power, units in self.position.orderable().items() if units]
        count = max(4, round(DRAWN * min(1.0, size / LEAST_NODES)))
        if self.position.phase == self.position.map.start_phase and "people" in task.config.ideas:
            # Nobody has moved yet: what people open with is better known than any search.
            drawn = {power: self._opened(sampler, power) for power in owing}
            size = 0.0
        else:
            drawn = {power: self._drawn(sampler, power, count) for power in owing}
        chosen = drawn
        if "reasoning" in task.config.ideas and size >= LEAST_NODES:
            contest = Contest(Rollout(task.value(), sampler.chooser()))
            chosen = _chosen(contest, self.position, drawn)
            self.nodes = contest.nodes
        self.mixtures: dict[str, Mixture] = {}
        for power in owing:
            # A power with an agreement plays as drawn, so that the trust in its word does not change.
            bound = power in sampler.given or sampler.bonds.of(power)
            part = 0.0 if bound else sampler.beliefs.chooses(power)
            self.mixtures[power] = mixed(drawn[power], chosen[power], part)
            if drawn[power] != chosen[power]:
                sets = [*drawn[power]]
                self.choices[power] = Choices(sets, [*drawn[power].values()], [*chosen[power].values()])

    def _opened(self, sampler: OpponentSampler, power: str) -> Mixture:
        """The sets with which people open; known and agreed ones as drawn."""
        if power in sampler.given or sampler.bonds.of(power):
            return self._drawn(sampler, power, DRAWN)
        sets = People(self.position.map, net=load_net(WIDE)).sets(self.position, power, MOST_SETS)
        total = sum(chance for _, chance in sets)
        return {in_order(codes_in(orders)): chance / total for orders, chance in sets}

    def _drawn(self, sampler: OpponentSampler, power: str, count: int) -> Mixture:
        """Draws of a power from the beliefs about it, as shares."""
        sampler.reseed(random.Random(f"{power} drawn"))
        draws = Counter(
            in_order(codes_in(sampler.in_full(power, orders))) for orders in sampler.draws(power, count)
        )
        if not (power in sampler.given or sampler.bonds.of(power)):
            tries = winning_tries(
                self.position, power, max(draws, key=lambda orders: (draws[orders], orders))
            )
            for orders in tries:
                draws[orders] += max(1, round(TRIES * count / len(tries)))
        total = sum(draws.values())
        return {orders: times / total for orders, times in draws.items()}

    def forecast(self, power: str) -> list[tuple[bytes, float]]:
        """The likeliest sets of a power with their shares, the most probable first; none for a power that
        owes no orders."""
        sets = sorted(self.mixtures.get(power, {}).items(), key=lambda choice: (-choice[1], choice[0]))
        return [sets[place] for place in likeliest([share for _, share in sets])] if sets else []


def _chosen(contest: Contest, position: Position, drawn: Mapping[str, Mixture]) -> dict[str, Mixture]:
    """The shares of sets if each power takes the best of some sets that it draws, valued directly after
    adjudication against a few draws of all others: the mean of several trials."""
    powers = position.map.powers
    contest.enter_position(position.packed)
    for power, mixture in drawn.items():
        # The share of a bad set may be too small for a number, but the core wants it above 0.
        contest.enter(
            powers.index(power), [*mixture], [max(share, sys.float_info.min) for share in mixture.values()]
        )
    chosen: dict[str, Mixture] = {}
    for power, mixture in drawn.items():
        if len(mixture) < 2:
            chosen[power] = mixture
            continue
        number, seed = powers.index(power), random.Random(f"{power} chosen").getrandbits(63)
        trials = [contest.choices(number, AMONG, GLANCES, seed, trial) for trial in range(TRIALS)]
        chosen[power] = dict(
            zip(mixture, (sum(shares) / TRIALS for shares in zip(*trials, strict=True)), strict=True)
        )
    return chosen
