"""From pairs of powers to consistent alliances of all powers.

Pairs alone may contradict each other: a power is rarely the ally of two powers that are at war with each
other. A picture says of every pair whether it is allied. Its probability is the product of those of the
pairs, reduced for every such contradiction.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

__all__ = ["AlliancePicture", "Bloc", "Hypothesis", "pictures"]

#: The maximum number of open pairs, which give 1,024 pictures; all others have their most probable state.
OPEN = 10
#: A pair is open if its probabilities are not beyond this bound or its complement.
SURE = 0.05
#: The factor on a picture for each power that is allied with two powers at war with each other.
TORN = 0.25
#: The probability of war from which on a power is among those that a bloc opposes.
AT_WAR = 0.5

Pair = tuple[str, str]


class Bloc(NamedTuple):
    """Powers that are allied with each other, and those they are at war with."""

    allies: tuple[str, ...]
    against: tuple[str, ...]


class Hypothesis(NamedTuple):
    """Who is allied with whom against whom: the blocs of a table. A power in no bloc is alone."""

    blocs: tuple[Bloc, ...]

    def __str__(self) -> str:
        return "; ".join(_said(bloc) for bloc in self.blocs) or "everybody alone"


class AlliancePicture(NamedTuple):
    """The pairs that are allied, and the probability of this."""

    allied: frozenset[Pair]
    share: float


def pictures(allied: Mapping[Pair, float], war: Callable[[str, str], float]) -> list[AlliancePicture]:
    """All pictures of some pairs, the most probable first. `allied` has the probability that each pair is
    allied, considered alone; `war` gives the probability that two powers are at war."""
    doubt = sorted(allied, key=lambda pair: (abs(allied[pair] - 0.5), pair))
    unsure = [pair for pair in doubt[:OPEN] if SURE < allied[pair] < 1 - SURE]
    settled = {pair for pair in allied if pair not in unsure and allied[pair] >= 0.5}
    corners = sorted({power for pair in allied for power in pair})
    # A power between two that may be at war: what it is worth if it is allied with both.
    torn = [
        (_pair(one, middle), _pair(middle, other), 1 - (1 - TORN) * war(one, other))
        for one, other in itertools.combinations(corners, 2)
        for middle in corners
        if middle not in (one, other) and _pair(one, middle) in allied and _pair(middle, other) in allied
    ]
    listed = []
    for chosen in itertools.product((False, True), repeat=len(unsure)):
        pairs = settled.union(itertools.compress(unsure, chosen))
        weight = math.prod(
            allied[pair] if is_allied else 1 - allied[pair]
            for pair, is_allied in zip(unsure, chosen, strict=True)
        )
        weight *= math.prod(less for first, second, less in torn if first in pairs and second in pairs)
        listed.append(AlliancePicture(frozenset(pairs), weight))
    total = math.fsum(picture.share for picture in listed)
    ranked = sorted(listed, key=lambda picture: (-picture.share, sorted(picture.allied)))
    return [AlliancePicture(picture.allied, picture.share / total) for picture in ranked]


def hypothesis(allied: Iterable[Pair], powers: Sequence[str], war: Callable[[str, str], float]) -> Hypothesis:
    """The blocs of a picture: maximal groups of powers that are all allied with each other, and the powers
    with which at least one member is at war and none is allied."""
    friends: dict[str, set[str]] = {}
    for one, other in allied:
        friends.setdefault(one, set()).add(other)
        friends.setdefault(other, set()).add(one)
    blocs = []
    for members in _cliques(friends):
        against = tuple(
            power
            for power in powers
            if power not in members
            and not friends.get(power, set()) & members
            and any(war(power, member) >= AT_WAR for member in members)
        )
        blocs.append(Bloc(tuple(sorted(members)), against))
    return Hypothesis(tuple(sorted(blocs)))


def _cliques(friends: Mapping[str, set[str]]) -> list[set[str]]:
    """The maximal groups in which all are friends (Bron and Kerbosch 1973)."""
    cliques: list[set[str]] = []

    def grow(members: set[str], candidates: set[str], left: set[str]) -> None:
        if not candidates and not left:
            cliques.append(members)
        for candidate in sorted(candidates):
            grow(members | {candidate}, candidates & friends[candidate], left & friends[candidate])
            candidates = candidates - {candidate}
            left = left | {candidate}

    if friends:
        grow(set(), set(friends), set())
    return cliques


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


def _said(bloc: Bloc) -> str:
    against = f" against {', '.join(bloc.against)}" if bloc.against else ""
    return f"{' and '.join(bloc.allies)}{against}"
