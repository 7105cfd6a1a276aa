"""Bargains: what two powers could promise each other so that both gain over what they have without a deal.

The engine searches for both powers. Their sets become a game of two, the others playing what is expected of
them; how that is played without a word is what a deal is measured against. A deal binds some orders, or bars
some; what it gives is how the game is played when nothing but sets that keep it are left. So promises are
worth what they change, and not what the rest of the units would do anyway. Deals come of a search over
joint orders (`bordeaux.press.joint_search`); peace and demilitarised provinces are tried as well.
What is gained is measured on other samples than those on which a deal was found.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.code import codes_in, kind_of, target_of, unit_of
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.engine import Engine
from bordeaux.press import language as p
from bordeaux.press.joint import Floats, JointGame, changed, reach, solved
from bordeaux.press.joint_search import HELP, Change, JointSearch, Pair
from bordeaux.rules.rulesets import DATC
from bordeaux.search.agreements import Agreement
from bordeaux.search.bonds import Bond, Bonds
from bordeaux.search.budget import Budget
from bordeaux.search.movement import MovementSearch
from bordeaux.search.request import Limit, Request

__all__ = ["LEAST", "MOST", "NODES", "Bargain", "bargains"]

#: Nodes of one call unless told otherwise, the part of them that searches for each power by itself, and the
#: part after which nothing new is looked for.
NODES, SEARCHED, LOOKED = 40_000, 0.25, 0.7
#: Bargains of one call, and points that both must gain by one.
MOST, LEAST = 6, 8.0
#: Samples of what the others play: to find deals, and to say what they are worth, one for so many nodes
#: within bounds.
FINDING, PER_SAMPLE, FEWEST, ENOUGH = 8, 1_500, 14, 32
#: Sets of each power that its game without a deal is played with, and those of a game under a deal.
SETS, BOUND_SETS = 8, 6
#: Pairs that a search over joint orders starts from, and operations that are tried as deals of their own.
STARTS, ALONE = 3, 6
#: Provinces that are tried as demilitarised ones.
NEUTRAL = 3
#: A promise is left out of a deal that keeps this part of its value without it.
KEPT = 0.9
#: A deal that asks more than another must give so many points more to be listed beside it.
MORE = 4.0


class Bargain(NamedTuple):
    """A deal of two powers in one movement phase.

    `terms` are promises, ours first, or a peace or demilitarised provinces. `gain_ours` and `gain_theirs` are
    points, by the evaluation after this phase, that each has more than without a deal, and `risk_ours` and
    `risk_theirs` those that each has less than without one if it alone keeps it (below 0: it gains even so).
    """

    terms: tuple[p.Term, ...]
    gain_ours: float
    gain_theirs: float
    risk_ours: float = 0.0
    risk_theirs: float = 0.0

    @property
    def package(self) -> p.Term:
        """The whole deal as one term, for level 30; of a single term that itself."""
        return self.terms[0] if len(self.terms) == 1 else p.All(self.terms)

    def promised_by(self, power: str) -> tuple[p.Promise, ...]:
        """What a power promises, one by one, for level 20: the other's are what it gets for them."""
        return tuple(term for term in self.terms if isinstance(term, p.Promise) and term.power == power)


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
    """Deals by which `power` and `partner` both gain at least so many points, the best for the one who gains
    less first, at most so many.

    None outside movement phases, and none, at once, where no unit of one could come where one of the other
    could. `agreements` are kept, `previous` are the orders of the movement phase before. About so many
    `nodes` are spent, and the same call finds the same. Raises what `Request` raises.
    """
    ours, theirs = position.map.power(power), position.map.power(partner)
    if position.phase.kind != "M" or not reach(position, ours) & reach(position, theirs):
        return []
    limit = Limit(nodes=max(1, int(SEARCHED * nodes)))
    request = Request(position, (ours, theirs), limit, agreements=agreements, previous=previous)
    search = engine.task(request).search()
    assert isinstance(search, MovementSearch)
    deque(search.run(request.powers, Budget(*limit)), maxlen=0)
    return _Haggling(search, (ours, theirs), tuple(request.agreements), nodes).bargains(most, least)


class _Deal(NamedTuple):
    """A deal as the game has it: `bound` are the orders that are promised, `pair` sets that keep it,
    `agreement` what bars orders instead, with its term."""

    bound: Change
    pair: Pair | None = None
    agreement: Agreement | None = None
    term: p.Term | None = None


