"""The powers still in the game, draws by agreement, and the end of a game (Hall and Loeb 1995, section
2.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.position import Position


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


# Each power keeps a list of draws that it would accept now, which lapses when the turn is processed. Plain
# ``DRW`` means all survivors at the time when the votes are compared.


class Draws:
    """The draws that each power would accept. Powers may have any names."""

    def __init__(self, votes: Mapping[str, Iterable[Sequence[str]]] | None = None) -> None:
        self._votes: dict[str, set[frozenset[str]]] = {}
        for power, draws in (votes or {}).items():
            for draw in draws:
                self.offer(power, draw)

    def offer(self, power: str, draw: Iterable[str] = ()) -> None:
        """A power would share a draw with these powers, including itself or not; an empty list means all."""
        self._votes.setdefault(power, set()).add(frozenset(draw))

    def withdraw(self, power: str, draw: Iterable[str] = ()) -> None:
        """Withdraw exactly this offer, if it was made: a plain one leaves those with lists."""
        self._votes.get(power, set()).discard(frozenset(draw))

    def clear(self) -> None:
        """Clear all offers: the turn has been processed."""
        self._votes.clear()

    def agreed(self, survivors: Sequence[str]) -> tuple[str, ...] | None:
        """The powers that share the draw which every survivor accepts, in the order given; or None.

        Of several the one with the most powers counts.
        """
        if not all(self._votes.get(power) for power in survivors):
            return None
        everybody = frozenset(survivors)
        common: set[frozenset[str]] | None = None
        for power in survivors:
            accepted = {draw or everybody for draw in self._votes.get(power, ())}
            common = accepted if common is None else common & accepted
        if not common:
            return None
        chosen = max(common, key=lambda draw: (len(draw), sorted(draw)))
        return tuple(power for power in survivors if power in chosen)

    def to_json(self) -> dict[str, list[list[str]]]:
        """The offers as the saved game has them; ``[]`` is a plain one."""
        votes = self._votes.items()
        return {power: sorted(sorted(draw) for draw in draws) for power, draws in votes if draws}
