"""The Diplominator: a member of DumbBot's family that remembers attackers."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import check
from bordeaux.players.base import Limit, Seat, Turn, as_order
from bordeaux.players.dumbbot import DumbBotFamily
from bordeaux.players.talkers import Peacemaker
from bordeaux.policy.dumbbot import ANY, ChanceWalk, Policy, Scheme
from bordeaux.press.language.letter import Letter

_SPRING_STEPS = (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1, 1)
_STEPS = (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1, 1)
_ATTACKS = (OrderKind.MOVE, OrderKind.SUPPORT_MOVE)


class _Memory(NamedTuple):
    """One movement phase: for every power the number of units that could have attacked us, and of those that
    did."""

    chances: Counter[str]
    attacks: Counter[str]


class Diplominator(Peacemaker, DumbBotFamily):
    """The Diplominator (Webb, Chin, Wilkins, Payce, Dedoyard 2008), which makes peace if there is press.

    From Webb and others (2008): values as DumbBot's, with the neutral centres as one more power (4.1.1,
    4.1.2); ten steps of blurring (4.1.3); strength and competition (4.1.4). DumbBot's choice of orders with a
    milder random walk (4.2.1); removal of the least valuable units (4.2.3). The enemy factor is the number of
    attacks divided by the opportunities over the last 15 turns, or the number of attacks without an
    opportunity (3.2). Peace is offered to all, and accepted unless the other's factor is above a threshold.
    The home centres of friends count less, in a back-stab more. A back-stab begins at 10 centres and ends
    below 9, when friendship is requested again (5.3). At press level 0 nobody makes peace, so only the
    back-stab has an effect.

    From a copy of the authors' program, for details that the paper leaves open: the numbers, and that a unit
    that stays is supported whenever somebody could compete. A unit next to one of our units or centres is one
    opportunity; a move into their provinces, or the support of one, is an attack. The back-stab is for the
    largest power only and is directed against everybody: places with foreign units and foreign centres count
    half as much again.

    Chosen here: the eleventh weight of proximity is 1, and only legal orders are attacks. The own place has
    DumbBot's extra point, which the program lacks. Nobody is told of a friendship's end, and every proposal
    except peace is refused. `threshold` and `memory` (in movement turns) are options. Raises BordeauxError
    for invalid values.
    """

    numbers = Policy(
        (
            Scheme(700, 200, 1000, 1000, 0, _SPRING_STEPS),
            Scheme(600, 300, 1000, 1000, 0, _STEPS),
            Scheme(700, 200, 0, 0, 1000, _STEPS),
        ),
        ChanceWalk(30, 500, (ANY, ANY, 0)),
        helps=0,
    )

    FRIENDLY = 40
    """The weight of a friend's home centre, in percent."""
    PREY = 150
    """The weight of others' places during a back-stab, in percent."""
    STAB_AT = 10
    """Centres at which a back-stab begins."""
    GIVE_UP_BELOW = 9
    """Centres below which it ends."""

    def __init__(self, seat: Seat, *, threshold: float = 0.4, memory: int = 15) -> None:
        super().__init__(seat)
        if not threshold >= 0:
            raise BordeauxError(f"threshold must not be negative: {threshold}")
        if not 1 <= memory <= 1000:
            raise BordeauxError(f"memory must be from 1 to 1000 turns, not {memory}")
        self.threshold = threshold
        self.stabbing = False
        self._memory: deque[_Memory] = deque(maxlen=memory)
        self._regarded: tuple[frozenset[str], bool] = (frozenset(), False)
        self._reach = {
            (location.kind, location.name): frozenset(
                name.partition("/")[0] for name in seat.map.adjacent(location.kind, location.name)
            )
            for location in seat.map.locations
        }

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """Orders for every unit, or for every build or removal due."""
        self._consider_stab(position)
        self._regard()
        return super().orders(position, limit)

    def observe(self, turn: Turn) -> None:
        """Remember which powers could have attacked, and which did; a friend that attacks too often is none
        any more."""
        if turn.before.phase.kind != "M":
            return
        ours = self._ours(turn.before)
        chances = Counter(
            unit.power
            for unit in turn.before.units
            if unit.power != self.seat.power and not ours.isdisjoint(self._reach[unit.kind, unit.location])
        )
        attacks: Counter[str] = Counter()
        for power, orders in turn.orders.items():
            name = self.seat.map.power(power)
            if name != self.seat.power:
                attacks[name] += sum(self._is_attack(turn.before, name, order, ours) for order in orders)
        self._memory.append(_Memory(chances, attacks))
        self.friends = {friend for friend in self.friends if self.enemy_factor(friend) <= self.threshold}

    def enemy_factor(self, power: str) -> float:
        """The attacks of a power on us, divided by its opportunities, over the remembered turns."""
        chances = sum(year.chances[power] for year in self._memory)
        attacks = sum(year.attacks[power] for year in self._memory)
        return attacks / chances if chances else float(attacks)

    def welcomes(self, power: str) -> bool:
        """Whether another power may be a friend: not in a back-stab, nor one that attacks often."""
        return not self.stabbing and self.enemy_factor(power) <= self.threshold

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """Offers of peace, unless a back-stab begins or is going on."""
        self._consider_stab(position)
        return super().open_talks(position, level)

    def _ours(self, position: Position) -> set[str]:
        """Provinces with our units, and our centres."""
        power = self.seat.power
        return {unit.province for unit in position.units_of(power)} | {*position.centres.get(power, ())}

    def _is_attack(self, position: Position, power: str, given: Order | str, ours: set[str]) -> bool:
        try:
            order = as_order(position, given)
            if order.kind not in _ATTACKS or order.destination.partition("/")[0] not in ours:
                return False
            if order.kind == OrderKind.SUPPORT_MOVE:
                helped = position.unit_at(order.target.partition("/")[0])
                if helped is None or helped.power == self.seat.power:
                    return False
            return not check(position, power, order).fault
        except BordeauxError:
            return False

    def _consider_stab(self, position: Position) -> None:
        """Begin a back-stab as the largest power with enough centres; end it with too few."""
        counts = Counter(owner for owner in position.owners if owner is not None)
        ours = counts[self.seat.power]
        if ours >= self.STAB_AT and ours >= max(counts.values()):
            self.stabbing = True
            self.friends.clear()
        elif ours < self.GIVE_UP_BELOW:
            self.stabbing = False

    def _regard(self) -> None:
        """Set the weights of friends and prey, if they have changed."""
        now = (frozenset(self.friends), self.stabbing)
        if now != self._regarded:
            homes = self.seat.map.homes
            lowered = {home: self.FRIENDLY for friend in self.friends for home in homes[friend]}
            self.set_percentages(lowered, {}, self.PREY if self.stabbing else 100)
            self._regarded = now
