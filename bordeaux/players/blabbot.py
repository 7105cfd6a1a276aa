"""BlabBot: DumbBot with peace negotiations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players.base import Limit, Seat
from bordeaux.players.dumbbot import DumbBot
from bordeaux.players.peacemaker import Peacemaker
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from bordeaux.rules.outcome import survivors


class BlabBot(Peacemaker, DumbBot):
    """BlabBot (John Newbury): DumbBot, as long as it has no friends; without press it never has any.

    From Webb and others (2008), section 2.3.3: it offers peace to all. Centres and units of friends count
    much less. It never doubts a friend, even one that attacks. When all are at peace, its policy `peace` is
    either to ``ignore`` all friendship and play exactly as DumbBot does, or to ask for a draw every turn
    (``draw``).

    Chosen here: "much less" is a quarter. With ``draw`` it continues to play as a friend, and asks all in
    every phase that begins at peace, retreats and Winter included. It accepts every offer of peace, and a
    draw only if it asks for one itself.
    """

    FRIENDLY = 25
    """The weight of a friend's centres and units, in percent."""

    def __init__(self, seat: Seat, *, peace: Literal["ignore", "draw"] = "ignore") -> None:
        super().__init__(seat)
        self.peace = peace
        self._wants_draw = False

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """Orders for every unit, or for every build or removal due."""
        if self.friends:
            map = self.seat.map
            friends = set() if self.peace == "ignore" and self.at_peace(position) else self.friends
            owned = zip(map.centres, position.owners, strict=True)
            self.set_percentages(
                {centre: self.FRIENDLY for centre, owner in owned if owner in friends},
                dict.fromkeys(friends, self.FRIENDLY),
            )
        return super().orders(position, limit)

    def at_peace(self, position: Position) -> bool:
        """Whether all other powers with units or centres are friends."""
        others = {unit.power for unit in position.units} | {owner for owner in position.owners if owner}
        return others - {self.seat.power} <= self.friends

    def welcomes(self, power: str) -> bool:
        """All powers are welcome."""
        return True

    def agrees(self, term: p.Term) -> bool:
        """Whether to accept a proposal: a draw among all, if this player asks for it too."""
        return self._wants_draw and term == p.Draw()

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """Offers of peace; with the policy ``draw``, at peace with all, the request for a draw."""
        yield from super().open_talks(position, level)
        self._wants_draw = self.peace == "draw" and self.at_peace(position)
        others = [power for power in survivors(position) if power != self.seat.power]
        if self._wants_draw and others:
            yield self._write(others, p.Propose(p.Draw()))

    def draw(self) -> tuple[str, ...] | None:
        """A draw of all survivors, if it has asked for one in this phase."""
        return () if self._wants_draw else None
