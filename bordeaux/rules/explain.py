"""The reason for an order's result, in one sentence, from the verdicts of the core."""

from __future__ import annotations

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.submission import Submission
from bordeaux.board.unit import Unit

__all__ = ["Explainer"]

#: Outcome bits of the core (`_ext/rules/structures.pxd`).
BOUNCE, VOID, CUT, DISLODGED, DISRUPTED, NO_CONVOY, DISBANDED = 1, 2, 4, 8, 16, 32, 64


def _province(location: str) -> str:
    return location.partition("/")[0]


class Explainer:
    """Gives the reasons for one phase. `outcomes`, `arrivals` and `convoyed` are by province."""

    def __init__(
        self, submission: Submission, outcomes: list[int], arrivals: list[int], convoyed: list[bool]
    ) -> None:
        position = submission.position
        self.map = position.map
        self.retreats = position.phase.kind == "R"
        self.index = {province.name: province.index for province in self.map.provinces}
        self.outcomes = outcomes
        self.arrivals = arrivals
        self.convoyed = convoyed
        self.units = {unit.province: unit for unit in position.units}
        given = {
            submitted.province: submitted.order for submitted in submission.orders if not submitted.fault
        }
        # In the order of the map, so that the words do not hang on who wrote first.
        self.orders: dict[str, Order] = {p: given[p] for p in self.index if p in given}

    def reason(self, unit: Unit) -> str:
        """One sentence on the result of a unit."""
        order = self.orders.get(unit.province)
        bits = self.outcomes[self.index[unit.province]]
        if self.retreats:
            return self._retreat(unit, order, bits)
        text = self._movement(unit, order, bits)
        if bits & DISLODGED:
            attacker = self._attacker(unit.province)
            text += f"; dislodged by {attacker} with strength {self._strength(attacker.province, unit.power)}"
        return text

    def _retreat(self, unit: Unit, order: Order | None, bits: int) -> str:
        if order is None:
            return "disbanded: no retreat was ordered"
        if order.kind == OrderKind.DISBAND:
            return "disbanded as ordered"
        if bits & BOUNCE:
            return f"disbanded: another unit retreated to {_province(order.destination)} as well"
        return f"retreated to {order.destination}"

    def _movement(self, unit: Unit, order: Order | None, bits: int) -> str:
        if order is None:
            return "holds: no order"
        match order.kind:
            case OrderKind.MOVE:
                return self._move(unit, order, bits)
            case OrderKind.SUPPORT_HOLD | OrderKind.SUPPORT_MOVE:
                return self._support(unit, order, bits)
            case OrderKind.CONVOY:
                passenger = f"{order.target_unit} {order.target}"
                if bits & VOID:
                    return f"void: {passenger} was not ordered to {order.destination}"
                return (
                    f"convoys {passenger} to {order.destination}" if not bits & DISLODGED else "convoy broken"
                )
        return "holds"

    def _move(self, unit: Unit, order: Order, bits: int) -> str:
        goal = _province(order.destination)
        if bits & NO_CONVOY:
            return f"no chain of fleets was ordered to convoy it to {goal}"
        if bits & DISRUPTED:
            lost = [str(self.units[p]) for p in self._convoyers(unit, goal) if self._bits(p) & DISLODGED]
            return "its convoy was broken: " + (f"{', '.join(lost)} dislodged" if lost else "a paradox")
        way = " by convoy" if self.convoyed[self.index[unit.province]] else ""
        if not bits & BOUNCE:
            beaten = self.units.get(goal)
            took = beaten is not None and self._bits(goal) & DISLODGED
            return f"moved to {order.destination}{way}" + (f", dislodging {beaten}" if took else "")
        return f"bounced: {self._obstacle(unit, goal)}"

    def _obstacle(self, unit: Unit, goal: str) -> str:
        occupant = self.units.get(goal)
        stays = occupant is not None and not self._moved(goal)
        if stays and occupant is not None and occupant.power == unit.power:
            return f"{occupant} of its own power stays in {goal}"
        strength = self._strength(unit.province, occupant.power if stays and occupant else None)
        rivals: list[tuple[int, str]] = []
        if stays and occupant is not None:
            rivals.append((self._hold_strength(goal, unit.province), f"{occupant} in {goal}"))
        for province, order in self.orders.items():
            if (
                order.kind == OrderKind.MOVE
                and _province(order.destination) == goal
                and province != unit.province
            ) and not self._bits(province) & (NO_CONVOY | DISRUPTED):
                rivals.append(
                    (self._strength(province, None), f"{self.units[province]} - {order.destination}")
                )
        against, whom = max(rivals, default=(strength, goal))
        return f"its strength {strength} is not more than the {against} of {whom}"

    def _support(self, unit: Unit, order: Order, bits: int) -> str:
        other = f"{order.target_unit} {order.target}"
        goal = f" to {order.destination}" if order.destination else ""
        if bits & VOID:
            return f"void: {other} " + (f"was not ordered{goal}" if goal else "was ordered to move")
        if not bits & CUT:
            return f"supports {other}{goal}"
        attackers = [
            str(self.units[province])
            for province, order in self.orders.items()
            if order.kind == OrderKind.MOVE
            and _province(order.destination) == unit.province
            and self.units[province].power != unit.power
            and not self._bits(province) & (NO_CONVOY | DISRUPTED)
        ]
        return f"cut by {' and '.join(attackers)}"

    def _bits(self, province: str) -> int:
        return self.outcomes[self.index[province]]

    def _moved(self, province: str) -> bool:
        order = self.orders.get(province)
        failed = BOUNCE | DISRUPTED | NO_CONVOY
        return order is not None and order.kind == OrderKind.MOVE and not self._bits(province) & failed

    def _attacker(self, province: str) -> Unit:
        origin = self.map.provinces[self.arrivals[self.index[province]]]
        return self.units[origin.name]

    def _convoyers(self, unit: Unit, goal: str) -> list[str]:
        return [
            province
            for province, order in self.orders.items()
            if order.kind == OrderKind.CONVOY
            and _province(order.target) == unit.province
            and _province(order.destination) == goal
        ]

    def _supporters(self, province: str, kind: OrderKind, without: str | None) -> int:
        return sum(
            order.kind == kind
            and _province(order.target) == province
            and not self._bits(supporter) & (CUT | VOID)
            and self.units[supporter].power != without
            for supporter, order in self.orders.items()
        )

    def _strength(self, province: str, without: str | None) -> int:
        """Strength of a move; supports of the power `without` do not count against its own unit."""
        return 1 + self._supporters(province, OrderKind.SUPPORT_MOVE, without)

    def _hold_strength(self, province: str, attacker: str) -> int:
        order = self.orders.get(province)
        if order is None or order.kind != OrderKind.MOVE:
            return 1 + self._supporters(province, OrderKind.SUPPORT_HOLD, None)
        head_on = _province(order.destination) == attacker
        by_sea = self.convoyed[self.index[province]] or self.convoyed[self.index[attacker]]
        return self._strength(province, None) if head_on and not by_sea else 1
