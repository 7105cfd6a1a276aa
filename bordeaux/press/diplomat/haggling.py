"""Finding and valuing promises of two powers, in a search made for both.

The engine searches for both powers. Their sets form a two-player game, in which the others play as expected.
The baseline is the value of the game of their sets without press. A deal requires some orders, and its value
is that of the game restricted to sets that keep it: a promise counts only by what it changes. Deals come from
a search over joint orders. Gains are measured on other samples than those on which a deal was found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from bordeaux.board.code import codes_in, kind_of, target_of, unit_of
from bordeaux.board.order import HELPS, Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.engine import Engine
from bordeaux.press.diplomat.joint import (
    Change,
    Floats,
    JointGame,
    JointSearch,
    Pair,
    changed,
    reach,
    solved,
    together,
)
from bordeaux.press.language import messages as p
from bordeaux.search.agreements import Agreement, Bonds
from bordeaux.search.paper import SetPools
from bordeaux.search.task import Limit, Request

#: The default nodes of one call, the part for searches of each power by itself, and the part after which no
#: new deals are searched for.
NODES, SEARCHED, LOOKED = 40_000, 0.25, 0.7
#: The maximum number of bargains of one call, and the points that both must gain.
MOST, LEAST = 6, 8.0
#: Samples of the others' orders: for finding deals, and for valuing them (one for so many nodes, within
#: bounds).
FINDING, PER_SAMPLE, FEWEST, ENOUGH = 8, 1_500, 20, 32
#: Standard errors by which a gain must exceed zero.
SURE = 1.0
#: Sets of each power in the game without a deal, and in a game under a deal.
SETS, BOUND_SETS = 8, 6
#: Starting pairs of a search over joint orders, one for so many nodes within bounds, and operations that are
#: tried as separate deals.
STARTS, PER_START, MOST_STARTS, ALONE = 3, 13_000, 12, 6
#: A promise is omitted if the deal keeps this part of its value without it, on so many sets of each.
KEPT, LEAN = 0.9, 4
#: A deal with more demands than another must gain so many points more to be listed beside it.
MORE = 4.0


class Bargain(NamedTuple):
    """A deal of two powers in one movement phase.

    `terms` are promises, ours first. `gain_ours` and `gain_theirs` are the gains over no deal, in points of
    the evaluation after this phase.
    """

    terms: tuple[p.Promise, ...]
    gain_ours: float
    gain_theirs: float

    def promised_by(self, power: str) -> tuple[p.Promise, ...]:
        """The promises of a power as single terms, for level 20: the other's promises are the exchange."""
        return tuple(term for term in self.terms if term.power == power)


class _Deal(NamedTuple):
    """A deal in the game: `bound` are the promised orders, `pair` are sets that keep it."""

    bound: Change
    pair: Pair


