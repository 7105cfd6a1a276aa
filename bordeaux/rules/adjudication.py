"""Adjudication for people: the result of every order, with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.code import BOUNCE, CUT, DISBANDED, DISLODGED, DISRUPTED, NO_CONVOY, VOID
from bordeaux.board.map import Map
from bordeaux.board.order import Dislodged, Order, OrderKind, Unit
from bordeaux.board.position import Position, checked, going_on, picture_of
from bordeaux.board.submission import UNNEEDED, Submission, Submitted, convoy_route, decode, submit
from bordeaux.rules.rulesets import DATC, RuleSet, rules_named

# In DATC (6.G.8) an army with VIA and without a convoy stays. The PyPI package ``diplomacy``, dipcc and
# godip's site move it by land if its destination is adjacent.

Orders = Mapping[str, Iterable[str | Order]]
Move = tuple[str, str]


def by_land(position: Position, orders: Orders) -> dict[str, list[Order]]:
    """The orders with VIA on exactly those moves of armies to a neighbour that a complete chain of fleets was
    ordered to convoy, and that intend the convoy.

    It is intended if the order says VIA or a fleet of the same power convoys (DATC 4.A.3). Only legal convoys
    count. Raises OrderError or MapError for unreadable text.
    """
    submitted = submit(position, orders).orders
    convoys: dict[Move, dict[str, str]] = {}
    for convoy in submitted:
        order = convoy.order
        if order.kind == OrderKind.CONVOY and not convoy.fault:
            convoys.setdefault((order.target, order.destination), {})[convoy.province] = convoy.power
    rewritten: dict[str, list[Order]] = {}
    for moving in submitted:
        order, move = moving.order, (moving.order.location, moving.order.destination)
        if _may_walk(position, order):
            fleets = convoys.get(move, {})
            meant = order.via or moving.power in fleets.values()
            order = order._replace(via=meant and _chain(position.map, move, fleets))
        rewritten.setdefault(moving.power, []).append(order)
    return rewritten


def walkers(position: Position, orders: Orders) -> list[Order]:
    """The moves from which `by_land` removes VIA."""
    before = [checked.order for checked in submit(position, orders).orders]
    after = [order for given in by_land(position, orders).values() for order in given]
    return [one for one, other in zip(before, after, strict=True) if one.via and not other.via]


def _may_walk(position: Position, order: Order) -> bool:
    """Whether this is the move of an army to an adjacent province."""
    unit = position.unit_at(order.location) if position.phase.kind == "M" else None
    if unit is None or unit.kind != "A" or (order.kind, order.unit) != (OrderKind.MOVE, "A"):
        return False
    return order.destination in position.map.adjacent("A", unit.location)


def _chain(map: Map, move: Move, fleets: Iterable[str]) -> bool:
    """Whether fleets in these provinces connect both ends of a move."""
    left = set(fleets)
    reached, ends = (
        [place for coast in map.locations_in("F", end) for place in map.adjacent("F", coast.name)]
        for end in move
    )
    for sea in reached:
        if sea in left:
            left.remove(sea)
            if sea in ends:
                return True
            reached += map.adjacent("F", sea)
    return False


def _province(location: str) -> str:
    return location.partition("/")[0]


class Explainer:
    """Gives the reasons for one phase. `outcomes`, `arrivals` and `convoyed` are by province."""

    def __init__(
        self, submission: Submission, outcomes: list[int], arrivals: list[int], convoyed: list[bool]
    ) -> None:
        position = submission.position
        self.map = position.map
        self.retreats = position.phase.kind == "R"
        self.index = {province.name: province.index for province in self.map.provinces}
        self.outcomes = outcomes
        self.arrivals = arrivals
        self.convoyed = convoyed
        self.units = {unit.province: unit for unit in position.units}
        given = {
            submitted.province: submitted.order for submitted in submission.orders if not submitted.fault
        }
        # In the order of the map, so that the words do not hang on who wrote first.
        self.orders: dict[str, Order] = {p: given[p] for p in self.index if p in given}

    def reason(self, unit: Unit) -> str:
        """One sentence on the result of a unit."""
        order = self.orders.get(unit.province)
        bits = self.outcomes[self.index[unit.province]]
        if self.retreats:
            return self._retreat(unit, order, bits)
        text = self._movement(unit, order, bits)
        if bits & DISLODGED:
            origin = self.map.provinces[self.arrivals[self.index[unit.province]]]
            attacker = self.units[origin.name]
            text += f"; dislodged by {attacker} with strength {self._strength(attacker.province, unit.power)}"
        return text

    def _retreat(self, unit: Unit, order: Order | None, bits: int) -> str:
        if order is None:
            return "disbanded: no retreat was ordered"
        if order.kind == OrderKind.DISBAND:
            return "disbanded as ordered"
        if bits & BOUNCE:
            return f"disbanded: another unit retreated to {_province(order.destination)} as well"
        return f"retreated to {order.destination}"

    def _movement(self, unit: Unit, order: Order | None, bits: int) -> str:
        if order is None:
            return "holds: no order"
        match order.kind:
            case OrderKind.MOVE:
                return self._move(unit, order, bits)
            case OrderKind.SUPPORT_HOLD | OrderKind.SUPPORT_MOVE:
                return self._support(unit, order, bits)
            case OrderKind.CONVOY:
                passenger, goal = f"{order.target_unit} {order.target}", order.destination
                if bits & VOID:
                    return f"void: {passenger} was not ordered to {goal}"
                return "convoy broken" if bits & DISLODGED else f"convoys {passenger} to {goal}"
        return "holds"

    def _move(self, unit: Unit, order: Order, bits: int) -> str:
        goal = _province(order.destination)
        if bits & NO_CONVOY:
            return f"no chain of fleets was ordered to convoy it to {goal}"
        if bits & DISRUPTED:
            lost = [
                str(self.units[province])
                for province, convoy in self.orders.items()
                if convoy.kind == OrderKind.CONVOY
                and (_province(convoy.target), _province(convoy.destination)) == (unit.province, goal)
                and self._bits(province) & DISLODGED
            ]
            return "its convoy was broken: " + (f"{', '.join(lost)} dislodged" if lost else "a paradox")
        way = " by convoy" if self.convoyed[self.index[unit.province]] else ""
        if not bits & BOUNCE:
            beaten = self.units.get(goal)
            took = beaten is not None and self._bits(goal) & DISLODGED
            return f"moved to {order.destination}{way}" + (f", dislodging {beaten}" if took else "")
        return f"bounced: {self._obstacle(unit, goal)}"

    def _obstacle(self, unit: Unit, goal: str) -> str:
        occupant = None if self._moved(goal) else self.units.get(goal)
        if occupant is not None and occupant.power == unit.power:
            return f"{occupant} of its own power stays in {goal}"
        strength = self._strength(unit.province, occupant.power if occupant else None)
        rivals = [(self._hold_strength(goal, unit.province), f"{occupant} in {goal}")] if occupant else []
        for province in self._moving_to(goal):
            if province != unit.province:
                text = f"{self.units[province]} - {self.orders[province].destination}"
                rivals.append((self._strength(province, None), text))
        against, whom = max(rivals, default=(strength, goal))
        return f"its strength {strength} is not more than the {against} of {whom}"

    def _moving_to(self, goal: str) -> list[str]:
        """The provinces from which moves to another one come, those without a convoy left out."""
        return [
            province
            for province, order in self.orders.items()
            if order.kind == OrderKind.MOVE
            and _province(order.destination) == goal
            and not self._bits(province) & (NO_CONVOY | DISRUPTED)
        ]

    def _support(self, unit: Unit, order: Order, bits: int) -> str:
        other = f"{order.target_unit} {order.target}"
        goal = f" to {order.destination}" if order.destination else ""
        if bits & VOID:
            return f"void: {other} " + (f"was not ordered{goal}" if goal else "was ordered to move")
        if not bits & CUT:
            return f"supports {other}{goal}"
        attackers = (self.units[province] for province in self._moving_to(unit.province))
        return f"cut by {' and '.join(str(each) for each in attackers if each.power != unit.power)}"

    def _bits(self, province: str) -> int:
        return self.outcomes[self.index[province]]

    def _moved(self, province: str) -> bool:
        order = self.orders.get(province)
        failed = BOUNCE | DISRUPTED | NO_CONVOY
        return order is not None and order.kind == OrderKind.MOVE and not self._bits(province) & failed

    def _supporters(self, province: str, kind: OrderKind, without: str | None) -> int:
        return sum(
            order.kind == kind
            and _province(order.target) == province
            and not self._bits(supporter) & (CUT | VOID)
            and self.units[supporter].power != without
            for supporter, order in self.orders.items()
        )

    def _strength(self, province: str, without: str | None) -> int:
        """Strength of a move; supports of the power `without` do not count against its own unit."""
        return 1 + self._supporters(province, OrderKind.SUPPORT_MOVE, without)

    def _hold_strength(self, province: str, attacker: str) -> int:
        order = self.orders.get(province)
        if order is None or order.kind != OrderKind.MOVE:
            return 1 + self._supporters(province, OrderKind.SUPPORT_HOLD, None)
        head_on = _province(order.destination) == attacker
        by_sea = self.convoyed[self.index[province]] or self.convoyed[self.index[attacker]]
        return self._strength(province, None) if head_on and not by_sea else 1


#: Words for the outcome bits of the core, in the order of lists.
OUTCOMES = (
    (BOUNCE, "bounce"),
    (VOID, "void"),
    (CUT, "cut"),
    (DISRUPTED, "disrupted"),
    (NO_CONVOY, "no convoy"),
    (DISLODGED, "dislodged"),
    (DISBANDED, "disband"),
)


class UnitResult(NamedTuple):
    """What became of a unit, of a build or of a void order: the words of `OUTCOMES`, and a sentence."""

    words: list[str]
    reason: str


class Resolution(NamedTuple):
    """The result of a phase.

    `results` gives for every unit (``A BUD``) the words of `OUTCOMES` that apply; an empty list means
    success. `reasons` gives one sentence for each. `by_power` gives both for each power by the units that it
    has or orders: a unit has the result of its own power, and an order for a unit of another is void there.
    `after` is the next position, `victor` the power that has won with it, if any. `position` and `orders`, by
    power, are the input.
    """

    results: dict[str, list[str]]
    reasons: dict[str, str]
    after: Position
    position: Position | None = None
    orders: Mapping[str, tuple[Order, ...]] = {}
    by_power: Mapping[str, Mapping[str, UnitResult]] = {}

    def _repr_svg_(self) -> str | None:
        """A picture of the orders and their results, for notebooks."""
        return picture_of("resolution", self)

    @property
    def victor(self) -> str | None:
        """The power that has won the game with this phase, or None."""
        return self.after.victor if self.after.phase.kind == "-" else None


def adjudicate(
    position: Position, orders: Mapping[str, Iterable[str | Order]], rules: RuleSet | str = DATC
) -> Resolution:
    """Resolve a phase of any kind.

    `orders` maps powers to their orders, as text or `Order`. Illegal orders are void; units without orders
    hold, disband or fall under civil disorder, builds not ordered are waived. `rules` selects a rule set,
    itself or by its name. Raises OrderError or MapError for unreadable text, PositionError for no position
    and for one of a game that is over, BordeauxError for an unknown rule set.
    """
    going_on(position)
    rules = rules_named(rules)
    if rules.land_route:
        orders = by_land(position, orders)
    submission = submit(position, orders, given_routes=rules.given_routes)
    routes = submission.routes() if rules.given_routes else None
    after, outcomes, arrivals, convoyed = position.packed.adjudicate(submission.codes(), rules.bits, routes)
    following = Position.from_packed(position.map, after)
    # Sorted, because the order of orders means nothing.
    given_orders = {
        power: tuple(
            sorted((submitted.order for submitted in submission.orders if submitted.power == power), key=str)
        )
        for power in {submitted.power: None for submitted in submission.orders}
    }
    if position.phase.kind == "A":
        by_power = _adjustments(submission, outcomes, following)
    else:
        explainer = Explainer(submission, outcomes, arrivals, convoyed)
        by_power = _of_units(submission, outcomes, explainer, following, keeps=rules.keep_dislodged)
        if rules.keep_dislodged and position.phase.kind == "M":
            following = _keeping(position, following, outcomes)
    results, reasons = _by_unit(submission, by_power)
    return Resolution(results, reasons, following, position, given_orders, by_power)


def _by_unit(
    submission: Submission, by_power: Mapping[str, Mapping[str, UnitResult]]
) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Results and reasons by unit alone: of its own power, else of the first power that gave an order."""
    position = submission.position
    acting = position.units if position.phase.kind != "R" else [unit for unit, _ in position.dislodged]
    own = {(unit.power, str(unit)) for unit in acting}
    listed = [
        ((power, name) not in own, bool(result.words), name, result)
        for power, named in by_power.items()
        for name, result in named.items()
    ]
    results: dict[str, list[str]] = {}
    reasons: dict[str, str] = {}
    for *_, name, result in sorted(listed, key=lambda item: item[:2]):
        results.setdefault(name, result.words)
        reasons.setdefault(name, result.reason)
    return results, reasons


