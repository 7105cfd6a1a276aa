"""A bank of favours: debts of help between powers, credit, and auctions when several ask for one unit.

Paper 000, section 7.2.1, proposes a banker at level 20, where one order is requested at a time. The money
is the value of a favour to the power that asks. An account has a balance, a limit, interest and a credit
rating. Shaheed's Diplomat (2.3.2) gives IOUs for supports and weighs them by the reliability of the giver.
It auctions a unit among the powers that bid for it. Values are points of the evaluation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.press.diplomat.favours import favour_value

__all__ = ["Award", "Bank", "Bid", "Iou"]

#: Part by which debts grow in each movement phase.
INTEREST = 0.05
#: Points from which on a debt grows no more.
MOST_GROWN = 1_000.0
#: Points that a power of middling credit may owe us.
LIMIT = 150.0
#: Movement phases after which a debt that was not paid back in part counts against its debtor.
TERM = 4
#: Part of an overdue debt that is written off at once.
WRITTEN_OFF = 0.5
#: Debts paid back and not paid back that everybody begins with.
PAID, UNPAID = 1.0, 1.0
#: What was long ago counts for less in each movement phase.
MEMORY = 0.97
#: Times by which what was paid back raises the limit at most.
MOST_RAISED = 3.0
#: Notes kept for each power, either way; older ones are joined to one.
MOST_NOTES = 24
#: Part of its value that a favour costs where nobody else bids.
RESERVE = 0.5
#: Points below which a debt is none.
NOTHING = 0.5


class Iou(NamedTuple):
    """A debt: a favour of `value` points that `debtor` had of `creditor`, and the phase; `order` is the
    favour, None where several have been put together."""

    creditor: str
    debtor: str
    value: float
    phase: Phase
    order: Order | None = None


class Bid(NamedTuple):
    """A request for an order of one of our units: what the power that asks has of it, and what it costs
    us, in points."""

    asker: str
    order: Order
    value: float
    cost: float = 0.0


class Award(NamedTuple):
    """A bid that is granted, and the points that are lent for it."""

    bid: Bid
    price: float


class Bank:
    """The accounts of `power` with all others.

    `reliability` says how likely a power is to keep a promise of a kind (``support``), from 0 to 1; .5 for
    everybody without it. `interest` is what debts grow by in a movement phase, `limit` the points that are
    lent to a power of middling credit. A banker may be miserly or generous by them. Raises ValueError for a
    negative interest or limit.
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
        others = [each for each in map.powers if each != self.power]
        self._notes: dict[str, deque[Iou]] = {each: deque() for each in others}
        self._paid = dict.fromkeys(others, PAID)
        self._unpaid = dict.fromkeys(others, UNPAID)
        self._repaid = dict.fromkeys(others, 0.0)
        self._phase: Phase | None = None
        self._lent_at: dict[str, int] = dict.fromkeys(others, 0)
        self._turn = 0

    def begin(self, phase: Phase) -> None:
        """A phase begins: a movement phase charges interest, and counts debts that are overdue. The same
        phase again changes nothing."""
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
        """Points that a power owes us; below 0 what we owe it."""
        return sum(note.value if note.creditor == self.power else -note.value for note in self._notes[power])

    def favour_value(self, position: Position, asker: str, order: Order) -> float:
        """What an order of ours is worth to a power that asks for it, in points, as
        `bordeaux.press.diplomat.favours.favour_value` has it."""
        return favour_value(position, asker, order)

    def notes(self, power: str) -> tuple[Iou, ...]:
        """The debts between a power and us, oldest first; they all run the same way."""
        return tuple(self._notes[power])

    def rating(self, power: str) -> float:
        """The creditworthiness of a power, from 0 to 1: what part of its debts it pays back, and how likely
        it is to keep a promise to support."""
        own = self._paid[power] / (self._paid[power] + self._unpaid[power])
        if self._reliability is None:
            return own
        return (own * max(0.0, self._reliability(power, "support"))) ** 0.5

    def limit(self, power: str, closeness: float = 0.0) -> float:
        """Points that a power may owe us. `closeness`, from -1 to 1, is what we think of it: an enemy gets
        nothing, a friend twice as much. What it has paid back raises it."""
        raised = min(MOST_RAISED, 1 + self._repaid[power] / self._limit) if self._limit else 1.0
        return self._limit * 2 * self.rating(power) * max(0.0, 1 + closeness) * raised

    def price(self, power: str, value: float) -> float:
        """Points that a power owes us for a favour of this value: the worse its credit, the more."""
        return value * (1 + self.interest / max(self.rating(power), self.interest / (1 + self.interest)))

    def worth(self, debtor: str, value: float) -> float:
        """What the IOU of a power is worth to us."""
        return value * self.rating(debtor)

    def grants(self, asker: str, value: float, *, cost: float = 0.0, closeness: float = 0.0) -> bool:
        """Whether a power gets a favour of `value` points to it, which costs us `cost` points. What we owe is
        paid as long as it costs us no more than is paid; the rest is lent within the limit, if the IOU is
        worth more than the cost."""
        if value <= 0:
            return cost <= 0
        owed = max(0.0, -self.balance(asker))
        paid = min(owed, value)
        lent = self.price(asker, value - paid)
        debt = max(0.0, self.balance(asker)) + lent
        return (lent == 0 or debt <= self.limit(asker, closeness)) and cost <= paid + self.worth(asker, lent)

    def lend(self, power: str, value: float, order: Order | None = None) -> float:
        """We have done a power a favour of so many points: it pays what we owe, the rest is lent. Returns the
        balance."""
        rest = self._settle(power, value, creditor=power)
        if rest > NOTHING:
            if self.balance(power) <= NOTHING:
                self._lent_at[power] = self._turn
            self._note(power, Iou(self.power, power, self.price(power, rest), self._now(), order))
        return self.balance(power)

    def repay(self, power: str, value: float, order: Order | None = None) -> float:
        """A power has done us a favour of so many points: it pays what it owes, the rest we owe. Returns the
        balance."""
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
        """A power that owes us something would not pay, or has broken its word: its credit falls."""
        if self.balance(power) > NOTHING:
            self._default(power, 0.0)

    def auction(self, bids: Iterable[Bid], closeness: Mapping[str, float] | None = None) -> list[Award]:
        """Who gets which of our units: one order for each, to who offers most by the worth of its IOU beyond
        the cost, within its credit. The price is what the next best would have had to be beaten by, at least
        the cost, so that it pays to bid what a favour is worth. The best for us come first."""
        near = closeness or {}
        ranked = sorted(bids, key=lambda bid: (-self._net(bid), str(bid.order), bid.asker))
        taken: set[str] = set()
        lent: dict[str, float] = {}
        costs: dict[str, float] = {}
        awards = []
        for place, bid in enumerate(ranked):
            unit = bid.order.location.partition("/")[0]
            # What one has had in this auction counts before the next is granted.
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
        """The least offer with which a bid would still be the best for its unit, and a part of it at
        least."""
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
        """A debt was not paid: credit falls, a part of the debt is written off, and a new term begins."""
        self._unpaid[power] += 1.0
        self._lent_at[power] = self._turn
        self._settle(power, part * self.balance(power), creditor=self.power)

    def _now(self) -> Phase:
        return self._phase or Phase.COMPLETED
