"""How clients join, take seats, lose them and take them over. LANGUAGE.md, sections 4 and 5.

A new game starts when every seat has a client that has accepted the map. A saved game continues when its
powers have been taken again: by ``IAM`` at once, or by ``NME`` and, after ``LOD``, ``IAM``. Powers that
nobody takes start in civil disorder. The game does not wait for eliminated powers.
"""

from __future__ import annotations

from bordeaux.board.mapmessage import NOBODY
from bordeaux.daide import language as d
from bordeaux.daide.server import record, turns
from bordeaux.daide.server.limits import draw_passcodes, homes_with, same
from bordeaux.daide.server.table import Close, PowerSeat, Refusal, ServerTable
from bordeaux.daide.translate import now_of, sco_of

#: The number of refused ``IAM`` messages after which a connection is closed.
GUESSES = 5
#: Seconds before a refusal is sent; no other message of the client is processed meanwhile.
SLOWNESS = 1.0
#: Seconds that clients have to answer ``LOD``.
ANSWER_SECONDS = 60.0


def open_chairs(table: ServerTable) -> int:
    """The number of clients that the game needs before it can start; 0 once it runs."""
    if table.state != "waiting" or table.loading is not None:
        return 0
    if not table.resumed:
        return len(table.map.powers) - len(table.chairs)
    return len(table.empty) - len(_undecided(table))


def _undecided(table: ServerTable) -> list[int]:
    """Clients that want to play and have no power yet."""
    return [number for number in table.chairs if table.clients[number].power is None]


def name(table: ServerTable, number: int, message: d.NME) -> None:
    """``NME``: a seat, if one is free and the client has not introduced itself before."""
    if open_chairs(table) <= 0:
        raise Refusal
    _introduce(table, number, message, "player")
    table.clients[number].name, table.clients[number].version = message


def observe(table: ServerTable, number: int, message: d.OBS) -> None:
    """``OBS``: any client may observe, at any time."""
    _introduce(table, number, message, "observer")


def _introduce(table: ServerTable, number: int, message: d.NME | d.OBS, standing: d.Standing) -> None:
    client = table.clients[number]
    if client.standing != "unknown":
        raise Refusal
    client.standing = standing
    table.send(number, d.YES(message), d.MAP(map_name(table)))


def map_name(table: ServerTable) -> str:
    """The name of the map in the characters that DAIDE allows: letters, digits and ``_``."""
    return "".join(letter if letter.isalnum() else "_" for letter in table.map.name)


def accept_map(table: ServerTable, number: int, message: d.MAP) -> None:
    """``YES (MAP (name))``: the client is ready. No effect with a wrong name, or from an unknown client."""
    client = table.clients[number]
    named = message.name or ""
    if client.standing == "unknown" or named.casefold() != map_name(table).casefold():
        return
    client.ready = True
    if table.state != "waiting" and client.standing == "observer" and not client.greeted:
        # An observer that comes late gets what the others have got.
        welcome(table, number)
        table.send(number, sco_of(table.position), now_of(table.position, table.turn))
        time = table.clock.time(table.now)
        if time is not None:
            table.send(number, time)


def refuse_map(table: ServerTable, number: int, message: d.MAP) -> None:
    """``REJ (MAP (name))``: a client that cannot use the map is dismissed before the game starts."""
    client = table.clients[number]
    if table.state == "waiting" and client.standing != "unknown" and client.power is None:
        table.leave(number, "it does not accept the map")


def welcome(table: ServerTable, number: int) -> None:
    """``HLO``: the power, the passcode and the options; UNO for observers."""
    seat = table.seat(number)
    table.clients[number].greeted = True
    power, passcode = (NOBODY, 0) if seat is None else (seat.power, seat.passcode)
    table.send(number, d.HLO(power, passcode, table.settings.options))


def start_if_ready(table: ServerTable) -> None:
    """Start a new game, ask for ``LOD``, or continue a saved one, if all are ready."""
    if table.state != "waiting":
        return
    chairs = _undecided(table)
    ready = all(table.clients[number].ready for number in chairs)
    if not table.resumed:
        if ready and len(chairs) == len(table.map.powers):
            _deal(table)
            _open(table)
            ask_to_save(table)
    elif table.loading is not None:
        if all(table.clients[number].answered for number in chairs):
            go_on(table)
    elif not table.empty:
        go_on(table)
    elif ready and open_chairs(table) == 0:
        table.loading = table.now + ANSWER_SECONDS
        for number in chairs:
            table.send(number, d.LOD(table.settings.save or "game"))


def _deal(table: ServerTable) -> None:
    """Give every power a seat with a passcode, and every player its wanted power or a random one."""
    powers = list(table.names.powers)
    passcodes = draw_passcodes(len(powers), table.chance)
    table.seats = {power: PowerSeat(power, code) for power, code in zip(powers, passcodes, strict=True)}
    table.chance.shuffle(powers)
    left = iter([power for power in powers if power not in table.wanted.values()])
    for number in table.chairs:
        seat, client = table.seats[table.wanted.get(number) or next(left)], table.clients[number]
        seat.name, seat.version = client.name, client.version
        _sit(table, number, seat)
    turns.mark_eliminated(table, table.position.phase.year)


