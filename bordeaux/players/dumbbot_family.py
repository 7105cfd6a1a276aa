"""The common parts of DumbBot and players derived from it: values of places, and the choice between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from bordeaux.board.errors import BordeauxError
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players.base import Chair, decoded
from bordeaux.players.protocol import Limit, Seat
from bordeaux.policy.dumbbot import ANY, ChanceWalk, Policy, Scheme

__all__ = ["ANY", "ChanceWalk", "DumbBotFamily", "Scheme"]

_LARGEST = 1_000_000


class DumbBotFamily(Chair):
    """A player of DumbBot's family: `bordeaux._ext.net.dumbbot` with the numbers of a subclass.

    `schemes` are those of Spring, Fall and Winter. `size` has the factors a, b, c of a power's size, a n n +
    b n + c with n centres. `helps` is the competition above which an own unit at the destination is
    supported. `weak_variant` selects the behaviour of the weak variant. Neutral centres form one more power;
    `neutral_value`, if given, replaces its size. Raises BordeauxError for a value out of range.
    """

    schemes: ClassVar[tuple[Scheme, Scheme, Scheme]]
    size: ClassVar[tuple[int, int, int]] = (1, 4, 16)
    walk: ClassVar[ChanceWalk]
    helps: ClassVar[int] = 1
    weak_variant: ClassVar[bool] = False

    def __init__(self, seat: Seat, neutral_value: int | None = None) -> None:
        super().__init__(seat)
        if neutral_value is not None and not 0 <= neutral_value <= _LARGEST:
            raise BordeauxError(f"neutral_value must be from 0 to {_LARGEST}, not {neutral_value}")
        policy = Policy(
            self.schemes,
            self.walk,
            self.size,
            self.helps,
            self.weak_variant,
            -1 if neutral_value is None else neutral_value,
        )
        self._policy = policy.chooser(seat.map, self.chance.getrandbits(64))

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """Orders for every unit, or for every build or removal due; limits have no effect.

        Raises ValueError for a position on another map than the seat's.
        """
        return self.choose(position)

    def choose(self, position: Position) -> list[Order]:
        """As `orders`."""
        return decoded(self._seat.map, self._policy.orders(position.packed, self.number))

    def set_percentages(self, centres: Mapping[str, int], units: Mapping[str, int], prey: int = 100) -> None:
        """Set percentages for the values of centres (by province) and the units of powers from now on; others
        count in full. Values of places with foreign units, and of foreign centres, are multiplied by `prey`
        percent at the end, except in Winter."""
        map = self._seat.map
        self._policy.set_percentages(
            [centres.get(province.name, 100) for province in map.provinces],
            [units.get(power, 100) for power in map.powers],
            prey,
        )
