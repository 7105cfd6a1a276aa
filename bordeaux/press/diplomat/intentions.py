"""Inferring intentions from orders: who is allied with whom against whom.

In Hall and Loeb (1995), section 5, the last phase is searched again under each assumption, with the given
orders as a seed. If a power had a much better set than its own, the assumption is rejected. Here no
assumption is rejected outright. Each pair of nearby powers has probabilities of war, peace and alliance,
which every movement phase updates (Bayes' rule). Direct evidence in the orders comes first
(`bordeaux.press.diplomat.intentions`). Only pairs without such evidence are searched.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.code import as_bytes, codes_in, destination_of, kind_of, target_of, unit_of
from bordeaux.board.errors import BordeauxError, PositionError
from bordeaux.board.map import Map
from bordeaux.board.order import HELPS, Order, OrderKind
from bordeaux.board.position import Neighbourhood, Position
from bordeaux.engine import Engine, Limit, Request
from bordeaux.rules.rulesets import DATC
from bordeaux.search.agreements import PARTNERS, Agreement, Bond
from bordeaux.search.paper import SetPools
from bordeaux.search.sets import from_orders, in_full

__all__ = [
    "ALLIANCE",
    "ATTACK",
    "CLASH",
    "FEWEST",
    "HELP",
    "PEACE",
    "STATES",
    "WAR",
    "AlliancePicture",
    "Bloc",
    "Hypothesis",
    "Intentions",
    "Signs",
    "pictures",
    "shortfalls",
]

# Pairs alone may contradict each other: a power is rarely the ally of two powers that are at war with each
# other. A picture says of every pair whether it is allied. Its probability is the product of those of the
# pairs, reduced for every such contradiction.

#: The maximum number of open pairs, which give 1,024 pictures; all others have their most probable state.
OPEN = 10
#: A pair is open if its probabilities are not beyond this bound or its complement.
SURE = 0.05
#: The factor on a picture for each power that is allied with two powers at war with each other.
TORN = 0.25
#: The probability of war from which on a power is among those that a bloc opposes.
AT_WAR = 0.5

Pair = tuple[str, str]


class Bloc(NamedTuple):
    """Powers that are allied with each other, and those they are at war with."""

    allies: tuple[str, ...]
    against: tuple[str, ...]


class Hypothesis(NamedTuple):
    """Who is allied with whom against whom: the blocs of a table. A power in no bloc is alone."""

    blocs: tuple[Bloc, ...]

    def __str__(self) -> str:
        return "; ".join(_said(bloc) for bloc in self.blocs) or "everybody alone"


class AlliancePicture(NamedTuple):
    """The pairs that are allied, and the probability of this."""

    allied: frozenset[Pair]
    share: float


def pictures(allied: Mapping[Pair, float], war: Callable[[str, str], float]) -> list[AlliancePicture]:
    """All pictures of some pairs, the most probable first. `allied` has the probability that each pair is
    allied, considered alone; `war` gives the probability that two powers are at war."""
    doubt = sorted(allied, key=lambda pair: (abs(allied[pair] - 0.5), pair))
    unsure = [pair for pair in doubt[:OPEN] if SURE < allied[pair] < 1 - SURE]
    settled = {pair for pair in allied if pair not in unsure and allied[pair] >= 0.5}
    corners = sorted({power for pair in allied for power in pair})
    # A power between two that may be at war: what it is worth if it is allied with both.
    torn = [
        (_pair(one, middle), _pair(middle, other), 1 - (1 - TORN) * war(one, other))
        for one, other in itertools.combinations(corners, 2)
        for middle in corners
        if middle not in (one, other) and _pair(one, middle) in allied and _pair(middle, other) in allied
    ]
    listed = []
    for chosen in itertools.product((False, True), repeat=len(unsure)):
        pairs = settled.union(itertools.compress(unsure, chosen))
        weight = math.prod(
            allied[pair] if is_allied else 1 - allied[pair]
            for pair, is_allied in zip(unsure, chosen, strict=True)
        )
        weight *= math.prod(less for first, second, less in torn if first in pairs and second in pairs)
        listed.append(AlliancePicture(frozenset(pairs), weight))
    total = math.fsum(picture.share for picture in listed)
    ranked = sorted(listed, key=lambda picture: (-picture.share, sorted(picture.allied)))
    return [AlliancePicture(picture.allied, picture.share / total) for picture in ranked]


def hypothesis(allied: Iterable[Pair], powers: Sequence[str], war: Callable[[str, str], float]) -> Hypothesis:
    """The blocs of a picture: maximal groups of powers that are all allied with each other, and the powers
    with which at least one member is at war and none is allied."""
    friends: dict[str, set[str]] = {}
    for one, other in allied:
        friends.setdefault(one, set()).add(other)
        friends.setdefault(other, set()).add(one)
    blocs = []
    for members in _cliques(friends):
        against = tuple(
            power
            for power in powers
            if power not in members
            and not friends.get(power, set()) & members
            and any(war(power, member) >= AT_WAR for member in members)
        )
        blocs.append(Bloc(tuple(sorted(members)), against))
    return Hypothesis(tuple(sorted(blocs)))


def _cliques(friends: Mapping[str, set[str]]) -> list[set[str]]:
    """The maximal groups in which all are friends (Bron and Kerbosch 1973)."""
    cliques: list[set[str]] = []

    def grow(members: set[str], candidates: set[str], left: set[str]) -> None:
        if not candidates and not left:
            cliques.append(members)
        for candidate in sorted(candidates):
            grow(members | {candidate}, candidates & friends[candidate], left & friends[candidate])
            candidates = candidates - {candidate}
            left = left | {candidate}

    if friends:
        grow(set(), set(friends), set())
    return cliques


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


def _said(bloc: Bloc) -> str:
    against = f" against {', '.join(bloc.against)}" if bloc.against else ""
    return f"{' and '.join(bloc.allies)}{against}"


# A search is needed only for ambiguous orders; an attack and a support for the other are clear evidence.
# Hall and Loeb (1995), section 5: "any conflict between Italian and Turkish units would contradict a general
# promise of peace".

ATTACK = "attack"
"""A unit moves to a place where the other has a unit or a centre, or helps such a move to a place that is not
the other's own."""
CLASH = "clash"
"""Both move to a province that neither owns, which may be arranged."""
HELP = "help"
"""A unit supports or convoys one of the other."""


