"""The powers still in the game, and the end of a game (paper 002, section 2.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.position import Position

__all__ = ["Outcome", "eliminated", "outcome", "survivors"]


class Outcome(NamedTuple):
    """The state of a game: `kind` is ``solo``, ``draw`` or ``open``. `powers` are the winner, those who share
    the draw, or those who are still playing."""

    kind: str
    powers: tuple[str, ...]

    def score(self, power: str) -> float:
        """Share of 1 that a power gets: all for a solo, equal shares of a draw, 0 while it is open."""
        if self.kind == "open" or power not in self.powers:
            return 0.0
        return 1.0 / len(self.powers)


def survivors(position: Position) -> tuple[str, ...]:
    """Powers that have a unit, dislodged or not, or a centre."""
    centres = position.centres
    alive = {unit.power for unit in position.units} | {
        dislodged.unit.power for dislodged in position.dislodged
    }
    return tuple(power for power in position.map.powers if power in alive or power in centres)


def eliminated(position: Position) -> tuple[str, ...]:
    """Powers that have neither a unit nor a centre."""
    alive = survivors(position)
    return tuple(power for power in position.map.powers if power not in alive)


def outcome(position: Position, agreed: Iterable[str] = ()) -> Outcome:
    """The state of a game, given the powers that have agreed to end it in a draw.

    A power with more than half of the centres wins. All survivors must agree to a draw; so a game that is
    marked as completed without a winner is a draw of the survivors. Raises BordeauxError if a power that is
    eliminated, or unknown, is among those who agree.
    """
    alive = survivors(position)
    victor = position.victor
    if victor is not None and position.phase.kind in "-AM":
        return Outcome("solo", (victor,))
    consent = {position.map.power(power) for power in agreed}
    for power in consent:
        if power not in alive:
            raise BordeauxError(f"{power} is out of the game and has no say in a draw")
    if position.phase.kind == "-" or (alive and consent >= set(alive)):
        return Outcome("draw", alive)
    return Outcome("open", alive)
