"""The game that a server runs, as a state machine without sockets and clock.

Every input comes with the time `now`, in seconds of any monotonic clock. It returns effects: messages to
send, connections to close, a game to save. All random choices come from the seed, so the same inputs give
the same effects. A message is checked in the order of the overview of DAIDE, section 4. The language checks
brackets, syntax and level. Then follow permission at this time, and the countries in press.
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from bordeaux.board.errors import BordeauxError, PositionError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide.server import idleness, lobby, record, requests, turns
from bordeaux.daide.server.settings import GameSettings
from bordeaux.daide.server.table import ConnectedClient, Effect, Refusal, Send, ServerTable
from bordeaux.formats.source import open_source, parse_json, read_text
from bordeaux.formats.whole_files import taken

Handler: TypeAlias = Callable[[ServerTable, int, Any], bool | None]
"""Carries out a message; True: it is answered YES. Raises Refusal: it is answered REJ."""

_HANDLERS: dict[type, Handler] = {
    d.NME: lobby.name,
    d.OBS: lobby.observe,
    d.IAM: lobby.retake,
    d.HLO: requests.greeting,
    d.TME: requests.time,
    d.ADM: requests.talk,
    d.SUB: turns.submit,
    d.MIS: turns.missing,
    d.GOF: turns.go,
    d.DRW: turns.offer_draw,
    d.SND: requests.deliver,
}
# Messages within NOT, YES and REJ. Answers to the server that are not listed change nothing.
_WITHIN: dict[type, dict[type, Handler]] = {
    d.NOT: {
        d.SUB: turns.withdraw,
        d.GOF: turns.wait,
        d.TME: requests.cancel_time,
        d.DRW: turns.withdraw_draw,
    },
    d.YES: {d.MAP: lobby.accept_map},
    d.REJ: {d.MAP: lobby.refuse_map, d.LOD: lobby.refuse_load},
}


class ServerGame(ServerTable):
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
        super().__init__(settings or GameSettings(), board, seed, start)

    @classmethod
    def resume(cls, saved: Mapping[str, Any], map: Map | None = None, **overrides: Any) -> ServerGame:
        """Continue a saved game; its powers wait to be taken again.

        `map` must be given if it is not a bundled one; `overrides` replace fields of the saved settings.
        Raises FormatError for a file that is not a server's saved game, BordeauxError for one that is over.
        """
        return record.restored(cls, saved, map, overrides)

    @property
    def open_chairs(self) -> int:
        """The number of clients that are needed before the game can start or continue."""
        return lobby.open_chairs(self)

    @property
    def vacant(self) -> tuple[str, ...]:
        """Tokens of the powers still in the game that no client plays; none before the start."""
        return tuple(seat.power for seat in self.empty)

    def passcode(self, power: str) -> int:
        """The passcode of a power's token, for one of our players. Raises KeyError."""
        return self.seats[power].passcode

    def standing(self, client: int) -> d.Standing:
        """Whether a client plays (or wants to), observes, or is unknown yet."""
        known = self.clients.get(client)
        return "unknown" if known is None else known.standing

    def dawdles(self, client: int) -> bool:
        """Whether a client delays the start: it has a seat and has not accepted the map."""
        known = self.clients.get(client)
        return known is not None and self.state == "waiting" and known.power is None and not known.ready

    def expects(self, address: str) -> bool:
        """Whether a vacant power was played from an address."""
        vacant = (seat for seat in self.seats.values() if seat.client is None)
        return self.state != "over" and any(address in seat.homes for seat in vacant)

    def who(self, client: int) -> str:
        """A description of a client for a log: ``FRA (TinyBot 0.3)``, ``an observer``."""
        known = self.clients.get(client)
        if known is None or known.standing == "unknown":
            return "a stranger"
        if known.standing == "observer":
            return "an observer"
        return f"{known.power or 'a player'} ({known.name or 'unnamed'} {known.version})".replace(" )", ")")

    def connected(self, client: int, now: float, address: str = "") -> list[Effect]:
        """A client has connected from an address, for which its guesses at passcodes are counted."""
        self._moment(now)
        self.clients[client] = ConnectedClient(address=address)
        return self._effects()

    def lost(self, client: int, now: float) -> list[Effect]:
        """A client's connection has ended, for any reason. No effect for an unknown one."""
        self._moment(now)
        if client in self.clients:
            lobby.depart(self, client)
        return self._effects()

    def received(self, client: int, tokens: d.Tokens, now: float) -> list[Effect]:
        """A message of a client. Messages of a forgotten client have no effect."""
        self._moment(now)
        if client in self.clients:
            lobby.heard(self, client)
            if tokens[:1] not in (("PRN",), ("HUH",)):
                self._answer(client, tokens)
        return self._effects()

    def tick(self, now: float) -> list[Effect]:
        """Time has passed: warnings, deadlines."""
        self._moment(now)
        return self._effects()

    def wake(self, now: float) -> float | None:
        """The next time at which `tick` is due, not before `now`; None if it is not."""
        wakes = (self.clock.wake(), self.loading, idleness.wake(self))
        moments = [wake for wake in wakes if wake is not None]
        return max(now, min(moments)) if moments else None

    def go_on(self, now: float) -> list[Effect]:
        """Continue a saved game although not all powers are taken: the others are in civil disorder.

        No effect unless it is a saved game that waits.
        """
        self._moment(now)
        lobby.go_on(self)
        return self._effects()

    def save(self, now: float) -> list[Effect]:
        """Ask the clients to save (``SVE``), and save the game, if it has started."""
        self._moment(now)
        if self.seats:
            lobby.ask_to_save(self)
            record.save(self)
        return self._effects()

    def off(self, now: float, reason: str = "the server ends") -> list[Effect]:
        """Dismiss all clients (``OFF``), including unknown ones."""
        self._moment(now)
        for client in list(self.clients):
            self.leave(client, reason)
        return self.flush()

    def saved(self) -> dict[str, Any]:
        """The game for a file, ready for JSON, with all data for resuming. Raises BordeauxError before it has
        started."""
        return record.saved(self)

    def _moment(self, now: float) -> None:
        """Advance the time to `now`, never back: what was due before an input is processed before it."""
        if math.isfinite(now):
            self.now = max(self.now, now)
        for client, seconds in self.clock.warnings(self.now):
            self.send(client, d.TME(seconds))
        turns.play_if_late(self)
        lobby.go_on_if_late(self)
        idleness.watch(self)

    def _answer(self, client: int, tokens: d.Tokens) -> None:
        standing = self.clients[client].standing
        if requests.is_impossible_warning(tokens) and standing != "unknown":
            self.send(client, ("YES", "(", *tokens, ")"))
            return
        try:
            message = d.read(tokens, level=self.settings.level, standing=standing, vocabulary=self.vocabulary)
            if self._carry_out(client, message):
                self.send(client, d.YES(message))
        except d.LanguageError as error:
            if error.reply is not None:
                self.send(client, error.reply)
        except Refusal as refusal:
            self.outbox.append(Send(client, d.REJ(message), refusal.after))

    def _carry_out(self, client: int, message: d.Message) -> bool | None:
        match message:
            case d.NOT(inner) | d.YES(inner) | d.REJ(inner):
                handler = _WITHIN[type(message)].get(type(inner))
                return None if handler is None else handler(self, client, inner)
            case d.MAP() | d.MDF() | d.NOW() | d.SCO() | d.ORD() | d.HST():
                self.send(client, *requests.answers(self, message))
                return None
        return _HANDLERS[type(message)](self, client, message)

    def _effects(self) -> list[Effect]:
        """The consequences of the input: the start, a draw, a complete turn; and all effects."""
        lobby.start_if_ready(self)
        turns.end_if_agreed(self)
        turns.play_if_all_in(self)
        return self.flush()