class Signs:
    """The orders of a movement phase by pairs of powers. Illegal orders are no evidence."""

    def __init__(self, position: Position, orders: Mapping[str, Iterable[str | Order]]) -> None:
        self.position = position
        self._codes = {
            power: codes_in(from_orders(position, power, given)) for power, given in orders.items()
        }
        map = position.map
        self._standing = {map.province(unit.province).index: unit.power for unit in position.units}
        self._owners = {
            map.province(centre).index: owner
            for centre, owner in zip(map.centres, position.owners, strict=True)
        }
        #: Provinces that units leave, if nobody stops them.
        self._left = {
            self._province(unit_of(code))
            for codes in self._codes.values()
            for code in codes
            if kind_of(code) == OrderKind.MOVE
        }

    def of(self, power: str, other: str) -> str:
        """The evidence in a power's orders about its relation to another; empty for none."""
        codes = self._codes.get(power, ())
        bond = Bond(self.position, power, Agreement("peace", (power, other)), DATC)
        if any(bond.breaks(code) and not self._follows(code, other) for code in codes):
            return ATTACK
        if any(self._helps(code, other) for code in codes):
            return HELP
        goals = self._goals(codes) & self._goals(self._codes.get(other, ()))
        return CLASH if goals else ""

    def _province(self, location: int) -> int:
        return self.position.map.locations[location].province

    def _goals(self, codes: Sequence[int]) -> set[int]:
        return {self._province(target_of(code)) for code in codes if kind_of(code) == OrderKind.MOVE}

    def _follows(self, code: int, other: str) -> bool:
        """Whether an order moves, or supports a move, into a province that a unit of the other is about to
        leave, without gaining a centre: friends do this."""
        goal = self._province(target_of(code) if kind_of(code) == OrderKind.MOVE else destination_of(code))
        return goal in self._left and self._owners.get(goal) != other

    def _helps(self, code: int, other: str) -> bool:
        return kind_of(code) in HELPS and self._standing.get(self._province(target_of(code))) == other


# Hall and Loeb (1995), section 5, the last step: "the moves for each country should be used as a seed for a
# short search of last turn's moves". The search assumes who is allied with whom.

WAR, PEACE, ALLIANCE = STATES = ("war", "peace", "alliance")
"""The relations of two powers. At war each plays its best orders. At peace neither attacks the other. Allies
also count a part of the other's points."""

#: About the smallest number of nodes for a pair, whatever the limit.
FEWEST = 1300
#: The part of the nodes for finding candidates; the rest compares them.
FINDING = 0.4
#: Sets of a pool that are compared with the played orders, joint orders of the others on which they are
#: compared, and how many of those are used for the mean of the partner's points.
COMPARED, SAMPLES, SHARED = 8, 16, 4


