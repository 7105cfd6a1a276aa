"""The orders of a person: read in any notation, checked at once, and sent to the server as they change.

`OrderSheet` holds the orders written for one phase, `Delivery` those that the server has. ``NOT (GOF)``
keeps the server from ending the phase when all orders are in, until the person confirms. Source: LANGUAGE.md,
section 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bordeaux.board.convoys import may_convoy
from bordeaux.board.errors import BordeauxError, MapError, OrderError, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.board.unit import Unit
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.order_encoding import with_route
from bordeaux.daide.client.thinking import fallback
from bordeaux.rules import legal_orders

__all__ = ["Delivery", "OrderSheet"]

#: Legal orders that are shown after an illegal one.
SHOWN = 4
FAR = 99
_SUPPORTS = (OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE)
HOLDING = d.NOT(d.GOF())


class OrderSheet:
    """The orders of one power for one phase.

    `owed` is, in Winter, the number of builds (positive) or removals (negative) due. With `lax` illegal
    orders for own units are accepted, as the option AOA allows. `vocabulary` has the tokens of the map, if
    not the standard ones.
    """

    def __init__(
        self, position: Position, power: str, lax: bool = False, vocabulary: d.Vocabulary | None = None
    ) -> None:
        self.position = position
        self.power = power
        self.lax = lax
        self.vocabulary = vocabulary or d.Vocabulary.standard()
        self.owed = translate.adjustments_owed(position, power)
        self.legal = legal_orders(position, power)
        self._given: dict[str, Order] = {}
        self._waived = 0

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders given so far."""
        return (*self._given.values(), *[Order(OrderKind.WAIVE)] * self._waived)

    def read(self, text: str) -> Order:
        """Read an order, in DAIDE's words if it begins with a bracket. Raises OrderError for invalid text."""
        if not text.lstrip().startswith("("):
            return parse_order(text, self.position.map, self.position)
        try:
            value = d.read_part("order", text, vocabulary=self.vocabulary)
            power, order = translate.order_of(value, self.position.map)
        except BordeauxError as error:
            raise OrderError(f"order {quote(text.strip())}: {error}") from None
        if power != self.power:
            raise OrderError(f"{order}: you are {self.power}, not {power}")
        return order

    def give(self, text: str) -> Order:
        """Write an order, in place of another one for the same unit.

        Raises OrderError if it cannot be read or is illegal, with the most similar legal orders.
        """
        order = self.read(text)
        fault = self.fault(order)
        if fault and not (self.lax and self._is_ours(order)):
            near = self.nearest(order)
            raise OrderError(f"{order}: {fault}" + (f"; legal: {', '.join(near)}" if near else ""))
        self._write(order)
        return order

    def _write(self, order: Order) -> None:
        waives = order.kind == OrderKind.WAIVE
        key = _province(order)
        if self.owed and (waives or key not in self._given) and not self.left():
            what = "builds" if self.owed > 0 else "removals"
            raise OrderError(
                f"{order}: {self.power} owes {abs(self.owed)} {what}, and all are ordered; clear one first"
            )
        if waives:
            self._waived += 1
            return
        before = self._given.get(key)
        self._given[key] = order
        try:
            self.values()
        except OrderError:
            del self._given[key]
            if before is not None:
                self._given[key] = before
            raise

    def _is_ours(self, order: Order) -> bool:
        return any(_province(order) == place.partition("/")[0] for place in self.legal)

    def fault(self, order: Order) -> str:
        """The reason why an order is illegal; "" for a legal one."""
        if order.kind == OrderKind.WAIVE and self.owed > 0:
            return ""
        if not self.legal:
            return f"{self.power} has nothing to order in {self.position.phase}"
        fault = submit(self.position, {self.power: [order]}).orders[0].fault
        if fault and order.kind == OrderKind.CONVOY and self._is_ours(order):
            # DAIDE names routes, so that fleets may convoy of which a shorter route has no need.
            return "" if may_convoy(self.position, order) else fault
        return fault

    def nearest(self, order: Order) -> list[str]:
        """Legal orders for the unit of an order, the most similar first."""
        place = _province(order)
        listed = [text for name, texts in self.legal.items() if name.startswith(place) for text in texts]
        if not place or not listed:
            return []
        goal = _distances(self.position.map, order.destination)
        known = [parse_order(text, self.position.map, self.position) for text in listed]
        return [
            str(known_order)
            for known_order in sorted(known, key=lambda known_order: _unlike(known_order, order, goal))[
                :SHOWN
            ]
        ]

    def clear(self, text: str = "") -> list[Order]:
        """Remove the order for a unit, given as ``A PAR``, ``PAR`` or the order; all without a text. Returns
        the removed orders. Raises OrderError if there is no such order."""
        if not text.strip():
            struck = list(self.orders)
            self._given.clear()
            self._waived = 0
            return struck
        wanted = text.strip().upper()
        if wanted.startswith("WAIVE") and self._waived:
            self._waived -= 1
            return [Order(OrderKind.WAIVE)]
        key = self._place(wanted)
        if key not in self._given:
            raise OrderError(f"there is no order for {quote(text.strip())} to clear")
        return [self._given.pop(key)]

    def _place(self, text: str) -> str:
        kind, _, rest = text.partition(" ")
        name = rest if kind in ("A", "F", "ARMY", "FLEET") and rest else text
        try:
            return self.position.map.province(name.split("/")[0]).name
        except MapError:
            return _province(self.read(text))

    def drop(self, value: d.Order) -> Order | None:
        """Remove an order that the server refuses; returns the order, if it is on the sheet."""
        for order, value_given in zip(self.orders, self.values(), strict=True):
            if value_given == value:
                self.clear(str(order))
                return order
        return None

    def left(self) -> int:
        """The number of missing orders."""
        if self.position.phase.kind == "A":
            return abs(self.owed) - len(self.orders)
        return len(self.missing())

    def missing(self) -> list[str]:
        """The units without orders, in Winter the builds or removals due, in words."""
        if self.position.phase.kind != "A":
            places = self.position.orderable().get(self.power, ())
            kinds = {unit.location: unit.kind for unit in self._units()}
            return [
                f"{kinds[location]} {location}"
                for location in places
                if location.partition("/")[0] not in self._given
            ]
        count = self.left()
        if not count:
            return []
        what = "build" if self.owed > 0 else "removal"
        return [f"{count} {what}{'s' if count > 1 else ''}"]

    def _units(self) -> Iterable[Unit]:
        if self.position.phase.kind == "R":
            return [dislodged.unit for dislodged in self.position.dislodged]
        return self.position.units_of(self.power)

    def defaults(self) -> list[Order]:
        """The orders by the rules for missing ones: hold, disband, waive, or remove."""
        if self.owed > 0:
            return [Order(OrderKind.WAIVE)] * self.left()
        plain = [
            order for order in fallback(self.position, self.power) if _province(order) not in self._given
        ]
        return plain[: self.left()]

    def fill(self) -> list[Order]:
        """Write the defaults; returns them."""
        defaults = self.defaults()
        for order in defaults:
            self._write(order)
        return defaults

    def values(self) -> tuple[d.Order, ...]:
        """The orders in DAIDE's words, in the same order. Raises OrderError for one that DAIDE cannot
        express."""
        orders = self.orders
        return tuple(self._value(with_route(order, orders, self.position)) for order in orders)

    def _value(self, order: Order) -> d.Order:
        try:
            return translate.value_of(order, self.power, self.position)
        except OrderError:
            if order.kind != OrderKind.MOVE or not self.lax:
                raise
            # A move out of reach that nobody could convoy, as AOA allows it.
            names = translate.names(self.position.map)
            unit = names.unit_value(Unit(self.power, order.unit, order.location))
            return d.MTO(unit, names.place(order.destination))


