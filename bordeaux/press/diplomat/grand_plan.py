"""The grand plan: allies and targets, the division of centres, coalitions and draws.

Alliances are rated on any map by the distances of powers to each other's centres. Peace with a good ally is
valuable. The victim is a power that both can reach, so that neither has to fight alone. The division of its
centres, and of vacant ones, lets both grow equally. Neither part is enough to win, so the plan can be kept to
its end.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.evaluation import evaluate, stalemate_lines
from bordeaux.press.language import messages as p

NEVER = 99
"""The number of moves to a place that a power cannot reach."""

#: The cost in moves of a unit that must be built first, and the factor on a centre's weight for each move.
BUILDING, FADING = 3, 0.5


def fading(moves: int) -> float:
    """The weight at a distance in moves: 1 at the power's own place, less with every move."""
    return FADING**moves if moves < NEVER else 0.0


def times(position: Position, power: str) -> dict[str, int]:
    """The moves that a power needs to every centre of the map, by its nearest unit, or by one that it could
    build in an own home; `NEVER` if it cannot reach it."""
    map = position.map
    starts = [(0, unit.kind, unit.location) for unit in position.units_of(power)]
    owned = position.centres.get(power, ())
    for home in map.homes[power]:
        if home in owned:
            places = [place for kind in "AF" for place in map.locations_in(kind, home)]
            starts += [(BUILDING, place.kind, place.name) for place in places]
    times = dict.fromkeys(map.centres, NEVER)
    for extra, kind, location in starts:
        reached = map.distance(kind, location)
        for centre in map.centres:
            times[centre] = min(times[centre], extra + reached.get(centre, NEVER))
    return times


def takeable(position: Position, power: str) -> int:
    """Foreign or neutral centres that a power could take at once by superior numbers: more of its units can
    enter than others could defend it with, each of its units counted for one centre."""
    map = position.map
    goals = {
        unit: {name.partition("/")[0] for name in map.adjacent(unit.kind, unit.location)}
        for unit in position.units
    }
    wanted = []
    for centre, owner in position.owner_of.items():
        if owner == power:
            continue
        standing = position.unit_at(centre)
        if standing is not None and standing.power == power:
            wanted.append((0, centre))
            continue
        defended = sum(1 for unit, near in goals.items() if unit.power != power and centre in near)
        wanted.append((defended + (standing is not None) + 1, centre))
    free = {unit: near for unit, near in goals.items() if unit.power == power}
    count = 0
    for needed, centre in sorted(wanted):
        if needed == 0:
            free = {unit: near for unit, near in free.items() if unit.province != centre}
            count += 1
            continue
        able = sorted(unit for unit, near in free.items() if centre in near)
        if len(able) >= needed:
            count += 1
            for unit in able[:needed]:
                del free[unit]
    return count


#: Moves within which a centre can be part of a division.
HORIZON = 6
#: The weight of the smaller of both allies' gains beside our own, so that a plan without a gain for the ally
#: has no value.
ALIKE = 1.0
#: The cost of an ally that is stronger than the mean of all powers, per multiple of the mean.
STRONG = 0.3
#: The part of the winning centres from which on a power with this lead is stopped, and the part below which a
#: coalition against it ends (including centres that it could take at once).
ALARM, AHEAD, CALM = 0.6, 3, 0.75
#: Moves from its centres or units within which a power belongs to the front of a coalition.
FRONT = 2
#: Years without a change of owner after which a board is frozen, and the part of the largest power's centres
#: below which one is far behind.
FROZEN, FAR_BEHIND = 3, 1 / 3


class AlliancePlan(NamedTuple):
    """A possible alliance: the ally, the target, its value (comparable only within one position), and the
    division of the centres."""

    ally: str
    against: str
    value: float
    division: p.Division


def plans(position: Position, power: str, *, liking: Mapping[str, float] | None = None) -> list[AlliancePlan]:
    """Every alliance of a power with another against a third, best first.

    `liking`, from -1 to 1 for each power, is our attitude: liked allies and disliked victims raise the value.
    Empty for a power that is out. Raises MapError for an unknown power.
    """
    power = position.map.power(power)
    alive = [power for power in position.map.powers if power in position.centres and position.units_of(power)]
    if power not in alive:
        return []
    weights = {
        power: {centre: fading(moves) for centre, moves in times(position, power).items()} for power in alive
    }
    strength = {power: max(1.0, value.value) for power, value in evaluate(position).items()}
    mean = sum(strength[power] for power in alive) / len(alive)
    alone = {power: _outlook(position, power, weights) for power in alive}
    thought = liking or {}
    found_plans = []
    for ally in alive:
        for victim in alive:
            if len({power, ally, victim}) < 3:
                continue
            divided = division(position, power, ally, against=(victim,))
            ours, theirs = (
                _outlook(position, one, weights, other, victim, divided) - alone[one]
                for one, other in ((power, ally), (ally, power))
            )
            value = ours + ALIKE * min(ours, theirs) - STRONG * max(0.0, strength[ally] / mean - 1)
            value += (thought.get(ally, 0.0) - thought.get(victim, 0.0)) / 2
            found_plans.append(AlliancePlan(ally, victim, round(value, 3), divided))
    found_plans.sort(key=lambda plan: (-plan.value, plan.ally, plan.against))
    return found_plans


