"""Inferring intentions from orders: who is allied with whom against whom.

In paper 002, section 5, the last phase is searched again under each assumption, with the given orders as a
seed. If a power had a much better set than its own, the assumption is rejected. Here no assumption is
rejected outright. Each pair of nearby powers has probabilities of war, peace and alliance, which every
movement phase updates (Bayes' rule). Direct evidence in the orders comes first
(`bordeaux.press.diplomat.signs`). Only pairs without such evidence are searched.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bordeaux.board.errors import BordeauxError, PositionError
from bordeaux.board.map import Map
from bordeaux.board.neighbours import Neighbourhood
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.engine import Engine
from bordeaux.press.diplomat.hindsight import ALLIANCE, FEWEST, PEACE, STATES, WAR, shortfalls
from bordeaux.press.diplomat.pictures import AlliancePicture, Hypothesis, Pair, hypothesis, pictures
from bordeaux.press.diplomat.signs import ATTACK, CLASH, HELP, Signs
from bordeaux.search.agreements import Agreement

__all__ = ["ALLIANCE", "PEACE", "STATES", "WAR", "Intentions"]

#: The prior distribution.
PRIOR = {WAR: 0.45, PEACE: 0.40, ALLIANCE: 0.15}
#: The lowest share of a state.
LEAST = 0.01
#: The factor on earlier observations in each phase. This and the following constants are fitted to 58 games
#: of people: to the question who attacks whom next, given the available targets.
MEMORY = 0.65
#: Log-likelihoods of each sign in each state, relative to the state where it is most likely. To leave the
#: other alone is a weak sign as well.
SIGNS: dict[str, dict[str, float]] = {
    ATTACK: {WAR: 0.0, PEACE: -3.0, ALLIANCE: -3.5},
    CLASH: {WAR: 0.0, PEACE: -0.9, ALLIANCE: -1.1},
    HELP: {WAR: -2.0, PEACE: -0.8, ALLIANCE: 0.0},
    "": {WAR: -0.15, PEACE: 0.0, ALLIANCE: 0.0},
}
#: The shortfall in points from a power's best orders under an assumption that divides its likelihood by e,
#: and the maximum evidence against one from one power's orders.
SCALE, MOST = 300.0, 2.0
#: Nodes of all searches of one phase together.
NODES = 12_000
#: The number of reported hypotheses, and the smallest share of one.
TOLD, LEAST_TOLD = 24, 0.005


class Intentions:
    """The beliefs about the relations between the powers of a map.

    `prior` are the probabilities of the states before any observation. `memory`, from 0 to 1, is the factor
    by which the weight of an observation falls in a phase. `scale` is the number of points that makes an
    assumption e times less likely. Equal observations lead to equal beliefs. Raises BordeauxError for invalid
    numbers.
    """

    def __init__(
        self, map: Map, *, prior: Mapping[str, float] = PRIOR, memory: float = MEMORY, scale: float = SCALE
    ) -> None:
        if set(prior) != set(STATES) or not all(share > 0 for share in prior.values()):
            raise BordeauxError(f"prior needs a share above 0 for each of {', '.join(STATES)}")
        if not 0 <= memory <= 1 or not scale > 0:
            raise BordeauxError(f"memory must be from 0 to 1 and scale above 0, not {memory} and {scale}")
        self.map = map
        self.memory = memory
        self.scale = scale
        total = math.fsum(prior.values())
        self.prior = {state: prior[state] / total for state in STATES}
        #: Shares of the pairs with observations or reports.
        self.pairs: dict[Pair, dict[str, float]] = {}
        #: Powers that had units at the last observation; initially all.
        self.living: tuple[str, ...] = map.powers
        self._pictures: list[AlliancePicture] | None = None

    def pair(self, one: str, other: str) -> dict[str, float]:
        """Probabilities over `STATES` for two powers, considered alone. Raises MapError for an unknown
        power."""
        return dict(self.pairs.get(self._pair(one, other), self.prior))

    def allied(self, one: str, other: str) -> float:
        """The probability that two powers are allied, over all pictures of the table. Raises MapError."""
        pair = self._pair(one, other)
        if pair not in self.pairs:
            return self._alone(pair)
        return math.fsum(picture.share for picture in self._all() if pair in picture.allied)

    def against(self, one: str, other: str) -> float:
        """The probability that two powers are at war. Raises MapError."""
        apart = 1 - self._alone(self._pair(one, other))
        return self.pair(one, other)[WAR] / apart * (1 - self.allied(one, other)) if apart > 0 else 0.0

    def shares(self) -> dict[Hypothesis, float]:
        """The most probable hypotheses on who is allied with whom against whom, with their probabilities,
        best first. The rest of 1 belongs to many improbable ones."""
        by_hypothesis: dict[Hypothesis, float] = {}
        for picture in self._all():
            supposed = hypothesis(picture.allied, self.living, self._war)
            by_hypothesis[supposed] = by_hypothesis.get(supposed, 0.0) + picture.share
        ranked = sorted(by_hypothesis, key=lambda supposed: (-by_hypothesis[supposed], supposed))[:TOLD]
        return {
            supposed: by_hypothesis[supposed]
            for supposed in ranked
            if by_hypothesis[supposed] >= LEAST_TOLD or supposed == ranked[0]
        }

    def told(self, one: str, other: str, friendly: bool, weight: float) -> None:
        """Use a statement about two powers as evidence: that they are friends, or at war. `weight` is the
        logarithm of the likelihood ratio of the statement; 0 for a liar. Raises BordeauxError for a negative
        weight, MapError for an unknown power."""
        if not 0 <= weight < math.inf:
            raise BordeauxError(f"the weight of a statement must be a number from 0 on, not {weight}")
        pair = self._pair(one, other)
        against = (WAR,) if friendly else (PEACE, ALLIANCE)
        self._shift(pair, {state: -weight if state in against else 0.0 for state in STATES}, 1.0)

    def observe(
        self,
        engine: Engine,
        before: Position,
        orders: Mapping[str, Sequence[str | Order]],
        *,
        nodes: int = NODES,
    ) -> int:
        """Learn from the orders of a movement phase; returns the nodes used, about `nodes` at most, 0 for
        signs only. Other phases have no effect. Powers missing in `orders` are unknown. Raises OrderError for
        unreadable orders, PositionError for another map."""
        if before.map is not self.map:
            raise PositionError(f"the position is on map {before.map.name}, not on {self.map.name}")
        if before.phase.kind != "M":
            return 0
        self.living = tuple(power for power in self.map.powers if before.units_of(power))
        signs, near = Signs(before, orders), self._near(before)
        for pair in self.pairs.keys() - {*near}:
            self._shift(pair, dict.fromkeys(STATES, 0.0), self.memory)
        quiet = []
        for one, other in near:
            seen = [
                signs.of(*pair_of_powers)
                for pair_of_powers in ((one, other), (other, one))
                if pair_of_powers[0] in orders
            ]
            evidence = {state: math.fsum(SIGNS[sign][state] for sign in seen) for state in STATES}
            self._shift((one, other), evidence, self.memory)
            if not {ATTACK, HELP} & {*seen} and one in orders and other in orders:
                quiet.append((one, other))
        spent = 0
        # What is known by signs is the ground on which the others are judged, all on the same.
        around = self._agreements(near)
        chosen = quiet[: nodes // FEWEST]
        for pair in chosen:
            others = [sign for other, sign in around.items() if other != pair]
            lost, taken = shortfalls(engine, before, orders, pair, others, nodes // len(chosen))
            spent += taken
            self._shift(pair, self._evidence(lost), 1.0)
        return spent

    def _evidence(self, lost: Mapping[str, Sequence[float]]) -> dict[str, float]:
        """The log-likelihoods of the states given the lost points of two powers. A bad player loses in all
        states, so only its loss beyond its smallest one counts."""
        least = [min(both) for both in zip(*lost.values(), strict=True)]
        return {
            state: -math.fsum(
                min(MOST, (sign - known) / self.scale) for sign, known in zip(both, least, strict=True)
            )
            for state, both in lost.items()
        }

    def _agreements(self, near: Sequence[Pair]) -> dict[Pair, Agreement]:
        """The believed agreements of pairs, if they are more probable than not."""
        peaceful = {pair: 1 - self._war(*pair) for pair in near}
        return {
            pair: Agreement("peace", pair, trust=chance) for pair, chance in peaceful.items() if chance > 0.5
        }

    def _near(self, position: Position) -> list[Pair]:
        """Pairs of powers that can harm each other, those with the most units near each other first."""
        hood = Neighbourhood(position)
        units: dict[Pair, int] = {}
        for power in self.living:
            for place, enemy in enumerate(hood.enemies(power)):
                pair = self._pair(power, enemy)
                units[pair] = min(place, units.get(pair, place))
        return sorted(units, key=lambda pair: (units[pair], pair))

    def _shift(self, pair: Pair, evidence: Mapping[str, float], memory: float) -> None:
        before = self.pairs.get(pair, self.prior)
        logs = {
            state: math.log(self.prior[state])
            + memory * math.log(before[state] / self.prior[state])
            + evidence[state]
            for state in STATES
        }
        top = max(logs.values())
        raw = {state: max(LEAST, math.exp(log - top)) for state, log in logs.items()}
        total = math.fsum(raw.values())
        self.pairs[pair] = {state: share / total for state, share in raw.items()}
        self._pictures = None

    def _pair(self, one: str, other: str) -> Pair:
        first, second = sorted((self.map.power(one), self.map.power(other)))
        return first, second

    def _war(self, one: str, other: str) -> float:
        return self.pairs.get((one, other) if one < other else (other, one), self.prior)[WAR]

    def _alone(self, pair: Pair) -> float:
        """The probability that a pair is allied, considered without the other pairs: by its alliance, or by
        its peace if both are at war with the same power."""
        shares = self.pairs.get(pair, self.prior)
        apart = math.prod(
            1 - self._war(pair[0], foe) * self._war(pair[1], foe)
            for foe in self.living
            if foe not in pair and self._known(pair[0], foe) and self._known(pair[1], foe)
        )
        return shares[ALLIANCE] + shares[PEACE] * (1 - apart)

    def _known(self, one: str, other: str) -> bool:
        return ((one, other) if one < other else (other, one)) in self.pairs

    def _all(self) -> list[AlliancePicture]:
        """All pictures of the pairs of living powers with evidence."""
        if self._pictures is None:
            known = [pair for pair in sorted(self.pairs) if set(pair) <= set(self.living)]
            self._pictures = pictures({pair: self._alone(pair) for pair in known}, self._war)
        return self._pictures