class _Haggling:
    """The deals of two powers in the position of a search that was made for both."""

    def __init__(
        self,
        search: MovementSearch,
        powers: tuple[str, str],
        agreements: Sequence[Agreement],
        nodes: int,
    ) -> None:
        here = search.situation
        self.position = here.position
        self.powers = powers
        self.agreements = agreements
        self._nodes = nodes
        self._begun = here.nodes
        first, second = (_pool(search, power) for power in powers)
        self._pools = first, second
        self._sets = first[:SETS], second[:SETS]
        self._words = [here.bonds.own(power) for power in powers]
        rest = [each for each in here.present if each not in powers]
        valuing = max(FEWEST, min(ENOUGH, nodes // PER_SAMPLE))
        samples = [b"".join(here.sampler.orders(each) for each in rest) for _ in range(FINDING + valuing)]
        self._found = JointGame(here, powers, samples[:FINDING])
        self._valued = JointGame(here, powers, samples[FINDING:])

    def _spent(self) -> bool:
        used = self._begun + self._found.nodes + self._valued.nodes
        return used >= LOOKED * self._nodes

    def bargains(self, most: int, least: float) -> list[Bargain]:
        """The deals that give both at least so many points."""
        often, base = solved(self._found.table(*self._sets))
        deals = [*self._joint_deals(often, base), *self._barring(often)]
        if not deals:
            return []
        table = self._valued.table(*self._sets)
        # What is played without a word may be one thing or another: a deal must give more than any of them.
        plays = [solved(table)[1], solved(table, (0, 0))[1]]
        without = max(play[0] for play in plays), max(play[1] for play in plays)
        found = []
        for deal in deals:
            bound = self._keeping(0, deal), self._keeping(1, deal)
            _, kept = solved(self._valued.table(*bound))
            if min(kept[0] - without[0], kept[1] - without[1]) >= least:
                found.append(self._bargain(deal, bound, kept, without))
        found.sort(key=lambda each: -min(each.gain_ours, each.gain_theirs))
        return [each for each in found if not any(_hardly_less(other, each) for other in found)][:most]

    def _joint_deals(self, often: Floats, base: tuple[float, float]) -> list[_Deal]:
        """What a search over joint orders finds, with as few promises as its value needs."""
        words = self._words

        def allowed(place: int, code: int) -> bool:
            return not any(bond.breaks(code) for bond in words[place])

        search = JointSearch(self.position.map, self._found, base, allowed, self._spent)
        usual = self._usual(often)
        starts = sorted(
            ((ours, theirs) for ours in self._sets[0] for theirs in self._sets[1]),
            key=lambda pair: (-search.value(pair), pair),
        )
        deals: dict[tuple[tuple[int, ...], tuple[int, ...]], _Deal] = {}
        pairs = [search.climb(start) for start in dict.fromkeys((usual, *starts[: STARTS - 1]))]
        found = [(self._pruned(search, pair, usual), pair) for pair in pairs]
        for change in search.alone(usual, ALONE):
            found.append((change, search.after(usual, change)))
        for bound, pair in found:
            if min(search.gains(pair)) > 0 and (bound[0] or bound[1]):
                key = tuple(sorted(bound[0].values())), tuple(sorted(bound[1].values()))
                deals.setdefault(key, _Deal(bound, pair))
        return list(deals.values())

    def _usual(self, often: Floats) -> Pair:
        """The sets that come up most often without a deal."""
        return (
            self._sets[0][int(often.sum(axis=1).argmax())],
            self._sets[1][int(often.sum(axis=0).argmax())],
        )

    def _pruned(self, search: JointSearch, pair: Pair, usual: Pair) -> Change:
        """The orders of a pair that must be promised: help for each other, what is helped by it, and what
        else differs from what is usual and matters."""
        given = [{unit_of(code): code for code in codes_in(orders)} for orders in pair]
        before = [{unit_of(code): code for code in codes_in(orders)} for orders in usual]
        bound: Change = ({}, {})
        needed: set[int] = set()
        for place in (0, 1):
            bound[place].update(
                {unit: code for unit, code in given[place].items() if code != before[place].get(unit)}
            )
        floor = KEPT * search.value(pair)
        for place, unit in [
            *((0, unit) for unit in sorted(bound[0])),
            *((1, unit) for unit in sorted(bound[1])),
        ]:
            code = given[place][unit]
            instead: Change = ({}, {})
            instead[place][unit] = before[place].get(unit, code)
            without = search.after(pair, instead)
            if search.value(without) >= floor:
                pair = without
                del bound[place][unit]
            elif kind_of(code) in HELP and target_of(code) in given[1 - place]:
                needed.add(target_of(code))
        for place in (0, 1):
            # Help is promised to a move that is promised, and does not come back as an attack.
            now = {unit_of(code): code for code in codes_in(pair[place])}
            bound[place].update({unit: code for unit, code in now.items() if unit in needed and _moves(code)})
        return bound

    def _barring(self, often: Floats) -> list[_Deal]:
        """Peace where it is not agreed, and provinces that both would go to."""
        found = []
        if not any(
            each.kind in ("peace", "alliance") and set(self.powers) <= set(each.parties)
            for each in self.agreements
        ):
            found.append(_Deal(({}, {}), None, Agreement("peace", self.powers), p.Peace(self.powers)))
        shares = [often.sum(axis=1), often.sum(axis=0)]
        goals: list[dict[int, float]] = [{}, {}]
        for place in (0, 1):
            for orders, share in zip(self._sets[place], shares[place], strict=True):
                for province in self._goals(orders):
                    goals[place][province] = goals[place].get(province, 0.0) + float(share)
        both = sorted(goals[0].keys() & goals[1].keys(), key=lambda each: -goals[0][each] * goals[1][each])
        for province in both[:NEUTRAL]:
            name = self.position.map.provinces[province].name
            if self.position.unit_at(name) is None:
                agreement = Agreement("demilitarised", self.powers, provinces=(name,))
                found.append(_Deal(({}, {}), None, agreement, p.Demilitarised(self.powers, (name,))))
        return found

    def _goals(self, orders: bytes) -> set[int]:
        locations = self.position.map.locations
        return {locations[target_of(code)].province for code in codes_in(orders) if _moves(code)}

    def _bargain(
        self,
        deal: _Deal,
        bound: tuple[list[bytes], list[bytes]],
        kept: tuple[float, float],
        without: tuple[float, float],
    ) -> Bargain:
        """A deal with what it is worth, and what it costs whoever keeps it alone."""
        _, betrayed = solved(self._valued.table(bound[0], self._sets[1]))
        _, betraying = solved(self._valued.table(self._sets[0], bound[1]))
        return Bargain(
            (deal.term,) if deal.term is not None else (*self._promises(0, deal), *self._promises(1, deal)),
            round(kept[0] - without[0], 1),
            round(kept[1] - without[1], 1),
            round(without[0] - betrayed[0], 1),
            round(without[1] - betraying[1], 1),
        )

    def _keeping(self, place: int, deal: _Deal) -> list[bytes]:
        """Sets of one of the powers that keep a deal."""
        if deal.agreement is None:
            own = [changed(orders, deal.bound[place]) for orders in self._sets[place]]
            first = [deal.pair[place]] if deal.pair is not None else []
            return list(dict.fromkeys((*first, *own)))[:BOUND_SETS]
        bond = Bond(self.position, self.powers[place], deal.agreement, DATC)
        sets = [orders for orders in self._pools[place] if not any(map(bond.breaks, codes_in(orders)))]
        mended = (Bonds(self.position).kept(orders, [bond]) for orders in self._sets[place])
        return sets[:BOUND_SETS] or list(dict.fromkeys(mended))

    def _promises(self, place: int, deal: _Deal) -> list[p.Promise]:
        map, found = self.position.map, []
        for _, code in sorted(deal.bound[place].items()):
            helped = self.position.unit_at(map.provinces[map.locations[target_of(code)].province].name)
            to = helped.power if kind_of(code) in HELP and helped is not None else ""
            power = self.powers[place]
            found.append(p.Promise(power, decode(map, code), to if to != power else ""))
        return found


def _pool(search: MovementSearch, power: str) -> list[bytes]:
    """The sets that a search knows for a power: the few that it answers with, and the rest, best first."""
    shown = [orders for orders, _ in search.lines(power, SETS)]
    return list(dict.fromkeys((*shown, *search.sides[power].ranked())))


def _moves(code: int) -> bool:
    return kind_of(code) == OrderKind.MOVE


def _hardly_less(other: Bargain, each: Bargain) -> bool:
    """Whether a deal that asks less gives nearly as much."""
    return set(other.terms) < set(each.terms) and min(other[1:3]) + MORE >= min(each[1:3])
