"""Answers of a search for its users: the best sets, their chances, the reasons for an order.

An `Analysis` is the state of a search as a value: a `Found` for every wanted power, as texts for people, and
at the end a handle on what the search knows, as bytes of codes (`bordeaux.board.code`). A search calculates
in a unit of its own; both tell its values in points.

An explanation judges a set as in paper 002, section 3.3: by its mean result against alternative sets of the
others. All comparisons use the same ones, so that a difference comes from the orders only.
"""

from __future__ import annotations

import math
import random
import time as clock
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from types import MappingProxyType
from typing import Any, NamedTuple

from bordeaux._ext.search.rollout import Rollout
from bordeaux._ext.value.influence import Evaluator
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.code import as_bytes, codes_in
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position, picture_of
from bordeaux.board.submission import decode, texts
from bordeaux.evaluation.prospect import MOST_CHANCE, curve_of, prospect_value
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.policy.net import load_net
from bordeaux.policy.people import People
from bordeaux.rules.rulesets import DATC, RuleSet
from bordeaux.search.agreements import Bonds
from bordeaux.search.config import PAPER
from bordeaux.search.decisive import Certainty, certain
from bordeaux.search.learnt import LearntSearch
from bordeaux.search.models import ONWARD
from bordeaux.search.paper import AdjustmentSearch, MovementSearch, paper_search
from bordeaux.search.sets import Candidates, Mixture, drawn_from, from_orders, likeliest, probabilities
from bordeaux.search.task import LINES, SearchTask

__all__ = [
    "Analysis",
    "Chances",
    "Found",
    "Line",
    "OrderEffect",
    "Search",
    "against_whom",
    "answer",
    "chances",
    "changes",
    "effect_to_json",
    "first_answers",
    "found_to_json",
    "in_points",
    "joint_orders",
    "profiles",
    "reasoned",
    "search_of",
    "seconds_of_a_line",
    "with_expected",
    "worths",
]


class OrderEffect(NamedTuple):
    """What orders of one power that work together do, such as a move and its support: the share of the final
    result, from 0 to 1, that is `lost` without them, and the standard error of this loss."""

    orders: tuple[str, ...]
    lost: float
    doubt: float


#: Joint orders of the others against which the chances of a line are estimated, the same for all lines; how
#: many there are at least where time is short, and how many measure the pace.
CHANCE_SAMPLES, LEAST_SAMPLES, PACE_SAMPLES = 96, 12, 8


class Line(NamedTuple):
    """One set of orders with its value in points, and its probability if the power draws one of the lines.
    `codes` are the same orders as bytes (`bordeaux.board.code`), where a search has found them. Where advice
    is asked for, `faults` counts the foolish orders, and `common` says how people play: the mean probability
    of an order, and that of the whole set (`bordeaux.search.advice`)."""

    orders: tuple[str, ...]
    value: float
    probability: float
    codes: bytes = b""
    faults: int = 0
    common: float = 0.0


class Found(NamedTuple):
    """The answer for one power: the best orders, their value, the best few distinct sets (best first), the
    nodes of the whole search, and its seconds.

    `depth` counts the phases that were looked ahead: this one, and the movement phases of rollouts. `goals`
    are the target regions, each with the points that were added to its altitudes. With `book` the orders come
    from a book: values are the book's (0 if it has none), and probabilities the weights.

    An engine with ``explain=True`` fills in the rest; see `bordeaux.search.analysis`. `expected`: for
    every other power that must give orders its most probable sets, in order. Each has its value for that
    power after this phase, if the others play as expected, and its probability. `terms`: for each term of the
    evaluation its points if nobody gave an order, and after these orders against the expected ones.
    `effects`: what would be lost without each order. `beside`: further sets that `Engine.advised` compares
    with the lines (`bordeaux.search.advice`). `against`: the joint orders of the others against which chances
    are measured (`against_whom`), fewer where a limit in seconds leaves no time for more. `position` is the
    one that was searched.
    """

    power: str
    orders: tuple[str, ...]
    value: float
    lines: tuple[Line, ...]
    nodes: int
    seconds: float
    depth: int = 1
    expected: Mapping[str, tuple[Line, ...]] = {}
    goals: tuple[tuple[str, float], ...] = ()
    book: bool = False
    terms: Mapping[str, tuple[float, float]] = {}
    effects: tuple[OrderEffect, ...] = ()
    beside: tuple[Line, ...] = ()
    against: tuple[bytes, ...] = ()
    position: Position | None = None

    def _repr_svg_(self) -> str | None:
        """A picture of the orders for notebooks; none where the position is not known."""
        return picture_of("found", self)