class Haggling:
    """The deals of two `powers` from the `pools` of a search for both, with `agreements` in force.
    About `nodes` nodes are used, including those of the search."""

    def __init__(
        self,
        pools: SetPools,
        powers: tuple[str, str],
        agreements: Sequence[Agreement],
        nodes: int,
    ) -> None:
        self.position = pools.position
        self.powers = powers
        self._nodes = nodes
        self._begun = pools.nodes
        first, second = (_pool(pools, power)[:SETS] for power in powers)
        self._sets = first, second
        bonds = Bonds(self.position, agreements)
        self._words = [bonds.own(power) for power in powers]
        rest = [power for power in pools.present if power not in powers]
        valuing = max(FEWEST, min(ENOUGH, nodes // PER_SAMPLE))
        samples = [b"".join(map(pools.drawn, rest)) for _ in range(FINDING + valuing)]
        self._found = JointGame(self.position, pools.evaluator, powers, samples[:FINDING])
        self._valued = JointGame(self.position, pools.evaluator, powers, samples[FINDING:])

    def _spent(self) -> bool:
        used = self._begun + self._found.nodes + self._valued.nodes
        return used >= LOOKED * self._nodes

    def bargains(self, most: int, least: float) -> list[Bargain]:
        """The deals that give both at least a number of points."""
        often, base = solved(self._found.table(*self._sets))
        deals = self._joint_deals(often, base)
        if not deals:
            return []
        without = self._without()
        bargains = (self._bargain(deal, without, least) for deal in deals)
        kept = [bargain for bargain in bargains if bargain is not None]
        kept.sort(key=lambda bargain: -min(bargain.gain_ours, bargain.gain_theirs))
        return [bargain for bargain in kept if not any(_hardly_less(other, bargain) for other in kept)][:most]

    def _without(self) -> Floats:
        """The values of both without a deal in each sample, (2, samples). There may be several equilibria,
        and a deal must be better than the best of them."""
        by_sample = self._valued.by_sample(*self._sets)
        table = by_sample.mean(axis=3)
        plays = [_played(by_sample, solved(table, start)[0]) for start in (None, (0, 0))]
        return np.array([max((play[side] for play in plays), key=np.mean) for side in (0, 1)])

    def _joint_deals(self, often: Floats, base: tuple[float, float]) -> list[_Deal]:
        """The deals from a search over joint orders, with as few promises as their value needs."""

        def allowed(place: int, code: int) -> bool:
            return not any(bond.breaks(code) for bond in self._words[place])

        search = JointSearch(self.position.map, self._found, base, allowed, self._spent)
        # The most frequent sets without a deal.
        first, second = (int(often.sum(axis=1 - side).argmax()) for side in (0, 1))
        usual = self._sets[0][first], self._sets[1][second]
        starts = sorted(
            ((ours, theirs) for ours in self._sets[0] for theirs in self._sets[1]),
            key=lambda pair: (-search.value(pair), pair),
        )
        joint = []
        count = max(STARTS, min(MOST_STARTS, self._nodes // PER_START))
        for start in dict.fromkeys((usual, *starts[: count - 1])):
            pair = search.climb(start)
            if min(search.gains(pair)) > 0:
                bound = self._promised(search, pair, usual)
                joint += [_Deal(self._needed(search, bound, pair), pair), _Deal(bound, pair)]
        for change in search.alone(usual, ALONE):
            pair = search.after(usual, change)
            if min(search.gains(pair)) > 0:
                joint.append(_Deal(change, pair))
        deals: dict[tuple[tuple[int, ...], ...], _Deal] = {}
        for deal in joint:
            deals.setdefault(tuple(tuple(sorted(codes.values())) for codes in deal.bound), deal)
        return [deal for deal in deals.values() if deal.bound[0] or deal.bound[1]]

    def _promised(self, search: JointSearch, pair: Pair, usual: Pair) -> Change:
        """The orders of a pair in a deal: effective supports and convoys, the orders that they help, and
        other differences to the usual sets."""
        given = [{unit_of(code): code for code in codes_in(orders)} for orders in pair]
        before = [{unit_of(code): code for code in codes_in(orders)} for orders in usual]
        bound: Change = ({}, {})
        helped: tuple[set[int], set[int]] = (set(), set())
        for place in (0, 1):
            for unit, code in given[place].items():
                if code == before[place].get(unit):
                    continue
                bound[place][unit] = code
                if kind_of(code) in HELPS and target_of(code) in given[1 - place]:
                    idle: Change = ({}, {})
                    idle[place][unit] = before[place].get(unit, code)
                    if search.value(search.after(pair, idle)) >= KEPT * search.value(pair):
                        del bound[place][unit]
                    else:
                        helped[1 - place].add(target_of(code))
        for place in (0, 1):
            for unit in helped[place]:
                if kind_of(given[place][unit]) == OrderKind.MOVE:
                    bound[place][unit] = given[place][unit]
        return bound

    def _needed(self, search: JointSearch, bound: Change, pair: Pair) -> Change:
        """A deal without redundant promises: those without which its value is the same. Help for the other
        power, and the helped orders, stay."""
        whole = self._worth(search, bound, pair)
        floor = whole - max(MORE, (1 - KEPT) * whole)
        helped = {target_of(code) for codes in bound for code in codes.values() if kind_of(code) in HELPS}
        for side in (0, 1):
            for unit, code in sorted(bound[side].items()):
                helping = kind_of(code) in HELPS and target_of(code) in bound[1 - side]
                if helping or unit in helped or len(bound[0]) + len(bound[1]) < 2 or self._spent():
                    continue
                fewer = dict(bound[0]), dict(bound[1])
                del fewer[side][unit]
                if self._worth(search, fewer, pair) >= floor:
                    bound = fewer
        return bound

    def _worth(self, search: JointSearch, bound: Change, pair: Pair) -> float:
        """The value of a deal on few sets, on the samples with which it was found."""
        ours, theirs = (self._keeping(place, _Deal(bound, pair))[:LEAN] for place in (0, 1))
        _, worth = solved(self._found.table(ours, theirs))
        return together(worth[0] - search.base[0], worth[1] - search.base[1])

    def _bargain(self, deal: _Deal, without: Floats, least: float) -> Bargain | None:
        """A deal with its value: the game under it compared with the game without it. None if a gain is
        smaller than the least, or its lower bound than nothing."""
        ours, theirs = self._keeping(0, deal), self._keeping(1, deal)
        by_sample = self._valued.by_sample(ours, theirs)
        more = _played(by_sample, solved(by_sample.mean(axis=3))[0]) - without
        gains = more.mean(axis=1).tolist()
        doubt = more.std(axis=1) / len(self._valued.samples) ** 0.5
        if min(gains) < least or min(gains - SURE * doubt) < 0:
            return None
        promises = (*self._promises(0, deal), *self._promises(1, deal))
        return Bargain(promises, round(gains[0], 1), round(gains[1], 1))

    def _keeping(self, place: int, deal: _Deal) -> list[bytes]:
        """Sets of one of the powers that keep a deal."""
        own = (changed(orders, deal.bound[place]) for orders in self._sets[place])
        return list(dict.fromkeys((deal.pair[place], *own)))[:BOUND_SETS]

    def _promises(self, place: int, deal: _Deal) -> list[p.Promise]:
        map, promises = self.position.map, []
        for _, code in sorted(deal.bound[place].items()):
            helped = self.position.unit_at(map.provinces[map.locations[target_of(code)].province].name)
            to = helped.power if kind_of(code) in HELPS and helped is not None else ""
            power = self.powers[place]
            promises.append(p.Promise(power, decode(map, code), to if to != power else ""))
        return promises


def _pool(pools: SetPools, power: str) -> list[bytes]:
    """The sets of a search for a power: those of its answer first, then the rest, best first."""
    shown = [orders for orders, _ in pools.lines(power, SETS)]
    return list(dict.fromkeys((*shown, *pools.sets(power))))


def _played(by_sample: Floats, often: Floats) -> Floats:
    """The values of two powers in each sample, (2, samples), weighted by the frequency of each pair of
    sets."""
    return np.einsum("pijs,ij->ps", by_sample, often)


def _hardly_less(other: Bargain, bargain: Bargain) -> bool:
    """Whether a deal with fewer duties gives nearly as much."""
    least = min(bargain.gain_ours, bargain.gain_theirs)
    nearly = max(MORE, (1 - KEPT) * least)
    return set(other.terms) < set(bargain.terms) and min(other.gain_ours, other.gain_theirs) >= least - nearly


def bargains(
    engine: Engine,
    position: Position,
    power: str,
    partner: str,
    *,
    agreements: Iterable[Agreement] = (),
    previous: Mapping[str, Iterable[str | Order]] | None = None,
    nodes: int = NODES,
    most: int = MOST,
    least: float = LEAST,
) -> list[Bargain]:
    """Deals by which `power` and `partner` both gain at least `least` points, at most `most` of them, sorted
    by the smaller of the two gains.

    Empty outside movement phases, and, without a search, if no unit of one power can reach a province that
    one of the other can reach. `agreements` are kept, `previous` are the orders of the movement phase before.
    About `nodes` nodes are used, and equal calls give equal results. Raises what `Request` raises.
    """
    powers = position.map.power(power), position.map.power(partner)
    if position.phase.kind != "M" or not reach(position, powers[0]) & reach(position, powers[1]):
        return []
    limit = Limit(nodes=max(1, int(SEARCHED * nodes)))
    request = Request(position, powers, limit, agreements=agreements, previous=previous)
    return Haggling(engine.pools(request), powers, tuple(request.agreements), nodes).bargains(most, least)
