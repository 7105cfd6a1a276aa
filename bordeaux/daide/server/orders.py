"""The orders that the powers have submitted in one turn, the note that answers each, and those still due.
LANGUAGE.md, section 6."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bordeaux.board.errors import PositionError
from bordeaux.board.map import Map
from bordeaux.board.order import Dislodged, Order, OrderKind, Unit
from bordeaux.board.position import Position
from bordeaux.board.submission import encode, may_convoy
from bordeaux.daide import language as d
from bordeaux.daide.translate import DaideNames, adjustments_owed, names, order_of, units_at

# An order is refused if it could never succeed, whatever else is ordered (the overview of DAIDE, section 4,
# Order Format). The causes and their precedence are those of LANGUAGE.md, section 6. That table has no place
# for NSP, which here comes just before the checks that need the province. Two choices are ours. A move to a
# province with coasts that names none, or one it does not have, is FAR. A unit written otherwise than in
# ``NOW`` does not exist (NSU, in retreats NRN).

#: The note of an accepted order: it may be valid.
TAKEN = "MBV"


class DaideBoard:
    """A position for the check of orders: its units under their names in DAIDE.

    `units` are all as ``NOW`` lists them; `standing` and `dislodged` map their names to the units. `owed` is,
    in Winter, the number of builds (positive) or removals (negative) of each power's token, usable or not.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.map: Map = position.map
        self.names: DaideNames = names(position.map)
        self.units = units_at(position)
        named = [at.unit for at in self.units]
        self.standing: dict[d.Unit, Unit] = dict(zip(named, position.units, strict=False))
        self.dislodged: dict[d.Unit, Dislodged] = dict(
            zip(named[len(position.units) :], position.dislodged, strict=True)
        )
        self.owed = {token: adjustments_owed(position, power) for token, power in self.names.powers.items()}
        self._convoys: dict[tuple[str, str, str], bool] = {}

    def reaches(self, unit: Unit, province: str) -> bool:
        """Whether a unit can move to a province, to any coast of it, without a convoy."""
        near = self.map.adjacent(unit.kind, unit.location)
        return any(place.partition("/")[0] == province for place in near)

    def may_convoy(self, order: d.CVY) -> bool:
        """Whether a route could contain a fleet at sea; answers are cached."""
        key = order.unit.place.province, order.other.place.province, order.province
        if key not in self._convoys:
            self._convoys[key] = may_convoy(self.position, order_of(order, self.map)[1])
        return self._convoys[key]

    def is_legal(self, order: d.Order) -> bool:
        """Whether the order is legal by the rules."""
        power, read = order_of(order, self.map)
        code, fault = encode(self.position, power, read)
        return not fault and self.position.packed.is_legal(code, self.map.powers.index(power))


def note_on(order: d.Order, power: str, board: DaideBoard, given: Sequence[d.Order] = ()) -> str:
    """The note on an order that a power (a token) submits; `given` are its accepted orders in Winter."""
    kind = board.position.phase.kind
    if kind == "M":
        return _movement(order, power, board)
    if kind == "R":
        return _retreat(order, power, board)
    return _adjustment(order, power, board, given)


def _movement(order: d.Order, power: str, board: DaideBoard) -> str:
    if not isinstance(order, d.HLD | d.MTO | d.SUP | d.CVY | d.CTO):
        return "NRS"
    unit = board.standing.get(order.unit)
    if unit is None:
        return "NSU"
    if order.unit.power != power:
        return "NYU"
    match order:
        case d.MTO(_, place):
            return _move(unit, place, board)
        case d.SUP():
            return _support(order, unit, board)
        case d.CVY():
            return _convoy(order, unit, board)
        case d.CTO():
            return _convoyed(order, unit, board)
    return TAKEN


def _move(unit: Unit, place: d.Place, board: DaideBoard) -> str:
    if place.province not in board.names.provinces:
        return "NSP"
    try:
        goal = board.names.location(unit.kind, place)
    except PositionError:
        return "FAR"
    return TAKEN if goal in board.map.adjacent(unit.kind, unit.location) else "FAR"


def _support(order: d.SUP, unit: Unit, board: DaideBoard) -> str:
    other = board.standing.get(order.other)
    if other is None:
        return "NSU"
    if order.province is None:
        return TAKEN if board.reaches(unit, other.province) else "FAR"
    if order.province not in board.names.provinces:
        return "NSP"
    goal = board.names.provinces[order.province]
    return TAKEN if board.reaches(unit, goal) and board.is_legal(order) else "FAR"


