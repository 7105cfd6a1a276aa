"""The interface of a negotiating player, for any carrier of letters: an arena, a DAIDE client, a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from bordeaux.board.position import Position
from bordeaux.press.language.letter import Letter

__all__ = ["Talker"]


@runtime_checkable
class Talker(Protocol):
    """A player that talks: beside what every player does, it is asked what it has to say.

    In each phase with press `open_talks` comes first, then `hear` for every letter, in one order that is
    common to all powers, and `quiet` whenever nothing is on its way any more. The talks end when all
    keep quiet, or when their time, or what may be said, is used up; orders are asked for after that. Letters
    of other senders than the talker, above the level, or to the talker itself or powers that are out, are
    not delivered. The same letters in the same order give the same answers. An exception counts as silence.
    """

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """A phase begins, in which messages up to a level may be sent: what to say first."""

    def hear(self, letter: Letter) -> Iterable[Letter]:
        """A letter has come; what to answer, to whomever."""

    def quiet(self) -> Iterable[Letter]:
        """All that was said has been heard, and nobody has more to answer: what to say next, if anything."""

    def draw(self) -> tuple[str, ...] | None:
        """The powers that would share the draw which is acceptable in this phase; none named for all
        survivors, None for no draw. Asked after the talks."""
