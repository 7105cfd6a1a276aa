"""Press: permissions, recipients and delivery. LANGUAGE.md, sections 8 and 11.

If a message has several errors, the first of these determines the answer:

- an action that the sender is not allowed (REJ);
- the first recipient that cannot be reached (CCD, OUT);
- the first eliminated power named where the language allows none (OUT).

The message is then not delivered at all.
"""

from __future__ import annotations

from bordeaux.daide import language as d
from bordeaux.daide.press import in_english, named_powers
from bordeaux.daide.server.record import clean
from bordeaux.daide.server.settings import PRESS_LEVEL
from bordeaux.daide.server.table import PowerSeat, ServerTable

#: The lowest level of each token in a delivered ``TRY``.
TRY_LEVELS = d.press_levels()


def deliver(table: ServerTable, number: int, message: d.SND) -> None:
    """``SND``: YES to the sender, then ``FRM`` to every recipient, each once, in the order named."""
    seat = table.playing(number)
    if seat is None or not _may_send(table, seat, message):
        table.reject(number, message)
        return
    obstacle = _unreachable(table, message)
    if obstacle is not None:
        table.send(number, obstacle)
        return
    table.accept(number, message)
    press = message.press
    if isinstance(press, d.TRY):
        press = d.TRY(tuple(token for token in press.tokens if _is_tried(token, table.settings.level)))
    letter = d.FRM(seat.power, message.to, press)
    for power in dict.fromkeys(message.to):
        client = table.seats[power].client
        assert client is not None
        table.send(client, letter)
    table.letters.append(
        {
            "turn": f"{table.turn.season} {table.turn.year}",
            "from": seat.power,
            "to": list(message.to),
            "press": clean(d.text(press)),
            "english": clean(in_english(seat.power, press, table.map)),
        }
    )


def _may_send(table: ServerTable, seat: PowerSeat, message: d.SND) -> bool:
    return (
        seat.eliminated is None
        and seat.power not in message.to
        and message.turn in (None, table.turn)
        and not _closed(table)
    )


def _closed(table: ServerTable) -> bool:
    """Whether the options forbid press now (NPR, NPB, PTL)."""
    settings, kind = table.settings, table.position.phase.kind
    if settings.level < PRESS_LEVEL or (kind == "R" and settings.npr) or (kind == "A" and settings.npb):
        return True
    left = table.clock.left(table.now)
    return kind == "M" and settings.ptl > 0 and left is not None and left <= settings.ptl


def _unreachable(table: ServerTable, message: d.SND) -> d.CCD | d.OUT | None:
    """The reason why the message cannot be delivered, the leftmost first."""
    for power in message.to:
        seat = table.seats.seats.get(power)
        if seat is None or seat.eliminated is not None:
            return d.OUT(power)
        if seat.disorder or seat.client is None:
            return d.CCD(power)
    for power in named_powers(message.press):
        seat = table.seats.seats.get(power)
        if seat is not None and seat.eliminated is not None:
            return d.OUT(power)
    return None


def _is_tried(token: object, level: int) -> bool:
    return isinstance(token, str) and TRY_LEVELS.get(token, level + 1) <= level
