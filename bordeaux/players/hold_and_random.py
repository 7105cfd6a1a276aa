"""The two weakest players: one draws random legal sets of orders, one never moves."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bordeaux.board.code import unit_of
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.players.base import Chair, Limit, decoded


class LegalSets:
    """Draws complete legal sets of orders for one power (by number) in one position of any phase. A set is a
    list of codes of the core: one for each unit that needs an order, or for each build or removal due; builds
    are not waived while a home is open. `chance` is the only random generator."""

    def __init__(self, position: Position, number: int, chance: Random) -> None:
        self._chance = chance
        self._province = [location.province for location in position.map.locations]
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
        """A set of independent orders, uniform over the legal ones."""
        places: Sequence[list[int]] = list(self.options.values())
        if self._winter:
            places = self._chance.sample(places, self._due)
        return [self._chance.choice(codes) for codes in places]

    def mutated(self, orders: Sequence[int], changes: int) -> list[int]:
        """A set with a number of its orders redrawn (all if it has no more); in Winter another place replaces
        each."""
        by_province = {self._province[unit_of(code)]: code for code in orders}
        changed = self._chance.sample(list(by_province), min(changes, len(by_province)))
        if not self._winter:
            return [
                self._chance.choice(self.options[place]) if place in changed else code
                for place, code in by_province.items()
            ]
        left = [place for place in self.options if place not in by_province or place in changed]
        drawn = self._chance.sample(left, len(changed))
        kept = [code for place, code in by_province.items() if place not in changed]
        return kept + [self._chance.choice(self.options[place]) for place in drawn]


class RandBot(Chair):
    """RandBot (Norman): a random legal order for every unit. From Håård (2004), section 2.5.1: the moves that
    are available to each unit, at random. Chosen here: all legal orders are equally probable, supports and
    convoys included. Removals are a random set of units. Builds are a random set of open homes with a random
    kind and coast each, none waived."""

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """One random legal order for each unit, or for each build or removal that is due."""
        return decoded(position.map, LegalSets(position, self.number, self.chance).random())


def holding(position: Position, power: str) -> list[Order]:
    """Holds in a movement phase, disbandments in a retreat phase, waived builds in Winter."""
    match position.phase.kind:
        case "M":
            return [Order(OrderKind.HOLD, unit.kind, unit.location) for unit in position.units_of(power)]
        case "R":
            units = (unit for unit, _ in position.dislodged if unit.power == power)
            return [Order(OrderKind.DISBAND, unit.kind, unit.location) for unit in units]
    return [Order(OrderKind.WAIVE)] * max(0, position.adjustments(power))


class Hold(Chair):
    """Orders every unit to hold, disbands dislodged units and waives every build. It is not from a paper.
    Removals follow the rules for civil disorder, which remove the units farthest from home."""

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """The same whatever the limit."""
        return holding(position, self.seat.power)