def _outlook(
    position: Position,
    power: str,
    weights: Mapping[str, Mapping[str, float]],
    ally: str = "",
    victim: str = "",
    divided: p.Division | None = None,
) -> float:
    """The centres that a power can expect: of each centre its share of the proximity weights of all powers.
    An ally leaves our share to us and keeps its own. A common victim, attacked by both, has only a part of
    its strength against each."""
    spoken_for = {
        centre
        for share in (divided.shares if divided is not None else ())
        if share.owner == ally
        for centre in share.centres
    }
    part = 1.0
    if victim:
        pressed = {
            holder: sum(weights[holder][centre] for centre in position.centres[victim])
            for holder in (power, ally)
        }
        part = pressed[power] / max(sum(pressed.values()), 1e-9)
    hoped = 0.0
    for centre in position.map.centres:
        # Squared, for one unit more counts where many are near, and hardly where a whole front is far.
        own = weights[power][centre] ** 2
        if own == 0 or centre in spoken_for:
            continue
        rivals = sum(
            (part if holder == victim else 1.0) * weight[centre] ** 2
            for holder, weight in weights.items()
            if holder not in (power, ally)
        )
        hoped += weights[power][centre] * own / (own + rivals)
    return hoped


def division(position: Position, one: str, other: str, *, against: Collection[str] = ()) -> p.Division:
    """The division of the centres between two powers. Each keeps its own. They take turns with the nearest of
    the neutral centres and those of the powers `against` whom they are allied, so that both grow equally;
    without such powers, of all others. Centres that neither can reach in some moves stay open, and neither
    gets enough to win. Both powers compute the same division. Raises MapError for an unknown power."""
    map = position.map
    first, second = sorted((map.power(one), map.power(other)), key=map.powers.index)
    pair = first, second
    enemies = {map.power(name) for name in against} or {*map.powers} - {*pair}
    owned = position.centres
    shares = {power: list(owned.get(power, ())) for power in pair}
    distances = {power: _eased(position, power) for power in pair}
    # They do not divide centres to which a third power, not their enemy, is nearest.
    third = [times(position, other) for other in map.powers if other not in (*pair, *enemies)]
    free = {
        centre
        for centre, owner in position.owner_of.items()
        if (owner is None or owner in enemies)
        and min(distances[power][centre] for power in pair)
        <= min((far[centre] for far in third), default=NEVER)
    }
    grown = dict.fromkeys(pair, 0)
    while free:
        # The power that has grown less chooses; of two that have grown alike, the smaller one.
        chooser = min(pair, key=lambda power: (grown[power], len(shares[power]), pair.index(power)))
        rival = pair[1 - pair.index(chooser)]
        mine, theirs = distances[chooser], distances[rival]
        reachable = [centre for centre in free if mine[centre] <= HORIZON]
        if not reachable or len(shares[chooser]) + 1 >= map.majority:
            break
        choice = min(reachable, key=lambda centre: (2 * mine[centre] - theirs[centre], mine[centre], centre))
        free.remove(choice)
        shares[chooser].append(choice)
        grown[chooser] += 1
    order = map.centres.index
    return p.Division(
        tuple(p.Share(power, tuple(sorted(shares[power], key=order))) for power in pair if shares[power])
    )


def _eased(position: Position, power: str) -> dict[str, int]:
    """Moves to every centre, one less for those behind a stalemate line that the power largely owns."""
    moves = times(position, power)
    owned = set(position.centres.get(power, ()))
    lines = stalemate_lines(position.map)
    best = max(lines, key=lambda line: (len(owned & set(line.centres)), -len(line.centres)), default=None)
    if best is not None and len(owned & set(best.centres)) * 2 > len(owned):
        for centre in best.centres:
            moves[centre] = max(0, moves[centre] - 1)
    return moves


class Coalition(NamedTuple):
    """All against one: the power `against`, the `members` at the front that are necessary, nearest first, and
    others who are `welcome`."""

    against: str
    members: tuple[str, ...]
    welcome: tuple[str, ...]


def leader(position: Position) -> str | None:
    """The power that is about to win: it has enough centres with those that it could take at once, or three
    fifths of that and three centres more than any other. None if there is none."""
    sizes = {power: len(owned) for power, owned in position.centres.items()}
    enough = position.map.majority
    leaders = []
    for power, size in sizes.items():
        second = max((size for other, size in sizes.items() if other != power), default=0)
        close = size + takeable(position, power) if 2 * size >= enough else 0
        if close >= enough or (size >= ALARM * enough and size - second >= AHEAD):
            leaders.append((size, close, power))
    return max(leaders)[2] if leaders else None