def shortfalls(
    engine: Engine,
    position: Position,
    orders: Mapping[str, Sequence[str | Order]],
    pair: tuple[str, str],
    around: Sequence[Agreement],
    nodes: int,
) -> tuple[dict[str, list[float]], int]:
    """The points that each of two powers lost by its orders in a movement phase, in each of `STATES` of the
    pair; and the nodes used. The loss is relative to the best set of two short searches for the power.

    `around` are the other agreements. The value of a set is the mean over joint orders of the others, drawn
    from the beliefs about them and their agreements. At war the two play their own best orders. At peace
    neither breaks it, nor expects the other to. Allies also count the part of each other's points that the
    search counts, and know each other's orders. A power loses 0 if nothing better is found for it, and
    without units.
    """
    seeds = [orders[power] for power in pair if orders.get(power)]
    peace = Agreement("peace", pair)
    part = max(1, round(FINDING * nodes / 2))
    free = _pools(engine, position, pair, around, part, seeds)
    kept = _pools(engine, position, pair, [*around, peace], part, seeds)
    spent, lost = free.nodes + kept.nodes, {state: [0.0, 0.0] for state in STATES}
    given = {power: from_orders(position, power, orders.get(power, ())) for power in pair}
    for place, power in enumerate(pair):
        if not free.sets(power):
            continue
        done = _whole(position, power, given[power])
        best = [orders for pools in (kept, free) for orders in pools.sets(power)[:COMPARED]]
        sets = list(dict.fromkeys((done, *(_whole(position, power, orders) for orders in best))))
        bond = Bond(position, power, peace, DATC)
        # The given orders are no breach, or the pair would not be searched. Sets of a search may be one.
        loyal = [orders for orders in sets if orders == done or not any(map(bond.breaks, orders))]
        other = pair[1 - place]
        for state, pools, possible, certain in (
            (WAR, free, sets, {}),
            (PEACE, kept, loyal, {}),
            (ALLIANCE, kept, loyal, {other: given[other]}),
        ):
            samples = [_joint(pools, power, certain) for _ in range(SAMPLES)]
            rows = pools.values(power, list(map(as_bytes, possible)), samples)
            values = [math.fsum(row) / len(row) for row in rows]
            spent += len(possible) * len(samples)
            if state == ALLIANCE:
                for number, codes in enumerate(possible):
                    values[number] += _shared(pools, other, as_bytes(codes), samples[:SHARED])
                spent += len(possible) * SHARED
            lost[state][place] = max(values) - values[possible.index(done)]
    return lost, spent


def _pools(
    engine: Engine,
    position: Position,
    powers: Sequence[str],
    agreements: Sequence[Agreement],
    nodes: int,
    seeds: Sequence[Sequence[str | Order]] = (),
) -> SetPools:
    """The pools of a short search for some powers, without a decision."""
    request = Request(position, tuple(powers), Limit(nodes=nodes), seeds=seeds, agreements=agreements)
    return engine.pools(request, decide=False)


def _joint(pools: SetPools, power: str, certain: Mapping[str, bytes]) -> bytes:
    """Orders of all but one power: drawn, except certain ones."""
    others = [other for other in pools.present if other != power]
    return b"".join(certain[other] if other in certain else pools.drawn(other) for other in others)


def _shared(pools: SetPools, ally: str, orders: bytes, samples: Sequence[bytes]) -> float:
    """The part of an ally's points that a power counts as its own after a set, over some joint orders."""
    points = (pools.worth_to({ally: PARTNERS}, orders + joint) for joint in samples)
    return math.fsum(points) / len(samples)


def _whole(position: Position, power: str, orders: bytes) -> tuple[int, ...]:
    """A set with a hold for each unit without an order, sorted, so that equal sets are equal."""
    return tuple(in_full(position, power, orders).values())


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

    `prior` are the probabilities of the states before any observation. `scale` is the number of points that
    makes an assumption e times less likely. Equal observations lead to equal beliefs. Raises BordeauxError
    for invalid numbers.
    """

    def __init__(self, map: Map, *, prior: Mapping[str, float] = PRIOR, scale: float = SCALE) -> None:
        if set(prior) != set(STATES) or not all(share > 0 for share in prior.values()):
            raise BordeauxError(f"prior needs a share above 0 for each of {', '.join(STATES)}")
        if not scale > 0:
            raise BordeauxError(f"scale must be above 0, not {scale}")
        self.map = map
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
            self._shift(pair, dict.fromkeys(STATES, 0.0), MEMORY)
        quiet = []
        for one, other in near:
            seen = [
                signs.of(*pair_of_powers)
                for pair_of_powers in ((one, other), (other, one))
                if pair_of_powers[0] in orders
            ]
            evidence = {state: math.fsum(SIGNS[sign][state] for sign in seen) for state in STATES}
            self._shift((one, other), evidence, MEMORY)
            if not {ATTACK, HELP} & {*seen} and one in orders and other in orders:
                quiet.append((one, other))
        spent = 0
        # Agreements known by signs are the common basis on which all others are judged.
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