Search = LearntSearch | MovementSearch | AdjustmentSearch
"""A search of any kind."""


def search_of(task: SearchTask, threads: int = 1) -> Search:
    """The search of a task in one process: that which its settings name. Threads are for the learnt one."""
    return paper_search(task) if task.config.search == PAPER else LearntSearch(task, threads)


#: Joint orders of the others against which a set is evaluated.
PROFILES = 32
#: The same for the values of the others' sets to themselves.
VALUED = 8

Codes = tuple[int, ...]
Numbered = list[tuple[int, int]]


def changes(
    position: Position,
    evaluator: Evaluator,
    power: str,
    orders: bytes,
    expected: Mapping[str, Sequence[tuple[bytes, float]]],
    rules: RuleSet = DATC,
) -> dict[str, tuple[float, float]]:
    """The points of each term of the hand-made evaluation without and with a power's orders (bytes of codes)
    in any phase with orders.

    `expected` gives the sets that the other powers may play, with weights of any sum; a power that is left
    out gives no orders. The first are those of the next phase if nobody gave an order (in a movement phase:
    if all held), the second the means against the expected orders. `rules` are those of the adjudication.
    """
    number = position.map.powers.index(power)

    def terms(codes: Iterable[int], others: Numbered) -> dict[str, float]:
        after, *_ = position.packed.adjudicate([(number, code) for code in codes] + others, rules.bits)
        return evaluator.evaluate(after, number)[1]

    then = [terms(codes_in(orders), others) for others in profiles(position, expected)]
    return {
        term: (points, fmean(against[term] for against in then)) for term, points in terms((), []).items()
    }


def worths(
    position: Position,
    evaluator: Evaluator,
    expected: Mapping[str, Sequence[tuple[bytes, float]]],
    rules: RuleSet = DATC,
) -> dict[str, list[float]]:
    """The value of each possible set of powers to its power, in points: the mean of the next phase over a few
    joint orders, in which the others play theirs by their weights."""
    around = profiles(position, expected, VALUED)
    values: dict[str, list[float]] = {}
    for power, sets in expected.items():
        number = position.map.powers.index(power)
        values[power] = []
        for orders, _ in sets:
            own = [(number, code) for code in codes_in(orders)]
            total = 0.0
            for joint in around:
                others = [order for order in joint if order[0] != number]
                after, *_ = position.packed.adjudicate(own + others, rules.bits)
                total += evaluator.evaluate(after, number)[0]
            values[power].append(total / len(around))
    return values


def profiles(
    position: Position, expected: Mapping[str, Sequence[tuple[bytes, float]]], count: int = PROFILES
) -> list[Numbered]:
    """`count` joint orders of the others as (power number, code), in which every set of a power occurs in
    proportion to its weight, independently of the other powers."""
    joint: list[Numbered] = [[] for _ in range(count)]
    chance = random.Random(0)
    for power, sets in expected.items():
        number = position.map.powers.index(power)
        drawn = _apportioned(sets, count)
        chance.shuffle(drawn)
        for orders, together in zip(drawn, joint, strict=True):
            together += [(number, code) for code in codes_in(orders)]
    return joint


def _apportioned(sets: Sequence[tuple[bytes, float]], count: int) -> list[bytes]:
    """`count` sets in proportion to their weights, by largest remainders."""
    total = sum(weight for _, weight in sets)
    if total <= 0:
        return [b""] * count
    quotas = [count * weight / total for _, weight in sets]
    seats = [int(quota) for quota in quotas]
    for place in sorted(range(len(sets)), key=lambda k: seats[k] - quotas[k])[: count - sum(seats)]:
        seats[place] += 1
    return [orders for (orders, _), times in zip(sets, seats, strict=True) for _ in range(times)]


