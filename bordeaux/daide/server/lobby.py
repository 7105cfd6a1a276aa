"""How clients join, take seats, lose them and take them over. LANGUAGE.md, sections 4 and 5.

A new game starts when every seat has a client that has accepted the map. A saved game continues when its
powers have been taken again: by ``IAM`` at once, or by ``NME`` and, after ``LOD``, ``IAM``. Powers that
nobody takes start in civil disorder. The game does not wait for eliminated powers.
"""

from __future__ import annotations

from bordeaux.daide import language as d
from bordeaux.daide.server import idleness, record, turns
from bordeaux.daide.server.limits import same
from bordeaux.daide.server.table import PowerSeat, Save, ServerTable
from bordeaux.daide.translate import NOBODY, now_of, sco_of

#: The number of refused ``IAM`` messages after which a connection is closed.
GUESSES = 5
#: Clients that a report names.
MOST_NAMED = 5
#: Seconds before a refusal is sent; no other message of the client is processed meanwhile.
SLOWNESS = 1.0
#: Seconds that clients have to answer ``LOD``.
ANSWER_SECONDS = 60.0


def arrive(table: ServerTable, number: int, address: str) -> None:
    """A client has connected."""
    table.seats.arrive(number, address)
    if table.state == "waiting" and not table.report:
        idleness.begin(table)


def open_chairs(table: ServerTable) -> int:
    """The number of clients that the game needs before it can start; 0 once it runs."""
    if table.state != "waiting" or table.loading is not None:
        return 0
    if not table.resumed:
        return len(table.map.powers) - len(table.seats.chairs)
    return len(_vacant(table)) - len(_undecided(table))


def _vacant(table: ServerTable) -> list[PowerSeat]:
    """Seats of powers still in the game that no client has."""
    return [seat for seat in table.seats if seat.client is None and seat.eliminated is None]


def _undecided(table: ServerTable) -> list[int]:
    """Clients that want to play and have no power yet."""
    return [number for number in table.seats.chairs if table.client(number).power is None]


def name(table: ServerTable, number: int, message: d.NME) -> None:
    """``NME``: a seat, if one is free and the client has not introduced itself before."""
    client = table.client(number)
    if client.standing != "unknown" or open_chairs(table) <= 0:
        table.reject(number, message)
        return
    client.standing = "player"
    client.name, client.version = message.name, message.version
    table.accept(number, message)
    table.send(number, d.MAP(map_name(table)))


def observe(table: ServerTable, number: int, message: d.OBS) -> None:
    """``OBS``: any client may observe, at any time."""
    client = table.client(number)
    if client.standing != "unknown":
        table.reject(number, message)
        return
    client.standing = "observer"
    table.accept(number, message)
    table.send(number, d.MAP(map_name(table)))


def map_name(table: ServerTable) -> str:
    """The name of the map in the characters that DAIDE allows: letters, digits and ``_``."""
    return "".join(letter if letter.isalnum() else "_" for letter in table.map.name)


def accept_map(table: ServerTable, number: int, message: d.MAP) -> None:
    """``YES (MAP (name))``: the client is ready. No effect with a wrong name, or from an unknown client."""
    client = table.client(number)
    named = message.name or ""
    if client.standing == "unknown" or named.casefold() != map_name(table).casefold():
        return
    client.ready = True
    if table.state != "waiting" and client.standing == "observer" and not client.greeted:
        # An observer that comes late gets what the others have got.
        welcome(table, number)
        table.send(number, sco_of(table.position), now_of(table.position, table.turn))
        _tell_time(table, number)


def _tell_time(table: ServerTable, number: int) -> None:
    left = table.clock.whole_seconds(table.now)
    if left is not None:
        table.send(number, d.NOT(d.TME(left)) if table.clock.stopped else d.TME(left))


