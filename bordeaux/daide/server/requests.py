"""Press, requests of clients, known ones and odd ones, and messages passed on to all: no orders, no draws.

Press with errors (LANGUAGE.md, sections 8 and 11) is not delivered. The first of these determines the answer:

- an action that the sender is not allowed (REJ);
- the first recipient that cannot be reached (CCD, OUT);
- the first eliminated power named where the language allows none (OUT).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bordeaux.daide import language as d
from bordeaux.daide.press import in_english, named_powers
from bordeaux.daide.server.lobby import map_name, welcome
from bordeaux.daide.server.record import clean
from bordeaux.daide.server.settings import PRESS_LEVEL
from bordeaux.daide.server.table import PowerSeat, ServerTable, Standing
from bordeaux.daide.translate import now_of, sco_of

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


def map(table: ServerTable, number: int, message: d.MAP) -> None:
    """``MAP``: the name of the map."""
    table.send(number, d.MAP(map_name(table)))


def definition(table: ServerTable, number: int, message: d.MDF) -> None:
    """``MDF``: the whole map."""
    table.send(number, table.definition)


def greeting(table: ServerTable, number: int, message: d.HLO) -> None:
    """``HLO`` again; REJ before the start. A client that has retaken a power of a saved game gets it at once,
    even while others are missing."""
    if table.seat(number) is None:
        table.reject(number, message)
    else:
        welcome(table, number)


def position(table: ServerTable, number: int, message: d.NOW) -> None:
    """``NOW``: the latest position, before the start the first one."""
    table.send(number, now_of(table.position, table.turn))


def centres(table: ServerTable, number: int, message: d.SCO) -> None:
    """``SCO``: the latest owners."""
    table.send(number, sco_of(table.position))


def results(table: ServerTable, number: int, message: d.ORD) -> None:
    """``ORD``: the last movement turn and later results; REJ before one is done."""
    listed = table.history.last_results()
    if listed:
        table.send(number, *listed)
    else:
        table.reject(number, message)


def history(table: ServerTable, number: int, message: d.HST) -> None:
    """``HST (turn)``: that turn's results, then centres and position after it."""
    messages = table.history.of(message.turn)
    if messages is None:
        table.reject(number, message)
    else:
        table.send(number, *messages)


def time(table: ServerTable, number: int, message: d.TME) -> None:
    """``TME``: the seconds left, REJ without a deadline. ``TME (s)``: a warning before every deadline.

    While the clock is stopped (DSD) the answer is ``NOT (TME (s))``. A warning is refused for a time below 0
    or above the longest limit, and in a game without limits. It is also refused to a client with too many,
    and to one that has not introduced itself, because it gets only direct answers.
    """
    seconds, longest = message.seconds, table.settings.longest
    if seconds is None:
        left = table.clock.whole_seconds(table.now)
        if left is None:
            table.reject(number, message)
        else:
            table.send(number, d.NOT(d.TME(left)) if table.clock.stopped else d.TME(left))
    elif longest is None or not 0 <= seconds <= longest or table.client(number).standing == "unknown":
        table.reject(number, message)
    elif table.clock.ask(number, seconds):
        table.accept(number, message)
    else:
        table.reject(number, message)


def cancel_time(table: ServerTable, number: int, message: d.TME) -> None:
    """``NOT (TME (s))``: cancels such a warning from the next turn on, REJ if there is none. ``NOT (TME)``
    cancels all."""
    if message.seconds is None:
        table.clock.cancel(number)
        table.accept(number, d.NOT(message))
    elif table.clock.cancel(number, message.seconds):
        table.accept(number, d.NOT(message))
    else:
        table.reject(number, d.NOT(message))


def talk(table: ServerTable, number: int, message: d.ADM) -> None:
    """``ADM``: passed on to all, the sender included; REJ if it is switched off."""
    if not table.settings.talk:
        table.reject(number, message)
        return
    table.tell(message)
    if table.client(number).standing == "unknown":
        table.send(number, message)


# One list names the programs and what they need, so each entry can be looked up and tested. All entries are
# harmless: they change nothing in the game. Anything else gets the answer of the language. The lenient
# forms that our client accepts from servers are in the grammar (`bordeaux/daide/data/grammar.ebnf`).


class Oddity(NamedTuple):
    """A message of a program that is not in the language.

    `example` is the message, as DAIDE text; the answer is `verb` with the message in brackets. `why` explains
    both; `fits` recognises it from its tokens.
    """

    program: str
    example: str
    verb: str
    why: str
    fits: Callable[[d.Tokens], bool]


#: The smallest 16-bit number that is negative.
_LEAST_NEGATIVE = 0x8000


def _is_warning_before_nothing(tokens: d.Tokens) -> bool:
    """``TME (n)``, or ``NOT`` of it, where n is a negative number of 16 bits, not 14 as the language has
    them."""
    match tokens:
        case ("TME", "(", str(number), ")") | ("NOT", "(", "TME", "(", str(number), ")", ")"):
            return number.startswith("0x") and int(number, 16) >= _LEAST_NEGATIVE
    return False


ODDITIES = (
    Oddity(
        "KissMyBot 6",
        "TME (0xFFFE)",
        "YES",
        "in a game with press and without deadlines it asks to be warned -2 seconds before them, with a"
        " number of 16 bits; refused (REJ) or not understood (HUH) it leaves. It is promised the warning,"
        " which never comes: clients of its family do nothing at that YES",
        _is_warning_before_nothing,
    ),
)


def answer_to(tokens: d.Tokens, standing: Standing) -> d.Tokens | None:
    """The answer to an oddity of a client that plays or observes; None for anything else."""
    if standing == "unknown":
        return None
    for oddity in ODDITIES:
        if oddity.fits(tokens):
            return (oddity.verb, "(", *tokens, ")")
    return None