# The file of a server's game: claimed by one program, then opened, or begun anew.


@contextlib.contextmanager
def claimed(path: str | None, option: str) -> Iterator[None]:
    """Lock a file, which need not exist, for the block. Raises BordeauxError if another process holds it.

    The file itself is replaced whenever it is written, so the lock is on another file beside it,
    ``.NAME.lock``, which is removed at the end. It is the system's lock: it ends with our process in any
    case.
    """
    if path is None:
        yield
        return
    target = Path(os.path.realpath(path))
    place = target.with_name(f".{target.name}.lock")
    with contextlib.ExitStack() as stack:
        held = False
        while not held:
            try:
                number = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError as error:
                raise BordeauxError(f"{option}: {path} cannot be locked: {error.strerror or error}") from None
            if not taken(stack.enter_context(os.fdopen(number, "rb"))):
                raise BordeauxError(
                    f"{option}: {path} is in use by another server; name another file, or end that one"
                )
            with contextlib.suppress(FileNotFoundError):  # its last owner may have removed it meanwhile
                held = os.path.samestat(os.fstat(number), place.stat())
        stack.callback(place.unlink, missing_ok=True)  # while it is locked, so that nobody takes it between
        yield


SAVED_NAME = 8
"""Letters that DAIDE allows in the name of a saved game."""


def opened(path: str | None, board: Map | None, seed: int, **given: Any) -> ServerGame:
    """The game in a file, if there is one, or a new one, with the settings that are `given`.

    `board` is needed if the map is not a bundled one. Raises BordeauxError for a file without a game that can
    be continued, and for invalid settings.
    """
    if path is None or not Path(path).exists():
        stem = "" if path is None else Path(path).name.partition(".")[0]
        name = "".join(letter for letter in stem if letter.isascii() and (letter.isalnum() or letter == "_"))
        game = ServerGame(GameSettings(**given, save=name[:SAVED_NAME]), board, seed)
        game.position.map.check_end(game.settings.until, "--until")
        return game
    try:
        with open_source(path) as handle:
            document = parse_json(read_text(handle))
        return ServerGame.resume(document, board, **given)
    except BordeauxError as error:
        raise BordeauxError(f"--save {path}: {error}") from None