def _sit(table: ServerTable, number: int, seat: PowerSeat) -> None:
    """Let a client play a power."""
    client = table.clients[number]
    client.standing, client.power = "player", seat.power
    seat.client = number
    seat.homes = homes_with(seat.homes, client.address)


def _open(table: ServerTable) -> None:
    """Tell all clients that the game has begun, and start the clock."""
    table.state = "running"
    table.loading = None
    for number in table.identified:
        if not table.clients[number].greeted:
            welcome(table, number)
    table.tell(sco_of(table.position), now_of(table.position))
    for seat in table.empty:
        table.disorder(seat)
    turns.begin(table)
    record.save(table)


def go_on(table: ServerTable) -> None:
    """Continue a saved game; a client without a power by now is a stranger, who may still take one.

    Clients that were not asked yet get ``LOD`` first: they would not learn of it otherwise.
    """
    if table.state != "waiting" or not table.resumed:
        return
    for number in _undecided(table):
        if table.loading is None:
            table.send(number, d.LOD(table.settings.save or "game"))
        table.clients[number].standing = "unknown"
    _open(table)


def go_on_if_late(table: ServerTable) -> None:
    """Continue a saved game when the time for answers to ``LOD`` is over."""
    if table.loading is not None and table.now >= table.loading:
        go_on(table)


def ask_to_save(table: ServerTable) -> None:
    """Ask all players to save the game (``SVE``), if it has a name."""
    for seat in table.seats.values():
        if seat.client is not None and table.settings.save:
            table.send(seat.client, d.SVE(table.settings.save))


def refuse_load(table: ServerTable, number: int, message: d.LOD) -> None:
    """``REJ (LOD (name))``: the client does not know the game."""
    table.clients[number].answered = True


def retake(table: ServerTable, number: int, message: d.IAM) -> None:
    """``IAM``: a vacant seat, for a client with its passcode.

    REJ for a wrong one, a seat that is taken, a client that plays or observes already, and before a new game
    has started. Every refusal counts as a guess and looks the same, so that it does not reveal a correct
    passcode; see `bordeaux.daide.server.limits`. A client with too many guesses is dismissed.
    """
    client = table.clients[number]
    client.answered = True
    if table.state == "over" or not table.seats:
        raise Refusal
    seat = table.seats.get(message.power)
    if seat is not None and _may_sit(table, number, seat, message.passcode):
        _sit(table, number, seat)
        client.greeted = True
        table.send(number, d.YES(message))
        heard(table, number)
        return
    client.guesses += 1
    if client.guesses < GUESSES:
        raise Refusal(after=SLOWNESS)
    table.send(number, d.REJ(message))
    depart(table, number)
    table.outbox.append(Close(number, f"{GUESSES} times it was refused a power"))


def _may_sit(table: ServerTable, number: int, seat: PowerSeat, passcode: int) -> bool:
    """Whether a client may take a seat; if not, it is counted and now and then reported."""
    client = table.clients[number]
    count = seat.power, client.address, seat.homes, table.now
    free = client.standing == "unknown" or (client.standing == "player" and client.power is None)
    allowed, right = table.guesses.allows(*count), same(seat.passcode, passcode)
    if allowed and right and free and seat.client is None:
        table.guesses.forgive(*count)
        return True
    seat.guesses += 1
    if seat.guesses <= 10 or seat.guesses % 10 ** (len(str(seat.guesses)) - 1) == 0:
        if not allowed:
            what = f"has guessed too often to be heard about {seat.power}"
        elif not right:
            what = f"gives a wrong passcode for {seat.power}"
        elif seat.client is None:
            what = f"has the right passcode of {seat.power}, but plays or observes already"
        else:
            what = (
                f"has the right passcode of {seat.power}, which client {seat.client} plays: a dead link, or"
            )
            what += " somebody else knows it"
        table.note(f"client {number} at {client.address} {what} ({seat.guesses} refused so far)")
    return False


def heard(table: ServerTable, number: int) -> None:
    """A client has sent a message: its power is no longer in civil disorder."""
    seat = table.seat(number)
    if seat is None or table.state == "over":
        return
    seat.heard, seat.warned, seat.idle = table.now, False, False
    if seat.disorder:
        seat.disorder = False
        if seat.eliminated is None:
            table.tell(d.NOT(d.CCD(seat.power)))
        turns.watch_clock(table)


def depart(table: ServerTable, number: int) -> None:
    """A client is gone: its power is in civil disorder until it is taken over."""
    seat = table.leave(number)
    if table.state == "running" and seat is not None and seat.eliminated is None:
        table.disorder(seat)
        turns.watch_clock(table)
