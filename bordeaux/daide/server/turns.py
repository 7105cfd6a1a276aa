"""A turn from its first order to the result of every order, draws, and the end of the game. LANGUAGE.md,
sections 6 and 7: 1, 2, 5, 8 and 9."""

from __future__ import annotations

from collections.abc import Iterator

from bordeaux.daide import language as d
from bordeaux.daide.server import idleness, record
from bordeaux.daide.server.orders import TAKEN, AcceptedOrder, Orders, owner_of
from bordeaux.daide.server.table import PlayedTurn, PowerSeat, Refusal, ServerTable
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
    listed = sorted(judged, key=lambda pair: rank[owner_of(pair[0])])
    return tuple(d.ORD(turn, order, result) for order, result in listed)


_Result = tuple[d.Order, tuple[str, ...]]


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
    if message.turn not in (None, table.turn):
        raise Refusal
    for order in message.orders:
        table.send(number, d.THX(order, table.orders.submit(seat.power, order)))
    _remind(table, number, seat)


def withdraw(table: ServerTable, number: int, message: d.SUB) -> bool:
    """``NOT (SUB)`` withdraws all orders, ``NOT (SUB (order))`` one, in any phase."""
    if not table.orders.withdraw(table.playing(number).power, *message.orders):
        raise Refusal
    return True


def missing(table: ServerTable, number: int, message: d.MIS) -> None:
    """``MIS``: the missing orders."""
    table.send(number, table.orders.missing(table.playing(number).power))


def go(table: ServerTable, number: int, message: d.GOF) -> None:
    """``GOF``: the turn may be played as soon as all are ready."""
    seat = table.playing(number)
    seat.waits = False
    table.send(number, d.YES(message))
    _remind(table, number, seat)


def wait(table: ServerTable, number: int, message: d.GOF) -> bool:
    """``NOT (GOF)``: the turn shall not be played before the deadline."""
    seat = table.playing(number)
    if seat.eliminated is not None:
        raise Refusal
    seat.waits = True
    return True


def _remind(table: ServerTable, number: int, seat: PowerSeat) -> None:
    missing = table.orders.missing(seat.power)
    if missing != d.MIS():
        table.send(number, missing)


def offer_draw(table: ServerTable, number: int, message: d.DRW) -> bool:
    """``DRW``: the power accepts a draw, with a list of powers one of these (PDA)."""
    table.draws.offer(_voter(table, number, message), message.powers)
    return True


def withdraw_draw(table: ServerTable, number: int, message: d.DRW) -> bool:
    """``NOT (DRW)``: withdraws a plain offer; with a list, the offer of that list. YES also if there was
    none."""
    table.draws.withdraw(_voter(table, number, message), message.powers)
    return True


def _voter(table: ServerTable, number: int, draw: d.DRW) -> str:
    """The power of a client that may vote on a draw. Raises Refusal also unless the listed powers are
    different ones still in the game."""
    seat, listed = table.playing(number), set(draw.powers)
    possible = table.settings.pda and len(listed) == len(draw.powers) and listed <= set(table.survivors)
    if seat.eliminated is not None or (listed and not possible):
        raise Refusal
    return seat.power


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
    owing = table.orders.owing()
    away = table.settings.dsd and any(
        seat.client is None and seat.power in owing for seat in table.seats.values()
    )
    if away == table.clock.stopped:
        return
    (table.clock.stop if away else table.clock.run)(table.now)
    time = table.clock.time(table.now)
    if time is not None:
        table.tell(time)


def play_if_all_in(table: ServerTable) -> None:
    """Play the turn if no orders are missing and nobody wants to wait, without the idle powers."""
    if table.state == "running" and not idleness.waited_for(table) and not idleness.all_idle(table):
        _play(table)


def play_if_late(table: ServerTable) -> None:
    """Play the turn if its deadline has passed."""
    if table.state == "running" and table.clock.deadline is not None and table.now >= table.clock.deadline:
        _play(table)


def _play(table: ServerTable) -> None:
    """Adjudicate, inform all, and begin the next turn."""
    owing = table.orders.owing()
    settle(table, adjudicate(table.position, table.orders.counting(), DAIDE))
    if table.state == "running":
        for seat in table.seats.values():
            if seat.power in owing and seat.eliminated is None:
                table.disorder(seat)
        begin(table)
    record.save(table)


def settle(table: ServerTable, resolution: Resolution) -> None:
    """Apply the result of a turn: send the results, then the new position or the end of the game."""
    before = table.position
    texts = {power: [str(order) for order in orders] for power, orders in table.orders.counting().items()}
    results = results_of(table.orders, resolution)
    played = PlayedTurn(before, texts, resolution.results, results, resolution.after)
    table.history.append(played)
    table.position = resolution.after
    table.draws.clear()
    for seat in table.seats.values():
        seat.waits = False
    mark_eliminated(table, before.phase.year)
    table.tell(*results)
    if played.ownership_settled:
        table.tell(sco_of(table.position))
    # After the end there is no NOW: at one, clients order again, for a turn that is not played.
    until = table.settings.until
    if resolution.victor is not None:
        _end(table, Outcome("solo", (resolution.victor,)))
    elif until is not None and table.position.phase.year > until:
        _end(table, Outcome("draw", survivors(table.position)))
    else:
        table.orders = Orders(table.position, table.settings.aoa)
        table.tell(now_of(table.position))


def mark_eliminated(table: ServerTable, year: int) -> None:
    """Record the powers that are eliminated now."""
    out = set(eliminated(table.position))
    for seat in table.seats.values():
        if seat.eliminated is None and table.names.powers[seat.power] in out:
            seat.eliminated = year


def end_if_agreed(table: ServerTable) -> None:
    """End the game if all survivors accept a draw."""
    agreed = table.draws.agreed(table.survivors) if table.state == "running" else None
    if agreed is not None:
        _end(table, Outcome("draw", tuple(table.names.powers[token] for token in agreed)))
        record.save(table)


def _end(table: ServerTable, outcome: Outcome) -> None:
    """End the game: send the result to all (``SLO`` or ``DRW``), then the summary: every power, its program,
    its centres, and without centres the year of its elimination (for one that still has units, this year).

    A draw that leaves survivors out lists those who share it; the others are plain ``DRW``.
    """
    tags = tuple(table.map.tags[power] for power in outcome.powers)
    if outcome.kind == "solo":
        table.tell(d.SLO(tags[0]))
    else:
        table.tell(d.DRW(() if tags == table.survivors else tags))
    turn, lines = table.turn, []
    for seat in table.seats.values():
        centres = len(table.position.centres.get(table.names.powers[seat.power], ()))
        year = None if centres else (seat.eliminated or turn.year)
        lines.append(d.SMRLine(seat.power, seat.name, seat.version, centres, year))
    table.tell(d.SMR(turn, tuple(lines)))
    table.state = "over"
    table.outcome = outcome
    table.clock.start(None, table.now)