def refuse_map(table: ServerTable, number: int, message: d.MAP) -> None:
    """``REJ (MAP (name))``: a client that cannot use the map is dismissed before the game starts."""
    client = table.client(number)
    if table.state == "waiting" and client.standing != "unknown" and client.power is None:
        table.send(number, d.OFF())
        depart(table, number)
        table.close(number, "it does not accept the map")


def welcome(table: ServerTable, number: int) -> None:
    """``HLO``: the power, the passcode and the options; UNO for observers."""
    client, seat = table.client(number), table.seat(number)
    client.greeted = True
    power, passcode = (NOBODY, 0) if seat is None else (seat.power, seat.passcode)
    table.send(number, d.HLO(power, passcode, table.settings.options))


def start_if_ready(table: ServerTable) -> None:
    """Start a new game, ask for ``LOD``, or continue a saved one, if all are ready."""
    if table.state != "waiting":
        return
    chairs = _undecided(table)
    ready = all(table.client(number).ready for number in chairs)
    if not table.resumed:
        if ready and len(chairs) == len(table.map.powers):
            _start(table)
    elif table.loading is not None:
        if not chairs or all(table.client(number).answered for number in chairs):
            go_on(table)
    elif not _vacant(table):
        go_on(table)
    elif ready and open_chairs(table) == 0:
        table.loading = table.now + ANSWER_SECONDS
        for number in chairs:
            _ask_to_load(table, number)


def _ask_to_load(table: ServerTable, number: int) -> None:
    table.send(number, d.LOD(table.settings.save or "game"))


def _start(table: ServerTable) -> None:
    table.seats.deal(table.powers, table.chance)
    turns.mark_eliminated(table, table.position.phase.year)
    _open(table)
    _ask_to_save(table)


def _open(table: ServerTable) -> None:
    """Tell all clients that the game has begun, and start the clock."""
    table.state = "running"
    table.loading = None
    for number in table.seats.identified:
        if not table.client(number).greeted:
            welcome(table, number)
    table.tell(sco_of(table.position), now_of(table.position))
    for seat in _vacant(table):
        seat.disorder = True
        table.tell(d.CCD(seat.power))
    turns.begin(table)
    table.outbox.append(Save(record.saved(table)))


def go_on(table: ServerTable) -> None:
    """Continue a saved game; a client without a power by now is a stranger, who may still take one.

    Clients that were not asked yet get ``LOD`` first: they would not learn of it otherwise.
    """
    if table.state != "waiting" or not table.resumed:
        return
    for number in _undecided(table):
        if table.loading is None:
            _ask_to_load(table, number)
        table.client(number).standing = "unknown"
    _open(table)


def resume_if_late(table: ServerTable) -> None:
    """Continue a saved game when the time for answers to ``LOD`` is over."""
    if table.loading is not None and table.now >= table.loading:
        go_on(table)


def report_if_due(table: ServerTable) -> None:
    """Before the start, report the number of missing players, and the clients that may still become one."""
    if table.state != "waiting" or not table.report or table.now < table.report:
        return
    idleness.report_later(table)
    missing = open_chairs(table)
    may = [
        f"client {number} at {client.address}"
        for number, client in table.seats.clients.items()
        if client.standing == "unknown" or (client.standing == "player" and not client.ready)
    ]
    if missing or may:
        more = f", and {len(may) - MOST_NAMED} more" if len(may) > MOST_NAMED else ""
        still = f"; may still come: {', '.join(may[:MOST_NAMED])}{more}" if may else ""
        so_far = idleness.minutes(table.now - table.begun)
        table.note(f"the game waits for {missing} more to play, {so_far} so far{still}")


def save(table: ServerTable) -> None:
    """Ask all players to save the game (``SVE``), and save it."""
    _ask_to_save(table)
    table.outbox.append(Save(record.saved(table)))


def _ask_to_save(table: ServerTable) -> None:
    for seat in table.seats:
        if seat.client is not None and table.settings.save:
            table.send(seat.client, d.SVE(table.settings.save))