def _of_units(
    submission: Submission, outcomes: list[int], explainer: Explainer, following: Position, *, keeps: bool
) -> dict[str, dict[str, UnitResult]]:
    """The results of movement and retreats: one for each unit that acts, and one for each void order."""
    position = submission.position
    map = position.map
    units = position.units if position.phase.kind == "M" else [unit for unit, _ in position.dislodged]
    faults = {(item.power, item.province): item.fault for item in submission.orders if item.fault}
    given = {item.province for item in submission.orders if not item.fault}
    retreating = {dislodged.unit for dislodged in following.dislodged}
    by_power: dict[str, dict[str, UnitResult]] = {}
    for unit in units:
        bits = outcomes[map.province(unit.province).index]
        reason = explainer.reason(unit)
        fault = faults.get((unit.power, unit.province))
        if fault and unit.province not in given:
            bits |= VOID
            reason = f"void: {fault}" + (f"; {reason}" if bits & ~VOID else "")
        if bits & DISLODGED and unit not in retreating:
            reason += "; it has nowhere to retreat to"
            reason += "" if keeps else " and is disbanded"
        by_power.setdefault(unit.power, {})[str(unit)] = UnitResult(_words(bits), reason)
    own = {(unit.power, unit.province) for unit in units}
    for item in submission.orders:
        if item.fault and (item.power, item.province) not in own:
            result = UnitResult(["void"], f"void: {item.fault}")
            by_power.setdefault(item.power, {}).setdefault(item.subject, result)
    return by_power


