"""The rulebook as equations between the successes of orders (DATC 5.B).

One unknown for every legal, matching order that can fail: a move succeeds, a support is given, a
convoy stands. Every equation says what its unknown must be, given the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.oracle.board import Board, Unit
from tests.oracle.orders import Order

Values = Callable[[str], bool]
"""Reads the value of an unknown, named by the province of the unit that is ordered."""


class Equations:
    """The equations of one movement phase."""

    def __init__(self, board: Board, units: Mapping[str, Unit], book: Mapping[str, Order]) -> None:
        self.board = board
        self.units = units
        # A move without a convoy path ordered is a move (its unit gets no support in place), but
        # it is as good as a convoy that is disrupted.
        self.moves = {
            place: order
            for place, order in book.items()
            if order.kind == "move" and order.verdict != "illegal"
        }
        fitting = {place: order for place, order in book.items() if order.verdict == "legal"}
        self.supports = {p: o for p, o in fitting.items() if o.kind in ("support", "help")}
        self.convoys = {p: o for p, o in fitting.items() if o.kind == "convoy"}
        self.unknowns = [*self.moves, *self.supports, *self.convoys]
        self.towards: dict[str, list[str]] = {}
        for place, order in self.moves.items():
            self.towards.setdefault(order.goal, []).append(place)
        self.backers: dict[str, list[str]] = {}
        for place, order in self.supports.items():
            self.backers.setdefault(order.subject, []).append(place)
        self.carriers: dict[str, list[str]] = {}
        for place, order in self.convoys.items():
            self.carriers.setdefault(order.subject, []).append(place)

    def demanded(self, unknown: str, value: Values) -> bool:
        """What the equation of `unknown` makes of it, given the values of the others."""
        if unknown in self.moves:
            return self.move(unknown, value)
        if unknown in self.supports:
            return self.support(unknown, value)
        return self.convoy(unknown, value)

    def mentions(self, unknown: str) -> set[str]:
        """The unknowns that the equation of `unknown` may read."""
        if unknown in self.moves:
            goal = self.moves[unknown].goal
            units = {*self.backers.get(goal, ())} | ({goal} if goal in self.moves else set())
            for rival in self.towards[goal]:
                units |= {*self.backers.get(rival, ()), *self.carriers.get(rival, ())}
                units |= {goal} & {self.opponent(rival)}
            return units
        attackers = self.towards.get(unknown, ())
        if unknown in self.convoys:
            return set(attackers)
        return {unit for place in attackers for unit in (place, *self.carriers.get(place, ()))}

    def opponent(self, place: str) -> str | None:
        """The other side of a head-to-head battle: two units that change places by land."""
        order = self.moves[place]
        other = self.moves.get(order.goal)
        if other is None or other.goal != place or order.convoyed or other.convoyed:
            return None
        return other.origin

    def path(self, place: str, value: Values) -> bool:
        """Whether the moving unit gets to its destination's border at all."""
        order = self.moves[place]
        if not order.convoyed:
            return True
        afloat = [fleet for fleet in self.carriers.get(place, ()) if value(fleet)]
        return self.board.sea_link(place, order.goal, afloat)

    def backing(self, place: str, value: Values, but_not: str = "") -> int:
        """Supports given to the order of the unit in `place`, those of one power left out."""
        return sum(
            self.units[backer].power != but_not and value(backer) for backer in self.backers.get(place, ())
        )

    def move(self, place: str, value: Values) -> bool:
        """5.B.1: the attack must beat the defence and everybody else who wants to go there."""
        attack = self.attack(place, value)
        if not attack:
            return False
        goal = self.moves[place].goal
        opponent = self.opponent(place)
        defence = self.hold(goal, value) if opponent is None else 1 + self.backing(opponent, value)
        return attack > defence and all(
            attack > self.prevent(rival, value) for rival in self.towards[goal] if rival != place
        )

    def support(self, place: str, value: Values) -> bool:
        """5.B.2: cut by a foreign attack, save one from where the support goes, and by dislodgement."""
        order = self.supports[place]
        for attacker in self.towards.get(place, ()):
            foreign = self.units[attacker].power != self.units[place].power
            if foreign and attacker != order.goal and self.path(attacker, value):
                return False
            if value(attacker):
                return False
        return True

    def convoy(self, place: str, value: Values) -> bool:
        """5.B.3: a convoy stands unless its fleet is dislodged."""
        return not any(value(attacker) for attacker in self.towards.get(place, ()))

    def hold(self, province: str, value: Values) -> int:
        """5.B.5: hold strength of a province."""
        if province not in self.units:
            return 0
        if province in self.moves:
            return 0 if value(province) else 1
        return 1 + self.backing(province, value)

    def prevent(self, place: str, value: Values) -> int:
        """5.B.6: with what strength a moving unit keeps others out of its destination."""
        if not self.path(place, value):
            return 0
        opponent = self.opponent(place)
        if opponent is not None and value(opponent):
            return 0
        return 1 + self.backing(place, value)

    def attack(self, place: str, value: Values) -> int:
        """5.B.8: with what strength a moving unit attacks; nobody helps to dislodge his own unit."""
        if not self.path(place, value):
            return 0
        goal = self.moves[place].goal
        occupant = self.units.get(goal)
        if occupant is None:
            return 1 + self.backing(place, value)
        if goal in self.moves and self.opponent(place) is None and value(goal):
            return 1 + self.backing(place, value)
        if occupant.power == self.units[place].power:
            return 0
        return 1 + self.backing(place, value, but_not=occupant.power)
