"""Peace between two powers, by what they did and by what they agreed: who was bound to whom in which phase.

A review knows the game to its end. Two that could have fought and did not for years were at peace from the
beginning of that spell, whether they said so or not, and whoever ends the spell breaks it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bordeaux.board.code import codes_in
from bordeaux.board.position import Position
from bordeaux.press.diplomat.conduct import conduct
from bordeaux.press.diplomat.restraint import FIRST, Restraint
from bordeaux.review.record import Record, RecordedPhase
from bordeaux.review.words import TRUST, Said
from bordeaux.rules.rulesets import DATC
from bordeaux.search.agreements import Agreement
from bordeaux.search.bonds import Bond
from bordeaux.search.neighbours import near

__all__ = ["NEAR", "QUIET", "Pacts", "Peaces", "Quiet", "agreed_peace", "peaces", "quiet_before"]

QUIET = 4
"""Movement phases, two years, in which two that could have fought did not: that is peace."""
NEAR = 2
"""Moves within which two powers could have attacked each other soon."""

Pair = frozenset[str]
Quiet = dict[int, Mapping[Pair, int]]
"""For how many movement phases pairs of powers had let each other be, by the number of the phase."""
Peaces = Mapping[int, Mapping[str, tuple[Agreement, ...]]]
"""What bound each power in a movement phase or in retreats, by the number of the phase and the power."""


def quiet_before(record: Record) -> Quiet:
    """For how many movement phases before each, by its number, two powers near each other had not attacked
    each other. A phase in which one of the two sent no orders says nothing of them."""
    found: Quiet = {}
    quiet: dict[Pair, int] = {}
    for turn in record.movements():
        found[turn.number] = dict(quiet)
        met, calm = _pairs(turn)
        quiet |= dict.fromkeys(met, 0)
        quiet |= {pair: quiet.get(pair, 0) + 1 for pair in calm}
    return found


def peaces(record: Record) -> dict[int, frozenset[Pair]]:
    """The pairs that were at peace by their deeds, by the number of the movement phase: near each other, and
    in a spell of QUIET calm phases at least. The attack that ends a spell is an attack in peace."""
    found: dict[int, set[Pair]] = {turn.number: set() for turn in record.movements()}
    spells: dict[Pair, list[int]] = {}

    def over(pair: Pair, *last: int) -> None:
        spell = spells.pop(pair, [])
        if len(spell) >= QUIET:
            for number in (*spell, *last):
                found[number].add(pair)

    for turn in record.movements():
        met, calm = _pairs(turn)
        for pair in met:
            over(pair, turn.number)
        for pair in calm:
            spells.setdefault(pair, []).append(turn.number)
    for pair in list(spells):
        over(pair)
    return {number: frozenset(pairs) for number, pairs in found.items()}


def agreed_peace(record: Record, said: Said) -> Peaces:
    """What bound the powers in every movement phase and in the retreats after it: what they had agreed by
    words, and peace by deeds with those with whom they had agreed on none. How far a partner was trusted is
    what its deeds had shown till then (`bordeaux.press.diplomat.restraint`), no more than its word."""
    found: dict[int, dict[str, tuple[Agreement, ...]]] = {}
    at_peace, restraint = peaces(record), Restraint(record.map)
    pairs: frozenset[Pair] = frozenset()
    for turn in record.turns:
        kind = turn.before.phase.kind
        if kind == "A":
            continue
        pairs = at_peace[turn.number] if kind == "M" else pairs
        words = said.agreements.get(turn.number, {})
        bound = {}
        for power in record.map.powers:
            spoken = words.get(power, ())
            whom = {party for each in spoken if each.kind in ("peace", "alliance") for party in each.parties}
            partners = sorted(other for pair in pairs if power in pair for other in pair - {power} - whom)
            bound[power] = (*spoken, *(_by_deeds(restraint, power, other) for other in partners))
        found[turn.number] = bound
        if kind == "M":
            # Who has just been attacked may retreat to wherever it likes.
            pairs -= _pairs(turn)[0]
        restraint.observe(turn.before, turn.orders)
    return found


class Pacts:
    """What bound a power in a phase, parted into what a set of its orders (bytes of codes) `kept`
    and what it `broke`."""

    def __init__(
        self, position: Position, power: str, agreements: Sequence[Agreement], orders: bytes
    ) -> None:
        self.power = power
        self._bonds = [(each, Bond(position, power, each, DATC)) for each in agreements]
        self.broke = self._broken_by(orders)
        self.kept = tuple(each for each in agreements if each not in self.broke)

    def chosen(self) -> tuple[Agreement, ...]:
        """The agreements with the power bound by those that it kept, and free of those that it broke."""
        return (*_binding(self.kept), *self._free(self.broke))

    def otherwise(self) -> tuple[Agreement, ...]:
        """The same as if it had chosen the other way: it keeps all that it broke, or is free where it kept
        all. Empty where nothing bound it."""
        if self.broke:
            return tuple(_binding((*self.kept, *self.broke)))
        return tuple(self._free(self.kept))

    def is_other(self, orders: bytes) -> bool:
        """Whether a set of orders is a choice of the other way: keeps all, where the power broke something,
        or breaks something, where it kept all."""
        return bool(self._broken_by(orders)) != bool(self.broke)

    def victims(self, orders: bytes) -> tuple[str, ...]:
        """The powers with which a set of orders breaks something that bound the power."""
        broken = (party for each in self._broken_by(orders) for party in each.parties)
        return tuple(dict.fromkeys(party for party in broken if party != self.power))

    def partners(self) -> tuple[str, ...]:
        """The powers with which the orders kept peace."""
        kept = (party for each in self.kept if each.kind in ("peace", "alliance") for party in each.parties)
        return tuple(dict.fromkeys(party for party in kept if party != self.power))

    def _broken_by(self, orders: bytes) -> tuple[Agreement, ...]:
        codes = codes_in(orders)
        return tuple(each for each, bond in self._bonds if any(map(bond.breaks, codes)))

    def _free(self, agreements: Sequence[Agreement]) -> Iterator[Agreement]:
        return (replace(each, stabbed_by=(self.power,)) for each in agreements)


def _binding(agreements: Sequence[Agreement]) -> Iterator[Agreement]:
    return (replace(each, stabbed_by=()) for each in agreements)


def _pairs(turn: RecordedPhase) -> tuple[set[Pair], set[Pair]]:
    """The pairs of powers that met in a movement phase, one attacking the other, and those near each other
    that let each other be though both sent orders."""
    met = {frozenset(pair) for pair in conduct(turn.before, turn.orders).attacks}
    beside = {frozenset(pair) for pair in near(turn.before, NEAR)} - met
    return met, {pair for pair in beside if all(turn.orders.get(power) for power in pair)}


def _by_deeds(restraint: Restraint, one: str, other: str) -> Agreement:
    trust = min(restraint.trust(one, other), restraint.trust(other, one))
    return Agreement("peace", (one, other), trust=min(TRUST, max(FIRST, trust)))
