"""Keep a promise or stab: the value of each for us, and the decision.

In Hall and Loeb (1995), section 5, the diplomat computes two sets of orders for itself and two for its
partner, and values the four outcomes. They often form a prisoner's dilemma, which it plays as a repeated
game.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from bordeaux.board.code import codes_in
from bordeaux.board.errors import BordeauxError, PositionError, nearest, quote
from bordeaux.board.position import Neighbourhood, Position
from bordeaux.board.submission import texts
from bordeaux.engine import Engine, Limit, Request
from bordeaux.rules.rulesets import DATC
from bordeaux.search.agreements import Agreement, Bond, agreed
from bordeaux.search.paper import SetPools

# The character of a diplomat: honesty, greed, and the duration of grudges. Deceit is a scale with three named
# points (Hall and Loeb 1995, section 5): tit for tat, stabs with a gain that is not available later, and a
# solo always.


class Character(NamedTuple):
    """`greed` is the weight of a stab's immediate gain, 0 for a power that breaks promises only for a solo.
    `shadow` is the weight of the next opportunity relative to this one (0 to 1). `answers` is the number of
    opportunities for which a stab is answered with stabs, as in `decide`.
    `grudge`: movement phases for which a power that stabbed it is offered no peace. `warns`: it announces the
    end of an agreement before it acts against it."""

    name: str
    greed: float
    shadow: float
    answers: int
    grudge: int
    warns: bool


CHARACTERS = {
    character.name: character
    for character in (
        Character("honest", greed=0.0, shadow=0.95, answers=0, grudge=8, warns=True),
        Character("tit-for-tat", greed=1.0, shadow=0.85, answers=1, grudge=6, warns=False),
        Character("opportunist", greed=1.0, shadow=0.3, answers=3, grudge=3, warns=False),
    )
}
"""All characters by name, in descending order of honesty."""


def character(name: str) -> Character:
    """The character of a name. Raises BordeauxError for an unknown one."""
    if name not in CHARACTERS:
        known = ", ".join(CHARACTERS)
        raise BordeauxError(f"unknown character {quote(name)}{nearest(name, CHARACTERS)} (known: {known})")
    return CHARACTERS[name]


#: The default nodes of a table of payoffs.
NODES = 2000
#: The part of the nodes for finding sets; the rest compares them and plays rollouts of the outcomes.
SEARCHED = 0.4
#: Sets of each search that are compared, and joint orders of the others on which they are compared.
LINES, TRIED = 8, 24
#: The minimum and maximum number of rollouts of each outcome.
FEWEST, MOST = 4, 64
#: The probability of a solo after a stab from which on it counts as within reach, and its minimum gain over
#: no stab.
SOLO, BY_STAB = 0.5, 0.1
#: The most centres for which a stab gains a single one, and the probability of keeping its promises from
#: which on an ally is trustworthy.
SINGLE, TRUSTWORTHY = 1.5, 0.5
#: The number of Falls, beyond this one, for which two neighbours remain near each other, for each centre of
#: the weaker up to a maximum, if nobody is about to win. Fitted to 375 games of people (root mean square
#: error 2.4).
FALLS, COUNTED = 1.64, 5


class Outcomes(NamedTuple):
    """A number for each outcome; the first letter is the owner's choice, the second the other's: C keeps its
    promise (cooperates), S stabs."""

    cc: float
    cs: float
    sc: float
    ss: float

    def of(self, stab: bool, chance_kept: float) -> float:
        """The expected value of the own choice, if the other keeps its promise with a probability from 0 to
        1."""
        kept, stabbed = (self.sc, self.ss) if stab else (self.cc, self.cs)
        return chance_kept * kept + (1 - chance_kept) * stabbed


EVEN = Outcomes(0.0, 0.0, 0.0, 0.0)


class Payoffs(NamedTuple):
    """The values of keeping and stabbing in one position for us, some phases later: `points`, the mean number
    of `centres`, and the probability of a `solo`.

    `kept` and `stab` are our orders for either; if they are equal, no set that breaks an agreement was found.
    """

    points: Outcomes
    centres: Outcomes = EVEN
    solo: Outcomes = EVEN
    kept: tuple[str, ...] = ()
    stab: tuple[str, ...] = ()


def decide(
    payoffs: Payoffs,
    future: float,
    chance_kept: float,
    *,
    opportunities: float = math.inf,
    since_stab: int | None = None,
    greed: float = 1.0,
    grudge: float = 1,
) -> bool:
    """Whether to stab a partner, as a repeated game.

    `future`, from 0 to 1, is the weight of the next opportunity relative to this one; the one after that has
    its square, and so on. `opportunities` is their number, including this one. `chance_kept` is the
    probability that the partner keeps its promise. `since_stab` is the number of opportunities since the
    partner stabbed us, 1 for the last one, None for never. `greed` is the weight of a stab's immediate gain
    in points and centres, 0 for never. `grudge` is the number of opportunities for which a stab is answered
    with stabs: 1 is tit for tat, infinity never forgives.

    The rules apply in this order (Hall and Loeb 1995, section 5). A stab that wins the game is made. A stab
    without a gain is not. A stab of the partner is answered. A trustworthy ally is not stabbed for a single
    centre that can be had later. Else the immediate gain of a stab is compared with the later gains of peace,
    for as long as both keep it. An example is the paper's table (0, -2 and 5, 3), a `future` of 0.5 and a
    partner that keeps its promise nine times in ten. Then the last three opportunities are taken, as the
    paper says, and none before.
    """
    won, won_anyway = (payoffs.solo.of(stab, chance_kept) for stab in (True, False))
    if won >= SOLO and won >= won_anyway + BY_STAB:
        return True
    if payoffs.stab and payoffs.stab == payoffs.kept:
        return False
    gain = payoffs.points.of(True, chance_kept) - payoffs.points.of(False, chance_kept)
    if gain <= 0:
        return False
    if since_stab is not None and since_stab <= grudge:
        return True
    centres = payoffs.centres.of(True, chance_kept) - payoffs.centres.of(False, chance_kept)
    if greed * centres <= SINGLE and chance_kept >= TRUSTWORTHY and opportunities >= 2:
        return False
    peace = max(0.0, payoffs.points.cc - payoffs.points.ss)
    later = _weighed(future * chance_kept, opportunities - 1) * peace
    return greed * gain > later


def _weighed(ratio: float, terms: float) -> float:
    """The geometric sum ratio + ratio^2 + ..., with a fractional last term."""
    if ratio >= 1:
        return max(0.0, terms)
    if math.isinf(terms):
        return ratio / (1 - ratio)
    whole = math.floor(max(0.0, terms))
    rest = max(0.0, terms) - whole
    return ratio * (1 - ratio**whole) / (1 - ratio) + rest * ratio ** (whole + 1)


def opportunities(position: Position, power: str, partner: str) -> float:
    """The expected number of choices between peace and a stab of two powers, including this one: once a year,
    as long as both live near each other and nobody has won. 0 for powers that are not near each other now.
    Raises MapError for an unknown power."""
    map = position.map
    power, partner = map.power(power), map.power(partner)
    hood = Neighbourhood(position)
    if power not in hood.enemies(partner) and partner not in hood.enemies(power):
        return 0.0
    owned = {owner: len(centres) for owner, centres in position.centres.items()}
    wins = map.majority
    left = max(0, wins - max(owned.values(), default=0)) / wins
    weaker = min(COUNTED, owned.get(power, 0), owned.get(partner, 0))
    return 1 + FALLS * weaker * left


def payoffs(
    engine: Engine,
    position: Position,
    power: str,
    partner: str,
    agreements: Sequence[Agreement] = (),
    nodes: int = NODES,
) -> Payoffs:
    """The table of payoffs between two powers in a movement phase, by search and rollouts.

    Kept sets are found with all `agreements` binding; for stabs, either power is free to break those with the
    other. If nothing binds the two, the choice is between peace and an attack. The others play as expected,
    the same in all four outcomes, with the same random numbers. Raises PositionError for another phase or a
    power without units, MapError for an unknown power, and what `agreed` raises.
    """
    power, partner = position.map.power(power), position.map.power(partner)
    for name in (power, partner):
        if not position.units_of(name):
            raise PositionError(f"{name} has no units in {position.phase}")
    if power == partner:
        raise PositionError(f"{power} is no partner of itself")
    bound = list(agreed(position, agreements))
    if not any({power, partner} <= {*agreement.parties} for agreement in bound):
        bound.append(Agreement("peace", (power, partner)))
    freed = [
        replace(agreement, stabbed_by=(power, partner))
        if {power, partner} <= {*agreement.parties}
        else agreement
        for agreement in bound
    ]
    part = max(1, round(SEARCHED * nodes / 2))
    limit = Limit(nodes=part)
    keeping, stabbing = (
        engine.pools(Request(position, (power, partner), limit, agreements=agreements))
        for agreements in (bound, freed)
    )
    kept, stab, spent = _chosen(keeping, stabbing, power, partner, bound)
    their_kept, their_stab, more = _chosen(keeping, stabbing, partner, power, bound)
    sets = (kept + their_kept, kept + their_stab, stab + their_kept, stab + their_stab)
    left = max(0, nodes - keeping.nodes - stabbing.nodes - spent - more)
    means = _played(keeping, (power, partner), {*sets}, left)
    points, centres, solo = (Outcomes(*(means[own][place] for own in sets)) for place in range(3))
    map = position.map
    return Payoffs(points, centres, solo, texts(map, kept), texts(map, stab))


def _chosen(
    keeping: SetPools, stabbing: SetPools, power: str, other: str, agreements: Sequence[Agreement]
) -> tuple[bytes, bytes, int]:
    """The best sets of a power that keep and that break its agreements with another, and the nodes used to
    compare them. The sets of both searches are tried on the same orders of the others, to avoid a spurious
    gain. Without a set that breaks anything the two are equal."""
    position = keeping.position
    bonds = [
        Bond(position, power, agreement, DATC)
        for agreement in agreements
        if {power, other} <= {*agreement.parties}
    ]
    lines = [line for pools in (keeping, stabbing) for line in pools.lines(power, LINES)]
    ranked, nodes = keeping.tried(power, list(dict.fromkeys(orders for orders, _ in lines)), TRIED)
    breaking = [
        orders for orders in ranked if any(bond.breaks(code) for code in codes_in(orders) for bond in bonds)
    ]
    kept = next(orders for orders in ranked if orders not in breaking)
    return kept, breaking[0] if breaking else kept, nodes


def _played(
    pools: SetPools, pair: tuple[str, str], sets: Collection[bytes], nodes: int
) -> dict[bytes, list[float]]:
    """For each joint set of two powers, by rollouts with about so many nodes, from the same orders of the
    others with the same random numbers: the mean points and centres of the first, and its share of solos."""
    first = pools.position.map.powers.index(pair[0])
    others = [other for other in pools.present if other not in pair]
    sums = {own: [0.0] * 3 for own in sorted(sets)}
    count, before = 0, pools.played
    while count < MOST and (count < FEWEST or (pools.played - before) * (count + 1) <= nodes * count):
        around = b"".join(map(pools.drawn, others))
        ends = pools.ends([own + around for own in sums])
        for end, total in zip(ends, sums.values(), strict=True):
            total[0] += pools.points(end, pair[0])
            total[1] += end.owners().count(first)
            total[2] += end.victor() == first
        count += 1
    return {own: [value / count for value in total] for own, total in sums.items()}
