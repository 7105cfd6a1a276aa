"""The draw that a bot without a diplomat accepts, so that a game without press can end."""

from __future__ import annotations

from bordeaux.board.position import Position
from bordeaux.daide import language as d

__all__ = ["PlainDraw"]

#: Years without a change of centres after which a draw is proposed.
FROZEN_YEARS = 3
#: A power that needs at most so many centres for a solo is about to win.
NEARLY = 2


class PlainDraw:
    """Decides when a draw of all survivors is acceptable: no centre has changed hands for years, or another
    power is about to win; never if we are."""

    def __init__(self) -> None:
        self._owners: tuple[str | None, ...] = ()
        self._changed = 0

    def notice(self, position: Position) -> None:
        """Process the first position of a phase."""
        if position.owners != self._owners:
            self._owners, self._changed = position.owners, position.phase.year

    def wanted(self, position: Position, power: str) -> d.DRW | None:
        """The draw that a power accepts in a processed position, if any."""
        enough = len(position.map.centres) // 2 + 1 - NEARLY
        winning = [power for power, owned in position.centres.items() if len(owned) >= enough]
        if power in winning:
            return None
        return d.DRW() if winning or position.phase.year - self._changed >= FROZEN_YEARS else None