def _keeping(position: Position, following: Position, outcomes: list[int]) -> Position:
    """The position after a movement phase, with a retreat phase for units without a retreat."""
    map = position.map
    driven_out = (unit for unit in position.units if outcomes[map.province(unit.province).index] & DISLODGED)
    placed = {dislodged.unit for dislodged in following.dislodged}
    lost = [Dislodged(unit, ()) for unit in driven_out if unit not in placed]
    if not lost:
        return following
    phase = position.phase._replace(kind="R")
    return Position(map, phase, following.units, position.centres, [*following.dislodged, *lost])


def _words(bits: int) -> list[str]:
    return [word for bit, word in OUTCOMES if bits & bit]


def _adjustments(
    submission: Submission, outcomes: list[int], following: Position
) -> dict[str, dict[str, UnitResult]]:
    """The results of builds and removals, those of civil disorder among them."""
    by_power: dict[str, dict[str, UnitResult]] = {}
    counted = iter(outcomes)
    for item in submission.orders:
        bits = VOID if item.fault else next(counted)
        named = by_power.setdefault(item.power, {})
        if item.subject in named and not named[item.subject].words:
            # The same order again, after the one that was carried out.
            continue
        if item.fault:
            reason = f"void: {item.fault}"
        elif item.order.kind == OrderKind.WAIVE:
            reason = "waived"
        else:
            reason = "built" if item.order.kind == OrderKind.BUILD else "removed"
        named[item.subject] = UnitResult(_words(bits), reason)
    standing = set(following.units)
    disorder = "removed by the rule for civil disorder: farthest from the centres of its power"
    for unit in submission.position.units:
        named = by_power.setdefault(unit.power, {})
        result = named.get(str(unit))
        if unit not in standing and (result is None or result.words):
            named[str(unit)] = UnitResult(["disband"], disorder)
    return {power: named for power, named in by_power.items() if named}


