"""DumbBot, the standard opponent for Diplomacy programs, and its weak variant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from bordeaux.board.errors import BordeauxError
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players.base import Chair, Limit, Seat, decoded
from bordeaux.policy.dumbbot import DUMBBOT, WEAK_VARIANT, Policy

_LARGEST = 1_000_000


class DumbBotFamily(Chair):
    """A player of DumbBot's family, with the `numbers` of a subclass. `neutral_value`, if given, is the total
    value of the neutral centres, instead of their size as one more power. Raises BordeauxError for a value
    out of range."""

    numbers: ClassVar[Policy]

    def __init__(self, seat: Seat, *, neutral_value: int | None = None) -> None:
        super().__init__(seat)
        numbers = self.numbers
        if neutral_value is not None:
            if not 0 <= neutral_value <= _LARGEST:
                raise BordeauxError(f"neutral_value must be from 0 to {_LARGEST}, not {neutral_value}")
            numbers = numbers._replace(neutral_value=neutral_value)
        self.policy = numbers.chooser(seat.map, self.chance.getrandbits(64))

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """Orders for every unit, or for every build or removal due; limits have no effect. Raises ValueError
        for a position on another map than the seat's."""
        return decoded(self.seat.map, self.policy.orders(position.packed, self.number))

    def set_percentages(self, centres: Mapping[str, int], units: Mapping[str, int], prey: int = 100) -> None:
        """Set percentages for the values of centres (by province) and the units of powers from now on; others
        count in full. Values of places with foreign units, and of foreign centres, are multiplied by `prey`
        percent at the end, except in Winter."""
        map = self.seat.map
        self.policy.set_percentages(
            [centres.get(province.name, 100) for province in map.provinces],
            [units.get(power, 100) for power in map.powers],
            prey,
        )


class DumbBot(DumbBotFamily):
    """DumbBot (David Norman, 2002), release 8~2: values of places, no search, no convoys.

    From the source are all weights and rules. Each of nine steps of blurring is a fifth of the sum of a
    location's own value and the best of every neighbouring province. A fleet that reaches two coasts of a
    province counts twice. In the random walk over destinations equal values keep only the first, and the own
    place counts one point more. A choice that fails is struck out, and the walk begins anew. A difference
    keeps its sign, so that among removals, where values grow, only the first draw can end a walk. Webb and
    others (2008; 2.3.1, section 4) and Håård (2004; 2.5) describe the same in words.

    Chosen here: for two units that want each other's place the source would wait for ever. Here they wait at
    most as often as the power has units, then the place is struck out. In removals and builds all equal
    values are kept, as a removal must not be forgotten. Builds without an open home are waived; by the rules
    they are never due.
    """

    numbers = DUMBBOT


class WeakDumbBot(DumbBot):
    """A widely used Python port of DumbBot, which expands much more slowly.

    From the port: neutral centres have no value (`neutral_value`). Values spread between the locations of
    armies and fleets alike and from every coast, so that armies are drawn towards places beyond the sea.
    Strength and competition leave out the unit in the province, and support is given accordingly. One draw
    decides both whether to look at the next best and whether to take it, and a difference counts without its
    sign. Retreats are chosen without regard to attackers and standoffs, so that many fail. By measurement,
    the blurring and the retreats make the port weak.

    Chosen here: a retreat that would fail is given as a disbandment, since orders must be legal. Left out,
    without a visible effect on results: the own place gets no extra point, and equal values are kept. A fleet
    counts once even if it reaches two coasts. A unit that waits for another is not waited for in turn. The
    place of the supported unit decides between wasted holds.
    """

    numbers = WEAK_VARIANT
