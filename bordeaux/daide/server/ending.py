"""The end of a game: a solo or a draw, and the summary. LANGUAGE.md, section 7: 8 and 9."""

from __future__ import annotations

from bordeaux.daide import language as d
from bordeaux.daide.server.table import ServerTable
from bordeaux.rules.outcome import Outcome

__all__ = ["end", "summary"]


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
