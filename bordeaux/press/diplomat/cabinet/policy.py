"""Foreign policy: the choice of friends and targets, and when the game should end."""

from __future__ import annotations

from dataclasses import dataclass, field

from bordeaux.board.position import Position
from bordeaux.press.diplomat.cabinet.intelligence import Intelligence
from bordeaux.press.diplomat.grand_plan import GrandPlan, times
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.diplomat.payoffs import Character
from bordeaux.press.language.english.names import Names
from bordeaux.rules.outcome import survivors

#: Points of peace with a neighbour, of its full liking of us, and of peace with a distant power.
PEACE, LIKING, DISTANT = 60.0, 60.0, 10.0
#: Points of peace with a power that has broken its promise, with our prey, and with a power about to win.
STABBED, PREY, WINNER = -120.0, -80.0, -1000.0
#: Points of peace with a neighbour beyond the maximum number of friends.
CROWDED = -20.0
#: Moves within which a power is a neighbour (one more if there are few), and the maximum share of neighbours
#: that are friends. A power at peace with all of them cannot grow.
NEAR, FEW, FRIENDS = 2, 2, 0.5
#: The increase of liking for powers at peace with us, and its decreases for the victim of the plan and for
#: the prey. Another power must be liked so much less to become it.
AT_PEACE, PLANNED, STICKY = 1.0, 0.3, 0.4
#: The decrease of liking for a power that has recently broken its promise to others, and the increase for one
#: at war with our prey.
ACCUSED, COMMON_FOE = 1.2, 0.5
#: The part of the mean number of centres below which a power is weak.
WEAK = 0.8