#: Samples of the others' orders for the values of sets.
SAMPLES = 32


def in_points(search: Search, power: str, count: int) -> list[tuple[bytes, float]]:
    """The best few distinct sets of a power with their points, best first."""
    return [(orders, value * search.points) for orders, value in search.lines(power, count)]


@dataclass(frozen=True)
class Analysis:
    """The state of a search: an answer for every wanted power, and the powers whose best set has changed
    since the analysis before. The last of a stream is `final`. The same request to an engine of the same seed
    has the same final analysis, whether or not earlier ones are read.

    The final analysis also tells what the search knows, by the methods below. They raise BordeauxError for an
    earlier analysis, and where nothing was searched: in a finished game, and where all orders are a book's.
    They raise MapError for an unknown power.
    """

    answers: Mapping[str, Found]
    changed: tuple[str, ...] = ()
    final: bool = False
    searched: Search | None = field(default=None, repr=False, compare=False)

    @property
    def nodes(self) -> int:
        """Adjudications with evaluation, in all processes."""
        return self._search.nodes

    def depth(self, power: str) -> int:
        """The phases looked ahead for a power: this one, and the movement phases of rollouts."""
        return self._search.depth(self._power(power))

    def lines(self, power: str, count: int = LINES) -> list[tuple[bytes, float]]:
        """The best few distinct sets of a wanted power with their points, best first; none for another."""
        return in_points(self._search, self._power(power), count)

    def candidates(self, power: str) -> Candidates:
        """All sets of a wanted power that were compared, best first: who proposed each, how often it was
        drawn, and its scores in points, whose sum is its value. None if the limit left no time for it."""
        pool, size = self._search.candidates(self._power(power)), self._search.points
        return tuple(candidate.in_units(size) for candidate in pool)

    def expected(self, power: str) -> list[tuple[bytes, float]]:
        """The sets that the search expects of a power, with probabilities, the most probable first."""
        return self._search.forecast(self._power(power))

    def others(self, power: str) -> bytes:
        """Orders of all powers but one, drawn from what the search expects of them."""
        return self._search.joint(self._power(power))

    def rollouts(self, value: Valuer | None = None) -> Rollout:
        """Rollouts in which all powers play on as in the search. `value` evaluates their ends, by default
        that of the search."""
        return Rollout(value or self._search.ends, self._search.sampler.chooser())

    def values(
        self, power: str, sets: Sequence[bytes], samples: int = SAMPLES, seed: int = 0
    ) -> list[list[float]]:
        """The points of any sets of a power in each of some samples of the others' orders, a row for each
        set. All are played on over the same samples, with the same random numbers, as far as the search
        does. Each call draws samples anew; `seed` is for the rest of the play. Raises ValueError for
        something other than a set."""
        position, chance = self._search.position, random.Random(seed)
        joint = [self.others(power) for _ in range(samples)]
        seeds = [chance.getrandbits(63) for _ in joint]
        number, phases = position.map.powers.index(self._power(power)), self._search.sampler.horizon
        return self.rollouts().compare(position.packed, number, sets, joint, phases, seeds)

    def _power(self, power: str) -> str:
        """The name of a power."""
        return self._search.position.map.power(power)

    @property
    def _search(self) -> Search:
        if self.searched is None and self.final:
            raise BordeauxError("nothing was searched: the game is over, or all orders are a book's")
        if self.searched is None:
            raise BordeauxError("only the last analysis of a search tells what the search knows")
        return self.searched


Lines = list[tuple[bytes, float]]


