"""A turn from its first order to the result of every order. LANGUAGE.md, sections 6 and 7: 1, 2 and 5."""

from __future__ import annotations

from collections.abc import Iterator

from bordeaux.daide import language as d
from bordeaux.daide.server import ending, idleness, record
from bordeaux.daide.server.orders import TAKEN, AcceptedOrder, Orders
from bordeaux.daide.server.table import PlayedTurn, PowerSeat, Save, ServerTable
from bordeaux.daide.translate import now_of, sco_of, turn_of
from bordeaux.rules import Resolution, adjudicate
from bordeaux.rules.outcome import Outcome, eliminated, survivors
from bordeaux.rules.rulesets import DAIDE

# There is one for each unit, retreat, build, removal and waive. A unit without an order gets the action of
# the rules: a hold, a disband, a waive, a removal. ``RET`` is added if a unit was dislodged, even without a
# possible retreat. Our rules disband such a unit at once, and ``NOW`` does not list it.


def results_of(orders: Orders, resolution: Resolution) -> tuple[d.ORD, ...]:
    """The results of a turn, power by power in the order of the map.

    `resolution` must be the result of the rules for ``orders.counting()``.
    """
    kind = orders.position.phase.kind
    judged = {"M": _movement, "R": _retreats, "A": _adjustments}[kind](orders, resolution)
    turn = turn_of(orders.position.phase)
    rank = {power: number for number, power in enumerate(orders.board.names.powers)}
    listed = sorted(judged, key=lambda pair: rank[_owner(pair[0])])
    return tuple(d.ORD(turn, order, result) for order, result in listed)


_Result = tuple[d.Order, tuple[str, ...]]


def _owner(order: d.Order) -> str:
    return order.power if isinstance(order, d.WVE) else order.unit.power


def _given(orders: Orders) -> dict[d.Unit, AcceptedOrder]:
    """The valid orders, by the ordered unit."""
    return {
        accepted.order.unit: accepted
        for power in orders.board.names.powers
        for accepted in orders.of(power)
        if not isinstance(accepted.order, d.WVE)
    }


def _movement(orders: Orders, resolution: Resolution) -> Iterator[_Result]:
    given = _given(orders)
    words = {name: resolution.results[str(unit)] for name, unit in orders.board.standing.items()}
    for name in orders.board.standing:
        order, note = given.get(name, AcceptedOrder(d.HLD(name), TAKEN))
        result = note if note != TAKEN else _outcome_of_order(order, words[name], words, given)
        if "dislodged" not in words[name]:
            yield order, (result,)
        elif isinstance(order, d.HLD | d.CVY) and result == "SUC":
            # A hold or convoy that worked says no more than that the unit must go.
            yield order, ("RET",)
        else:
            yield order, (result, "RET")


def _outcome_of_order(
    order: d.Order, results: list[str], words: dict[d.Unit, list[str]], given: dict[d.Unit, AcceptedOrder]
) -> str:
    """The first result of a legal movement order that matches, in the order of the reference code.

    `words` are the results of each unit by the rules, `results` those of the ordered one.
    """
    match order:
        case d.SUP() if "cut" in results or ("void" in results and _attacked(order, words, given)):
            return "CUT"
        case d.SUP() | d.CVY() if "void" in results:
            return "NSO"
        case d.CTO() if "no convoy" in results:
            return "NSO"
        case d.CTO() if "disrupted" in results:
            return "DSR"
        case d.CTO() | d.MTO() if "bounce" in results:
            return "BNC"
    return "SUC"


def _attacked(order: d.SUP, words: dict[d.Unit, list[str]], given: dict[d.Unit, AcceptedOrder]) -> bool:
    """Whether an unused support was attacked as well: a cut has precedence over a missing partner."""
    into = order.province or order.other.place.province
    origin = order.unit.place.province
    for attacker, (attack, note) in given.items():
        match attack:
            case d.MTO(_, place):
                goal = place.province
            case d.CTO(_, province, _):
                goal = province
            case _:
                continue
        if goal != origin or note != TAKEN or attacker.power == order.unit.power:
            continue
        arrives = not {"no convoy", "disrupted"} & set(words[attacker])
        if arrives and (attacker.place.province != into or not words[attacker]):
            return True
    return False


def _retreats(orders: Orders, resolution: Resolution) -> Iterator[_Result]:
    given = _given(orders)
    for name, dislodged in orders.board.dislodged.items():
        accepted = given.get(name, AcceptedOrder(d.DSB(name), TAKEN))
        words = resolution.results[str(dislodged.unit)]
        if accepted.note != TAKEN:
            yield accepted.order, (accepted.note,)
        else:
            yield accepted.order, ("BNC" if "bounce" in words else "SUC",)


def _adjustments(orders: Orders, resolution: Resolution) -> Iterator[_Result]:
    """The given orders, then waives and removals by civil disorder for missing ones."""
    remain = set(resolution.after.units)
    for power, owed in orders.board.owed.items():
        given = orders.of(power)
        for order, note in given:
            yield order, ("SUC" if note == TAKEN else note,)
        for _ in range(owed - len(given)):
            yield d.WVE(power), ("SUC",)
        removed = {order.unit for order, _ in given if isinstance(order, d.REM)}
        for name, unit in orders.board.standing.items():
            if name.power == power and unit not in remain and name not in removed:
                yield d.REM(name), ("SUC",)