def _convoy(order: d.CVY, unit: Unit, board: DaideBoard) -> str:
    other = board.standing.get(order.other)
    if other is None:
        return "NSU"
    if unit.kind != "F":
        return "NSF"
    if board.map.province(unit.province).kind != "sea":
        return "NAS"
    if other.kind != "A":
        return "NSA"
    if order.province not in board.names.provinces:
        return "NSP"
    return TAKEN if board.may_convoy(order) else "FAR"


def _convoyed(order: d.CTO, unit: Unit, board: DaideBoard) -> str:
    if unit.kind != "A":
        return "NSA"
    map = board.map
    province = unit.province
    passed: set[str] = set()
    for token in order.via:
        sea = board.names.provinces.get(token)
        if sea is None:
            return "NSP"
        carrier = board.position.unit_at(sea)
        if carrier is None or carrier.kind != "F":
            return "NSF"
        if map.province(sea).kind != "sea":
            return "NAS"
        if sea in passed or not _sails(map, province, sea):
            return "FAR"
        province = sea
        passed.add(sea)
    goal = board.names.provinces.get(order.province)
    if goal is None:
        return "NSP"
    lands = goal != unit.province and map.province(goal).kind == "coastal" and _sails(map, province, goal)
    return TAKEN if lands else "FAR"


def _sails(map: Map, origin: str, there: str) -> bool:
    """Whether two provinces share a shore or a sea."""
    targets = {location.name for location in map.locations_in("F", there)}
    return any(
        place in targets for coast in map.locations_in("F", origin) for place in map.adjacent("F", coast.name)
    )


def _retreat(order: d.Order, power: str, board: DaideBoard) -> str:
    if not isinstance(order, d.RTO | d.DSB):
        return "NRS"
    dislodged = board.dislodged.get(order.unit)
    if dislodged is None:
        return "NRN"
    if order.unit.power != power:
        return "NYU"
    if isinstance(order, d.DSB):
        return TAKEN
    note = _move(dislodged.unit, order.place, board)
    if note != TAKEN:
        return note
    goal = board.names.location(dislodged.unit.kind, order.place)
    return TAKEN if goal in dislodged.retreats else "NVR"


def _adjustment(order: d.Order, power: str, board: DaideBoard, given: Sequence[d.Order]) -> str:
    if not isinstance(order, d.WVE | d.REM | d.BLD):
        return "NRS"
    removes = isinstance(order, d.REM)
    if len(given) >= (-board.owed[power] if removes else board.owed[power]):
        return "NMR" if removes else "NMB"
    if isinstance(order, d.REM) and order.unit not in board.standing:
        return "NSU"
    if owner_of(order) != power:
        return "NYU"
    return _build(order.unit, board, given) if isinstance(order, d.BLD) else TAKEN


def _build(unit: d.Unit, board: DaideBoard, given: Sequence[d.Order]) -> str:
    map, power = board.map, board.names.powers[unit.power]
    province = board.names.provinces.get(unit.place.province)
    if province is None:
        return "NSP"
    if not map.province(province).centre:
        return "NSC"
    if province not in map.homes[power]:
        return "HSC"
    if province not in board.position.centres.get(power, ()):
        return "YSC"
    if board.position.unit_at(province) is not None:
        return "ESC"
    try:
        board.names.unit(unit)
    except PositionError:
        return "CST"
    builds = {order.unit.place.province for order in given if isinstance(order, d.BLD)}
    return "ESC" if unit.place.province in builds else TAKEN


def owner_of(order: d.Order) -> str:
    """The power (a token) of an order."""
    return order.power if isinstance(order, d.WVE) else order.unit.power


class AcceptedOrder(NamedTuple):
    """A valid order, and its note: MBV, except if any order is accepted (AOA)."""

    order: d.Order
    note: str