def first_answers(
    position: Position,
    powers: Sequence[str],
    evaluator: Evaluator,
    bonds: Bonds | None,
    seed: int,
    seconds: float,
) -> dict[str, Found]:
    """The orders of a fast policy for each of some powers, before any search: complete, legal, in accordance
    with the agreements, without nodes. Values are those of the next phase if every power plays by the
    policy."""
    map, bonds = position.map, bonds or Bonds(position)
    chooser = DUMBBOT.chooser(map, seed)
    sets = {}
    for power in position.orderable():
        number = map.powers.index(power)
        word = bonds.own(power) if power in powers else bonds.likely(power)
        orders = as_bytes(chooser.orders(position.packed, number))
        sets[number] = codes_in(bonds.kept(orders, word) if word else orders)
    after, *_ = position.packed.adjudicate([(number, code) for number in sets for code in sets[number]])
    answers = {}
    for power in powers:
        number = map.powers.index(power)
        orders = as_bytes(sets.get(number, ()))
        lines = _shown(map, [(orders, evaluator.evaluate(after, number)[0])] if orders else [])
        best = lines[0] if lines else Line((), 0.0, 0.0)
        answers[power] = Found(power, best.orders, best.value, lines, 0, seconds, position=position)
    return answers


def answer(position: Position, power: str, search: Search, seconds: float, count: int = LINES) -> Found:
    """The result of a search for a power so far, with up to `count` lines."""
    lines = in_points(search, power, count)
    played = search.shares(power) if isinstance(search, LearntSearch) else {}
    shown = _shown(position.map, lines, played)
    best = shown[0] if shown else Line((), 0.0, 0.0)
    depth = search.depth(power)
    return Found(power, best.orders, best.value, shown, search.nodes, seconds, depth, position=position)


def with_expected(
    position: Position,
    answer: Found,
    search: Search,
    evaluator: Evaluator,
    rules: RuleSet,
    people: Mapping[str, Mixture],
) -> Found:
    """The answer with the likeliest sets of the other powers: those that `people` play, where that is given,
    or those that the search expects."""
    sets = {}
    for other in position.map.powers:
        if other == answer.power or other not in position.orderable():
            continue
        foretold = [*people[other].items()] if other in people else search.forecast(other)
        likely = likeliest([share for _, share in foretold])
        sets[other] = [foretold[place] for place in likely]
    lines = search.lines(answer.power)
    best = lines[0][0] if lines else b""
    values = worths(position, evaluator, {**sets, answer.power: [(best, 1.0)]}, rules)
    return answer._replace(
        expected={
            other: tuple(
                Line(texts(position.map, orders), round(value, 3), round(share, 4), orders)
                for (orders, share), value in zip(foretold, values[other], strict=True)
            )
            for other, foretold in sets.items()
        },
    )


def reasoned(position: Position, answer: Found, evaluator: Evaluator, rules: RuleSet = DATC) -> Found:
    """The answer with the reasons for its orders against what it expects of the others."""
    others = {
        other: [(line.codes, line.probability) for line in lines] for other, lines in answer.expected.items()
    }
    orders = from_orders(position, answer.power, answer.orders)
    terms = changes(position, evaluator, answer.power, orders, others, rules)
    return answer._replace(
        terms={term: (round(before, 3), round(after, 3)) for term, (before, after) in terms.items()},
        effects=tuple(_effects(position, answer.power, orders, answer.against)),
    )


def _shown(map: Map, lines: Lines, played: Mapping[bytes, float] = MappingProxyType({})) -> tuple[Line, ...]:
    """Lines as text, each with the share with which the search plays it. A search without shares gets them
    from the points (`probabilities`)."""
    weights = [played.get(orders, 0.0) for orders, _ in lines]
    total = sum(weights)
    shares = [weight / total for weight in weights] if total else probabilities([value for _, value in lines])
    return tuple(
        Line(texts(map, orders), round(value, 3), round(share, 4), orders)
        for (orders, value), share in zip(lines, shares, strict=True)
    )


#: Movement phases that are played on before a position is judged, as in reviews.
CHANCE_PHASES = 1
#: Standard errors below which lines count as equal.
SURE = 2.0
#: In the first phase of a game: how much of the differences of chances between sets is true, and the error
#: beside that of samples. So chances foretell the results of well-known sets best, and by so much they miss
#: them (docs/search.md).
TRUE, OPENING = 0.5, 0.02