class Delivery:
    """The orders of a phase that the server has; every method returns messages to send.

    `held` says whether the server waits for us: None until it has answered, False if it refuses. Then the
    orders stay here until the person confirms.
    """

    def __init__(self, turn: d.SeasonYear) -> None:
        self.turn = turn
        self.held: bool | None = None
        self.done = False
        self.sent: tuple[d.Order, ...] = ()

    def begin(self) -> list[d.Value]:
        """The messages when the phase begins, or when the connection is new."""
        self.held, self.sent = None, ()
        return [HOLDING]

    def changed(self, values: Sequence[d.Order]) -> list[d.Value]:
        """The orders have changed."""
        return self._send(values) if self.held or self.done else []

    def finish(self, values: Sequence[d.Order]) -> list[d.Value]:
        """The person has confirmed: the phase may be played."""
        self.done = True
        return [*self._send(values), d.GOF()]

    def wait(self, values: Sequence[d.Order]) -> list[d.Value]:
        """The person wants to change the orders."""
        self.done = False
        return [HOLDING, *self._send(values)]

    def now(self, values: Sequence[d.Order]) -> list[d.Value]:
        """The deadline is near: everything is sent."""
        return self._send(values)

    def heard(self, message: d.Value, values: Sequence[d.Order]) -> list[d.Value]:
        """React to a message of the server."""
        match message:
            case d.YES(d.NOT(d.GOF())):
                self.held = True
                return self._send(values)
            case d.REJ(d.NOT(d.GOF())):
                self.held = False
        return []

    def _send(self, values: Sequence[d.Order]) -> list[d.Value]:
        """The complete set, because some servers forget earlier orders. It is withdrawn first if an order was
        removed, and if later orders do not replace earlier ones."""
        wanted = tuple(values)
        if wanted == self.sent:
            return []
        units = {_unit(value) for value in wanted}
        replaced = self.turn.season in ("SPR", "FAL") and all(_unit(value) in units for value in self.sent)
        revoked: list[d.Value] = [] if replaced or not self.sent else [d.NOT(d.SUB())]
        self.sent = wanted
        return [*revoked, d.SUB(self.turn, wanted)] if wanted else revoked


def _province(order: Order) -> str:
    return order.location.partition("/")[0]


def _unit(value: d.Order) -> d.Unit | None:
    return None if isinstance(value, d.WVE) else value.unit


def _distances(map: Map, place: str) -> dict[str, int]:
    """Moves from a place to all provinces, by army or by fleet, whichever needs fewer."""
    tag = place.partition("/")[0]
    distances: dict[str, int] = {}
    for kind in "AF":
        for location in map.locations_in(kind, tag):
            for province, count in map.distance(kind, location.name).items():
                distances[province] = min(count, distances.get(province, count))
    return distances


def _unlike(legal: Order, wanted: Order, goal: dict[str, int]) -> tuple[bool, bool, bool, int, bool, str]:
    """A sort key for legal orders, by similarity to a given one."""
    same = legal.kind == wanted.kind
    alike = same or (legal.kind in _SUPPORTS and wanted.kind in _SUPPORTS)
    target = legal.target.partition("/")[0] != wanted.target.partition("/")[0]
    away = goal.get(legal.destination.partition("/")[0], FAR)
    return not alike, target, not same, away, legal.via != wanted.via, str(legal)