class Orders:
    """The orders of one turn. With `any_order` (AOA), any order for an own unit is valid, and its note is
    replaced by the results."""

    def __init__(self, position: Position, any_order: bool = False) -> None:
        self.position = position
        self.board = DaideBoard(position)
        self.any_order = any_order
        self._given: dict[str, list[AcceptedOrder]] = {power: [] for power in self.board.names.powers}
        self._owing: tuple[str, ...] | None = None

    def of(self, power: str) -> tuple[AcceptedOrder, ...]:
        """The valid orders of a power, in the order of arrival."""
        return tuple(self._given[power])

    def submit(self, power: str, order: d.Order) -> str:
        """Judge an order and accept it if possible; returns the note for ``THX``."""
        given = self._given[power]
        note = note_on(order, power, self.board, [accepted.order for accepted in given])
        if note != TAKEN and not (self.any_order and self._has_place(power, order)):
            return note
        kept = [accepted for accepted in given if not self._replaces(order, accepted.order)]
        self._given[power] = [*kept, AcceptedOrder(order, note)]
        self._owing = None
        return TAKEN

    def _has_place(self, power: str, order: d.Order) -> bool:
        """Whether an order, legal or not, is for something of the power's own that can be ordered."""
        board, kind = self.board, self.position.phase.kind
        if owner_of(order) != power:
            return False
        if kind == "A":
            owed = board.owed[power]
            removes = isinstance(order, d.REM) and order.unit in board.standing
            fits = removes if owed < 0 else isinstance(order, d.BLD | d.WVE)
            return fits and len(self._given[power]) < abs(owed)
        return not isinstance(order, d.WVE) and order.unit in (
            board.standing if kind == "M" else board.dislodged
        )

    def _replaces(self, order: d.Order, before: d.Order) -> bool:
        """Whether an order replaces an earlier one."""
        if self.position.phase.kind == "A":
            return isinstance(order, d.REM) and order == before
        return not isinstance(order, d.WVE) and not isinstance(before, d.WVE) and order.unit == before.unit

    def withdraw(self, power: str, order: d.Order | None = None) -> bool:
        """Withdraw an order, without one all; False if it is not among the valid ones."""
        given = self._given[power]
        gone = [accepted for accepted in given if order in (None, accepted.order)]
        for accepted in gone if order is None else gone[-1:]:
            given.remove(accepted)
        self._owing = None
        return bool(gone) or order is None

    def missing(self, power: str) -> d.MIS:
        """The missing orders of a power; bare if none."""
        kind = self.position.phase.kind
        if kind == "A":
            owed = self.board.owed[power]
            left = abs(owed) - len(self._given[power])
            return d.MIS(None, (left if owed < 0 else -left) or None)
        ordered = [each.order.unit for each in self._given[power] if not isinstance(each.order, d.WVE)]
        owing = tuple(
            at
            for at in self.board.units
            if at.unit.power == power and at.unit not in ordered and (at.retreats is None) == (kind == "M")
        )
        return d.MIS(owing or None, None)

    def owing(self) -> tuple[str, ...]:
        """The powers that the turn waits for, in the order of the map.

        It does not wait for waives of builds without an open home, as many programs do not count them;
        `missing` does.
        """
        if self._owing is None:
            self._owing = tuple(power for power in self._given if not self._complete(power))
        return self._owing

    def _complete(self, power: str) -> bool:
        missing = self.missing(power)
        if missing.number is not None and missing.number < 0:
            return len(self._given[power]) >= self.position.adjustments(self.board.names.powers[power])
        return missing == d.MIS()

    def counting(self) -> dict[str, list[Order]]:
        """Legal orders by the name of the power, as `bordeaux.rules.adjudicate` takes them.

        In Winter builds come before waives, and there are no more waives than open homes. DAIDE waives the
        other builds as well; in our rules they do not exist.
        """
        counting: dict[str, list[Order]] = {}
        for token, given in self._given.items():
            power, map = self.board.names.powers[token], self.position.map
            legal = [order_of(accepted.order, map)[1] for accepted in given if accepted.note == TAKEN]
            chosen = [order for order in legal if order.kind != OrderKind.WAIVE]
            waives = [order for order in legal if order.kind == OrderKind.WAIVE]
            chosen += waives[: max(0, self.position.adjustments(power) - len(chosen))]
            if chosen:
                counting[power] = chosen
        return counting

    def to_json(self) -> dict[str, list[str]]:
        """The orders as DAIDE text, by power, in the form of the saved game."""
        return {
            power: [d.text(accepted.order) for accepted in given]
            for power, given in self._given.items()
            if given
        }
