"""The actions of powers towards each other, the trust that follows from them alone, and each power's
attitude to the others, from enemy to ally."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.code import destination_of, kind_of, target_of, unit_of
from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position, near
from bordeaux.board.submission import submit
from bordeaux.evaluation import evaluator

Pairs = Counter[tuple[str, str]]
"""Counts by ordered pairs of powers (from, to)."""


class Conduct(NamedTuple):
    """Counts of orders by pairs of powers.

    `attacks` are moves into a province with a unit or a centre of the other, and supports of such moves for
    anybody but that power. `helps` are supports of its units. `pressed` are moves to a province adjacent to a
    centre of its, from a province that was not.
    """

    attacks: Pairs
    helps: Pairs
    pressed: Pairs


class Deed(NamedTuple):
    """A legal order of a movement phase, by its code in the core, and its effect on other powers: those that
    it attacks (`hurt`), and the one, if any, whose unit it supports (`helped`)."""

    power: str
    code: int
    hurt: frozenset[str]
    helped: str | None


def conduct(position: Position, orders: Mapping[str, Sequence[str | Order]]) -> Conduct:
    """The effects of the legal orders of a movement phase on other powers. Raises OrderError for unreadable
    orders."""
    map, owner = position.map, owners(position)
    counted = Conduct(Counter(), Counter(), Counter())
    for power, code, hurt, helped in deeds(position, orders):
        counted.attacks.update((power, whose) for whose in hurt)
        if helped is not None:
            counted.helps[power, helped] += 1
        if kind_of(code) == OrderKind.MOVE:
            was, now = map.tables.distances(unit_of(code)), map.tables.distances(target_of(code))
            beside = [whose for centre, whose in owner.items() if now[centre] <= 1 < was[centre]]
            counted.pressed.update((power, whose) for whose in beside if whose not in (None, power))
    return counted


def deeds(position: Position, orders: Mapping[str, Sequence[str | Order]]) -> list[Deed]:
    """Each legal order of a movement phase with the powers that it attacks or helps. Raises OrderError for
    unreadable orders."""
    map, owner = position.map, owners(position)
    standing = {map.province(unit.province).index: unit.power for unit in position.units}
    listed = []
    for number, code in submit(position, orders).codes():
        power, kind, target = map.powers[number], kind_of(code), map.locations[target_of(code)]
        goal, supported = -1, None
        if kind == OrderKind.MOVE:
            goal = target.province
        elif kind in (OrderKind.SUPPORT_MOVE, OrderKind.SUPPORT_HOLD):
            supported = standing.get(target.province)
            if kind == OrderKind.SUPPORT_MOVE:
                goal = map.locations[destination_of(code)].province
        hurt = {owner.get(goal), standing.get(goal)} - {power, supported}
        helped = None if supported == power else supported
        listed.append(Deed(power, code, frozenset(owner for owner in hurt if owner is not None), helped))
    return listed


def owners(position: Position) -> dict[int, str | None]:
    """The owner of the centre in each province that has one, by number of the province."""
    return {position.map.province(tag).index: owner for tag, owner in position.owner_of.items()}


# The rules follow van Hal's description of Albert (2007 to 2011). Powers that do not attack each other come
# to trust each other. Help is remembered, and a move beside another's centres is a sign of a coming stab.

FIRST = 0.4
"""The initial trust, without observations."""
#: The increase of trust in a movement phase in which two powers could have attacked each other and did not,
#: and for a support of the other's unit.
QUIET, HELP = 0.2, 0.3
#: The factor on trust after a move from farther away to a place beside an own centre.
PRESSED = 0.8
#: The trust between attacker and victim after an attack; it is negative, so that several quiet phases must
#: pass until it is positive.
STABBED = -0.4

Pair = tuple[str, str]


class Restraint:
    """The trust of each power of a map in each other, learnt from movement phases.

    Equal observations lead to equal trust; memory does not grow with the length of a game.
    """

    def __init__(self, map: Map) -> None:
        self._level: dict[Pair, float] = {
            (who, whom): FIRST for who in map.powers for whom in map.powers if who != whom
        }

    def observe(self, before: Position, orders: Mapping[str, Sequence[str | Order]]) -> None:
        """Learn from the orders of a movement phase; other phases have no effect. Orders count whether or not
        they succeed. Raises OrderError for unreadable orders."""
        if before.phase.kind != "M":
            return
        deeds = conduct(before, orders)
        for power, other in near(before):
            if not deeds.attacks[power, other] and not deeds.attacks[other, power]:
                self._raise((other, power), QUIET)
        for power, other in deeds.helps:
            self._raise((other, power), HELP)
        for power, other in deeds.pressed:
            if self._level[other, power] > 0:
                self._level[other, power] *= PRESSED
        for pair in deeds.attacks:
            self._level[pair] = self._level[pair[::-1]] = STABBED

    def _raise(self, pair: Pair, by: float) -> None:
        self._level[pair] = min(1.0, self._level[pair] + by)

    def trust(self, who: str, whom: str) -> float:
        """The trust of one power in another, from 0 to 1. Raises KeyError for an unknown power, or if both
        are the same."""
        return max(0.0, self._level[who, whom])


#: Points of the evaluation for a change of 1 on the scale. This and the following constants spread powers
#: over the scale in games of engines. They also predict better than other choices who attacks next.
SCALE = 400.0
#: The maximum change by one phase, before weighting.
MOST = 0.3
#: The minimum decrease by an attack, also by a failed one.
ATTEMPT = 0.1
#: The weight of an attack without a warning.
UNWARNED = 1.5
#: The factor on the past after each movement phase.
MEMORY = 0.8
#: Movement phases for which a power that has stabbed us counts at most as an enemy.
GRUDGE = 6


class Stance:
    """The scale from enemy to ally of one power, learnt from movement phases.

    `map` and `power` are those of its owner, `evaluation` names the evaluation (`bordeaux.evaluation`).
    Equal observations lead to equal stances. Raises MapError for an unknown power.
    """

    def __init__(self, map: Map, power: str, evaluation: str = "default") -> None:
        self.map = map
        self.power = map.power(power)
        self._judge = evaluator(map, evaluation)
        self._scale = {other: 0.0 for other in map.powers if other != self.power}
        self._grudges: dict[str, int] = {}

    def observe(
        self,
        before: Position,
        orders: Mapping[str, Sequence[str | Order]],
        *,
        warned: Collection[str] = frozenset(),
    ) -> None:
        """Learn from all orders of a movement phase; other phases have no effect. `warned` are the powers
        that had announced hostility to us. Raises OrderError for unreadable orders."""
        if before.phase.kind != "M":
            return
        deeds = conduct(before, orders)
        points = self.effects(before, orders)
        for other, level in self._scale.items():
            change = max(-MOST, min(MOST, points[other] / SCALE))
            if deeds.attacks[other, self.power]:
                change = min(change, -ATTEMPT)
                change *= 1.0 if other in warned else UNWARNED
            self._scale[other] = max(-1.0, min(1.0, MEMORY * level + change))
        self._grudges = {other: left - 1 for other, left in self._grudges.items() if left > 1}

    def effects(self, before: Position, orders: Mapping[str, Sequence[str | Order]]) -> dict[str, float]:
        """The change in the value of our position by each other power's orders in points, with all other
        orders unchanged. Units without an order hold."""
        codes = submit(before, orders).codes()
        number = self.map.powers.index
        own = number(self.power)

        def worth(given: list[tuple[int, int]]) -> float:
            after, *_ = before.packed.adjudicate(given)
            value: float = self._judge.evaluate(after, own)[0]
            return value

        whole = worth(codes)
        points = {}
        for other in self._scale:
            rest = [code for code in codes if code[0] != number(other)]
            points[other] = whole - worth(rest) if len(rest) < len(codes) else 0.0
        return points

    def toward(self, power: str) -> float:
        """Our attitude to a power, from -1 (enemy) to 1 (ally); 0 for one without an effect on us, and 1 for
        ourselves. Raises MapError for an unknown power."""
        power = self.map.power(power)
        if power == self.power:
            return 1.0
        # A stab is forgiven bit by bit, and no faster for what the power did before it.
        return min(self._scale[power], 1.0 - 2.0 * self._grudges.get(power, 0) / GRUDGE)

    def stabbed(self, power: str) -> None:
        """Record a stab: another power has broken a promise, or an understanding, by an attack. It becomes
        the worst enemy, and is no friend for a while. Raises MapError for an unknown power."""
        power = self.map.power(power)
        self._grudges[power] = GRUDGE
        self._scale[power] = -1.0
