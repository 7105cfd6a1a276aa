"""The powers for which a turn without a deadline waits, and the treatment of silent ones.

In the protocol such a turn waits for all powers, so one client that has died, or hangs, stops the game for
ever. With the setting `idle`, a power that is waited for and silent for that time is warned. After as long
again it is in civil disorder until it sends a message. The log always names the powers that are waited for.
"""

from __future__ import annotations

from bordeaux.daide import language as d
from bordeaux.daide.server.settings import SERVER
from bordeaux.daide.server.table import PowerSeat, ServerTable

#: Seconds after which the awaited powers are reported; then after twice as many, and so on.
FIRST_REPORT = 60.0


def begin(table: ServerTable) -> None:
    """A turn has begun."""
    table.began = table.now
    table.report = table.now + FIRST_REPORT
    for seat in table.seats.values():
        seat.warned = False


def waited_for(table: ServerTable) -> list[PowerSeat]:
    """The seats that the turn waits for: they must give orders, or want to wait for the deadline."""
    owing = table.orders.owing()
    skipped = table.clock.limit is None
    return [
        seat
        for seat in table.seats.values()
        if (seat.power in owing or seat.waits) and not (seat.idle and skipped)
    ]


def all_idle(table: ServerTable) -> bool:
    """Whether no active power is left for a turn without a limit: then it waits for one."""
    left = [seat for seat in table.seats.values() if seat.eliminated is None]
    return (
        table.clock.limit is None
        and any(seat.idle for seat in left)
        and all(seat.idle or seat.client is None for seat in left)
    )


def wake(table: ServerTable) -> float | None:
    """The next time at which something is due; None if there is none."""
    if table.state != "running" or table.clock.limit is not None:
        return None
    if table.settings.idle is None:
        return table.report
    return min([table.report, *(_due(table, seat) for seat in waited_for(table))])


def _due(table: ServerTable, seat: PowerSeat) -> float:
    """When a seat that is waited for is warned, or dropped."""
    assert table.settings.idle is not None
    return max(seat.heard, table.began) + table.settings.idle * (2 if seat.warned else 1)


def watch(table: ServerTable) -> None:
    """Report the powers that are waited for, warn silent ones, and continue without those that stay
    silent."""
    moment = wake(table)
    if moment is None or table.now < moment:
        return
    waited = waited_for(table)
    if table.now >= table.report:
        table.report = max(table.now + FIRST_REPORT, table.began + 2 * (table.report - table.began))
        if waited:
            names = ", ".join(_name(seat) for seat in waited)
            seconds = table.now - table.began
            since = f"{seconds / 60:.0f} min" if seconds >= 120 else f"{seconds:.0f} s"
            table.note(f"{table.position.phase} waits for {names}, {since} so far")
    for seat in waited:
        if table.settings.idle is not None and table.now >= _due(table, seat):
            (_give_up if seat.warned else _warn)(table, seat)


def _name(seat: PowerSeat) -> str:
    return f"{seat.power} ({'nobody plays it' if seat.client is None else seat.name or 'unnamed'})"


def _warn(table: ServerTable, seat: PowerSeat) -> None:
    seat.warned = True
    silent = f"{seat.power} is waited for and silent; in {table.settings.idle} s the game goes on without it"
    table.note(silent)
    if seat.client is not None and table.settings.talk:
        table.send(seat.client, d.ADM(SERVER, silent))


def _give_up(table: ServerTable, seat: PowerSeat) -> None:
    seat.idle = True
    table.note(f"the game goes on without {seat.power}, which has been silent")
    table.disorder(seat)
