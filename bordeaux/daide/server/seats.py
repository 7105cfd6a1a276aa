"""The connected clients, and the seats of the powers.

A client is unknown until its ``NME``, ``OBS`` or ``IAM`` is accepted. Before a game starts, clients that
want to play have seats without a power. The start assigns the powers at random.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Literal, TypeAlias

from bordeaux.daide.server.guesses import draw_passcodes, homes_with

__all__ = ["ConnectedClient", "PowerSeat", "Seats", "Standing"]

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
