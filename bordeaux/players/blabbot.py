"""BlabBot: DumbBot that makes peace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players.dumbbot import DumbBot
from bordeaux.players.protocol import Limit, Seat

__all__ = ["BlabBot"]


class BlabBot(DumbBot):
    """BlabBot (John Newbury) as it plays without press: DumbBot, as long as it has no friends.

    From paper 000, section 2.3.3: it offers peace to all; centres and units of friends are taken
    into account a lot less; it never doubts a friend, even one that attacks. When all are at peace,
    its policy `peace` is either to ``ignore`` all friendship and play exactly as DumbBot does, or
    to ask for a draw every turn (``draw``).

    Chosen here: that a lot less is a quarter; that with ``draw`` it plays on as a friend meanwhile.
    Offers and draws are press: whoever handles it tells of friends by `make_peace`.
    """

    FRIENDLY = 25
    """What centres and units of a friend still count, in percent."""

    def __init__(self, seat: Seat, *, peace: Literal["ignore", "draw"] = "ignore") -> None:
        super().__init__(seat)
        self.peace = peace
        self.friends: set[str] = set()

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

    def make_peace(self, power: str) -> None:
        """Take a power, by its full name, for a friend from now on."""
        self.friends.add(power)

    def at_peace(self, position: Position) -> bool:
        """Whether all other powers with units or centres are friends."""
        others = {unit.power for unit in position.units} | {owner for owner in position.owners if owner}
        return others - {self.seat.power} <= self.friends
