"""Foreign policy: whom to be friends with, whom to live off, and when the game should end."""

from __future__ import annotations

from bordeaux.board.position import Position
from bordeaux.press.cabinet.intelligence import Intelligence
from bordeaux.press.character import Character
from bordeaux.press.grand_plan import GrandPlan
from bordeaux.press.ledger import Ledger

__all__ = ["ForeignPolicy"]

#: Points of peace with a neighbour, of its liking us wholly, and of peace with who is far away.
PEACE, LIKING, DISTANT = 60.0, 60.0, 10.0
#: Points of peace with who has broken its word, with our prey, and with who is about to win.
STABBED, PREY, WINNER = -120.0, -80.0, -1000.0
#: Moves within which a power is a neighbour.
NEAR = 2
#: What liking counts more by for those at peace with us, and less for the victim of the plan, and for the
#: prey: so much less must somebody else be liked to become it.
AT_PEACE, PLANNED, STICKY = 1.0, 0.3, 0.4


class ForeignPolicy:
    """The policy of `me`. `prey` is whom we want to grow at the cost of, `leader` who is about to win."""

    def __init__(
        self, me: str, ledger: Ledger, intelligence: Intelligence, character: Character, plan: GrandPlan
    ) -> None:
        self.me = me
        self.ledger = ledger
        self.intelligence = intelligence
        self.character = character
        self.plan = plan
        self.prey: str | None = None
        self.leader: str | None = None
        self.others: tuple[str, ...] = ()
        self.neighbours: frozenset[str] = frozenset()
        self._position: Position | None = None
        self._reach: frozenset[str] = frozenset()
        self._draw: tuple[str, ...] | None = None

    def begin(self, position: Position) -> None:
        """A phase begins: look at the board."""
        self._position = position
        present = _present(position)
        self.others = tuple(power for power in position.map.powers if power != self.me and power in present)
        self._reach = _within(position, self.me, NEAR)
        held = {unit.power for unit in position.units if unit.province in self._reach}
        held |= {power for power, centres in position.centres.items() if self._reach.intersection(centres)}
        self.neighbours = frozenset(held) & frozenset(self.others)
        self.plan.begin(position, {other: self.intelligence.liking(other) for other in self.others})
        self.leader = self.plan.leader
        self._draw = self.plan.draw()
        self._choose_prey()

    def friendship(self, other: str) -> float:
        """Points of peace with a power; below 0 it is not wanted."""
        if other not in self.others:
            return 0.0
        if other == self.leader:
            return WINNER
        since = self.intelligence.since_stab(other)
        if since is not None and since < self.character.grudge:
            return STABBED
        if other == self.prey:
            return PREY
        liking = LIKING * self.intelligence.liking(other)
        return PEACE + liking if other in self.neighbours else DISTANT + max(0.0, liking)

    def friends(self) -> list[str]:
        """Who is welcome as a friend, the most welcome first."""
        wanted = {other: self.friendship(other) for other in self.others}
        return sorted((other for other in wanted if wanted[other] > 0), key=lambda other: -wanted[other])

    def draw(self) -> tuple[str, ...] | None:
        """The powers that should share a draw now, all survivors if none is named; None for no draw."""
        return self._draw

    def touch(self, power: str, other: str) -> bool:
        """Whether a power could soon come to what another has."""
        position = self._position
        if position is None:
            return False
        near = _within(position, power, NEAR)
        held = {unit.province for unit in position.units_of(other)} | set(position.centres.get(other, ()))
        return not near.isdisjoint(held)

    def borders(self, province: str) -> bool:
        """Whether a province is within reach of our units."""
        return province in self._reach

    def _choose_prey(self) -> None:
        """Whoever is about to win. Else a neighbour, sooner one with whom there is no peace: at first the one
        that the plan names, then who is liked least; it stays until it is gone, or somebody else is liked
        much less."""
        if self.leader is not None and self.leader != self.me:
            self.prey = self.leader
            return
        near = [other for other in self.others if other in self.neighbours] or list(self.others)
        liking = {
            other: self.intelligence.liking(other)
            + (AT_PEACE if self.ledger.at_peace(self.me, other) else 0.0)
            for other in near
        }
        if self.plan.target in liking:
            liking[self.plan.target] -= PLANNED
        if self.prey in liking:
            liking[self.prey] -= STICKY
        self.prey = min(near, key=lambda other: (liking[other], other)) if near else None


def _present(position: Position) -> set[str]:
    """Powers that have a unit or a centre."""
    return {unit.power for unit in position.units} | {
        power for power, centres in position.centres.items() if centres
    }


def _within(position: Position, power: str, moves: int) -> frozenset[str]:
    """Provinces that units of a power reach within so many moves."""
    near: set[str] = set(position.centres.get(power, ()))
    for unit in position.units_of(power):
        steps = position.map.distance(unit.kind, unit.location)
        near |= {province for province, count in steps.items() if count <= moves}
    return frozenset(near)
