"""The value of a term to us, in points; proposals and acceptances depend on it."""

from __future__ import annotations

from dataclasses import dataclass, field

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.press.diplomat.cabinet.defence import Defence
from bordeaux.press.diplomat.cabinet.policy import ForeignPolicy
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.diplomat.turn import province_of
from bordeaux.press.language import messages as p
from bordeaux.search.agreements import Agreement

#: Points of an owed favour, and of a support that is promised to us.
FAVOUR, SUPPORTED = 40.0, 5.0
#: Points below which a promise of ours counts as nothing: two searches differ by as much.
NOISE = 10.0
#: Points of a province near us that others leave empty, and of one that we leave empty beyond this phase.
LEFT_ALONE, LASTING = 15.0, 2.0
#: Points of an order that attacks us.
ATTACKED = -150.0
#: Points of peace below which a power is an enemy, with whom nothing is done together.
ENEMY = -80.0
#: Points of a peace to which we are no party, since we cannot agree to it.
NOT_OURS = -1.0
#: Points of a wanted or unwanted draw or solo, which decides the game.
ENDS = 5000.0


@dataclass(eq=False)
class Appraisal:
    """Values terms for one power in the present phase."""

    me: str
    defence: Defence
    policy: ForeignPolicy
    ledger: Ledger
    position: Position = field(init=False)

    def begin(self, position: Position) -> None:
        """A phase begins."""
        self.position = position

    def worth(self, term: p.Term | p.Message, proposer: str) -> float:
        """The points that a term brings us if all keep it; it is not wanted if they are negative."""
        match term:
            case p.All(parts):
                return self._package(parts, proposer)
            case p.Some(parts):
                return max(self.worth(part, proposer) for part in parts)
            case p.Choice(least, most, parts):
                ranked = sorted((self.worth(part, proposer) for part in parts), reverse=True)
                if min(ranked) <= -ENDS:
                    return -ENDS
                return sum(worth for place, worth in enumerate(ranked[:most]) if place < least or worth > 0)
            case p.During(_, _, inner) | p.Not(p.Not(inner)):
                return self.worth(inner, proposer)
            case p.NoDeal(inner):
                return self._ended(inner, proposer)
            case p.Not(inner):
                return self._opposite(inner, proposer)
            case p.Promise(power, order, _):
                return self._promise(power, order)
            case p.Demilitarised(powers, provinces):
                return self._demilitarised(powers, provinces)
            case p.Peace(powers):
                return self._peace(powers)
            case p.Alliance(powers, against):
                return self._alliance(powers, against)
            case p.Draw(powers):
                wanted = self.policy.draw()
                return 0.0 if wanted is not None and set(powers or wanted) == set(wanted) else -ENDS
            case p.Solo(power):
                # Words alone are no price for deeds: what costs nobody anything is welcome and worth nothing.
                return 0.0 if power == self.me else -ENDS
            case p.Division(shares):
                return self._division(shares, proposer)
            case p.Stationing(stations):
                return self._stations(stations)
            case p.Favour(debtor, creditor):
                return -FAVOUR if debtor == self.me else FAVOUR if creditor == self.me else 0.0
            case p.Command(power, units):
                ours = any(unit.power == self.me for unit in units)
                return -ENDS if ours else 0.0
            case p.Pass(sender, _, message):
                return -ENDS if sender == self.me and not self.ledger.believes(message) else 0.0
            case p.Forward(_, to, _) if to == self.me:
                return -FAVOUR
            case p.Copy(sender, _, _) if sender == self.me:
                return -FAVOUR
        return 0.0

    def _package(self, parts: tuple[p.Term, ...], proposer: str) -> float:
        """The sum of all parts. An unacceptable part makes the package unacceptable, and a favour that is
        owed pays once."""
        worths = [(self.worth(part, proposer), isinstance(part, p.Favour)) for part in parts]
        if min(worth for worth, _ in worths) <= -ENDS:
            return -ENDS
        owed = [worth for worth, is_favour in worths if is_favour]
        return sum(worth for worth, is_favour in worths if not is_favour) + min(FAVOUR, sum(owed))

    def _ended(self, inner: p.Term | p.Message, proposer: str) -> float:
        """Only powers at peace can end it."""
        match inner:
            case p.Peace(powers) | p.Alliance(powers, _) if self.me in powers and proposer not in powers:
                return -max(0.0, self._peace(powers))
        return 0.0

    def _peace(self, powers: tuple[str, ...]) -> float:
        if self.me not in powers:
            return NOT_OURS
        return sum(self.policy.friendship(other) for other in powers if other != self.me)

    def _alliance(self, powers: tuple[str, ...], against: tuple[str, ...]) -> float:
        if self.me in against:
            return -ENDS
        worst = min((self.policy.friendship(other) for other in powers if other != self.me), default=0.0)
        if worst <= ENEMY:
            return worst
        return self._peace(powers) - sum(self.policy.friendship(foe) for foe in against)

    def _promise(self, power: str, order: Order) -> float:
        helped = helped_by(self.position, order)
        if power == self.me:
            # What is planned anyway costs nothing.
            cost = self.defence.cost(Agreement("promise", (self.me,), orders=(order,)))
            return 0.0 if cost <= NOISE else -cost
        if helped == self.me:
            return SUPPORTED
        attacks = order.kind in (OrderKind.MOVE, OrderKind.SUPPORT_MOVE, OrderKind.CONVOY)
        return ATTACKED if attacks and self._ours(province_of(order.destination)) else 0.0

    def _ours(self, province: str) -> bool:
        unit = self.position.unit_at(province)
        return province in self.position.centres.get(self.me, ()) or (
            unit is not None and unit.power == self.me
        )

    def _demilitarised(self, powers: tuple[str, ...], provinces: tuple[str, ...]) -> float:
        position = self.position
        worth = 0.0
        if set(powers) - {self.me}:
            near = {province for province in provinces if self.policy.borders(province)}
            trusted = min(
                self.policy.intelligence.trust(power, "demilitarised") for power in set(powers) - {self.me}
            )
            worth += trusted * LEFT_ALONE * len(near)
        if self.me in powers:
            own = {*position.centres.get(self.me, ()), *position.map.homes[self.me]}
            if own & set(provinces):
                return -ENDS
            worth -= LASTING * len([province for province in provinces if self.policy.borders(province)])
            worth -= self.defence.cost(Agreement("demilitarised", (self.me,), provinces=provinces))
        return worth

    def _opposite(self, inner: p.Term | p.Message, proposer: str) -> float:
        match inner:
            case p.Solo(power):
                return -ENDS if power == self.me else 0.0
            case p.Draw():
                return -ENDS if self.policy.draw() is not None else 0.0
            case p.Peace() | p.Alliance():
                return self._ended(inner, proposer)
            case p.Promise(power, order, _) if power == self.me:
                return -self.defence.cost(Agreement("forbid", (self.me,), orders=(order,)))
            case p.Promise(power, order):
                return -min(0.0, self._promise(power, order))
        return 0.0

    def _division(self, shares: tuple[p.Share, ...], proposer: str) -> float:
        """It must leave us our own centres, and as many within our reach as the others get; one is enough."""
        owned = set(self.position.centres.get(self.me, ()))
        if any(isinstance(deal.term, p.Division) for deal in self.ledger.deals(proposer)):
            return -FAVOUR
        mine = {
            centre
            for share in shares
            if share.owner == self.me
            for centre in share.centres
            if centre in owned or self.policy.borders(centre)
        }
        others = {centre for share in shares if share.owner != self.me for centre in share.centres}
        if others & owned:
            return -ENDS
        parties = max(1, len({share.owner for share in shares if share.owner}))
        fair = (len(mine) + len(others)) / parties
        return FAVOUR * (len(mine) - fair) + (FAVOUR if self.me in {share.owner for share in shares} else 0.0)

    def _stations(self, stations: tuple[p.Station, ...]) -> float:
        intruders = [
            station
            for station in stations
            if station.power != self.me and self._ours(province_of(station.location))
        ]
        mine = [station for station in stations if station.power == self.me]
        reached = {
            province_of(order.destination if order.kind == OrderKind.MOVE else order.location)
            for order in self.defence.orders
        }
        missed = [station for station in mine if province_of(station.location) not in reached]
        return ATTACKED * len(intruders) - FAVOUR * len(missed)


def helped_by(position: Position, order: Order) -> str:
    """The power whose unit an order supports or convoys; "" for none."""
    unit = position.unit_at(province_of(order.target)) if order.target else None
    return unit.power if unit is not None else ""