WAIVE = str(Order(OrderKind.WAIVE))
ADJUSTMENTS = (OrderKind.BUILD, OrderKind.DISBAND, OrderKind.WAIVE)


class OrderResult(NamedTuple):
    """An order, or a unit without one; the words of `bordeaux.rules.adjudication.OUTCOMES` that apply to it
    (empty for success), and the reason in a sentence."""

    text: str
    words: list[str]
    reason: str


def as_taken(
    position: Position, orders: Mapping[str, Sequence[Order]], rules: RuleSet
) -> Mapping[str, Sequence[Order]]:
    """The orders as the rules interpret them: by land, or with the given routes of convoyed moves, which have
    no text form."""
    if rules.given_routes:
        return {power: [_with_route(order, position) for order in given] for power, given in orders.items()}
    return by_land(position, orders) if rules.land_route else orders


def order_results(
    position: Position, submitted: Sequence[Submitted], resolution: Resolution
) -> dict[str, list[OrderResult]]:
    """The results of every power's orders, and then of its units without one, in the order of the map."""
    results: dict[str, list[OrderResult]] = {power: [] for power in position.map.powers}
    ordered = set()
    for order in submitted:
        results[order.power].append(_result(order, resolution))
        ordered.add((order.power, order.province))
    for power, named in resolution.by_power.items():
        for unit, (words, reason) in named.items():
            if unit != WAIVE and (power, _province_of(unit)) not in ordered:
                results[power].append(OrderResult(unit, words, reason))
    return results


