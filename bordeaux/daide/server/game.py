"""The game that a server runs, as a state machine without sockets and clock.

Every input comes with the time `now`, in seconds of any monotonic clock. It returns effects: messages to
send, connections to close, a game to save. All random choices come from the seed, so the same inputs give
the same effects. A message is checked in the order of the overview of DAIDE, section 4. The language checks
brackets, syntax and level. Then follow permission at this time, and the countries in press.
"""

from __future__ import annotations

import contextlib
import fcntl
import math
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from bordeaux.board.errors import BordeauxError, PositionError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide.server import ending, idleness, lobby, record, requests, turns
from bordeaux.daide.server.limits import draw_passcodes
from bordeaux.daide.server.settings import GameSettings
from bordeaux.daide.server.table import Effect, Save, ServerTable, Standing, State
from bordeaux.formats.source import open_source, parse_json, read_text
from bordeaux.rules.outcome import Outcome

Handler: TypeAlias = Callable[[ServerTable, int, Any], None]

_HANDLERS: dict[type, Handler] = {
    d.NME: lobby.name,
    d.OBS: lobby.observe,
    d.IAM: lobby.retake,
    d.MAP: requests.map,
    d.MDF: requests.definition,
    d.HLO: requests.greeting,
    d.NOW: requests.position,
    d.SCO: requests.centres,
    d.ORD: requests.results,
    d.HST: requests.history,
    d.TME: requests.time,
    d.ADM: requests.talk,
    d.SUB: turns.submit,
    d.MIS: turns.missing,
    d.GOF: turns.go,
    d.DRW: ending.offer,
    d.SND: requests.deliver,
}
# Messages within NOT, YES and REJ. Answers to the server that are not listed change nothing.
_TAKING_BACK: dict[type, Handler] = {
    d.SUB: turns.withdraw,
    d.GOF: turns.wait,
    d.TME: requests.cancel_time,
    d.DRW: ending.withdraw,
}
_ACCEPTING: dict[type, Handler] = {d.MAP: lobby.accept_map}
_REFUSING: dict[type, Handler] = {d.MAP: lobby.refuse_map, d.LOD: lobby.refuse_load}

_SILENT = ("PRN", "HUH")