def coalition(position: Position) -> Coalition | None:
    """The powers that must join against the `leader`; None if there is none."""
    enemy = leader(position)
    if enemy is None:
        return None
    theirs = times(position, enemy)
    near = {}
    for power, owned in position.centres.items():
        if power != enemy and position.units_of(power):
            ours = times(position, power)
            attacked = min(theirs[centre] for centre in owned)
            attacking = min((ours[centre] for centre in position.centres.get(enemy, ())), default=NEVER)
            near[power] = min(attacked, attacking)
    ranked = sorted(near, key=lambda power: (near[power], power))
    front = tuple(power for power in ranked if near[power] <= FRONT)
    return Coalition(enemy, front, tuple(power for power in ranked if power not in front))


def is_over(alliance: Coalition, position: Position) -> bool:
    """Whether a coalition has reached its goal. Its target is out, is not the largest any more, or is far
    from winning with all that it could take at once; or only one member is left."""
    sizes = {power: len(owned) for power, owned in position.centres.items()}
    size = sizes.get(alliance.against, 0)
    others = {power: size for power, size in sizes.items() if power != alliance.against}
    if size == 0 or len(others) < 2 or size <= max(others.values()):
        return True
    return size + takeable(position, alliance.against) < CALM * position.map.majority


def draw_wanted(position: Position, power: str, still: int = 0) -> tuple[str, ...] | None:
    """The powers that would share a draw that is right for one, all survivors, or None.

    It is right if nothing has changed for `FROZEN` years (`still` are the years without a change), if another
    power is about to win, and if one is far behind the largest. It is never right for the sole leader, and
    without a reason not for a power as large as the largest. Raises MapError for an unknown power.
    """
    power = position.map.power(power)
    sizes = {power: len(owned) for power, owned in position.centres.items()}
    own = sizes.pop(power, 0)
    largest = max(sizes.values(), default=0)
    if own == 0 or own > largest:
        return None
    danger = leader(position)
    reasons = still >= FROZEN, danger is not None and danger != power, own < FAR_BEHIND * largest
    return (
        tuple(power for power in position.map.powers if power in position.centres) if any(reasons) else None
    )


class GrandPlan:
    """The plan of one power through a game; it is told of each phase in turn.

    `ally` and `target` are those of the best plan. They change in Winter, and earlier only if one of the two
    is eliminated. `leader` is the power that is about to win, possibly the power itself. `united` is the
    coalition against it, which lasts until its goal is reached.
    """

    def __init__(self, map: Map, power: str) -> None:
        self.map = map
        self.power = map.power(power)
        self.ally: str | None = None
        self.target: str | None = None
        self.leader: str | None = None
        self.united: Coalition | None = None
        #: The owners of the centres, and the first year with them.
        self._owners: tuple[tuple[str | None, ...], int] = ((), 0)
        self._planned = 0
        self._position: Position | None = None

    def begin(self, position: Position, liking: Mapping[str, float] | None = None) -> None:
        """Begin a phase; `liking` is as for `plans`. A repeated call for the same phase changes only that."""
        self._position = position
        if self._owners[0] != position.owners:
            # The changes of an Autumn are seen in the Winter of the year, and count from the next year on.
            self._owners = position.owners, position.phase.year + (position.phase.season == "W")
        self.leader = leader(position)
        if self.leader not in (None, self.power):
            self.united = coalition(position)
        elif self.united is not None and (self.leader == self.power or is_over(self.united, position)):
            self.united = None
        alive = {self.power, *position.centres}
        gone = self.target is None or not {self.ally, self.target} <= alive
        if position.phase.kind == "M" and (gone or position.phase.year != self._planned):
            self._planned = position.phase.year
            best = plans(position, self.power, liking=liking)[:1]
            self.ally, self.target = (best[0].ally, best[0].against) if best else (None, None)

    def draw(self) -> tuple[str, ...] | None:
        """The powers that should share a draw now, by `draw_wanted`; None for no draw."""
        if self._position is None:
            return None
        return draw_wanted(self._position, self.power, self._position.phase.year - self._owners[1])

    def division(self, position: Position, partner: str) -> p.Division | None:
        """The division of the target's and neutral centres with a partner; None if neither would grow. Raises
        MapError for an unknown power."""
        partner = self.map.power(partner)
        against = (self.target,) if self.target not in (None, partner, self.power) else ()
        divided = division(position, self.power, partner, against=[enemy for enemy in against if enemy])
        owned = {*position.centres.get(self.power, ()), *position.centres.get(partner, ())}
        return divided if any(set(share.centres) - owned for share in divided.shares) else None