class Chances(NamedTuple):
    """A power's expected result after a line: its `share` of the final result (its square of centres in all
    squares, 1 for a solo) with its standard `error`, and its probability of a `solo`, from 0 to 1. `behind`
    is the distance of the share to that of the best line, and `doubt` the standard error of this distance.
    Both errors include what runs of other seeds differ by. `outcome` is what is proved: only a forced victory
    has chances of 1, and others have at most `MOST_CHANCE`."""

    share: float
    solo: float
    error: float = 0.0
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


def chances(answer: Found, against: Sequence[bytes], seed: int = 0) -> list[Chances]:
    """The expected result of the power after each line of its answer. Reproducible with the same seed.

    Each line is played `against` the same joint orders of the others, at least two, and all powers play on
    for a movement phase by the policy of self-play. Values learnt from recorded games judge the positions
    there (`bordeaux.evaluation.prospect`), as in reviews. docs/search.md shows how well they are calibrated.
    """
    position, power = answer.position, answer.power
    if position is None or not answer.lines:
        return [Chances(0.0, 0.0) for _ in answer.lines]
    sets = [line.codes or from_orders(position, power, line.orders) for line in answer.lines]
    rows = _played_on(position, power, sets, against, seed)
    best, curve = max(rows, key=lambda row: fmean(row.shares)), curve_of(position, power)
    outcomes = certain(position, power, sets)
    true, unsure = (TRUE, OPENING) if position.phase == position.map.start_phase else (1.0, 0.0)
    means = [curve.of(fmean(row.shares)) for row in rows]
    alone = [curve.of_solo(fmean(row.solos)) for row in rows]
    share_of_all, solo_of_all = (1 - true) * fmean(means), (1 - true) * fmean(alone)
    made = []
    for row, mean, won, outcome in zip(rows, means, alone, outcomes, strict=True):
        share = min(true * mean + share_of_all, MOST_CHANCE)
        solo = min(true * won + solo_of_all, share)
        error = math.hypot(curve.error(row.shares), unsure)
        behind, doubt = (true * part for part in curve.lead(best.shares, row.shares))
        if behind:
            doubt = math.hypot(doubt, math.sqrt(2) * unsure)
        if outcome is Certainty.WON:
            made.append(Chances(1.0, 1.0, outcome=outcome))
        elif Certainty.WON in outcomes:
            made.append(Chances(share, solo, error, 1 - share, 0.0, outcome))
        else:
            made.append(Chances(share, solo, error, behind, doubt, outcome))
    return made


class _PlayedOn(NamedTuple):
    """The expected shares and solos of a power after a set, by samples."""

    shares: list[float]
    solos: list[float]


def seconds_of_a_line(position: Position, within: float = 0.0) -> float:
    """How long the chances of a line take here and now, measured for so many seconds, and on a few samples at
    least, in which all units hold."""
    begun, samples = clock.perf_counter(), 0
    while not samples or clock.perf_counter() - begun < within:
        _played_on(position, position.map.powers[0], [b""], [b""] * PACE_SAMPLES)
        samples += PACE_SAMPLES
    return (clock.perf_counter() - begun) * CHANCE_SAMPLES / samples


def _played_on(
    position: Position, power: str, sets: Sequence[bytes], against: Sequence[bytes], seed: int = 0
) -> list[_PlayedOn]:
    """A row for each of some sets of a power, all over the same joint orders of the others and the same
    chance."""
    value, number = prospect_value(position.map), position.map.powers.index(power)
    onward = Rollout(value, People(position.map, net=load_net("league"), temperature=ONWARD).chooser)
    chance = random.Random(f"{seed} {power}")
    drawn = [(joint, chance.getrandbits(63)) for joint in against]
    rows = []
    for own in sets:
        judged = [
            value.judged(onward.ends(position.packed, own + joint, CHANCE_PHASES, [of_play])[0])
            for joint, of_play in drawn
        ]
        rows.append(
            _PlayedOn([shares[number] for shares, _ in judged], [solos[number] for _, solos in judged])
        )
    return rows


