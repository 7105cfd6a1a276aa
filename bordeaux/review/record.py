"""Prepares a saved game for a review: positions, readable orders, results."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.phase import order_of_play
from bordeaux.board.pieces import named_map
from bordeaux.board.position import Position
from bordeaux.formats.games import Game, readable


class RecordedPhase(NamedTuple):
    """A phase as played: its number in the game, its first position, and the orders of every power that had
    to give some (empty if it sent none). Also the position after it by the rules."""

    number: int
    before: Position
    orders: Mapping[str, tuple[Order, ...]]
    after: Position


class GameRecord(NamedTuple):
    """The turns of a game, its last position, and the phases that could not be read."""

    map: Map
    turns: tuple[RecordedPhase, ...]
    last: Position
    skipped: tuple[tuple[str, str], ...]

    def movements(self) -> list[RecordedPhase]:
        """The movement phases."""
        return [turn for turn in self.turns if turn.before.phase.kind == "M"]


def read_record(game: Game, map: Map | None = None) -> GameRecord:
    """Read a saved game on its map, or on a given one.

    Phases without any orders at the end of the record are its end, not turns. Raises FormatError for a game
    without a phase and orders that can be read, and for an unknown map.
    """
    board = map or named_map(game.map)
    read: list[tuple[int, Position]] = []
    skipped: list[tuple[str, str]] = []
    for index, phase in enumerate(game.phases):
        try:
            position = game.position(index, board)
        except BordeauxError as error:
            skipped.append((phase.name, str(error)))
            continue
        if read and order_of_play(position.phase) <= order_of_play(read[-1][1].phase):
            skipped.append((phase.name, f"it does not come after {read[-1][1].phase}"))
        else:
            read.append((index, position))
    if not read:
        why = skipped[0][1] if skipped else f"game {quote(game.id)} has no phases"
        raise FormatError(f"nothing to review: {why}")
    turns = []
    for index, position in read:
        if position.phase.kind != "-":
            orders = readable_orders(position, game.phases[index].orders)
            turns.append(RecordedPhase(index, position, orders, position.next(orders)))
    last = read[-1][1]
    if turns and turns[-1].before is last and any(turns[-1].orders.values()):
        last = turns[-1].after
    while turns and not any(turns[-1].orders.values()):
        turns.pop()
    if not turns:
        raise FormatError(f"nothing to review: nobody gave orders in game {quote(game.id)}")
    return GameRecord(board, tuple(turns), last, tuple(skipped))


def readable_orders(position: Position, given: Mapping[str, list[str]]) -> dict[str, tuple[Order, ...]]:
    """The readable orders of all powers that had to give some in a phase; empty for those that sent none."""
    owing = position.orderable()
    orders: dict[str, tuple[Order, ...]] = dict.fromkeys(owing, ())
    for name, texts in given.items():
        with contextlib.suppress(BordeauxError):
            power = position.map.power(name)
            if power in owing:
                orders[power] = tuple(readable(texts, position))
    return orders


def held(position: Position, power: str) -> set[str]:
    """The centres that a power owns."""
    return set(position.centres.get(power, ()))


def owned_after(after: Position, power: str) -> set[str]:
    """The centres of a power after a movement phase, counted as after Fall: those that its units occupy, and
    its own that no other unit occupies. Later retreats are ignored."""
    owned = held(after, power)
    for centre in after.map.centres:
        unit = after.unit_at(centre)
        if unit is not None:
            (owned.add if unit.power == power else owned.discard)(centre)
    return owned
