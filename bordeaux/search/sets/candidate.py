"""The immutable values that the stages of a search pass on: candidates, the game that they form, mixtures."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from bordeaux.board.code import codes_in, in_order
from bordeaux.board.position import Position

__all__ = [
    "FORCED",
    "SURE",
    "WORTH",
    "Candidate",
    "Candidates",
    "MixedSets",
    "Mixtures",
    "PhaseGame",
    "drawn_from",
    "joined",
    "ranked",
    "scored",
]

#: The parts of scores: the mean value against the others' orders, and the value of what is proved.
WORTH, SURE = "worth", "sure"
#: The proposer of sets that force a goal.
FORCED = "forced"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A complete set of one power (`orders`, bytes of codes), its first `proposer`, how often it was `drawn`,
    and its `scores` by kind. Its value is their sum. They are in the unit of its search: chances (shares of
    the final result) by a learnt value, else points."""

    orders: bytes
    proposer: str
    drawn: int = 1
    scores: tuple[tuple[str, float], ...] = ()

    @property
    def value(self) -> float:
        """The sum of the scores."""
        return sum(score for _, score in self.scores)

    def in_units(self, size: float) -> Candidate:
        """The same with scores in another unit, of which so many make one of the present."""
        return replace(self, scores=tuple((kind, score * size) for kind, score in self.scores))

    @property
    def rank(self) -> tuple[float, bytes]:
        """A key that sorts the best first, and equal ones by their orders, for reproducible runs."""
        return -self.value, self.orders


Candidates = tuple[Candidate, ...]
"""The candidates of one power, each set once."""

MixedSets = list[tuple[bytes, float]]
"""Sets of one power (bytes of codes), with the share (0 to 1) with which it plays each."""


@dataclass(frozen=True, slots=True)
class Mixtures:
    """The mixed strategies of some powers: `shares` of their sets by power, in the order of its pool, which
    sum to 1; and the mean `values` of these sets, for powers that have learnt, in the unit of the search."""

    shares: Mapping[str, tuple[float, ...]]
    values: Mapping[str, tuple[float, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        object.__setattr__(self, "shares", MappingProxyType(dict(self.shares)))
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    def played_in(self, game: PhaseGame) -> Mixtures:
        """The same mixtures of the others, and the power that decides in a game plays its sets there as they
        were drawn."""
        return Mixtures(dict(self.shares) | {game.power: game.drawn_of(game.power)})

    def mixed(self, other: Mixtures, parts: Mapping[str, float]) -> Mixtures:
        """The shares with those of `other` mixed in, for each power by its part of `parts` (0 to 1). Raises
        ValueError for mixtures of different pools."""

        def mixed(row: tuple[float, ...], others: tuple[float, ...], part: float) -> tuple[float, ...]:
            return tuple((1 - part) * own + part * share for own, share in zip(row, others, strict=True))

        rows = self.shares.items()
        return Mixtures({power: mixed(row, other.shares[power], parts[power]) for power, row in rows})


@dataclass(frozen=True, slots=True)
class PhaseGame:
    """The decision of a `power` as a game in normal form: the `pools` of all powers that must give orders in
    a `position`, and the `partners` of whose results the power counts a part as its own. Values are in units
    of so many `points`."""

    position: Position
    power: str
    pools: Mapping[str, Candidates]
    partners: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    points: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "pools", MappingProxyType(dict(self.pools)))
        object.__setattr__(self, "partners", MappingProxyType(dict(self.partners)))

    def deciding_among(self, pool: Candidates) -> PhaseGame:
        """The same game with other candidates of the power that decides."""
        return replace(self, pools=dict(self.pools) | {self.power: pool})

    def others(self, mixtures: Mixtures) -> dict[str, MixedSets]:
        """The sets of each power but the one that decides, with their shares of some mixtures."""
        return {power: self.mixed_sets(power, mixtures) for power in self.pools if power != self.power}

    def mixed_sets(self, power: str, mixtures: Mixtures) -> MixedSets:
        """The sets of a power with their shares of some mixtures."""
        sets = (candidate.orders for candidate in self.pools[power])
        return list(zip(sets, mixtures.shares[power], strict=True))

    def drawn_of(self, power: str) -> tuple[float, ...]:
        """How often each set of a power was drawn, as shares. A set that proofs or others have proposed is as
        likely as one that was drawn once."""
        counts = [candidate.drawn for candidate in self.pools[power]]
        total = sum(counts)
        return tuple(count / total for count in counts)

    @property
    def drawn(self) -> Mixtures:
        """All powers as they draw."""
        return Mixtures({power: self.drawn_of(power) for power in self.pools})


def drawn_from(sets: MixedSets, chance: random.Random) -> bytes:
    """One of some sets, by their shares."""
    ((orders, _),) = chance.choices(sets, [share for _, share in sets])
    return orders


def joined(pool: Candidates, sets: Iterable[bytes], proposer: str) -> Candidates:
    """A pool with further sets; the count of a set that is there already rises by one each time."""
    by_orders = {candidate.orders: candidate for candidate in pool}
    # Policies draw the same sets in the same order again and again.
    for drawn_set, times in Counter(sets).items():
        orders = in_order(codes_in(drawn_set))
        known = by_orders.get(orders)
        by_orders[orders] = (
            Candidate(orders, proposer, times) if known is None else replace(known, drawn=known.drawn + times)
        )
    return tuple(by_orders.values())


def scored(pool: Candidates, kind: str, values: Mapping[bytes, float]) -> Candidates:
    """A pool with the scores of one kind set for the candidates in `values`."""
    return tuple(
        replace(
            candidate,
            scores=(
                *(score for score in candidate.scores if score[0] != kind),
                (kind, values[candidate.orders]),
            ),
        )
        if candidate.orders in values
        else candidate
        for candidate in pool
    )


def ranked(pool: Candidates) -> Candidates:
    """A pool, best first."""
    return tuple(sorted(pool, key=lambda candidate: candidate.rank))
