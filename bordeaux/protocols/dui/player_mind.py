"""Any player behind the protocol: a class or program of a user, for programs that need an engine."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.formats.dson import orders_to_dson
from bordeaux.players import registry
from bordeaux.players.protocol import Player, Seat, Turn
from bordeaux.press.language.letter import Letter
from bordeaux.press.language.talker import Talker
from bordeaux.protocols.dui.mind import GoRequest, Mind, last_lines
from bordeaux.protocols.dui.options import EngineSettings

__all__ = ["PlayerMind"]


@dataclass
class SeatedPlayer:
    """A player in the game, and the position in which its talks were opened."""

    player: Player
    opened: Position | None = None


class PlayerMind(Mind):
    """The player of `spec` in place of the engine, one for each requested power.

    It gets the limit of ``go``, and the seed of the options; it cannot be stopped, and has no lines to show.
    It negotiates if it can and if there is press. Raises BordeauxError for a spec that names no player.
    """

    def __init__(self, spec: str) -> None:
        super().__init__()
        registry.check(spec)
        self._spec = spec
        self._chairs: dict[tuple[Map, str], SeatedPlayer] = {}

    def close(self) -> None:
        """Close the players."""
        super().close()
        chairs = list(self._chairs.values())
        self._chairs.clear()
        for chair in chairs:
            chair.player.close()

    def forget(self) -> None:
        """Begin another game."""
        super().forget()
        self.close()

    def _seated(self, position: Position, power: str, settings: EngineSettings) -> SeatedPlayer:
        key = position.map, power
        if key not in self._chairs:
            self._chairs[key] = SeatedPlayer(
                registry.create(self._spec, Seat(power, position.map, settings.seed))
            )
        return self._chairs[key]

    def observe(self, turn: Turn, settings: EngineSettings) -> None:
        """Tell the players of a phase that was played."""
        for (map, _), chair in self._chairs.items():
            if map is turn.before.map:
                chair.player.observe(turn)

    def search(self, asked: GoRequest, stop: threading.Event) -> Iterator[str]:
        """The lines of the orders of each power, in the form of the engine's answer."""
        request = asked.request
        position = request.position
        texts = {}
        for power in request.powers:
            orders: Iterable[Order | str] = ()
            if position.orderable().get(power):
                chair = self._seated(position, power, asked.settings)
                given = chair.player.orders(position, request.limit)
                orders = (given,) if isinstance(given, str) else tuple(given)
            read = [
                order if isinstance(order, Order) else parse_order(order, position.map, position)
                for order in orders
            ]
            texts[power] = orders_to_dson(read, position.map)
        if asked.infinite:
            stop.wait()
        yield from last_lines(texts)

    # Talks.

    def hear(self, letter: Letter, position: Position, settings: EngineSettings) -> Iterator[str]:
        """The answers to a letter to one power."""
        (power,) = letter.to
        chair = self._seated(position, power, settings)
        if settings.press and isinstance(chair.player, Talker):
            yield from self._said_first(chair, position, settings)
            self._letters.note(letter)
            yield from self._spoken(iter(chair.player.hear(letter)), position)

    def talk(self, power: str, position: Position, settings: EngineSettings) -> Iterator[str]:
        """The messages of a power: first at the beginning of a phase, and then whenever no letter is
        waiting."""
        chair = self._seated(position, power, settings)
        if settings.press and isinstance(chair.player, Talker):
            begun = chair.opened == position
            yield from self._said_first(chair, position, settings)
            if begun:
                yield from self._spoken(iter(chair.player.quiet()), position)

    def draw(self, power: str, position: Position, settings: EngineSettings) -> tuple[str, ...] | None:
        """The draw that a power accepts."""
        player = self._seated(position, power, settings).player
        return player.draw() if isinstance(player, Talker) else None

    def _said_first(self, chair: SeatedPlayer, position: Position, settings: EngineSettings) -> Iterator[str]:
        if chair.opened != position and isinstance(chair.player, Talker):
            chair.opened = position
            yield from self._spoken(iter(chair.player.open_talks(position, settings.press)), position)