def illegal_orders(submitted: Sequence[Submitted], resolution: Resolution) -> list[str]:
    """One line for every order that a power may not give, or of which it gave too many."""
    lines = []
    for order in submitted:
        text, words, reason = _result(order, resolution)
        if order.fault.startswith(UNNEEDED):
            continue
        # A support or convoy may be void because another unit does something else: that is legal.
        if order.fault or ("void" in words and order.order.kind in ADJUSTMENTS):
            lines.append(f"{order.power}: {text}: {reason.removeprefix('void: ')}")
    return lines


def _result(submitted: Submitted, resolution: Resolution) -> OrderResult:
    text = str(submitted.order)
    if submitted.fault:
        return OrderResult(text, ["void"], f"void: {submitted.fault}")
    # Results stand under the unit as it is, which an order may name without its coast.
    named = resolution.by_power[submitted.power]
    keys = [key for key in named if _province_of(key) == submitted.province]
    key = next((key for key in keys if text.startswith(key)), keys[0] if keys else submitted.subject)
    return OrderResult(text, *named[key])


def _with_route(order: Order, position: Position) -> Order:
    if not order.via or order.route:
        return order
    return order._replace(route=convoy_route(position, order.location, order.destination))


def _province_of(unit: str) -> str:
    """The province of a unit's name: ``STP`` of ``F STP/SC``."""
    return unit.partition(" ")[2].partition("/")[0]


def legal_codes(position: Position) -> dict[str, dict[str, list[int]]]:
    """Legal orders as codes of the core: power, then location to be ordered, then orders."""
    map = position.map
    named: dict[str, dict[str, list[int]]] = {}
    for power, units in position.packed.legal().items():
        of_power = named.setdefault(map.powers[power], {})
        for location, codes in units.items():
            # An army and a fleet to be built in one home are two locations of one name.
            of_power.setdefault(map.locations[location].name, []).extend(codes)
    return named


def legal_orders(position: Position, power: str | None = None) -> dict[str, list[str]]:
    """Legal orders for every location that can be ordered, ``{"PAR": ["A PAR H", ...]}``.

    With a `power` (name or tag), for its locations only. In Winter every build comes with
    ``WAIVE``, keyed by province. Raises MapError for an unknown power.
    """
    map = checked(position).map
    wanted = None if power is None else map.power(power)
    listed: dict[str, list[str]] = {}
    for owner, units in legal_codes(position).items():
        if wanted is not None and owner != wanted:
            continue
        for location, codes in units.items():
            orders = [decode(map, code) for code in codes]
            builds = orders[0].kind == OrderKind.BUILD
            place = location.partition("/")[0] if builds else location
            listed.setdefault(place, []).extend(str(order) for order in orders)
    if position.phase.kind == "A":
        for orders_here in listed.values():
            if orders_here[0].endswith(" B"):
                orders_here.append(WAIVE)
    return listed
