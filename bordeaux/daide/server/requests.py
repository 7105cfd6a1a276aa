"""Press, requests of clients, and messages passed on to all: no orders, no draws.

Press with errors (LANGUAGE.md, sections 8 and 11) is not delivered. The first of these determines the answer:

- an action that the sender is not allowed (REJ);
- the first recipient that cannot be reached (CCD, OUT);
- the first eliminated power named where the language allows none (OUT).
"""

from __future__ import annotations

from collections.abc import Sequence

from bordeaux.daide import language as d
from bordeaux.daide.press import letter_to_json, named_powers
from bordeaux.daide.server.lobby import map_name, welcome
from bordeaux.daide.server.settings import PRESS_LEVEL
from bordeaux.daide.server.table import Refusal, ServerTable
from bordeaux.daide.translate import now_of, sco_of, turn_of


def deliver(table: ServerTable, number: int, message: d.SND) -> None:
    """``SND``: YES to the sender, then ``FRM`` to every recipient, each once, in the order named."""
    seat = table.playing(number)
    if (
        seat.eliminated is not None
        or seat.power in message.to
        or message.turn not in (None, table.turn)
        or _closed(table)
    ):
        raise Refusal
    obstacle = _unreachable(table, message)
    if obstacle is not None:
        table.send(number, obstacle)
        return
    table.send(number, d.YES(message))
    press, level = message.press, table.settings.level
    if isinstance(press, d.TRY):
        levels = d.press_levels()
        press = d.TRY(tuple(token for token in press.tokens if levels.get(str(token), level + 1) <= level))
    letter = d.FRM(seat.power, message.to, press)
    for power in dict.fromkeys(message.to):
        client = table.seats[power].client
        assert client is not None
        table.send(client, letter)
    table.letters.append(letter_to_json(letter, table.turn, table.map))


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
        seat = table.seats.get(power)
        if seat is None or seat.eliminated is not None:
            return d.OUT(power)
        if seat.disorder or seat.client is None:
            return d.CCD(power)
    for power in named_powers(message.press):
        seat = table.seats.get(power)
        if seat is not None and seat.eliminated is not None:
            return d.OUT(power)
    return None


def answers(table: ServerTable, message: d.Message) -> Sequence[d.Message]:
    """The answers to what all clients may ask. Raises Refusal for a turn that has not been played."""
    match message:
        case d.MAP():
            return [d.MAP(map_name(table))]
        case d.MDF():
            return [table.definition]
        case d.NOW():
            return [now_of(table.position, table.turn)]
        case d.SCO():
            return [sco_of(table.position)]
        case d.ORD():  # of the last movement turn, and of the retreats and adjustments after it
            results: list[d.Message] = []
            for played in reversed(table.history):
                results[:0] = played.results
                if played.before.phase.kind == "M":
                    break
            if results:
                return results
        case d.HST(turn):
            for played in table.history:
                if turn_of(played.before.phase) == turn:
                    after = sco_of(played.after), now_of(played.after, played.next_turn)
                    return [*played.results, *after]
    raise Refusal


def greeting(table: ServerTable, number: int, message: d.HLO) -> None:
    """``HLO`` again; REJ before the start. A client that has retaken a power of a saved game gets it at once,
    even while others are missing."""
    if table.seat(number) is None:
        raise Refusal
    welcome(table, number)


def time(table: ServerTable, number: int, message: d.TME) -> bool | None:
    """``TME``: the seconds left, REJ without a deadline. ``TME (s)``: a warning before every deadline.

    While the clock is stopped (DSD) the answer is ``NOT (TME (s))``. A warning is refused for a time below 0
    or above the longest limit, and in a game without limits. It is also refused to a client with too many,
    and to one that has not introduced itself, because it gets only direct answers.
    """
    seconds, longest = message.seconds, table.settings.longest
    if seconds is not None:
        possible = 0 <= seconds <= longest and table.clients[number].standing != "unknown"
        if not possible or not table.clock.ask(number, seconds):
            raise Refusal
        return True
    left = table.clock.time(table.now)
    if left is None:
        raise Refusal
    table.send(number, left)
    return None


def cancel_time(table: ServerTable, number: int, message: d.TME) -> bool:
    """``NOT (TME (s))``: cancels such a warning from the next turn on, REJ if there is none. ``NOT (TME)``
    cancels all."""
    if not table.clock.cancel(number, message.seconds) and message.seconds is not None:
        raise Refusal
    return True


def talk(table: ServerTable, number: int, message: d.ADM) -> None:
    """``ADM``: passed on to all, the sender included; REJ if it is switched off."""
    if not table.settings.talk:
        raise Refusal
    table.tell(message)
    if table.clients[number].standing == "unknown":
        table.send(number, message)


def is_impossible_warning(tokens: d.Tokens) -> bool:
    """Whether a message is ``TME (n)``, or ``NOT`` of it, with a negative number of 16 bits; the language has
    14.

    KissMyBot 6 asks so, in a game with press and without deadlines, to be warned -2 seconds before them, and
    leaves if it is refused (REJ) or not understood (HUH). It is promised the warning, which never comes:
    clients of its family do nothing at that YES.
    """
    match tokens:
        case ("TME", "(", str(number), ")") | ("NOT", "(", "TME", "(", str(number), ")", ")"):
            return number.startswith("0x") and int(number, 16) >= 0x8000
    return False
