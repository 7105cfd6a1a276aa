"""The state of one game on a server: clients and seats, the clock with its deadlines and warnings, the turns
played, and the effects that are queued for clients."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias

from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide.server.limits import Guesses
from bordeaux.daide.server.orders import Orders
from bordeaux.daide.server.settings import GameSettings
from bordeaux.daide.tokens import Vocabulary
from bordeaux.daide.translate import mdf_of, names, turn_of
from bordeaux.rules.outcome import Draws, Outcome

#: The number of warnings before each deadline that a client may request.
MOST_WARNINGS = 64
# The rounding error of sums of seconds.
_ROUNDING = 1e-6


class TurnClock:
    """The end of the turn, and the clients that want warnings.

    `limit` is the length of the turn in seconds, None without a deadline. `deadline` is the end of the turn,
    None while the clock does not run.
    """

    def __init__(self) -> None:
        self.limit: int | None = None
        self.deadline: float | None = None
        self._frozen: float | None = None
        self._asked: defaultdict[int, set[int]] = defaultdict(set)
        # Those of the present turn: one that is cancelled is given once more. Albert begins to think at a
        # warning that it has just cancelled, and would miss the turn otherwise.
        self._present: defaultdict[int, set[int]] = defaultdict(set)
        self._told = 0.0
        self._next = -math.inf

    @property
    def stopped(self) -> bool:
        """Whether there is a deadline and the clock is stopped."""
        return self._frozen is not None

    def start(self, limit: int | None, now: float) -> None:
        """Begin a turn of so many seconds, or one without a limit."""
        self.limit, self._frozen = limit, None
        self.deadline = None if limit is None else now + limit
        self._present = defaultdict(set, {client: set(asked) for client, asked in self._asked.items()})
        self._told = limit or 0.0  # a warning for the whole turn is omitted: the turn begins with it
        self._look_ahead()

    def stop(self, now: float) -> None:
        """Stop the clock. No effect without a deadline, or twice."""
        if self.deadline is not None:
            self._frozen, self.deadline = max(0.0, self.deadline - now), None

    def run(self, now: float) -> None:
        """Continue after `stop`."""
        if self._frozen is not None:
            self.deadline, self._frozen = now + self._frozen, None

    def left(self, now: float) -> float | None:
        """The remaining seconds of the turn; None without a deadline."""
        if self._frozen is not None:
            return self._frozen
        return None if self.deadline is None else max(0.0, self.deadline - now)

    def time(self, now: float) -> d.TME | d.NOT | None:
        """What a client is told: whole seconds, rounded down, within ``NOT`` while the clock is stopped."""
        left = self.left(now)
        if left is None:
            return None
        time = d.TME(math.floor(left + _ROUNDING))
        return d.NOT(time) if self.stopped else time

    def ask(self, client: int, seconds: int) -> bool:
        """Register a warning for a client so many seconds before every deadline; False if it has too many."""
        for asked in (self._asked[client], self._present[client]):
            if seconds in asked or len(asked) < MOST_WARNINGS:
                asked.add(seconds)
        self._look_ahead()
        return seconds in self._asked[client]

    def cancel(self, client: int, seconds: int | None) -> bool:
        """Cancel one such warning from the next turn on, or all of them; False if there is none."""
        asked = self._asked[client]
        gone = set(asked) if seconds is None else asked & {seconds}
        asked -= gone
        return bool(gone)

    def forget(self, client: int) -> None:
        """A client is gone: it gets no more warnings."""
        self._asked.pop(client, None)
        if self._present.pop(client, None):
            self._look_ahead()

    def warnings(self, now: float) -> list[tuple[int, int]]:
        """(client, seconds left) of every warning that has come due since the last call.

        A client gets each warning once, with the requested seconds unless they are over.
        """
        left, told = self.left(now), self._told
        if left is None:
            return []
        self._told = left
        if self.deadline is None or left > self._next + _ROUNDING:
            return []
        self._look_ahead()
        due = {
            client: [each for each in asked if left <= each + _ROUNDING < told]
            for client, asked in self._present.items()
        }
        return sorted(
            (client, min(*asked, math.ceil(left - _ROUNDING))) for client, asked in due.items() if asked
        )

    def wake(self) -> float | None:
        """The next time at which something is due; None if nothing is."""
        return None if self.deadline is None else self.deadline - max(0.0, self._next)

    def _look_ahead(self) -> None:
        """Compute the next warning, in seconds left: it is queried far more often than it changes."""
        asked = (each for asked in self._present.values() for each in asked if each + _ROUNDING < self._told)
        self._next = max(asked, default=-math.inf)


class Send(NamedTuple):
    """Send a message, a value of `bordeaux.daide.language`, to a client; `after` so many seconds, in which
    its messages are not read."""

    client: int
    message: Any
    after: float = 0.0


class Close(NamedTuple):
    """Close the connection of a client, after earlier messages to it; `reason` is one sentence for the log.
    The game has forgotten the client already."""

    client: int
    reason: str


class Save(NamedTuple):
    """Save the game, ready for JSON."""

    game: dict[str, Any]


class Note(NamedTuple):
    """Report something to the operator of the server, in one sentence."""

    text: str


Effect: TypeAlias = Send | Close | Save | Note
State: TypeAlias = Literal["waiting", "running", "over"]


@dataclass(slots=True)
class ConnectedClient:
    """One connection, from `address`.

    It is unknown until its ``NME``, ``OBS`` or ``IAM`` is accepted; players have no `power` before the start.
    `name` and `version` come from ``NME``. `ready` says whether it has accepted the map; `greeted` whether it
    was told that the game has begun; `answered` whether it has answered ``LOD``. `guesses` counts its refused
    ``IAM``.
    """

    standing: d.Standing = "unknown"
    power: str | None = None
    name: str = ""
    version: str = ""
    ready: bool = False
    greeted: bool = False
    answered: bool = False
    guesses: int = 0
    address: str = ""


@dataclass(slots=True)
class PowerSeat:
    """The seat of a power (a token): its passcode, the client that plays it (None: vacant), and the name and
    version of its first program. It also says whether the power is in civil disorder, whether it wants to
    wait for the deadline (``NOT (GOF)``), and the year in which it lost its last centre.

    `homes` are the addresses and networks from which it was played, `guesses` the number of refused ``IAM``
    for it. `heard` is the time of its client's last message, or of that client's end. `warned` and `idle` are
    the consequences of its silence since.
    """

    power: str
    passcode: int
    name: str = ""
    version: str = ""
    client: int | None = None
    disorder: bool = False
    waits: bool = False
    eliminated: int | None = None
    homes: list[str] = field(default_factory=list)
    guesses: int = 0
    heard: float = 0.0
    warned: bool = False
    idle: bool = False


class PlayedTurn(NamedTuple):
    """One turn: the position before it, the legal orders as text by power (names of the map), the words of
    the rules by unit, the ``ORD`` messages, and the position after it."""

    before: Position
    orders: dict[str, list[str]]
    words: dict[str, list[str]]
    results: tuple[d.ORD, ...]
    after: Position

    @property
    def next_turn(self) -> d.SeasonYear:
        """The turn of ``NOW`` after this one: after a solo, the Winter that will not be played."""
        if self.after.phase.kind == "-":
            return d.SeasonYear("WIN", self.before.phase.year)
        return turn_of(self.after.phase)

    @property
    def ownership_settled(self) -> bool:
        """Whether owners of centres were determined after this turn: a Fall without retreats, or
        the retreats of a Fall."""
        phase = self.before.phase
        return phase.season == "F" and (self.after.phase.season, self.after.phase.kind) != ("F", "R")


class Refusal(Exception):
    """A client may not do this now: the answer is REJ, after `after` seconds."""

    def __init__(self, after: float = 0.0) -> None:
        self.after = after


@dataclass(eq=False)
class ServerTable:
    """One game. Raises MapError or FormatError for a map that DAIDE cannot name.

    `state` is waiting (for clients), running or over. `resumed` distinguishes a resumed game from a new one,
    and `loading` is the time until which clients may answer ``LOD``. `clients` are all by number, `seats` all
    by the tokens of the powers, once they are dealt, and `wanted` clients whose power is fixed before. `now`
    is the time of the present input, `outbox` its effects so far. `letters` is the press delivered so far, in
    the form of the saved game. `began` is the beginning of the turn, `report` the time for the report on
    awaited powers.
    """

    settings: GameSettings
    map: Map
    seed: int
    position: Position
    state: State = "waiting"
    resumed: bool = False
    loading: float | None = None
    clients: dict[int, ConnectedClient] = field(default_factory=dict)
    seats: dict[str, PowerSeat] = field(default_factory=dict)
    wanted: dict[int, str] = field(default_factory=dict)
    clock: TurnClock = field(default_factory=TurnClock)
    draws: Draws = field(default_factory=Draws)
    history: list[PlayedTurn] = field(default_factory=list)
    letters: list[dict[str, object]] = field(default_factory=list)
    guesses: Guesses = field(default_factory=Guesses)
    began: float = 0.0
    report: float = 0.0
    outcome: Outcome | None = None
    now: float = 0.0
    outbox: list[Effect] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = Random(self.seed)
        self.names = names(self.map)
        self.vocabulary = Vocabulary.for_map(self.map)
        self.definition = mdf_of(self.map)
        self.orders = Orders(self.position, self.settings.aoa)

    @property
    def survivors(self) -> tuple[str, ...]:
        """The powers that have not been eliminated."""
        return tuple(seat.power for seat in self.seats.values() if seat.eliminated is None)

    @property
    def turn(self) -> d.SeasonYear:
        """The turn of ``NOW``."""
        phase = self.position.phase
        return self.history[-1].next_turn if phase.kind == "-" else turn_of(phase)

    @property
    def chairs(self) -> list[int]:
        """Clients that play or want to, in the order of arrival."""
        return [number for number, client in self.clients.items() if client.standing == "player"]

    @property
    def identified(self) -> list[int]:
        """Clients that receive everything: players and observers."""
        return [number for number, client in self.clients.items() if client.standing != "unknown"]

    @property
    def empty(self) -> list[PowerSeat]:
        """Seats of powers still in the game that no client has."""
        return [seat for seat in self.seats.values() if seat.client is None and seat.eliminated is None]

    def seat(self, number: int) -> PowerSeat | None:
        """The seat of a client; None for one that plays no power (yet)."""
        power = self.clients[number].power
        return None if power is None else self.seats[power]

    def playing(self, number: int) -> PowerSeat:
        """The seat of a client that may play. Raises Refusal if it has none, or the game is over.

        A client that has retaken a power of a saved game may act while others are missing: the protocol has
        no such waiting for a client whose connection was broken. Only turns are not played then.
        """
        seat = self.seat(number)
        if seat is None or self.state == "over":
            raise Refusal
        return seat

    def leave(self, number: int, reason: str = "") -> PowerSeat | None:
        """Forget a client; returns the seat that it leaves vacant, if any. With a `reason` its connection is
        closed, after ``OFF``."""
        seat = self.seat(number)
        del self.clients[number]
        self.clock.forget(number)
        if seat is not None:
            seat.client, seat.heard = None, self.now
        if reason:
            self.send(number, d.OFF())
            self.outbox.append(Close(number, reason))
        return seat

    def send(self, number: int, *messages: d.Message | d.Tokens) -> None:
        """Send messages to one client."""
        self.outbox.extend(Send(number, message) for message in messages)

    def tell(self, *messages: d.Message) -> None:
        """Send messages to all players and observers."""
        for message in messages:
            for number in self.identified:
                self.send(number, message)

    def disorder(self, seat: PowerSeat) -> None:
        """A power is in civil disorder, which is told once."""
        if not seat.disorder:
            seat.disorder = True
            self.tell(d.CCD(seat.power))

    def note(self, text: str) -> None:
        """Report something to the operator of the server."""
        self.outbox.append(Note(text))

    def flush(self) -> list[Effect]:
        """All effects so far; the list is then cleared."""
        effects, self.outbox = self.outbox, []
        return effects