class ServerGame:
    """One game with its clients, which are numbers that the caller assigns and never reuses.

    `settings` are the options, `map` the board (by default the standard one). `seed` determines the powers of
    the players and the passcodes; a public game needs one that cannot be guessed. `position` is the first
    position, by default that of the map. Raises PositionError for one that is over, and MapError or
    FormatError for a map that DAIDE cannot express.
    """

    def __init__(
        self,
        settings: GameSettings | None = None,
        map: Map | None = None,
        seed: int = 0,
        position: Position | None = None,
    ) -> None:
        board = map or (position.map if position else Map.standard())
        start = position or Position.start(board)
        if start.phase.kind == "-":
            raise PositionError("the position is the end of a game; start from an earlier one")
        self._table = ServerTable(settings or GameSettings(), board, seed, start)

    @classmethod
    def resume(cls, saved: Mapping[str, Any], map: Map | None = None, **overrides: Any) -> ServerGame:
        """Continue a saved game; its powers wait to be taken again.

        `map` must be given if it is not a bundled one; `overrides` replace fields of the saved settings.
        Raises FormatError for a file that is not a server's saved game, BordeauxError for one that is over.
        """
        table = record.restored(saved, map)
        if table.state == "over":
            raise BordeauxError("the saved game is over; start a new one")
        table.state = "waiting"
        table.resumed = True
        table.settings = replace(table.settings, **overrides)
        game = cls.__new__(cls)
        game._table = table
        return game

    @property
    def settings(self) -> GameSettings:
        """The options of the game."""
        return self._table.settings

    @property
    def map(self) -> Map:
        """The board."""
        return self._table.map

    @property
    def position(self) -> Position:
        """The position now."""
        return self._table.position

    @property
    def state(self) -> State:
        """``waiting`` for clients, ``running`` or ``over``."""
        return self._table.state

    @property
    def outcome(self) -> Outcome | None:
        """The result of the game; None before the end."""
        return self._table.outcome

    @property
    def open_chairs(self) -> int:
        """The number of clients that are needed before the game can start or continue."""
        return lobby.open_chairs(self._table)

    @property
    def vacant(self) -> tuple[str, ...]:
        """Tokens of the powers still in the game that no client plays; none before the start."""
        seats = self._table.seats
        return tuple(seat.power for seat in seats if seat.client is None and seat.eliminated is None)

    def passcode(self, power: str) -> int:
        """The passcode of a power's token, for one of our players. Raises KeyError."""
        return self._table.seats[power].passcode

    def spare_passcode(self, power: str) -> int:
        """A passcode with which one of our players may replace a power's client, by token, until its owner
        comes back. Raises KeyError."""
        seat = self._table.seats[power]
        if seat.spare is None:
            drawn = draw_passcodes(2, self._table.chance)
            seat.spare = next(code for code in drawn if code != seat.passcode)
        return seat.spare

    def replace_silent(self) -> None:
        """Replace silent powers by our players (`Replace`), with the setting `idle`."""
        self._table.stand_ins = True

    def standing(self, client: int) -> Standing:
        """Whether a client plays (or wants to), observes, or is unknown yet."""
        known = self._table.seats.clients.get(client)
        return "unknown" if known is None else known.standing

    def dawdles(self, client: int) -> bool:
        """Whether a client delays the start: it has a seat and has not accepted the map."""
        table = self._table
        known = table.seats.clients.get(client)
        return known is not None and table.state == "waiting" and known.power is None and not known.ready

    def expects(self, address: str) -> bool:
        """Whether a vacant power was played from an address."""
        if self._table.state == "over":
            return False
        return any(seat.client is None and address in seat.homes for seat in self._table.seats)

    def who(self, client: int) -> str:
        """A description of a client for a log: ``FRA (TinyBot 0.3)``, ``an observer``."""
        known = self._table.seats.clients.get(client)
        if known is None or known.standing == "unknown":
            return "a stranger"
        if known.standing == "observer":
            return "an observer"
        return f"{known.power or 'a player'} ({known.name or 'unnamed'} {known.version})".replace(" )", ")")

    def connected(self, client: int, now: float, address: str = "") -> list[Effect]:
        """A client has connected from an address, for which its guesses at passcodes are counted."""
        self._moment(now)
        lobby.arrive(self._table, client, address)
        return self._effects()

    def lost(self, client: int, now: float) -> list[Effect]:
        """A client's connection has ended, for any reason. No effect for an unknown one."""
        self._moment(now)
        if client in self._table.seats.clients:
            lobby.depart(self._table, client)
        return self._effects()

    def received(self, client: int, tokens: d.Tokens, now: float) -> list[Effect]:
        """A message of a client. Messages of a forgotten client have no effect."""
        self._moment(now)
        table = self._table
        known = table.seats.clients.get(client)
        if known is None:
            return self._effects()
        lobby.heard(table, client)
        if tokens and tokens[0] in _SILENT:
            return self._effects()
        odd = requests.answer_to(tokens, known.standing)
        if odd is not None:
            table.send(client, odd)
            return self._effects()
        try:
            message = d.read(
                tokens,
                side="client",
                level=table.settings.level,
                standing=known.standing,
                vocabulary=table.vocabulary,
            )
        except d.LanguageError as error:
            if error.reply is not None:
                table.send(client, error.reply)
        else:
            _handle(table, client, message)
        return self._effects()

    def tick(self, now: float) -> list[Effect]:
        """Time has passed: warnings, deadlines."""
        self._moment(now)
        return self._effects()

    def wake(self, now: float) -> float | None:
        """The next time at which `tick` is due, not before `now`; None if it is not."""
        table = self._table
        wakes = (table.clock.wake(), table.loading, idleness.wake(table))
        moments = [wake for wake in wakes if wake is not None]
        return max(now, min(moments)) if moments else None

    def go_on(self, now: float) -> list[Effect]:
        """Continue a saved game although not all powers are taken: the others are in civil disorder.

        No effect unless it is a saved game that waits.
        """
        self._moment(now)
        lobby.go_on(self._table)
        return self._effects()

    def save(self, now: float) -> list[Effect]:
        """Ask the clients to save (``SVE``), and save the game, which must have started."""
        self._moment(now)
        if self._table.seats.seats:
            lobby.save(self._table)
        return self._effects()

    def off(self, now: float, reason: str = "the server ends") -> list[Effect]:
        """Dismiss all clients (``OFF``), including unknown ones."""
        self._moment(now)
        table = self._table
        for client in list(table.seats.clients):
            table.send(client, d.OFF())
        for client in list(table.seats.clients):
            table.seats.leave(client)
            table.clock.forget(client)
            table.close(client, reason)
        return table.flush()

    def saved(self) -> dict[str, Any]:
        """The game for a file, ready for JSON, with all data for resuming. Raises BordeauxError before it has
        started."""
        return record.saved(self._table)

    def _moment(self, now: float) -> None:
        """Advance the time to `now`, never back: what was due before an input is processed before it."""
        table = self._table
        if math.isfinite(now):
            table.now = max(table.now, now)
        for client, seconds in table.clock.warnings(table.now):
            table.send(client, d.TME(seconds))
        turns.play_if_late(table)
        lobby.resume_if_late(table)
        lobby.report_if_due(table)
        idleness.watch(table)

    def _effects(self) -> list[Effect]:
        """The consequences of the input: the start, a draw, a complete turn; and all effects."""
        table = self._table
        lobby.start_if_ready(table)
        if table.state == "running":
            outcome = ending.agreed(table)
            if outcome is not None:
                ending.end(table, outcome)
                table.outbox.append(Save(record.saved(table)))
        turns.play_if_all_in(table)
        return table.flush()


