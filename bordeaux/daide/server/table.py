"""The state of one game on a server, and the queue of messages to its clients.

The rules are functions on a `ServerTable`, with a module for each concern, called by
`bordeaux.daide.server.game`. Powers are named by their tokens (``AUS``) here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Literal, TypeAlias

from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide.server.clock import TurnClock
from bordeaux.daide.server.effects import Close, Effect, Note, Send
from bordeaux.daide.server.guesses import Guesses
from bordeaux.daide.server.history import History
from bordeaux.daide.server.orders import Orders
from bordeaux.daide.server.seats import ConnectedClient, PowerSeat, Seats
from bordeaux.daide.server.settings import GameSettings
from bordeaux.daide.tokens import Vocabulary
from bordeaux.daide.translate import mdf_of, names, turn_of
from bordeaux.rules.draw_offers import Draws
from bordeaux.rules.outcome import Outcome

__all__ = ["ServerTable", "State"]

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
