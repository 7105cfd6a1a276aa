"""The interface of a negotiating player, for any carrier of letters: an arena, a DAIDE client, a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from bordeaux.board.position import Position
from bordeaux.press.language.letter import Letter

__all__ = ["Talker"]


@runtime_checkable
class Talker(Protocol):
    """A player that negotiates: in addition to the calls of a player, it is asked for messages.

    In each phase with press `open_talks` comes first, then `hear` for every letter, in one order that is
    common to all powers, and `quiet` whenever no letter is waiting. The talks end when no talker has a
    message, or when their time or the number of messages is used up; then orders are requested. Letters with
    another sender, above the level, to the talker itself, or to eliminated powers are not delivered. Equal
    letters in the same order give equal answers. An exception counts as silence.
    """

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """A phase begins, in which messages up to a level are allowed: the first messages."""

    def hear(self, letter: Letter) -> Iterable[Letter]:
        """A letter has arrived; the answers, to any power."""

    def quiet(self) -> Iterable[Letter]:
        """All letters have been delivered and answered: further messages, if any."""

    def draw(self) -> tuple[str, ...] | None:
        """The powers of the draw that is acceptable in this phase; an empty tuple for all survivors, None for
        no draw. Called after the talks."""
