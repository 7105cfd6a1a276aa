"""The training data: games split by their id, and the powers of each phase that count.

A game is held out whole or not at all. A power counts in a phase if it sent a legal order there. The orders
that a power without orders would have given are unknown.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.formats.games import Game
from bordeaux.search.sets import from_orders

TRAIN, VALIDATION, TEST = range(3)
PARTS = ("train", "validation", "test")
"""Names of the parts, by number."""


def part_of(game_id: str) -> int:
    """The part of a game: a tenth is TEST and another VALIDATION, by the SHA-256 of the id."""
    remainder = int(hashlib.sha256(game_id.encode()).hexdigest()[:8], 16) % 10
    return TEST if remainder == 0 else VALIDATION if remainder == 1 else TRAIN


class PlayedPhase(NamedTuple):
    """A phase that was played: its `position`, and for every power that sent a legal order, by number, the
    codes of its legal orders, at most one a unit. Units without an order hold or disband."""

    position: Position
    orders: dict[int, bytes]


def played_phases(game: Game, map: Map) -> Iterator[PlayedPhase]:
    """The valid phases of a game, in order."""
    for index, phase in enumerate(game.phases):
        with contextlib.suppress(BordeauxError):
            position = game.position(index, map)
            yield PlayedPhase(position, _legal(position, phase.orders))


def _legal(position: Position, given: Mapping[str, Sequence[str]]) -> dict[int, bytes]:
    """The codes of the legal orders of every power that gave one."""
    orders = {}
    for name, texts in given.items():
        with contextlib.suppress(BordeauxError):
            power = position.map.power(name)
            codes = from_orders(position, power, _readable(position, power, list(texts)))
            if codes:
                orders[position.map.powers.index(power)] = codes
    return orders


def _readable(position: Position, power: str, texts: list[str]) -> list[str]:
    """The readable orders; an unreadable one does not affect the others."""
    with contextlib.suppress(BordeauxError):
        from_orders(position, power, texts)
        return texts
    kept = []
    for text in texts:
        with contextlib.suppress(BordeauxError):
            from_orders(position, power, [text])
            kept.append(text)
    return kept
