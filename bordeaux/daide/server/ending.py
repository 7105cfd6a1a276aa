"""The end of a game: the draw offers of the powers, a solo or a draw, and the summary. LANGUAGE.md, section
7: 8 and 9."""

from __future__ import annotations

from bordeaux.daide import language as d
from bordeaux.daide.server.table import PowerSeat, ServerTable
from bordeaux.rules.outcome import Outcome


def offer(table: ServerTable, number: int, message: d.DRW) -> None:
    """``DRW``: the power accepts a draw, with a list of powers one of these (PDA)."""
    seat = table.playing(number)
    if seat is None or not _may_say(table, seat, message):
        table.reject(number, message)
        return
    table.draws.offer(seat.power, message.powers)
    table.accept(number, message)


def withdraw(table: ServerTable, number: int, message: d.DRW) -> None:
    """``NOT (DRW)``: withdraws a plain offer; with a list, the offer of that list. YES also if there was
    none."""
    seat = table.playing(number)
    if seat is None or not _may_say(table, seat, message):
        table.reject(number, d.NOT(message))
        return
    table.draws.withdraw(seat.power, message.powers)
    table.accept(number, d.NOT(message))


def _may_say(table: ServerTable, seat: PowerSeat, draw: d.DRW) -> bool:
    """Whether a power may vote, and its listed powers are different ones still in the game."""
    if seat.eliminated is not None:
        return False
    listed = set(draw.powers)
    if not listed:
        return True
    return table.settings.pda and len(listed) == len(draw.powers) and listed <= set(table.survivors)


def agreed(table: ServerTable) -> Outcome | None:
    """The draw that all survivors accept now, with the names of its powers; None if there is none."""
    tokens = table.draws.agreed(table.survivors)
    if tokens is None:
        return None
    return Outcome("draw", tuple(table.orders.board.names.powers[token] for token in tokens))


def end(table: ServerTable, outcome: Outcome) -> None:
    """End the game: send the result to all (``SLO`` or ``DRW``), then the summary.

    A draw that leaves survivors out lists those who share it; the others are plain ``DRW``.
    """
    tags = tuple(table.map.tags[power] for power in outcome.powers)
    if outcome.kind == "solo":
        table.tell(d.SLO(tags[0]))
    else:
        table.tell(d.DRW(() if tags == table.survivors else tags))
    table.tell(summary(table))
    table.state = "over"
    table.outcome = outcome
    table.clock.start(None, table.now)


def summary(table: ServerTable) -> d.SMR:
    """``SMR``: every power, its program, its centres, and without centres the year of its elimination (for
    one that still has units, this year)."""
    owned = table.position.centres
    turn = table.turn
    lines = []
    for seat in table.seats:
        power = table.orders.board.names.powers[seat.power]
        centres = len(owned.get(power, ()))
        year = None if centres else (seat.eliminated or turn.year)
        lines.append(d.SMRLine(seat.power, seat.name, seat.version, centres, year))
    return d.SMR(turn, tuple(lines))
