"""A bank of favours: debts of help between powers, credit, and auctions when several ask for one unit.

Webb and others (2008), section 7.2.1, proposes a banker at level 20, where one order is requested at a time.
The money is the value of a favour to the power that asks. An account has a balance, a limit, interest and a
credit rating. Shaheed's Diplomat (2.3.2) gives IOUs for supports and weighs them by the reliability of the
giver. It auctions a unit among the powers that bid for it. Values are points of the evaluation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from bordeaux._ext.rules.packed import Packed
from bordeaux.board.code import as_bytes, codes_in, make_code, unit_of
from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.evaluation import evaluator
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.press.diplomat.joint import changed
from bordeaux.search.sets import from_orders, in_full

__all__ = ["Award", "Bank", "Bid", "Iou", "favour_cost", "favour_value", "helped_order"]

# Webb and others (2008), section 7.2.1, proposes DumbBot's value of the destination from the perspective of
# the power that asks. `favour_value` uses the evaluation instead: the change that the help makes after this
# phase.
# `bordeaux.press.diplomat.bank` keeps the accounts.

#: Draws of the others' orders over which values are averaged.
SAMPLES = 6


def helped_order(order: Order) -> Order | None:
    """The order that a support or a convoy helps, as its owner would give it; None if it helps none."""
    if order.kind == OrderKind.SUPPORT_HOLD:
        return Order(OrderKind.HOLD, order.target_unit, order.target)
    if order.kind == OrderKind.SUPPORT_MOVE:
        return Order(OrderKind.MOVE, order.target_unit, order.target, destination=order.destination)
    if order.kind == OrderKind.CONVOY:
        return Order(OrderKind.MOVE, order.target_unit, order.target, destination=order.destination, via=True)
    return None


def favour_value(
    position: Position,
    asker: str,
    order: Order,
    *,
    expected: Mapping[str, Iterable[str | Order]] | None = None,
) -> float:
    """The value of an order in a movement phase to the power that asks for it, in points of the evaluation
    after the phase, relative to a hold of the unit.

    The asker is assumed to give the helped order. The others play by a fast policy, except `expected` orders.
    0 for an impossible order. Raises MapError for an unknown power, and
    OrderError for unreadable expected orders.
    """
    asking = position.map.power(asker)
    after = _played(position, asking, order, expected)
    return _gained(position, asking, [(kept, held) for kept, held, _ in after])


def favour_cost(
    position: Position,
    asker: str,
    order: Order,
    *,
    expected: Mapping[str, Iterable[str | Order]] | None = None,
) -> float:
    """The cost of an order to the owner of the unit, in points, relative to the order that it would give
    instead: the `expected` one, or that of a fast policy. Negative if the favour helps the owner too. All
    else is as for `favour_value`."""
    unit = position.unit_at(order.location.partition("/")[0])
    after = _played(position, position.map.power(asker), order, expected)
    if unit is None:
        return 0.0
    return _gained(position, unit.power, [(usual, kept) for kept, _, usual in after])


def _gained(position: Position, power: str, pairs: Sequence[tuple[Packed, Packed]]) -> float:
    """The mean difference in value for a power between the first and the second positions of pairs."""
    judge, number = evaluator(position.map), position.map.powers.index(power)
    gains = [judge.evaluate(one, number)[0] - judge.evaluate(other, number)[0] for one, other in pairs]
    return fmean(gains) if gains else 0.0


def _played(
    position: Position,
    asker: str,
    order: Order,
    expected: Mapping[str, Iterable[str | Order]] | None,
) -> list[tuple[Packed, Packed, Packed]]:
    """The positions after samples of all orders: with the order, with its unit holding, and with the unit's
    other order. None if the unit cannot give the order."""
    map = position.map
    unit = position.unit_at(order.location.partition("/")[0])
    given = codes_in(from_orders(position, unit.power, [order])) if unit is not None else ()
    if unit is None or not given or position.phase.kind != "M":
        return []
    owner, holding = unit.power, make_code(OrderKind.HOLD, unit_of(given[0]))
    wanted = helped_order(order)
    helped = codes_in(from_orders(position, asker, [wanted])) if wanted is not None else ()
    chooser = DUMBBOT.chooser(map, 0)
    expected_sets = {
        map.power(name): from_orders(position, name, orders) for name, orders in (expected or {}).items()
    }
    values = []
    for _ in range(SAMPLES):
        sets = {}
        for power in position.orderable():
            orders = expected_sets.get(power)
            if orders is None:
                orders = as_bytes(chooser.orders(position.packed, map.powers.index(power)))
            sets[power] = as_bytes(in_full(position, power, orders).values())
        if asker in sets:
            sets[asker] = changed(sets[asker], helped)
        kept, held, usual = (
            position.packed.adjudicate(
                (map.powers.index(power), code)
                for power, orders in {**sets, owner: changed(sets[owner], instead)}.items()
                for code in codes_in(orders)
            )[0]
            for instead in (given, (holding,), ())
        )
        values.append((kept, held, usual))
    return values


#: The growth rate of debts per movement phase.
INTEREST = 0.05
#: Points above which a debt does not grow.
MOST_GROWN = 1_000.0
#: Points that a power of average credit may owe us.
LIMIT = 150.0
#: Movement phases after which an unpaid debt counts against its debtor.
TERM = 4
#: Part of an overdue debt that is written off at once.
WRITTEN_OFF = 0.5
#: The initial counts of repaid and unpaid debts.
PAID, UNPAID = 1.0, 1.0
#: The factor on earlier observations in each movement phase.
MEMORY = 0.97
#: The maximum factor by which repayments raise the limit.
MOST_RAISED = 3.0
#: Notes kept for each power in either direction; older ones are merged.
MOST_NOTES = 24
#: The part of its value that a favour costs without another bidder.
RESERVE = 0.5
#: Points below which a debt counts as zero.
NOTHING = 0.5


class Iou(NamedTuple):
    """A debt: a favour of `value` points that `debtor` received from `creditor`, and the phase. `order` is
    the favour, None if several were merged."""

    creditor: str
    debtor: str
    value: float
    phase: Phase
    order: Order | None = None


class Bid(NamedTuple):
    """A request for an order of one of our units: its value to the power that asks, and its cost to us, in
    points."""

    asker: str
    order: Order
    value: float
    cost: float = 0.0


class Award(NamedTuple):
    """A bid that is granted, and the points of the loan for it."""

    bid: Bid
    price: float


class Bank:
    """The accounts of `power` with all others.

    `reliability` gives the probability, from 0 to 1, that a power keeps a promise of a kind (``support``);
    without it, .5 for all. `interest` is the rate of growth of debts in a movement phase. `limit` is the
    maximum debt, in points, of a power with medium credit. These two make a banker miserly or generous.
    Raises ValueError for a negative interest or limit.
    """

    def __init__(
        self,
        map: Map,
        power: str,
        *,
        reliability: Callable[[str, str], float] | None = None,
        interest: float = INTEREST,
        limit: float = LIMIT,
    ) -> None:
        if interest < 0 or limit < 0:
            raise ValueError(f"interest and limit must not be below 0, not {interest} and {limit}")
        self.power = map.power(power)
        self.interest = interest
        self._limit = limit
        self._reliability = reliability
        others = [power for power in map.powers if power != self.power]
        self._notes: dict[str, deque[Iou]] = {other: deque() for other in others}
        self._paid = dict.fromkeys(others, PAID)
        self._unpaid = dict.fromkeys(others, UNPAID)
        self._repaid = dict.fromkeys(others, 0.0)
        self._phase: Phase | None = None
        self._lent_at: dict[str, int] = dict.fromkeys(others, 0)
        self._turn = 0

    def begin(self, phase: Phase) -> None:
        """Begin a phase: a movement phase charges interest, and counts overdue debts. A repeated call for the
        same phase has no effect."""
        if phase == self._phase or phase.kind != "M":
            return
        self._phase = phase
        self._turn += 1
        for other, notes in self._notes.items():
            for count in (self._paid, self._unpaid):
                count[other] = MEMORY * count[other] + (1 - MEMORY) * PAID
            self._repaid[other] *= MEMORY
            rate = self.interest if abs(self.balance(other)) < MOST_GROWN else 0.0
            grown = [note._replace(value=note.value * (1 + rate)) for note in notes]
            notes.clear()
            notes.extend(grown)
            if self.balance(other) > NOTHING and self._turn - self._lent_at[other] > TERM:
                self._default(other, WRITTEN_OFF)

    def balance(self, power: str) -> float:
        """The points that a power owes us; negative if we owe it."""
        return sum(note.value if note.creditor == self.power else -note.value for note in self._notes[power])

    def favour_value(self, position: Position, asker: str, order: Order) -> float:
        """The value, in points, of an order of ours to a power that asks for it, as
        `bordeaux.press.diplomat.bank.favour_value` computes it."""
        return favour_value(position, asker, order)

    def notes(self, power: str) -> tuple[Iou, ...]:
        """The debts between a power and us, oldest first; all have the same direction."""
        return tuple(self._notes[power])

    def rating(self, power: str) -> float:
        """The creditworthiness of a power, from 0 to 1: the part of its debts that it pays back, and the
        probability that it keeps a promise to support."""
        own = self._paid[power] / (self._paid[power] + self._unpaid[power])
        if self._reliability is None:
            return own
        return (own * max(0.0, self._reliability(power, "support"))) ** 0.5

    def limit(self, power: str, closeness: float = 0.0) -> float:
        """The maximum debt of a power, in points. `closeness`, from -1 to 1, is our attitude: an enemy gets
        nothing, a friend twice as much. Repaid debts raise it."""
        raised = min(MOST_RAISED, 1 + self._repaid[power] / self._limit) if self._limit else 1.0
        return self._limit * 2 * self.rating(power) * max(0.0, 1 + closeness) * raised

    def price(self, power: str, value: float) -> float:
        """The points that a power owes us for a favour of this value: more with worse credit."""
        return value * (1 + self.interest / max(self.rating(power), self.interest / (1 + self.interest)))

    def worth(self, debtor: str, value: float) -> float:
        """The value of a power's IOU to us."""
        return value * self.rating(debtor)

    def grants(self, asker: str, value: float, *, cost: float = 0.0, closeness: float = 0.0) -> bool:
        """Whether a power gets a favour that is worth `value` points to it and costs us `cost` points. Our
        own debt is paid if the cost is not above the payment. The rest is lent within the limit, if the IOU
        is worth more than the cost."""
        if value <= 0:
            return cost <= 0
        owed = max(0.0, -self.balance(asker))
        paid = min(owed, value)
        lent = self.price(asker, value - paid)
        debt = max(0.0, self.balance(asker)) + lent
        return (lent == 0 or debt <= self.limit(asker, closeness)) and cost <= paid + self.worth(asker, lent)

    def lend(self, power: str, value: float, order: Order | None = None) -> float:
        """Record a favour of ours to a power: it pays our debt, and the rest is a loan. Returns the
        balance."""
        rest = self._settle(power, value, creditor=power)
        if rest > NOTHING:
            if self.balance(power) <= NOTHING:
                self._lent_at[power] = self._turn
            self._note(power, Iou(self.power, power, self.price(power, rest), self._now(), order))
        return self.balance(power)

    def repay(self, power: str, value: float, order: Order | None = None) -> float:
        """Record a power's favour to us: it pays its debt, and we owe the rest. Returns the balance."""
        before = self.balance(power)
        rest = self._settle(power, value, creditor=self.power)
        if before > NOTHING:
            part = min(1.0, (value - rest) / before)
            self._paid[power] += part
            self._repaid[power] += value - rest
            self._lent_at[power] = self._turn
        if rest > NOTHING:
            self._note(power, Iou(power, self.power, rest, self._now(), order))
        return self.balance(power)

    def refused(self, power: str) -> None:
        """Record that a debtor refused to pay, or broke its promise: its credit falls."""
        if self.balance(power) > NOTHING:
            self._default(power, 0.0)

    def auction(self, bids: Iterable[Bid], closeness: Mapping[str, float] | None = None) -> list[Award]:
        """The awards of our units: one order for each, to the bidder with the best worth of its IOU minus the
        cost, within its credit. The price is the second-best offer, and at least the cost, so that bidding
        the true value is optimal. The best for us come first."""
        near = closeness or {}
        ranked = sorted(bids, key=lambda bid: (-self._net(bid), str(bid.order), bid.asker))
        taken: set[str] = set()
        lent: dict[str, float] = {}
        costs: dict[str, float] = {}
        awards = []
        for place, bid in enumerate(ranked):
            unit = bid.order.location.partition("/")[0]
            # Earlier loans and costs of a power in this auction count before the next loan is granted.
            before, cost = lent.get(bid.asker, 0.0), costs.get(bid.asker, 0.0) + bid.cost
            if unit in taken or self._net(bid) < 0 or bid.value <= 0:
                continue
            wanted = before + self._price_after(ranked[place + 1 :], bid)
            if not self.grants(bid.asker, wanted, cost=cost, closeness=near.get(bid.asker, 0.0)):
                continue
            taken.add(unit)
            lent[bid.asker], costs[bid.asker] = wanted, cost
            awards.append(Award(bid, wanted - before))
        return awards

    def _net(self, bid: Bid) -> float:
        return self.worth(bid.asker, bid.value) - bid.cost

    def _price_after(self, others: Iterable[Bid], bid: Bid) -> float:
        """The smallest offer with which a bid would still win its unit, and at least a part of it."""
        unit = bid.order.location.partition("/")[0]
        rivals = [
            self._net(other)
            for other in others
            if other.order.location.partition("/")[0] == unit and other.asker != bid.asker
        ]
        needed = (max([0.0, *rivals]) + max(0.0, bid.cost)) / max(self.rating(bid.asker), 1e-9)
        return min(bid.value, max(needed, RESERVE * bid.value))

    def _settle(self, power: str, value: float, creditor: str) -> float:
        """Pay debts to a creditor, the oldest first; returns what is left."""
        notes = self._notes[power]
        while value > 0 and notes and notes[0].creditor == creditor:
            first = notes.popleft()
            if first.value > value:
                notes.appendleft(first._replace(value=first.value - value))
            value = max(0.0, value - first.value)
        return value

    def _note(self, power: str, note: Iou) -> None:
        notes = self._notes[power]
        notes.append(note)
        if len(notes) > MOST_NOTES:
            first, second = notes.popleft(), notes.popleft()
            notes.appendleft(second._replace(value=first.value + second.value, order=None))

    def _default(self, power: str, part: float) -> None:
        """Record an unpaid debt: credit falls, a part of the debt is written off, and a new term begins."""
        self._unpaid[power] += 1.0
        self._lent_at[power] = self._turn
        self._settle(power, part * self.balance(power), creditor=self.power)

    def _now(self) -> Phase:
        return self._phase or Phase.COMPLETED
