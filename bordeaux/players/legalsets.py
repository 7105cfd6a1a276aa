"""Sets of legal orders drawn at random, for players that sample."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bordeaux.board.code import unit_of
from bordeaux.board.position import Position

__all__ = ["LegalSets"]


class LegalSets:
    """Draws complete legal sets of orders for one power (by number) in one position of any phase.

    A set is a list of codes of the core: one for each unit that is owed an order, or for each build or
    removal due; builds are not waived while a home is open. All chance is that of `chance`.
    """

    def __init__(self, position: Position, number: int, chance: Random) -> None:
        self._chance = chance
        self._province = [each.province for each in position.map.locations]
        legal = position.packed.legal().get(number, {})
        self._winter = position.phase.kind == "A"
        self._due = abs(position.packed.due(number)) if self._winter else 0
        self.options: dict[int, list[int]] = {}
        for location, codes in legal.items():
            # An army and a fleet to be built in one home are two locations in one province.
            self.options.setdefault(self._province[location], []).extend(codes)

    @property
    def owed(self) -> bool:
        """Whether there is anything to order."""
        return bool(self.options) and not (self._winter and self._due == 0)

    def random(self) -> list[int]:
        """A set in which every order is drawn by itself, all that are legal alike."""
        places: Sequence[list[int]] = list(self.options.values())
        if self._winter:
            places = self._chance.sample(places, self._due)
        return [self._chance.choice(codes) for codes in places]

    def mutated(self, orders: Sequence[int], changes: int) -> list[int]:
        """A set with so many of its orders, or all if it has no more, drawn anew; in Winter another
        place takes the turn of each."""
        found = {self._province[unit_of(code)]: code for code in orders}
        changed = self._chance.sample(list(found), min(changes, len(found)))
        if not self._winter:
            return [
                self._chance.choice(self.options[place]) if place in changed else code
                for place, code in found.items()
            ]
        left = [place for place in self.options if place not in found or place in changed]
        drawn = self._chance.sample(left, len(changed))
        kept = [code for place, code in found.items() if place not in changed]
        return kept + [self._chance.choice(self.options[place]) for place in drawn]
