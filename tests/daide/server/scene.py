"""A game with clients in few lines: they speak DAIDE text, and hear it."""

from __future__ import annotations

from typing import Any

from bordeaux import Map, Position
from bordeaux.daide import language as d
from bordeaux.daide.server import Close, Effect, GameSettings, Note, Save, Send, ServerGame
from bordeaux.daide.translate import names
from bordeaux.formats.daide import position_from_daide

__all__ = ["Scene", "place"]


class Scene:
    """A game, the moment, and what every client has heard since the last thing that somebody did.

    Clients go by number, or by the token of the power that they play.
    """

    def __init__(self, game: ServerGame) -> None:
        self.game = game
        self.now = 0.0
        self.heard: dict[int, list[str]] = {}
        self.values: dict[int, list[Any]] = {}
        self.saves: list[dict[str, Any]] = []
        self.closed: dict[int, str] = {}
        self.notes: list[str] = []
        self.of: dict[str, int] = {}
        self.codes: dict[str, int] = {}
        self.last = 0

    @classmethod
    def waiting(cls, seed: int = 1, position: Position | None = None, **options: Any) -> Scene:
        """A new game without clients."""
        return cls(ServerGame(GameSettings(**options), seed=seed, position=position))

    @classmethod
    def started(
        cls, seed: int = 1, position: Position | None = None, observers: int = 0, **options: Any
    ) -> Scene:
        """A game that has just begun, with a client for every power."""
        scene = cls.waiting(seed, position, **options)
        for _ in range(observers):
            scene.enter("OBS")
        scene.fill()
        return scene

    def join(self, address: str = "") -> int:
        """A new client; its number."""
        self.last += 1
        self.heard[self.last] = []
        self.take(self.game.connected(self.last, self.now, address))
        return self.last

    def enter(self, greeting: str, address: str = "") -> int:
        """A new client that says who it is and accepts the map; its number."""
        client = self.join(address)
        self.say(client, greeting)
        self.say(client, f"YES (MAP ('{self.game.map.name}'))")
        return client

    def fill(self, address: str = "") -> None:
        """A player that accepts the map for every open chair."""
        for _ in range(self.game.open_chairs):
            self.enter(f"NME ('Bot{self.last + 1}') ('1.{self.last + 1}')", address)

    def take(self, effects: list[Effect]) -> None:
        """Let effects happen."""
        self.heard = {client: [] for client in self.heard}
        self.values = {client: [] for client in self.heard}
        for effect in effects:
            match effect:
                case Send(client, message):
                    assert client not in self.closed, f"a message to a client that is gone: {message}"
                    self.heard[client].append(d.text(message))
                    self.values[client].append(message)
                    if isinstance(message, d.HLO) and message.power not in (None, "UNO"):
                        assert message.passcode is not None
                        self.of[message.power] = client
                        self.codes[message.power] = message.passcode
                case Close(client, reason):
                    self.closed[client] = reason
                case Save(game):
                    self.saves.append(game)
                case Note(text):
                    self.notes.append(text)

    def number(self, who: int | str) -> int:
        return self.of[who] if isinstance(who, str) else who

    def say(self, who: int | str, text: str) -> list[str]:
        """A client sends a message; what it hears of it."""
        client = self.number(who)
        self.take(self.game.received(client, d.tokens_from_text(text), self.now))
        return self.heard[client]

    def hears(self, who: int | str) -> list[str]:
        return self.heard[self.number(who)]

    def drop(self, who: int | str) -> None:
        """A client's connection is lost."""
        self.take(self.game.lost(self.number(who), self.now))

    def wait(self, seconds: float) -> None:
        """Time passes, and the game is woken up whenever it wants to be."""
        until = self.now + seconds
        heard: dict[int, list[str]] = {client: [] for client in self.heard}
        while True:
            wake = self.game.wake(self.now)
            self.now = until if wake is None else min(wake, until)
            self.take(self.game.tick(self.now))
            for client, messages in self.heard.items():
                heard[client] += messages
            if self.now >= until:
                break
        self.heard = heard

    def hold(self, *powers: str, but: tuple[str, ...] = ()) -> None:
        """Let powers order whatever is dull: holds, disbands, waives, the first removals; until the turn
        is played."""
        turn = self.game.position
        for power in powers or tuple(self.of):
            if power not in but and self.game.position is turn:
                self.say(power, "MIS")
                orders = dull(self.values[self.of[power]][0], power, self.game.position)
                if orders:
                    self.say(power, f"SUB {orders}")


def dull(missing: d.MIS, power: str, position: Position) -> str:
    """Orders for what is missing."""
    if missing.units is not None:
        verb = "HLD" if position.phase.kind == "M" else "DSB"
        return " ".join(f"(({unit.unit}) {verb})" for unit in missing.units)
    if missing.number is None:
        return ""
    if missing.number < 0:
        return f"({power} WVE)" * -missing.number
    name = position.map.power(power)
    first = position.units_of(name)[: missing.number]
    known = names(position.map)
    return " ".join(f"(({known.unit_value(unit)}) REM)" for unit in first)


def place(text: str) -> Position:
    """The position of NOW and SCO in text, on the standard map."""
    return position_from_daide(text, Map.standard())
