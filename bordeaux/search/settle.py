"""The last stage of a search: what sets of a power are worth, and which of them is the answer.

A `Measure` values any sets of one power in one position. It plays each against the same joint orders of the
others, with the same chance. These hang on the position and on what is known (earlier and given orders,
agreements), not on a seed or a search. So the same set has the same number, whoever asks, where there is
time for all of it.

The number is the expected share of the final result. It is drawn towards what the probability of the set lets
expect: orders that neither people nor players of self-play would give are seldom as good as they look on a
sample. `settle` compares candidates by it, and changes the best ones unit by unit while that helps.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

from bordeaux._ext.search.contest import Contest
from bordeaux._ext.search.rollout import Rollout
from bordeaux.board.code import codes_in, in_order, unit_of
from bordeaux.board.map import Map
from bordeaux.board.submission import texts
from bordeaux.evaluation.prospect import CALM, MOST_CHANCE, prospect
from bordeaux.policy.net import WIDE, load_net, memory_of
from bordeaux.policy.people import People
from bordeaux.search.expectation import Expectation
from bordeaux.search.forcing import LACKING, Certainty, certain
from bordeaux.search.models import ONWARD
from bordeaux.search.sets import mended, unlike
from bordeaux.search.task import Budget, SearchTask

__all__ = ["Line", "Measure", "settle"]

#: The seed of the sample, and its joint orders that compare candidates at most.
CHANCE, COMPARED = 0x5E771E, 64
#: Samples of the first round. Later rounds double them and keep the better half.
FIRST, LEAST = 16, 4
#: Movement phases that are played on where candidates are compared: none, only retreats are played.
RETREATED = -2
#: By kind and season of a phase: the same where the best are measured (0: builds too), and on how many joint
#: orders. Twenty times as many sets for the time are worth more than another movement phase.
MEASURED = {"MS": (RETREATED, 128), "MF": (0, 64)}
LATER = 1, 32
#: Nodes of a playout of so many phases.
COSTS = {RETREATED: 1, 0: 10, 1: 21}
#: What one nat of the mean logarithm of the probability of an order changes in the odds of a set, and that
#: mean for sets that people play.
SURPRISE, USUAL = 0.1, -1.5
#: The least marginal probability of an order that a unit is given in place of another.
HEARD = 0.02
#: Chances on samples are taken to be this far from impossible and from certain.
LEAST_CHANCE = 1e-4
#: The least logarithm of the probability of an order that is told apart from others.
UNHEARD = -6.0
#: The most probable sets of each net among the candidates.
PROBABLE = 32
#: Sets that are measured, and leading sets that are changed, at least; one more for so many nodes each.
FINAL, LEADERS, NODES_OF_FINAL, NODES_OF_LEADER = 8, 3, 20_000, 3_000
#: The share of the nodes for the first round, nodes from which on as many sets are measured as should be, and
#: from which on each is on the whole sample.
BEGUN, WHOLE, TOLD = 0.4, 1_000, 300
#: The share of the budget that is kept for the last lines at most.
ROOM = 0.5
#: The odds of a solo grow with those of the share to this power.
GROWTH = 1.5
#: How probable it is that a leader finds the reply that lets it win, where another set certainly prevents it.
FINDS = 0.2
#: Standard errors below which lines count as equal.
SURE = 2.0


class Line(NamedTuple):
    """A set of orders and what it is worth to its power.

    `value` is the expected share of the final result, from 0 to 1: the power's square of centres in all
    squares, 1 for a solo. `error` is its standard error, and `solo` the probability of a solo. `behind` is
    the distance to the best line, and `doubt` the standard error of that. `probability` is that of being the
    best of the lines; in a book, the weight. `outcome` is what is proved: only a forced victory is 1, other
    values are at most `MOST_CHANCE`. `codes` are the orders as bytes (`bordeaux.board.code`).
    """

    orders: tuple[str, ...]
    value: float
    probability: float = 1.0
    codes: bytes = b""
    error: float = 0.0
    solo: float = 0.0
    behind: float = 0.0
    doubt: float = 0.0
    outcome: Certainty = Certainty.OPEN

    @property
    def forced(self) -> bool:
        """Whether the victory is proved."""
        return self.outcome is Certainty.WON

    @property
    def level(self) -> bool:
        """Whether the line is as good as the best one, within the error."""
        return self.behind <= SURE * self.doubt


class Measure:
    """Values sets of a `power` in the position of a task, against an `expectation` of the others; a partner
    in an alliance counts by its part. `threads` share the work, which does not change a number."""

    def __init__(self, task: SearchTask, power: str, expectation: Expectation, threads: int = 1) -> None:
        position, map = task.position, task.position.map
        self.position, self.power = position, power
        self.number = map.powers.index(power)
        phase = position.phase
        self.horizon, self.measured = MEASURED.get(f"{phase.kind}{phase.season}", LATER)
        self.rough = RETREATED if phase.kind == "M" else self.horizon
        self.expected = prospect(position)[power]
        # Whether another power may win at once.
        least = map.majority - LACKING
        self._led = any(position.owners.count(other) >= least for other in map.powers if other != power)
        self._others = {
            map.powers.index(other): mixture
            for other, mixture in expectation.mixtures.items()
            if other != power
        }
        partners = task.bonds.partners(power) if task.bonds else {}
        self._partners = {map.powers.index(other): part for other, part in partners.items()}
        value = task.share_value()
        choosers = (People(map, net=load_net("league"), temperature=ONWARD).chooser for _ in range(threads))
        self._contest = Contest(*(Rollout(value, chooser) for chooser in choosers))
        self._rows: dict[int, dict[bytes, list[float]]] = {}
        seen = task.beliefs.seen if task.beliefs else {}
        memory = memory_of(position, seen)
        self._nets = [(People(map, net=load_net(net)), memory) for net in (WIDE, "league")]
        self._logs: dict[bytes, float] = {}
        self._proved: dict[bytes, Certainty] = {}
        self.known: dict[bytes, Certainty] = {}
        """What a search has proved of sets, for which the values have no time."""

    @property
    def nodes(self) -> int:
        """Adjudications with evaluation so far."""
        return self._contest.nodes

    @property
    def cost(self) -> int:
        """Nodes of one set in one sample."""
        return COSTS[self.rough]

    def shares(
        self,
        sets: Iterable[bytes],
        count: int = 0,
        over: Callable[[], bool] | None = None,
        *,
        rough: bool = False,
    ) -> list[list[float]]:
        """For each set the power's share after the first `count` (0: all) joint orders of the sample, not
        calibrated; `rough` as candidates are compared. If it is `over` before, there are fewer, one at least,
        as many for each set. Raises ValueError for orders that the power cannot give."""
        horizon, count = self.rough if rough else self.horizon, count or self.measured
        wanted, rows = list(sets), self._rows.setdefault(horizon, {})
        lacking: dict[int, list[bytes]] = {}
        for orders in dict.fromkeys(wanted):
            known = len(rows.setdefault(orders, []))
            if known < count:
                lacking.setdefault(known, []).append(orders)
        for known, new in lacking.items():
            self._open(new)
            numbers = range(len(new))
            answered = self._contest.respond(self.number, numbers, count - known, horizon, CHANCE, known)
            for values in answered:
                for orders, value in zip(new, values, strict=True):
                    rows[orders].append(value)
                if over is not None and over():
                    break
            answered.close()
        least = min((len(rows[orders]) for orders in wanted), default=0)
        return [rows[orders][: min(least, count)] for orders in wanted]

    def _open(self, sets: Sequence[bytes]) -> None:
        """Begin anew with these sets for the power."""
        contest = self._contest
        contest.enter_position(self.position.packed)
        for other, mixture in self._others.items():
            shares = [max(share, sys.float_info.min) for share in mixture.values()]
            contest.enter(other, [*mixture], shares)
        contest.enter(self.number, sets, [1.0] * len(sets))
        for partner, part in self._partners.items():
            contest.care(self.number, partner, part)

    def surprise(self, orders: bytes) -> float:
        """The mean logarithm, below 0, of the probability of an order of a set, among people or players of
        self-play."""
        known = self._logs.get(orders)
        if known is None:
            count = max(1, len(codes_in(orders)))
            known = math.log(fmean(math.exp(self._log(net, orders) / count) for net in self._nets))
            self._logs[orders] = known
        return known

    def _log(self, net: tuple[People, object], orders: bytes) -> float:
        """The logarithm of the probability of a set under a net."""
        people, memory = net
        least = UNHEARD * max(1, len(codes_in(orders)))
        try:
            return max(least, people.log_probability(self.position, self.power, orders, memory))  # type: ignore[arg-type]
        except ValueError:
            # Orders that the net cannot give, such as too few builds.
            return least

    @property
    def depth(self) -> int:
        """The phases looked ahead: this one, and the movement phases of playouts."""
        return max(1, 1 + self.horizon)

    def options(self) -> dict[int, list[int]]:
        """The orders that people or players of self-play may give each unit, by its location."""
        options: dict[int, dict[int, None]] = {}
        for people, memory in self._nets:
            for unit, choices in people.choices(self.position, self.power, memory).items():
                likely = [code for code, chance in choices if chance >= HEARD]
                options.setdefault(unit, {}).update(dict.fromkeys(likely))
        return {unit: [*codes] for unit, codes in options.items()}

    @cached_property
    def probable(self) -> list[bytes]:
        """The most probable sets of people and of players of self-play."""
        return [
            in_order(codes_in(orders))
            for people, memory in self._nets
            for orders, _ in people.sets(self.position, self.power, PROBABLE, memory)
        ]

    def value(self, share: float, orders: bytes) -> float:
        """The value of a set with a mean share after it."""
        return self._middle(share, math.exp(SURPRISE * (self.surprise(orders) - USUAL)))

    def _middle(self, chance: float, factor: float = 1.0) -> float:
        """The middle, in odds, between what is expected of the position and the mean chance after a set, both
        calibrated; times a factor. Both together foretell better than one (docs/search.md, Chances)."""
        odds = math.sqrt(_odds(self.expected.share) * _odds(chance) ** CALM) * factor
        return min(odds / (1 + odds), MOST_CHANCE)

    def _solo(self, value: float) -> float:
        """The probability of a solo that goes with a value: that of the position, whose odds grow with those
        of the value."""
        odds = _odds(self.expected.solo) * (_odds(value) / _odds(self.expected.share)) ** GROWTH
        return min(odds / (1 + odds), value)

    def _slope(self, share: float) -> float:
        """By how much a value grows with the mean share."""
        step = 1e-3
        return (self._middle(share + step) - self._middle(share - step)) / (2 * step)

    def lines(
        self, sets: Iterable[bytes], count: int = 0, over: Callable[[], bool] | None = None
    ) -> list[Line]:
        """Sets, each once, as lines, best first, by so many samples; where it is `over` before, by fewer, and
        without a proof for each."""
        wanted = list(dict.fromkeys(sets))
        if not wanted:
            return []
        rows = self.shares(wanted, count, over)
        unseen = [orders for orders in wanted if orders not in self._proved]
        self._proved.update(zip(unseen, certain(self.position, self.power, unseen, over), strict=False))
        known = self._proved, self.known
        outcomes = [max(of.get(orders, Certainty.OPEN) for of in known) for orders in wanted]
        if self.position.victor == self.power:
            outcomes = [Certainty.WON] * len(wanted)
        valued = [
            (self._decided(self.value(fmean(row), orders), outcome, outcomes), outcome, orders, row)
            for orders, row, outcome in zip(wanted, rows, outcomes, strict=True)
        ]
        valued.sort(key=lambda each: (-each[0], -each[1], each[2]))
        best, _, _, leading = valued[0]
        made = []
        for value, outcome, orders, row in valued:
            slope = self._slope(fmean(row))
            ahead = [one - other for one, other in zip(leading, row, strict=True)]
            won = outcome is Certainty.WON
            made.append(
                Line(
                    texts(self.position.map, orders),
                    round(value, 4),
                    codes=orders,
                    error=0.0 if won else round(slope * _error(row), 4),
                    solo=1.0 if won else round(self._solo(value), 4),
                    behind=round(best - value, 4),
                    doubt=0.0 if won or valued[0][1] is Certainty.WON else round(slope * _error(ahead), 4),
                    outcome=outcome,
                )
            )
        return _with_probabilities(made)

    def _decided(self, value: float, outcome: Certainty, outcomes: Sequence[Certainty]) -> float:
        """A value, with what is proved of the set and of others."""
        if outcome is Certainty.WON:
            return 1.0
        if self._led and outcome is Certainty.OPEN and Certainty.PREVENTED in outcomes:
            return value * (1 - FINDS)
        return value

    def lost(self, orders: bytes, without: Sequence[bytes]) -> list[tuple[float, float]]:
        """How much less each of some other sets is worth than `orders`, and the standard error of that."""
        whole, *rows = self.shares([orders, *without])
        mean, slope = fmean(whole), self._slope(fmean(whole))
        return [
            (
                self._middle(mean) - self._middle(fmean(row)),
                slope * _error([one - other for one, other in zip(whole, row, strict=True)]),
            )
            for row in rows
        ]


def _odds(chance: float) -> float:
    """The odds of a chance, which is taken to be neither certain nor impossible."""
    chance = min(max(chance, LEAST_CHANCE), 1 - LEAST_CHANCE)
    return chance / (1 - chance)


def _error(samples: Sequence[float]) -> float:
    """The standard error of a mean; that of a single sample is not known, and taken for 1."""
    count, mean = len(samples), fmean(samples)
    squares = math.fsum((sample - mean) ** 2 for sample in samples)
    return math.sqrt(squares / (count - 1) / count) if count > 1 else 1.0


def _with_probabilities(lines: list[Line]) -> list[Line]:
    """Lines, each with a probability of being the best, which falls with the square of its distance in
    errors; together 1."""
    weights = [
        math.exp(-((line.behind / line.doubt) ** 2) / 2) if line.doubt else float(not line.behind)
        for line in lines
    ]
    total = sum(weights)
    return [
        line._replace(probability=round(weight / total, 4))
        for line, weight in zip(lines, weights, strict=True)
    ]


def settle(
    measure: Measure,
    candidates: Sequence[bytes],
    proved: Mapping[bytes, Certainty],
    budget: Budget,
    sound: Callable[[bytes], bytes],
    *,
    alone: bool = False,
) -> Iterator[list[Line]]:
    """The best lines of a power, best first; better ones as they are found, and at last with what is left.

    `candidates` are all playable. Rounds on more and more samples drop the worse half. The leading sets are
    then changed by one unit each, best first, while that gives better ones and the `budget` lasts, which the
    nodes of the measure are spent from. `proved` candidates stay to the end, with what they decide. `sound`
    makes a set playable. With `alone` only the candidates are compared, and nothing is changed.
    """
    position, over, sets = measure.position, _over(measure, budget), [*dict.fromkeys(candidates)]
    measure.known |= proved
    if over(1.0):
        # Even so the best of what there is, on as few samples as tell anything.
        means = dict(zip(sets, map(fmean, measure.shares(sets, LEAST, rough=True)), strict=True))
        best = sorted(sets, key=lambda orders: (-means[orders], orders))[:2]
        # These samples come first, as the time that is over is for proofs alone.
        measure.shares(best, LEAST)
        yield measure.lines(best, LEAST, budget.late)
        return
    most = BEGUN * budget.size / measure.cost / len(sets)
    count, kept = int(max(LEAST, min(FIRST, most))), [*proved]
    final = max(2, min(FINAL, round(FINAL * budget.size / WHOLE)))
    final += int(budget.size / measure.cost / NODES_OF_FINAL)
    whole = max(LEAST, min(measure.measured, round(measure.measured * budget.size / TOLD)))
    # What comes before leaves room for the whole sample, on which a set has the same value in all answers.
    room = min(ROOM, final * whole * COSTS[measure.horizon] / budget.size)

    def late() -> bool:
        return over(1 - room)

    def leading() -> list[Line]:
        best = [*kept, *alive[:final]]
        return measure.lines(unlike(best) if position.phase.kind == "M" else best, whole, budget.late)

    alive = _ranked(measure, sets, count, late)
    while count < COMPARED and len(alive) > 2 and not late():
        count = min(COMPARED, 2 * count)
        alive = _ranked(measure, alive[: max(final, len(alive) // 2)], count, late)
    begun = budget.seconds()
    lines = leading()
    if budget.time is not None:
        # Proofs, and samples on a slow machine, take time that the count of nodes does not foresee.
        room = min(ROOM, max(room, (budget.seconds() - begun) / budget.time))
    yield lines
    if position.phase.kind == "M" and not alone:
        # What stops a leader is changed too; its value on the sample alone would not make it a leading set.
        stopping = [line.codes for line in lines if line.outcome is Certainty.PREVENTED][:1]
        options = measure.options()
        changed: set[bytes] = set()
        seen, values = {*alive}, dict[bytes, float]()
        leaders = max(LEADERS, int(budget.size / NODES_OF_LEADER))
        while not late():
            start = next((orders for orders in [*stopping, *alive[:leaders]] if orders not in changed), None)
            if start is None:
                break
            changed.add(start)
            changes = dict.fromkeys(map(sound, _changes(position.map, start, options)))
            near = [orders for orders in changes if orders not in seen]
            rough = dict(zip(near, map(fmean, measure.shares(near, FIRST, late, rough=True)), strict=True))
            better = sorted(near, key=lambda orders: (-rough[orders], orders))[:final]
            seen.update(better)
            alive = _ranked(measure, [*alive, *better], count, late, values)
            if start in stopping:
                kept += better
    yield leading()


def _over(measure: Measure, budget: Budget) -> Callable[[float], bool]:
    """Whether a share of the budget is used, with the nodes that the measure has had from now on."""
    before = measure.nodes - budget.used

    def over(share: float) -> bool:
        budget.used = measure.nodes - before
        return budget.over(share)

    return over


def _ranked(
    measure: Measure,
    sets: Sequence[bytes],
    count: int,
    late: Callable[[], bool],
    values: dict[bytes, float] | None = None,
) -> list[bytes]:
    """Sets by their values on so many samples for comparing, best first. `values` are those that are known,
    and get the new ones."""
    values = {} if values is None else values
    new = [orders for orders in sets if orders not in values]
    rows = measure.shares(new, count, late, rough=True)
    if rows and len(rows[0]) < count and values:
        # It is late: all are ranked on as many samples.
        return _ranked(measure, sets, len(rows[0]), late)
    values |= {orders: measure.value(fmean(row), orders) for orders, row in zip(new, rows, strict=True)}
    return sorted(sets, key=lambda orders: (-values[orders], orders))


def _changes(map: Map, orders: bytes, options: Mapping[int, Sequence[int]]) -> Iterator[bytes]:
    """A set of movement orders with another order of one unit, for each of its options. Units whose orders
    helped the old one hold."""
    given = {unit_of(code): code for code in codes_in(orders)}
    for unit, code in given.items():
        for other in options.get(unit, ()):
            if other != code:
                yield mended(map, in_order((given | {unit: other}).values()), frozenset([other]))
