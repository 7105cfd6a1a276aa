"""The state of one game on a server: clients and seats, the clock with its deadlines and warnings, the turns
played, and the effects that are queued for clients."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias

from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide.server.limits import Guesses, draw_passcodes, homes_with
from bordeaux.daide.server.orders import Orders
from bordeaux.daide.server.settings import GameSettings
from bordeaux.daide.tokens import Vocabulary
from bordeaux.daide.translate import mdf_of, names, now_of, sco_of, turn_of
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
        self._heard = -math.inf
        self._requests: dict[int, set[int]] = {}
        self._ending: dict[int, set[int]] = {}
        self._next = math.inf

    @property
    def stopped(self) -> bool:
        """Whether there is a deadline and the clock is stopped."""
        return self._frozen is not None

    def start(self, limit: int | None, now: float) -> None:
        """Begin a turn of so many seconds, or one without a limit."""
        self.limit = limit
        self._frozen = None
        self._ending.clear()
        self._set(None if limit is None else now + limit, now)

    def stop(self, now: float) -> None:
        """Stop the clock. No effect without a deadline, or twice."""
        if self.deadline is not None:
            self._frozen = max(0.0, self.deadline - now)
            self._set(None, now)

    def run(self, now: float) -> None:
        """Continue after `stop`."""
        if self._frozen is not None:
            left, self._frozen = self._frozen, None
            self._set(now + left, now)

    def _set(self, deadline: float | None, now: float) -> None:
        self.deadline = deadline
        self._heard = now
        self._look_ahead()

    def left(self, now: float) -> float | None:
        """The remaining seconds of the turn; None without a deadline."""
        if self._frozen is not None:
            return self._frozen
        return None if self.deadline is None else max(0.0, self.deadline - now)

    def whole_seconds(self, now: float) -> int | None:
        """The remaining seconds for a client: whole ones, rounded down."""
        left = self.left(now)
        return None if left is None else math.floor(left + _ROUNDING)

    def expired(self, now: float) -> bool:
        """Whether the deadline has come."""
        return self.deadline is not None and now >= self.deadline

    def ask(self, client: int, seconds: int) -> bool:
        """Register a warning for a client so many seconds before every deadline; False if it has too many."""
        asked = self._requests.setdefault(client, set())
        ending = self._ending.get(client, set())
        if seconds not in asked and len(asked) >= MOST_WARNINGS:
            return False
        asked.add(seconds)
        ending.discard(seconds)
        self._look_ahead()
        return True

    def cancel(self, client: int, seconds: int | None = None) -> bool:
        """Cancel one such warning, or all of them; False if there is none.

        The present turn keeps its warning: Albert begins to think at one that it has just cancelled, and
        would miss the turn otherwise.
        """
        asked = self._requests.get(client, set())
        gone = asked & {seconds} if seconds is not None else set(asked)
        asked -= gone
        ending = self._ending.setdefault(client, set())
        ending |= set(sorted(gone)[: MOST_WARNINGS - len(ending)])
        self._look_ahead()
        return bool(gone)

    def forget(self, client: int) -> None:
        """A client is gone: it gets no more warnings."""
        if (self._requests.pop(client, None), self._ending.pop(client, None)) != (None, None):
            self._look_ahead()

    def warnings(self, now: float) -> list[tuple[int, int]]:
        """(client, seconds left) of every warning that has come due since the last call.

        A client gets each warning once, with the requested seconds unless they are over.
        """
        if self.deadline is None or now < self._next:
            self._heard = now
            return []
        warnings: dict[int, int] = {}
        left = max(0, math.ceil(self.deadline - now - _ROUNDING))
        for moment, client, seconds in self._moments():
            if moment <= now:
                warnings[client] = min(seconds, left)
        self._heard = now
        self._look_ahead()
        return sorted(warnings.items())

    def wake(self) -> float | None:
        """The next time at which something is due; None if nothing is."""
        return None if self.deadline is None else min(self._next, self.deadline)

    def _look_ahead(self) -> None:
        """Compute when the next warning is due; it is queried far more often than it changes."""
        self._next = min((moment for moment, _, _ in self._moments()), default=math.inf)

    def _moments(self) -> list[tuple[float, int, int]]:
        """(time, client, seconds) of the remaining warnings of this turn.

        A warning for the whole length of the turn is omitted: the turn has begun with it.
        """
        if self.deadline is None or self.limit is None:
            return []
        return sorted(
            (moment, client, seconds)
            for client in self._requests.keys() | self._ending.keys()
            for seconds in self._requests.get(client, set()) | self._ending.get(client, set())
            if seconds < self.limit and (moment := self.deadline - seconds) > self._heard
        )


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


class Replace(NamedTuple):
    """Seat one of our players for a power, by token, whose client is silent. It takes the power over with
    `Game.spare_passcode`."""

    power: str


Effect: TypeAlias = Send | Close | Save | Note | Replace


# A client is unknown until its ``NME``, ``OBS`` or ``IAM`` is accepted. Before a game starts, clients that
# want to play have seats without a power. The start assigns the powers at random.

Standing: TypeAlias = Literal["unknown", "player", "observer"]


@dataclass(slots=True)
class ConnectedClient:
    """One connection, from `address`.

    `name` and `version` come from ``NME``. `ready` says whether it has accepted the map; `greeted` whether it
    was told that the game has begun; `answered` whether it has answered ``LOD``. `guesses` counts its refused
    ``IAM``.
    """

    standing: Standing = "unknown"
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
    the consequences of its silence since. `spare` is the passcode of one of our players that may replace its
    client, `stands_in` whether one does, `replaced` whether one was requested.
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
    spare: int | None = None
    stands_in: bool = False
    replaced: bool = False


@dataclass
class Seats:
    """All clients and, once dealt, all seats, in the order of the map. `wanted` are clients whose power is
    fixed before the deal."""

    clients: dict[int, ConnectedClient] = field(default_factory=dict)
    seats: dict[str, PowerSeat] = field(default_factory=dict)
    wanted: dict[int, str] = field(default_factory=dict)

    def __getitem__(self, power: str) -> PowerSeat:
        return self.seats[power]

    def __iter__(self) -> Iterator[PowerSeat]:
        return iter(self.seats.values())

    @property
    def chairs(self) -> list[int]:
        """Clients that play or want to, in the order of arrival."""
        return [number for number, client in self.clients.items() if client.standing == "player"]

    @property
    def identified(self) -> list[int]:
        """Clients that receive everything: players and observers."""
        return [number for number, client in self.clients.items() if client.standing != "unknown"]

    def arrive(self, number: int, address: str = "") -> None:
        """A client has connected; nothing else is known of it."""
        self.clients[number] = ConnectedClient(address=address)

    def deal(self, powers: Iterable[str], chance: Random) -> None:
        """Give every power a seat with a passcode, and every player its wanted power or a random one."""
        listed = list(powers)
        passcodes = draw_passcodes(len(listed), chance)
        self.seats = {power: PowerSeat(power, code) for power, code in zip(listed, passcodes, strict=True)}
        chance.shuffle(listed)
        left = iter([power for power in listed if power not in self.wanted.values()])
        for number in self.chairs:
            power = self.wanted.get(number) or next(left)
            seat, client = self.seats[power], self.clients[number]
            seat.name, seat.version = client.name, client.version
            self.sit(number, power)

    def sit(self, number: int, power: str) -> None:
        """Let a client play a power."""
        client = self.clients[number]
        client.standing = "player"
        client.power = power
        seat = self.seats[power]
        seat.client = number
        seat.homes = homes_with(seat.homes, client.address)

    def leave(self, number: int) -> PowerSeat | None:
        """Forget a client; returns the seat that it leaves vacant, if any."""
        client = self.clients.pop(number)
        if client.power is None:
            return None
        seat = self.seats[client.power]
        seat.client = None
        return seat


class PlayedTurn(NamedTuple):
    """One turn: the position before it, the legal orders as text by power (names of the map), the words of
    the rules by unit, the ``ORD`` messages, and the position after it."""

    before: Position
    orders: dict[str, list[str]]
    words: dict[str, list[str]]
    results: tuple[d.ORD, ...]
    after: Position

    @property
    def turn(self) -> d.SeasonYear:
        """The turn."""
        return turn_of(self.before.phase)

    @property
    def closing_turn(self) -> d.SeasonYear:
        """The Winter of the year: the turn of ``NOW`` when the game ended with this turn."""
        return d.SeasonYear("WIN", self.before.phase.year)

    @property
    def ownership_settled(self) -> bool:
        """Whether owners of centres were determined after this turn: a Fall without retreats, or
        the retreats of a Fall."""
        phase = self.before.phase
        return phase.season == "F" and (self.after.phase.season, self.after.phase.kind) != ("F", "R")

    @property
    def now(self) -> d.NOW:
        """``NOW`` after the turn."""
        return now_of(self.after, self.closing_turn if self.after.phase.kind == "-" else None)


@dataclass
class History:
    """All turns that have been played, the earliest first."""

    turns: list[PlayedTurn] = field(default_factory=list)

    def add(self, played: PlayedTurn) -> None:
        """Append a turn."""
        self.turns.append(played)

    @property
    def closing_turn(self) -> d.SeasonYear:
        """The turn of ``NOW`` after the last turn played, if that ended the game."""
        return self.turns[-1].closing_turn

    def last_results(self) -> tuple[d.ORD, ...]:
        """``ORD`` of the last movement turn, and of the retreats and adjustments after it."""
        results: tuple[d.ORD, ...] = ()
        for played in reversed(self.turns):
            results = played.results + results
            if played.before.phase.kind == "M":
                break
        return results

    def of(self, turn: d.SeasonYear) -> tuple[d.Message, ...] | None:
        """The answer to ``HST``: the results of a turn, then ``SCO`` and ``NOW`` after it; None for a turn
        that was not played."""
        for played in self.turns:
            if played.turn == turn:
                return (*played.results, sco_of(played.after), played.now)
        return None


State: TypeAlias = Literal["waiting", "running", "over"]


@dataclass
class ServerTable:
    """One game. Raises MapError or FormatError for a map that DAIDE cannot name.

    `state` is waiting (for clients), running or over. `resumed` distinguishes a resumed game from a new one,
    and `loading` is the time until which clients may answer ``LOD``. `now` is the time of the present input,
    `outbox` its effects so far. `letters` is the press delivered so far, in the form of the saved game.
    `begun` is the beginning of the turn, `report` the time for the report on awaited powers. `stand_ins` says
    whether we have players for silent powers.
    """

    settings: GameSettings
    map: Map
    seed: int
    position: Position
    chance: Random = field(init=False)
    vocabulary: Vocabulary = field(init=False)
    definition: d.MDF = field(init=False)
    state: State = "waiting"
    resumed: bool = False
    loading: float | None = None
    seats: Seats = field(default_factory=Seats)
    orders: Orders = field(init=False)
    clock: TurnClock = field(default_factory=TurnClock)
    draws: Draws = field(default_factory=Draws)
    history: History = field(default_factory=History)
    letters: list[dict[str, object]] = field(default_factory=list)
    guesses: Guesses = field(default_factory=Guesses)
    stand_ins: bool = False
    begun: float = 0.0
    report: float = 0.0
    outcome: Outcome | None = None
    now: float = 0.0
    outbox: list[Effect] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = Random(self.seed)
        self.vocabulary = Vocabulary.for_map(self.map)
        self.definition = mdf_of(self.map)
        self.orders = Orders(self.position, self.settings.aoa)

    @property
    def powers(self) -> tuple[str, ...]:
        """The tokens of all powers, in the order of the map."""
        return tuple(names(self.map).powers)

    @property
    def survivors(self) -> tuple[str, ...]:
        """The powers that have not been eliminated."""
        return tuple(seat.power for seat in self.seats if seat.eliminated is None)

    @property
    def turn(self) -> d.SeasonYear:
        """The turn of ``NOW``: after a solo, the Winter that will not be played."""
        if self.position.phase.kind == "-":
            return self.history.closing_turn
        return turn_of(self.position.phase)

    def client(self, number: int) -> ConnectedClient:
        """The data of a client."""
        return self.seats.clients[number]

    def seat(self, number: int) -> PowerSeat | None:
        """The seat of a client; None for one that plays no power (yet)."""
        power = self.seats.clients[number].power
        return None if power is None else self.seats[power]

    def playing(self, number: int) -> PowerSeat | None:
        """The seat of a client that may play; None if it has none, or the game is over.

        A client that has retaken a power of a saved game may act while others are missing: the protocol has
        no such waiting for a client whose connection was broken. Only turns are not played then.
        """
        return None if self.state == "over" else self.seat(number)

    def send(self, number: int, *messages: d.Message | d.Tokens) -> None:
        """Send a message to one client."""
        self.outbox.extend(Send(number, message) for message in messages)

    def tell(self, *messages: d.Message) -> None:
        """Send a message to all players and observers."""
        for message in messages:
            for number in self.seats.identified:
                self.send(number, message)

    def accept(self, number: int, message: d.Message) -> None:
        """Answer a message with YES."""
        self.send(number, d.YES(message))

    def reject(self, number: int, message: d.Message, after: float = 0.0) -> None:
        """Answer a message with REJ, `after` so many seconds."""
        self.outbox.append(Send(number, d.REJ(message), after))

    def note(self, text: str) -> None:
        """Report something to the operator of the server."""
        self.outbox.append(Note(text))

    def close(self, number: int, reason: str) -> None:
        """Close the connection of a client that the table has forgotten."""
        self.outbox.append(Close(number, reason))

    def flush(self) -> list[Effect]:
        """All effects so far; the list is then cleared."""
        effects, self.outbox = self.outbox, []
        return effects