def _effects(
    position: Position, power: str, orders: bytes, against: Sequence[bytes]
) -> Iterator[OrderEffect]:
    """What is lost without each order, or without a move and the supports and convoys that belong to it; the
    unit then holds. The largest loss comes first."""
    groups = _together(position.map, codes_in(orders))
    without = [as_bytes([code for code in codes_in(orders) if code not in group]) for group in groups]
    whole, *rows = _played_on(position, power, [orders, *without], against)
    curve = curve_of(position, power)
    effects = [
        OrderEffect(texts(position.map, as_bytes(group)), *curve.lead(whole.shares, row.shares))
        for group, row in zip(groups, rows, strict=True)
    ]
    yield from sorted(effects, key=lambda effect: -effect.lost)


def _together(map: Map, codes: Sequence[int]) -> list[list[int]]:
    """Orders in groups: one that supports or convoys a unit of the same power stands with the order of that
    unit. Waived builds are left out."""
    read = {code: order for code in codes if (order := decode(map, code)).kind != OrderKind.WAIVE}
    given = {order.location.partition("/")[0]: code for code, order in read.items()}
    head = {place: place for place in given}
    for place, code in given.items():
        helped = head.get(read[code].target.partition("/")[0])
        if helped is not None:
            head = {each: helped if of == head[place] else of for each, of in head.items()}
    return [[given[place] for place in head if head[place] == one] for one in dict.fromkeys(head.values())]


def found_to_json(result: Found, promised: Sequence[Chances], *, explained: bool = False) -> dict[str, Any]:
    """The result of one search as JSON, with the expected results of its lines; if `explained`, with the
    reasons."""
    answer: dict[str, Any] = {
        "orders": list(result.orders),
        "value": result.value,
        "lines": [
            _line_to_json(line)
            | {"share": round(promise.share, 4), "solo": round(promise.solo, 4), "forced": promise.forced}
            | {"error": round(promise.error, 4)}
            | {"behind": round(promise.behind, 4), "doubt": round(promise.doubt, 4)}
            for line, promise in zip(result.lines, promised, strict=True)
        ],
        "nodes": result.nodes,
        "seconds": result.seconds,
        "book": result.book,
        "expected": {
            power: [_line_to_json(line) for line in lines] for power, lines in result.expected.items()
        },
    }
    if explained:
        answer["terms"] = {
            term: {"before": before, "after": after, "change": round(after - before, 3)}
            for term, (before, after) in result.terms.items()
        }
        answer["effects"] = [effect_to_json(effect) for effect in result.effects]
        answer["goals"] = dict(result.goals)
    return answer


def effect_to_json(effect: OrderEffect) -> dict[str, Any]:
    """What some orders do, as JSON."""
    return {"orders": list(effect.orders), "lost": round(effect.lost, 4), "doubt": round(effect.doubt, 4)}


def _line_to_json(line: Line) -> dict[str, Any]:
    """One set of orders."""
    return {"orders": list(line.orders), "value": line.value, "probability": line.probability}


def joint_orders(expected: Mapping[str, Mixture], power: str, count: int, seed: int) -> tuple[bytes, ...]:
    """`count` joint orders (bytes of codes) of all powers but one, drawn from the sets that each may play."""
    chance = random.Random(f"{seed} {power} others")
    others = [sets for other, sets in expected.items() if other != power and sets]
    return tuple(b"".join(drawn_from(sets, chance) for sets in others) for _ in range(count))


def against_whom(
    search: Search, power: str, people: Mapping[str, Mixture], count: int, seed: int
) -> tuple[bytes, ...]:
    """`count` joint orders of the others against which the chances of a power are measured: in turn one that
    the search expects, by all of its sets, and one that `people` play, if it is known what they do."""
    played = joint_orders(people, power, count // 2, seed) if people else ()
    return tuple(played[k // 2] if k % 2 and played else search.joint(power) for k in range(count))