def refuse_load(table: ServerTable, number: int, message: d.LOD) -> None:
    """``REJ (LOD (name))``: the client does not know the game."""
    table.client(number).answered = True


def retake(table: ServerTable, number: int, message: d.IAM) -> None:
    """``IAM``: a vacant seat, for a client with its passcode.

    REJ for a wrong one, a seat that is taken, a client that plays or observes already, and before a new game
    has started. Every refusal counts as a guess and looks the same, so that it does not reveal a correct
    passcode; see `bordeaux.daide.server.limits`. A client with too many guesses is dismissed. The owner of a
    power takes it back from its replacement.
    """
    client = table.client(number)
    seat = table.seats.seats.get(message.power)
    client.answered = True
    if table.state != "running" and not (table.state == "waiting" and table.resumed):
        table.reject(number, message)
        return
    if seat is None or not _may_sit(table, number, seat, message.passcode):
        client.guesses += 1
        last = client.guesses >= GUESSES
        table.reject(number, message, 0.0 if last else SLOWNESS)
        if last:
            depart(table, number)
            table.close(number, f"{GUESSES} times it was refused a power")
        return
    table.seats.sit(number, seat.power)
    client.greeted = True
    table.accept(number, message)
    heard(table, number)


def _may_sit(table: ServerTable, number: int, seat: PowerSeat, passcode: int) -> bool:
    """Whether a client may take a seat; a replacement is dismissed for the owner."""
    client = table.client(number)
    count = seat.power, client.address, seat.homes, table.now
    free = client.standing == "unknown" or (client.standing == "player" and client.power is None)
    allowed = table.guesses.allows(*count)
    owner = same(seat.passcode, passcode)
    stand_in = seat.spare is not None and same(seat.spare, passcode)
    vacant = seat.client is None or (owner and seat.stands_in)
    if allowed and free and vacant and (owner or stand_in):
        table.guesses.forgive(*count)
        if seat.client is not None:
            _dismiss(table, seat.client)
        seat.stands_in = stand_in and not owner
        seat.spare = seat.spare if seat.stands_in else None
        seat.replaced = False
        return True
    seat.guesses += 1
    what = "has guessed too often to be heard about" if not allowed else "gives a wrong passcode for"
    if allowed and (owner or stand_in):
        what = "has the right passcode but may not have" if vacant else "has the right passcode of"
        what += f" {seat.power}" + ("" if vacant else f", which client {seat.client} plays:")
        what += "" if vacant else " a dead link, or somebody else knows it"
    else:
        what += f" {seat.power}"
    if _is_round(seat.guesses):
        table.note(f"client {number} at {client.address} {what} ({seat.guesses} refused so far)")
    return False


def _is_round(count: int) -> bool:
    """Whether a count is logged: every one at first, ever fewer later."""
    return count <= 10 or count % 10 ** (len(str(count)) - 1) == 0


def _dismiss(table: ServerTable, number: int) -> None:
    """Dismiss one of our players: the owner of its power is back."""
    table.send(number, d.OFF())
    table.seats.leave(number)
    table.clock.forget(number)
    table.close(number, "the owner of its power is back")


def heard(table: ServerTable, number: int) -> None:
    """A client has sent a message: its power is no longer in civil disorder."""
    seat = table.playing(number)
    if seat is None:
        return
    seat.heard, seat.warned, seat.idle = table.now, False, False
    if seat.disorder:
        seat.disorder = False
        if seat.eliminated is None:
            table.tell(d.NOT(d.CCD(seat.power)))
        turns.watch_clock(table)


def depart(table: ServerTable, number: int) -> None:
    """A client is gone: its power is in civil disorder until it is taken over."""
    seat = table.seats.leave(number)
    table.clock.forget(number)
    if seat is not None:
        seat.heard, seat.stands_in = table.now, False
    if table.state == "running" and seat is not None and seat.eliminated is None:
        if not seat.disorder:
            seat.disorder = True
            table.tell(d.CCD(seat.power))
        turns.watch_clock(table)
