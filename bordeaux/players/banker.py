"""The banker of Webb and others (2008), section 7.2.1: requests supports from friends, and grants supports on
credit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from random import Random

from bordeaux.board.errors import BordeauxError
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.players.base import Seat
from bordeaux.press.diplomat.bank import Bank, Bid, favour_cost
from bordeaux.press.diplomat.reliability import Reliability
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter

LEVEL = 20
"""The press level at which orders can be requested."""
MOST_ASKED = 12
"""Supports that are compared for each friend before one is requested, and the number that a power may
request."""
LEAST = 1.0
"""The minimum gain in points for which a support is requested."""


class Banker:
    """Trades supports for one power, in movement phases, between its talks and its orders.

    Each friend is asked for the support with the largest value for one of the planned moves. Powers with
    debts are asked first, and no move is requested twice. Requests of others go to an auction
    (`bordeaux.press.diplomat.bank.Bank`). There `closeness` is our attitude to the bidder, from -1 to 1, and
    the cost is relative to our planned orders. The orders of all settle the promises and debts. With
    `honesty` below 1 each promise is broken with probability 1 - `honesty`. Raises BordeauxError unless it is
    a number from 0 to 1.
    """

    def __init__(
        self, seat: Seat, closeness: Callable[[str], float], chance: Random, honesty: float = 1.0
    ) -> None:
        if not 0 <= honesty <= 1:
            raise BordeauxError(f"honesty must be a number from 0 to 1, not {honesty}")
        self._power = seat.map.power(seat.power)
        self._closeness = closeness
        self._chance = chance
        self._honesty = honesty
        self._reliability = Reliability()
        self.bank = Bank(seat.map, self._power, reliability=self._reliability.chance)
        self._asked: dict[p.Message, tuple[str, Order]] = {}
        self._bids: dict[p.Message, tuple[str, Order]] = {}
        self._granted: dict[str, tuple[Order, str, float]] = {}
        self._promised: dict[str, tuple[Order, float]] = {}
        self._worth: dict[Order, float] = {}

    def begin(self, position: Position) -> None:
        """Begin a phase: interest is charged, and requests and promises are cleared."""
        self.bank.begin(position.phase)
        for ledger in (self._asked, self._bids, self._granted, self._promised, self._worth):
            ledger.clear()

    def ask(self, position: Position, plan: Iterable[Order], friends: Collection[str]) -> Iterator[Letter]:
        """Requests for supports of the moves of a plan, at most one to each friend."""
        moves = {order.location: order for order in plan if order.kind == OrderKind.MOVE and not order.via}
        for friend in sorted(friends, key=lambda name: (-self.bank.balance(name), name)):
            options = list(supports(position, friend, self._power, moves))[:MOST_ASKED]
            worth = {order: self.bank.favour_value(position, self._power, order) for order in options}
            best = max(options, key=lambda order: worth[order], default=None)
            if best is None or worth[best] < LEAST:
                continue
            del moves[best.target]
            self._worth[best] = worth[best]
            message = p.Propose(p.Promise(friend, best, self._power))
            self._asked[message] = friend, best
            yield Letter(self._power, (friend,), message)

    def hear(self, letter: Letter) -> bool:
        """Process a request for one of our supports, or an answer to ours; returns whether it was one."""
        match letter.message:
            case p.Propose(p.Promise(power, order)) | p.Insist(p.Promise(power, order)):
                theirs = power == self._power and order.kind in (
                    OrderKind.SUPPORT_MOVE,
                    OrderKind.SUPPORT_HOLD,
                )
                few = sum(asker == letter.sender for asker, _ in self._bids.values()) < MOST_ASKED
                if theirs and few and letter.to == (self._power,):
                    self._bids[letter.message] = letter.sender, order
                    return True
            case p.Accept(message) if message in self._asked:
                friend, order = self._asked[message]
                if friend == letter.sender:
                    self._promised[friend] = order, self._worth[order]
                    return True
        return False

    def answer(self, position: Position, plan: Sequence[Order]) -> list[Letter]:
        """Answers to all new requests: yes to those that the auction grants."""
        # The units of moves that others are asked to support are busy.
        busy = {order.target for _, order in self._asked.values()} | set(self._granted)
        bids = [
            Bid(
                asker,
                order,
                self.bank.favour_value(position, asker, order),
                favour_cost(position, asker, order, expected={self._power: plan}),
            )
            for asker, order in self._bids.values()
            if order.location not in busy and helps(position, self._power, asker, order)
        ]
        closeness = {bid.asker: self._closeness(bid.asker) for bid in bids}
        granted = {
            (award.bid.asker, award.bid.order): award.price for award in self.bank.auction(bids, closeness)
        }
        answers = []
        for message, (asker, order) in self._bids.items():
            price = granted.get((asker, order))
            if price is not None:
                self._granted[order.location] = order, asker, price
            answer = p.Refuse(message) if price is None else p.Accept(message)
            answers.append(Letter(self._power, (asker,), answer))
        self._bids.clear()
        return answers

    def kept(self, plan: Iterable[Order]) -> list[Order]:
        """A plan with the supports that were granted, kept with probability `honesty`."""
        given = {location: order for location, (order, _, _) in self._granted.items()}
        kept = {at: order for at, order in given.items() if self._chance.random() < self._honesty}
        return [kept.get(order.location, order) for order in plan]

    def settle(self, orders: Mapping[str, Sequence[Order | str]]) -> None:
        """Record the favours that were done, and the promises that were broken, in a movement phase."""
        done = {power: set(map(coastless, given)) for power, given in orders.items()}
        for order, asker, price in self._granted.values():
            if coastless(order) in done.get(self._power, ()):
                self.bank.lend(asker, price, order)
        for friend, (order, value) in self._promised.items():
            given = coastless(order) in done.get(friend, ())
            self._reliability.note(friend, "support", given)
            if given:
                self.bank.repay(friend, value, order)
            else:
                self.bank.refused(friend)
        self._granted.clear()
        self._promised.clear()


def supports(position: Position, friend: str, power: str, moves: Mapping[str, Order]) -> Iterator[Order]:
    """Supports that a friend can give to moves of a power, by the location of the moving unit. The
    destination has no coast, as not every language can express it."""
    for codes in position.packed.legal().get(position.map.powers.index(friend), {}).values():
        for code in codes:
            order = decode(position.map, code)
            move = moves.get(order.target)
            if order.kind != OrderKind.SUPPORT_MOVE or move is None:
                continue
            goal = order.destination.partition("/")[0]
            if move.destination.partition("/")[0] == goal:
                yield order._replace(destination=goal)


def helps(position: Position, power: str, asker: str, order: Order) -> bool:
    """Whether a support is for a unit of the power that asks, and does not attack one of its own."""
    own, helped = (position.unit_at(place.partition("/")[0]) for place in (order.location, order.target))
    if own is None or helped is None or own.power != power or helped.power != asker:
        return False
    goal = order.destination.partition("/")[0]
    there = position.unit_at(goal) if goal else None
    ours = goal in position.centres.get(power, ())
    return not ours and (there is None or there.power != power)


def coastless(order: Order | str) -> str:
    """An order as text; a support has no coast at the destination."""
    head, sign, goal = str(order).partition(" - ")
    return head + sign + (goal.partition("/")[0] if " S " in head else goal)
