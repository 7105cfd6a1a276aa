"""The turns played so far: for ``ORD``, ``HST`` and the saved game. LANGUAGE.md, section 7: 3."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide.translate import now_of, sco_of, turn_of

__all__ = ["History", "PlayedTurn"]


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
