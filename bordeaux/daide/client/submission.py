"""The orders of one phase: as DAIDE messages, and when to send which of them. No sockets, no clock."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

from bordeaux.board.errors import BordeauxError
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import convoy_route
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.thinking import fallback
from bordeaux.players.base import as_order


def worded(
    position: Position, power: str, orders: Iterable[Order | str]
) -> tuple[tuple[d.Order, ...], list[str]]:
    """One order for everything that a power must order, in DAIDE's words, and the errors. Orders that cannot
    be read or expressed in DAIDE are left out. Units without one hold or disband, and other builds are
    waived."""
    complaints: list[str] = []
    given: list[Order] = []
    for text in orders:
        try:
            given.append(as_order(position, text))
        except BordeauxError as error:
            complaints.append(str(error))
    said: dict[str, d.Order] = {}
    for order in given:
        if order.kind != OrderKind.WAIVE:
            try:
                value = translate.value_of(_with_route(order, given, position), power, position)
            except (BordeauxError, KeyError) as error:
                complaints.append(str(error))
            else:
                said.setdefault(order.province, value)
    left = [order for order in fallback(position, power) if order.province not in said]
    complete = (*said.values(), *(translate.value_of(order, power, position) for order in left))
    owed = abs(translate.adjustments_owed(position, power)) if position.phase.kind == "A" else None
    return complete[:owed], complaints


def spare_orders(position: Position, power: str) -> tuple[d.Order, ...]:
    """Orders that can replace refused ones: in Winter waived builds or removals of every unit, in the order
    of the rules for civil disorder; else hold or disband for each unit."""
    plain = fallback(position, power)
    if position.phase.kind == "A" and translate.adjustments_owed(position, power) < 0:
        removed = {order.location for order in plain}
        others = (unit for unit in position.units_of(power) if unit.location not in removed)
        plain += [Order(OrderKind.DISBAND, unit.kind, unit.location) for unit in others]
    return tuple(translate.value_of(order, power, position) for order in plain)


def _with_route(order: Order, given: Sequence[Order], position: Position) -> Order:
    """A convoyed move with a route of fleets that are ordered to convoy it, if they form one."""
    if order.kind != OrderKind.MOVE or order.unit != "A" or order.route:
        return order
    goal = order.destination.partition("/")[0]
    convoying = {
        convoy.province
        for convoy in given
        if convoy.kind == OrderKind.CONVOY
        and convoy.target.partition("/")[0] == order.province
        and convoy.destination.partition("/")[0] == goal
    }
    fleets = [unit for unit in position.units if unit.province in convoying]
    alone = Position(position.map, position.phase, fleets, {})
    return order._replace(route=convoy_route(alone, order.location, goal))


HOLDING = d.NOT(d.GOF())
MOVEMENT = ("SPR", "FAL")
#: How often refused or missing orders are corrected. A server that refuses holds gets no more.
REPAIRS = 2


class PhaseSubmission:
    """The orders of one power in one phase.

    `turn` is the phase. `spare` holds orders that can replace refused ones: hold or disband for each unit,
    waived builds, removals of all units in turn. With `early`, orders are sent while better ones are
    searched, at most every `gap` seconds. `awaits_go` says whether the server needs GOF to play a phase, None
    if unknown. `holding` says that it may have been asked to delay this phase already. Every method returns
    messages to send.
    """

    def __init__(
        self,
        turn: d.SeasonYear,
        spare: Sequence[d.Order],
        *,
        early: bool,
        gap: float = 0.25,
        awaits_go: bool | None = True,
        holding: bool = False,
    ) -> None:
        self.turn = turn
        self.spare = tuple(spare)
        self.early = early
        self.gap = gap
        self.awaits_go = awaits_go
        self.best: tuple[d.Order, ...] | None = None
        self.sent: tuple[d.Order, ...] | None = None
        self.finished = False
        self.gone = False
        self.refused: set[d.Order] = set()
        self._held, self._holding = False, holding
        self._was_sent = False
        self._answered = 0
        self._last = -math.inf
        self._repairs = 0
        self._single = False

    def begin(self) -> list[d.Value]:
        """The messages when the phase begins."""
        self._holding |= self.early
        return [HOLDING] if self.early else []

    def offer(self, orders: Sequence[d.Order], now: float) -> list[d.Value]:
        """Take better orders; they are sent if it is time."""
        if self.finished:
            return []
        self.best = tuple(orders)
        return self._send_early(now)

    def finish(self) -> list[d.Value]:
        """Send the best orders, if the server does not have them, and let the phase be played. GOF waits for
        the answer to orders that have just been sent, as they may be refused; `go_late` sends it anyway."""
        if self.finished:
            return []
        self.finished = True
        if self.best is None or self.best == self.sent:
            return self._let_go()
        return self._submit(self.best)

    def _let_go(self) -> list[d.Value]:
        """GOF if we delay the phase, or if the server waits for it."""
        return self.go() if self._holding or self.awaits_go else []

    def go_late(self) -> list[d.Value]:
        """GOF for a phase that has not ended although all is done, unless it is known to have no effect."""
        return [] if self.awaits_go is False and not self._holding else self.go()

    @property
    def played_without_go(self) -> bool:
        """Whether a finished phase was played without GOF."""
        return self.finished and not self.gone and not self._holding

    def go(self) -> list[d.Value]:
        """GOF, if it has not been sent."""
        if self.gone:
            return []
        self.gone = True
        return [d.GOF()]

    def again(self) -> list[d.Value]:
        """The messages on a new connection in the same phase."""
        sent, self.sent, self._held, self.gone = self.sent, None, False, False
        if not self.finished:
            return self.begin()
        best = self.best if self.best is not None else sent
        return self._let_go() if best is None else self._submit(best)

    def reopen(self) -> list[d.Value]:
        """Better orders will follow the last ones: delay the phase for them."""
        if not self.finished:
            return []
        self.finished, self.gone, self._holding = False, False, True
        return [HOLDING]

    @property
    def holding(self) -> bool:
        """Whether the phase has been delayed and not released. If it is over nevertheless, ``NOT (GOF)`` may
        have come too late, and now delay the next phase, which then needs GOF."""
        return self._holding and not self.gone

    def heard(self, message: d.Value, now: float) -> list[d.Value]:
        """React to the server's answers to our orders."""
        match message:
            case d.YES(d.NOT(d.GOF())):
                self._held = True
                return self._send_early(now)
            case d.REJ(d.NOT(d.GOF())):
                self._holding = False
            case d.THX(order, note):
                return self._noted(order, note)
            case d.MIS():
                return self._missing(message)
            case d.HUH(tokens) | d.PRN(tokens) if "SUB" in tokens[:2]:
                return self._one_by_one()
        return []

    def _send_early(self, now: float) -> list[d.Value]:
        if not self._held or self.finished or self.best in (None, self.sent) or now < self._last + self.gap:
            return []
        self._last = now
        assert self.best is not None
        return self._submit(self.best)

    def _submit(self, orders: tuple[d.Order, ...]) -> list[d.Value]:
        # Adjustments do not replace each other, and some servers refuse a retreat that they have:
        # what was sent must be taken back.
        again = self._was_sent and self.turn.season not in MOVEMENT
        revoked: list[d.Value] = [d.NOT(d.SUB())] if again else []
        self.sent, self._answered, self.refused = orders, 0, set()
        if not orders:
            return self._let_go() if self.finished else []
        self._was_sent = True
        if self._single:
            return [*revoked, *(d.SUB(self.turn, (order,)) for order in orders)]
        return [*revoked, d.SUB(self.turn, orders)]

    def _noted(self, order: d.Order, note: str) -> list[d.Value]:
        """An order was received; after the last GOF may follow, unless MIS is to report missing ones."""
        if self.sent is None or order not in self.sent:
            return []
        self._answered += 1
        if note != "MBV":
            self.refused.add(order)
        return self._let_go() if self._settled and not self.refused else []

    @property
    def _settled(self) -> bool:
        """Whether the server has the last orders and has answered each of them."""
        return self.finished and self.sent is not None and self._answered >= len(self.sent)

    def _missing(self, message: d.MIS) -> list[d.Value]:
        """Replace orders that were refused and are missing: one server always counts retreats and waived
        builds as missing."""
        if not self._settled:
            return []
        if self.turn.season == "WIN":
            return self._repair((), abs(message.number or 0))
        refused = {_unit(order) for order in self.refused}
        return self._repair({missed.unit for missed in message.units or ()} & refused, 0)

    def _repair(self, units: Collection[d.Unit | None], owed: int) -> list[d.Value]:
        """The set again, with spare orders for units whose order was refused, and for the missing ones in
        Winter."""
        assert self.sent is not None
        if not self.refused:
            self.awaits_go = True
        if not self.refused or not (units or owed) or self._repairs == REPAIRS:
            return self.go()
        self._repairs += 1
        kept = [order for order in self.sent if order not in self.refused]
        new = [order for order in self.spare if isinstance(order, d.WVE) or order not in self.sent]
        spare = new[:owed] if owed else [order for order in self.spare if _unit(order) in units]
        held: list[d.Value] = [HOLDING] if self.gone else []
        self._holding |= self.gone
        self.gone = False
        return [*held, *self._submit((*kept, *spare))]

    def _one_by_one(self) -> list[d.Value]:
        """The server could not read our set: every order is sent separately, so that most arrive."""
        if self._single or self.sent is None:
            return self._let_go() if self.finished else []
        self._single = True
        return self._submit(self.sent)


def _unit(order: d.Order) -> d.Unit | None:
    return None if isinstance(order, d.WVE) else order.unit
