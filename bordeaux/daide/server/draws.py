"""The draw offers of the powers, and whether all agree (`bordeaux.rules.draw_offers`)."""

from __future__ import annotations

from bordeaux.daide import language as d
from bordeaux.daide.server.seats import PowerSeat
from bordeaux.daide.server.table import ServerTable
from bordeaux.rules.outcome import Outcome

__all__ = ["agreed", "offer", "withdraw"]


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