@dataclass(eq=False)
class ForeignPolicy:
    """The policy of `me`. `prey` is the power at whose cost we want to grow, `leader` the power that is about
    to win, and `close` are the neighbours with whom we want peace."""

    me: str
    ledger: Ledger
    intelligence: Intelligence
    character: Character
    plan: GrandPlan
    prey: str | None = None
    leader: str | None = None
    others: tuple[str, ...] = ()
    neighbours: frozenset[str] = frozenset()
    close: frozenset[str] = frozenset()
    _position: Position = field(init=False)
    _reach: frozenset[str] = frozenset()
    _draw: tuple[str, ...] | None = None

    def begin(self, position: Position) -> None:
        """Begin a phase: evaluate the board."""
        self._position = position
        self.others = tuple(power for power in survivors(position) if power != self.me)
        self._reach = _within(position, self.me, NEAR)
        self.neighbours = self._within_reach(position, self._reach)
        if len(self.neighbours) < FEW:
            self.neighbours = self._within_reach(position, _within(position, self.me, NEAR + 1))
        self.plan.begin(position, {other: self.intelligence.liking(other) for other in self.others})
        self.leader = self.plan.leader
        self._draw = self.plan.draw()
        self._choose_prey()
        self._choose_friends()

    def friendship(self, other: str) -> float:
        """The points of peace with a power; it is not wanted if they are negative."""
        if other not in self.others:
            return 0.0
        if other == self.leader:
            return WINNER
        since = self.intelligence.since_stab(other)
        if since is not None and since <= self.character.grudge:
            return STABBED
        if other == self.prey:
            return PREY
        if other in self.neighbours and other not in self.close:
            return CROWDED
        liking = LIKING * self.intelligence.liking(other)
        return PEACE + liking if other in self.neighbours else DISTANT + max(0.0, liking)

    def friends(self) -> list[str]:
        """The wanted friends, the most wanted first."""
        wanted = {other: self.friendship(other) for other in self.others}
        return sorted((other for other in wanted if wanted[other] > 0), key=lambda other: -wanted[other])

    def grievance(self, foe: str) -> str:
        """What speaks against a power, in words; empty for nothing in particular."""
        position = self._position
        name = Names(position.map).power(foe)
        if foe == self.leader:
            return f"{name} is about to win"
        if self.intelligence.since_stab(foe) is not None:
            return f"{name} has broken its word to me"
        if self.intelligence.accused(foe):
            return f"{name} breaks its promises"
        if self.intelligence.liking(foe) < 0:
            return f"{name} moves against me"
        sizes = {power: len(position.centres.get(power, ())) for power in (*self.others, self.me)}
        weak = sizes[foe] * len(sizes) < WEAK * sum(sizes.values())
        return f"{name} is weak, with {sizes[foe]} of the centres" if weak else ""

    def aim(self, foe: str) -> str:
        """The centre of a power that is nearest to us, in words."""
        position = self._position
        moves = times(position, self.me)
        centres = position.centres.get(foe, ())
        nearest = min(centres, key=lambda centre: (moves[centre], centre), default="")
        names = Names(position.map)
        return names.province(nearest) if nearest else names.power(foe)

    def draw(self) -> tuple[str, ...] | None:
        """The powers that should share a draw now, an empty tuple for all survivors; None for no draw."""
        return self._draw

    def united(self) -> tuple[str, ...]:
        """The other powers that should unite with us against the leader, the nearest to it first; empty
        without a leader."""
        union = self.plan.united if self.leader not in (None, self.me) else None
        return (
            tuple(member for member in (*union.members, *union.welcome) if member != self.me) if union else ()
        )

    def touch(self, power: str, other: str) -> bool:
        """Whether a power can soon reach a centre or unit of another."""
        position = self._position
        near = _within(position, power, NEAR)
        held = {unit.province for unit in position.units_of(other)} | set(position.centres.get(other, ()))
        return not near.isdisjoint(held)

    def borders(self, province: str) -> bool:
        """Whether a province is within reach of our units."""
        return province in self._reach

    def _choose_prey(self) -> None:
        """The leader if there is one. Else a neighbour, preferably one without peace: first the target of the
        plan, then the least liked power. It is kept until it is eliminated, or another is liked much less."""
        if self.leader is not None and self.leader != self.me:
            self.prey = self.leader
            return
        near = [other for other in self.others if other in self.neighbours] or list(self.others)
        liking = {
            other: self.intelligence.liking(other)
            + (AT_PEACE if self.ledger.at_peace(self.me, other) else 0.0)
            - (ACCUSED if self.intelligence.accused(other) else 0.0)
            for other in near
        }
        if self.plan.target in liking:
            liking[self.plan.target] -= PLANNED
        if self.prey in liking:
            liking[self.prey] -= STICKY
        self.prey = min(near, key=lambda other: (liking[other], other)) if near else None

    def _choose_friends(self) -> None:
        """The neighbours up to the limit: those at peace with us first, then the ally of the plan, then the
        most liked."""
        near = [other for other in self.others if other in self.neighbours and other != self.prey]
        foes = [other for other in near if self.prey and self.intelligence.at_war(other, self.prey)]
        near.sort(
            key=lambda other: (
                not self.ledger.at_peace(self.me, other),
                other != self.plan.ally,
                -COMMON_FOE * (other in foes) - self.intelligence.liking(other),
                other,
            )
        )
        room = max(1, int(FRIENDS * len(self.neighbours)))
        self.close = frozenset(near[:room]) | (set(self.united()) & set(near))

    def _within_reach(self, position: Position, reach: frozenset[str]) -> frozenset[str]:
        """Other powers with a unit or a centre in some provinces."""
        held = {unit.power for unit in position.units if unit.province in reach}
        held |= {power for power, centres in position.centres.items() if reach.intersection(centres)}
        return frozenset(held) & frozenset(self.others)


def _within(position: Position, power: str, moves: int) -> frozenset[str]:
    """Provinces that units of a power reach in a number of moves."""
    near: set[str] = set(position.centres.get(power, ()))
    for unit in position.units_of(power):
        steps = position.map.distance(unit.kind, unit.location)
        near |= {province for province, count in steps.items() if count <= moves}
    return frozenset(near)
