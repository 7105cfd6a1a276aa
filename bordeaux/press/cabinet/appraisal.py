"""What a term is worth to us, in points: on this rests which proposals are made, and which accepted."""

from __future__ import annotations

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.press import language as p
from bordeaux.press.cabinet.defence import IMPOSSIBLE, Defence
from bordeaux.press.cabinet.policy import ForeignPolicy
from bordeaux.press.ledger import Ledger
from bordeaux.search.agreements import Agreement

__all__ = ["Appraisal"]

#: Points of a favour that is owed, and of a support that is promised to us.
FAVOUR, SUPPORTED = 40.0, 60.0
#: Points of a province that others keep out of, beside our centres.
LEFT_ALONE = 15.0
#: Points of an order that attacks us.
ATTACKED = -150.0
#: Points of a draw or a solo, wanted or not: they decide the game.
ENDS = 5000.0


class Appraisal:
    """Values terms for one power in the phase that is on."""

    def __init__(self, me: str, defence: Defence, policy: ForeignPolicy, ledger: Ledger) -> None:
        self.me = me
        self.defence = defence
        self.policy = policy
        self.ledger = ledger
        self.position: Position | None = None

    def begin(self, position: Position) -> None:
        """A phase begins."""
        self.position = position

    def worth(self, term: p.Term | p.Message, proposer: str) -> float:
        """Points that a term brings us if all keep it; below 0 it is not wanted."""
        told = self._binding(term, proposer)
        if told is not None:
            return told
        match term:
            case p.Peace(powers):
                return self._peace(powers)
            case p.Alliance(powers, against):
                return self._alliance(powers, against)
            case p.Draw(powers):
                wanted = self.policy.draw()
                mine = not powers or self.me in powers
                return ENDS if wanted is not None and mine and (not wanted or not powers) else -ENDS
            case p.Solo(power):
                return ENDS if power == self.me else -ENDS
            case p.Division(shares):
                return self._division(shares)
            case p.Stationing(stations):
                return self._stations(stations)
            case p.Favour(debtor, creditor):
                return -FAVOUR if debtor == self.me else FAVOUR if creditor == self.me else 0.0
            case p.Command(power, units):
                ours = any(unit.power == self.me for unit in units)
                return -ENDS if ours else FAVOUR if power == self.me else 0.0
            case p.Pass(sender, _, message):
                return -ENDS if sender == self.me and not self.ledger.believes(message) else 0.0
            case p.Forward(_, to, _) if to == self.me:
                return -FAVOUR
            case p.Copy(sender, _, _) if sender == self.me:
                return -FAVOUR
        return 0.0

    def _binding(self, term: p.Term | p.Message, proposer: str) -> float | None:
        """Terms that hold others, and those that bind orders."""
        match term:
            case p.All(parts):
                return sum(self.worth(part, proposer) for part in parts)
            case p.Some(parts):
                return max(self.worth(part, proposer) for part in parts)
            case p.Choice(least, most, parts):
                ranked = sorted((self.worth(part, proposer) for part in parts), reverse=True)
                chosen = [worth for place, worth in enumerate(ranked[:most]) if place < least or worth > 0]
                return sum(chosen)
            case p.During(_, _, inner):
                return self.worth(inner, proposer)
            case p.NoDeal():
                return 0.0
            case p.Not(inner):
                return self._opposite(inner, proposer)
            case p.Promise(power, order, _):
                return self._promise(power, order, proposer)
            case p.Demilitarised(powers, provinces):
                return self._demilitarised(powers, provinces)
        return None

    def _peace(self, powers: tuple[str, ...]) -> float:
        if self.me not in powers:
            return 0.0
        return sum(self.policy.friendship(other) for other in powers if other != self.me)

    def _alliance(self, powers: tuple[str, ...], against: tuple[str, ...]) -> float:
        if self.me in against:
            return -ENDS
        if self.me not in powers:
            return 0.0
        return self._peace(powers) - sum(self.policy.friendship(foe) for foe in against)

    def _promise(self, power: str, order: Order, proposer: str) -> float:
        position = self.position
        if position is None:
            return -IMPOSSIBLE
        if power == self.me:
            return -self.defence.cost(Agreement("promise", (self.me,), orders=(order,)))
        place = order.destination.partition("/")[0]
        if order.kind in (OrderKind.MOVE, OrderKind.SUPPORT_MOVE, OrderKind.CONVOY) and self._ours(place):
            helped = position.unit_at(order.target.partition("/")[0]) if order.target else None
            return SUPPORTED if helped is not None and helped.power == self.me else ATTACKED
        if order.kind in (OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE, OrderKind.CONVOY):
            helped = position.unit_at(order.target.partition("/")[0])
            return SUPPORTED if helped is not None and helped.power == self.me else 0.0
        return 0.0

    def _ours(self, province: str) -> bool:
        position = self.position
        assert position is not None
        unit = position.unit_at(province)
        return province in position.centres.get(self.me, ()) or (unit is not None and unit.power == self.me)

    def _demilitarised(self, powers: tuple[str, ...], provinces: tuple[str, ...]) -> float:
        position = self.position
        if position is None:
            return -IMPOSSIBLE
        worth = 0.0
        if set(powers) - {self.me}:
            near = {province for province in provinces if self.policy.borders(province)}
            worth += LEFT_ALONE * len(near)
        if self.me in powers:
            worth -= self.defence.cost(Agreement("demilitarised", (self.me,), provinces=provinces))
        return worth

    def _opposite(self, inner: p.Term | p.Message, proposer: str) -> float:
        match inner:
            case p.Solo(power):
                return -ENDS if power == self.me else 0.0
            case p.Draw():
                return -ENDS if self.policy.draw() is not None else 0.0
            case p.Promise(power, order, _) if power == self.me:
                return -self.defence.cost(Agreement("forbid", (self.me,), orders=(order,)))
            case p.Promise(power, order, helped):
                return -min(0.0, self._promise(power, order, helped))
        return 0.0

    def _division(self, shares: tuple[p.Share, ...]) -> float:
        """It must leave us what we own, and as much as the others."""
        position = self.position
        if position is None:
            return -IMPOSSIBLE
        mine = {centre for share in shares if share.owner == self.me for centre in share.centres}
        others = {centre for share in shares if share.owner != self.me for centre in share.centres}
        if others & set(position.centres.get(self.me, ())):
            return -ENDS
        parties = max(1, len({share.owner for share in shares if share.owner}))
        fair = (len(mine) + len(others)) / parties
        return FAVOUR * (len(mine) - fair) + (FAVOUR if self.me in {share.owner for share in shares} else 0.0)

    def _stations(self, stations: tuple[p.Station, ...]) -> float:
        position = self.position
        if position is None:
            return -IMPOSSIBLE
        intruders = [each for each in stations if each.power != self.me and self._ours(_province(each))]
        mine = [each for each in stations if each.power == self.me]
        reached = {_province_of(order) for order in self.defence.orders}
        missed = [each for each in mine if _province(each) not in reached]
        return ATTACKED * len(intruders) - FAVOUR * len(missed)


def _province(station: p.Station) -> str:
    return station.location.partition("/")[0]


def _province_of(order: Order) -> str:
    place = order.destination if order.kind == OrderKind.MOVE else order.location
    return place.partition("/")[0]