def _handle(table: ServerTable, client: int, message: d.Message) -> None:
    match message:
        case d.NOT(inner):
            _TAKING_BACK[type(inner)](table, client, inner)
        case d.YES(inner):
            _ACCEPTING.get(type(inner), _ignore)(table, client, inner)
        case d.REJ(inner):
            _REFUSING.get(type(inner), _ignore)(table, client, inner)
        case _:
            _HANDLERS[type(message)](table, client, message)


def _ignore(table: ServerTable, client: int, message: d.Message) -> None:
    """Answers to ``SVE``, and refusals of messages that cannot be refused, have no effect."""


# The file of a server's game: claimed by one program, then opened, or begun anew.

MOST_TRIES = 10
"""The number of attempts if a lock disappears while it is taken, because its owner ends."""
LONGEST_OWNER = 20


@contextlib.contextmanager
def claimed(path: str | None, option: str) -> Iterator[None]:
    """Lock a file, which need not exist, for the block. Raises BordeauxError if another process holds it.

    The file itself is replaced whenever it is written, so the lock is on another file beside it,
    ``.NAME.lock``, which is removed at the end. It is the system's lock: it ends with our process in any
    case. On file systems without locks, there is none.
    """
    if path is None:
        yield
        return
    target = Path(os.path.realpath(path))
    place = target.with_name(f".{target.name}.lock")
    handle = _take(place, f"{option}: {path}")
    try:
        yield
    finally:
        if handle is not None:
            # While it is still locked, so that nobody takes it between.
            with contextlib.suppress(OSError):
                place.unlink()
            os.close(handle)


def _take(place: Path, what: str) -> int | None:
    """The locked file; None on file systems without locks."""
    for _ in range(MOST_TRIES):
        try:
            handle = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise BordeauxError(f"{what} cannot be locked: {error.strerror or error}") from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(handle, LONGEST_OWNER).decode("ascii", "replace").strip()
            os.close(handle)
            who = f"process {owner}" if owner.isdigit() else "another process"
            raise BordeauxError(f"{what} is in use by {who}; name another file, or end that one") from None
        except OSError:
            os.close(handle)
            return None
        if _is_still(handle, place):
            try:
                os.truncate(handle, 0)
                os.write(handle, f"{os.getpid()}\n".encode())
            except OSError as error:
                place.unlink(missing_ok=True)
                os.close(handle)
                raise BordeauxError(f"{what} cannot be written: {error.strerror or error}") from None
            return handle
        os.close(handle)
    raise BordeauxError(f"{what} is in use by others; name another file")


def _is_still(handle: int, place: Path) -> bool:
    """Whether the locked file is still the one in the folder: its last owner may have removed it."""
    try:
        return os.path.samestat(os.fstat(handle), place.stat())
    except OSError:
        return False


SAVED_NAME = 8
"""Letters that DAIDE allows in the name of a saved game."""


def opened(path: str | None, board: Map | None, seed: int, **given: Any) -> ServerGame:
    """The game in a file, if there is one, or a new one, with the settings that are `given`.

    `board` is needed if the map is not a bundled one. Raises BordeauxError for a file without a game that can
    be continued, and for invalid settings.
    """
    if path is None or not Path(path).exists():
        name = "" if path is None else "".join(filter(_allowed, Path(path).name.partition(".")[0]))
        return ServerGame(GameSettings(**given, save=name[:SAVED_NAME]), board, seed)
    try:
        with open_source(path) as handle:
            document = parse_json(read_text(handle))
        return ServerGame.resume(document, board, **given)
    except BordeauxError as error:
        raise BordeauxError(f"--save {path}: {error}") from None


def _allowed(letter: str) -> bool:
    """Whether DAIDE allows a letter in the name of a saved game."""
    return letter.isascii() and (letter.isalnum() or letter == "_")
