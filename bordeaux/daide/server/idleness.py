"""The powers for which a turn without a deadline waits, and the treatment of silent ones.

In the protocol such a turn waits for all powers, so one client that has died, or hangs, stops the game for
ever. With the setting `idle`, a power that is waited for and silent for that time is warned. After as long
again it is in civil disorder until it sends a message, or one of our players takes its place. The log always
names the powers that are waited for, and before the start the clients that may still come.
"""

from __future__ import annotations

from bordeaux.daide import language as d
from bordeaux.daide.server.table import PowerSeat, Replace, ServerTable

#: Seconds after which the awaited powers are reported; then after twice as many, and so on.
FIRST_REPORT = 60.0
#: The sender of the warning.
_SENDER = "Server"


def begin(table: ServerTable) -> None:
    """A turn has begun."""
    table.begun = table.now
    table.report = table.now + FIRST_REPORT
    for seat in table.seats:
        seat.warned = False


def waited_for(table: ServerTable) -> list[PowerSeat]:
    """The seats that the turn waits for: they must give orders, or want to wait for the deadline."""
    owing = set(table.orders.owing())
    skipped = table.clock.limit is None
    return [
        seat for seat in table.seats if (seat.power in owing or seat.waits) and not (seat.idle and skipped)
    ]


def all_idle(table: ServerTable) -> bool:
    """Whether no active power is left for a turn without a limit: then it waits for one."""
    left = [seat for seat in table.seats if seat.eliminated is None]
    return (
        table.clock.limit is None
        and any(seat.idle for seat in left)
        and all(seat.idle or seat.client is None for seat in left)
    )


def wake(table: ServerTable) -> float | None:
    """The next time at which something is due; None if there is none."""
    if table.state == "waiting" and table.report:
        return table.report
    if table.state != "running" or table.clock.limit is not None:
        return None
    if table.settings.idle is None:
        return table.report
    return min([table.report, *(_due(table, seat) for seat in waited_for(table))])


def _due(table: ServerTable, seat: PowerSeat) -> float:
    """When a seat that is waited for is warned, or dropped."""
    assert table.settings.idle is not None
    return max(seat.heard, table.begun) + table.settings.idle * (2 if seat.warned else 1)


def watch(table: ServerTable) -> None:
    """Report the powers that are waited for, warn silent ones, and continue without those that stay
    silent."""
    moment = wake(table)
    if table.state != "running" or moment is None or table.now < moment:
        return
    waited = waited_for(table)
    if table.now >= table.report and waited:
        report_later(table)
        names = ", ".join(_name(table, seat) for seat in waited)
        table.note(f"{table.position.phase} waits for {names}, {minutes(table.now - table.begun)} so far")
    elif table.now >= table.report:
        table.report = table.now + FIRST_REPORT
    if table.settings.idle is not None:
        for seat in waited:
            if table.now >= _due(table, seat):
                if seat.warned:
                    _give_up(table, seat)
                else:
                    _warn(table, seat)


def report_later(table: ServerTable) -> None:
    """Set the time of the next report: after ever longer times."""
    table.report = max(table.now + FIRST_REPORT, table.begun + 2 * (table.report - table.begun))


def _name(table: ServerTable, seat: PowerSeat) -> str:
    client = None if seat.client is None else table.client(seat.client)
    return f"{seat.power} ({'nobody plays it' if client is None else seat.name or 'unnamed'})"


def minutes(seconds: float) -> str:
    """A time in words."""
    return f"{seconds / 60:.0f} min" if seconds >= 120 else f"{seconds:.0f} s"


def _warn(table: ServerTable, seat: PowerSeat) -> None:
    seat.warned = True
    again = table.settings.idle
    then = "a player of the server takes its place" if table.stand_ins else "the game goes on without it"
    silent = f"{seat.power} is waited for and silent; in {again} s {then}"
    table.note(silent)
    if seat.client is not None and table.settings.talk:
        table.send(seat.client, d.ADM(_SENDER, silent))


def _give_up(table: ServerTable, seat: PowerSeat) -> None:
    """Seat one of our players for a silent power; if there is none, or it is silent as well, continue without
    the power."""
    if table.stand_ins and not seat.replaced:
        seat.replaced, seat.warned, seat.heard = True, False, table.now
        number = seat.client
        if number is not None:
            table.send(number, d.OFF())
            table.seats.leave(number)
            seat.stands_in = False
            table.clock.forget(number)
            table.close(number, f"{seat.power} was waited for and silent")
        table.note(f"a player of the house takes the place of {seat.power}, which has been silent")
        table.outbox.append(Replace(seat.power))
    else:
        seat.idle = True
        table.note(f"the game goes on without {seat.power}, which has been silent")
    if not seat.disorder:
        seat.disorder = True
        table.tell(d.CCD(seat.power))