def submit(table: ServerTable, number: int, message: d.SUB) -> None:
    """``SUB``: a ``THX`` for every order, then ``MIS`` if some are still missing."""
    seat = table.playing(number)
    if seat is None or message.turn not in (None, table.turn):
        table.reject(number, message)
        return
    for order in message.orders:
        table.send(number, d.THX(order, table.orders.submit(seat.power, order)))
    _remind(table, number, seat)


def withdraw(table: ServerTable, number: int, message: d.SUB) -> None:
    """``NOT (SUB)`` withdraws all orders, ``NOT (SUB (order))`` one, in any phase."""
    seat = table.playing(number)
    if seat is None:
        table.reject(number, d.NOT(message))
    elif not message.orders:
        table.orders.clear(seat.power)
        table.accept(number, d.NOT(message))
    elif table.orders.withdraw(seat.power, message.orders[0]):
        table.accept(number, d.NOT(message))
    else:
        table.reject(number, d.NOT(message))


def missing(table: ServerTable, number: int, message: d.MIS) -> None:
    """``MIS``: the missing orders."""
    seat = table.playing(number)
    if seat is None:
        table.reject(number, message)
    else:
        table.send(number, table.orders.missing(seat.power))


def go(table: ServerTable, number: int, message: d.GOF) -> None:
    """``GOF``: the turn may be played as soon as all are ready."""
    seat = table.playing(number)
    if seat is None:
        table.reject(number, message)
        return
    seat.waits = False
    table.accept(number, message)
    _remind(table, number, seat)


def wait(table: ServerTable, number: int, message: d.GOF) -> None:
    """``NOT (GOF)``: the turn shall not be played before the deadline."""
    seat = table.playing(number)
    if seat is None or seat.eliminated is not None:
        table.reject(number, d.NOT(message))
        return
    seat.waits = True
    table.accept(number, d.NOT(message))


def _remind(table: ServerTable, number: int, seat: PowerSeat) -> None:
    missing = table.orders.missing(seat.power)
    if missing != d.MIS():
        table.send(number, missing)


def begin(table: ServerTable) -> None:
    """Start the clock for the turn that ``NOW`` has just announced."""
    limit = table.settings.limit(table.position.phase.kind)
    table.clock.start(limit, table.now)
    idleness.begin(table)
    if limit is not None:
        table.tell(d.TME(limit))
        watch_clock(table)


def watch_clock(table: ServerTable) -> None:
    """With DSD, stop the clock while a power that must give orders is away, and continue after."""
    away = table.settings.dsd and any(
        seat.client is None and not table.orders.complete(seat.power) for seat in table.seats
    )
    left = table.clock.whole_seconds(table.now)
    if left is None or away == table.clock.stopped:
        return
    if away:
        table.clock.stop(table.now)
        table.tell(d.NOT(d.TME(left)))
    else:
        table.clock.run(table.now)
        table.tell(d.TME(left))


def play_if_all_in(table: ServerTable) -> None:
    """Play the turn if no orders are missing and nobody wants to wait, without the idle powers."""
    if table.state == "running" and not idleness.waited_for(table) and not idleness.all_idle(table):
        _play(table)


def play_if_late(table: ServerTable) -> None:
    """Play the turn if its deadline has passed."""
    if table.state == "running" and table.clock.expired(table.now):
        _play(table)


def _play(table: ServerTable) -> None:
    """Adjudicate, inform all, and begin the next turn."""
    owing = table.orders.owing()
    settle(table, adjudicate(table.position, table.orders.counting(), DAIDE))
    if table.state == "running":
        for seat in table.seats:
            if seat.power in owing and seat.eliminated is None and not seat.disorder:
                seat.disorder = True
                table.tell(d.CCD(seat.power))
        begin(table)
    table.outbox.append(Save(record.saved(table)))


def settle(table: ServerTable, resolution: Resolution) -> None:
    """Apply the result of a turn: send the results, then the new position or the end of the game."""
    before = table.position
    texts = {power: [str(order) for order in orders] for power, orders in table.orders.counting().items()}
    results = results_of(table.orders, resolution)
    played = PlayedTurn(before, texts, resolution.results, results, resolution.after)
    table.history.add(played)
    table.position = resolution.after
    table.draws.clear()
    for seat in table.seats:
        seat.waits = False
    mark_eliminated(table, before.phase.year)
    table.tell(*results)
    if played.ownership_settled:
        table.tell(sco_of(table.position))
    outcome = _outcome(table, resolution.victor)
    if outcome is not None:
        # No NOW after it: at one, clients order again, for a turn that is not played.
        ending.end(table, outcome)
        return
    table.orders = Orders(table.position, table.settings.aoa)
    table.tell(now_of(table.position))


def _outcome(table: ServerTable, victor: str | None) -> Outcome | None:
    """The end of the game with the turn just played: a solo, or the last year is over."""
    if victor is not None:
        return Outcome("solo", (victor,))
    until = table.settings.until
    if until is not None and table.position.phase.year > until:
        return Outcome("draw", survivors(table.position))
    return None


def mark_eliminated(table: ServerTable, year: int) -> None:
    """Record the powers that are eliminated now."""
    out = set(eliminated(table.position))
    for seat in table.seats:
        if seat.eliminated is None and table.orders.board.names.powers[seat.power] in out:
            seat.eliminated = year
