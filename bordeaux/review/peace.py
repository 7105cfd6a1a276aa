"""Peace between two powers by their orders and their agreements: which power was bound to which in each
phase.

A review knows the whole game. Two powers that could have attacked each other for years and did not were at
peace from the beginning of that time, with or without words. The power that attacks first breaks it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bordeaux.board.code import codes_in
from bordeaux.board.neighbours import near
from bordeaux.board.position import Position
from bordeaux.press.diplomat.conduct import conduct
from bordeaux.press.diplomat.restraint import FIRST, Restraint
from bordeaux.review.record import GameRecord, RecordedPhase
from bordeaux.review.words import TRUST, TalkSummary
from bordeaux.rules.rulesets import DATC
from bordeaux.search.agreements import Agreement, Bond

__all__ = ["NEAR", "QUIET", "Pacts", "Peaces", "Quiet", "agreed_peace", "peaces", "quiet_before"]

QUIET = 4
"""Movement phases (two years) without a fight between two powers that could have fought, after which they are
at peace."""
NEAR = 2
"""The number of moves within which two powers could soon attack each other."""

Pair = frozenset[str]
Quiet = dict[int, Mapping[Pair, int]]
"""The number of movement phases without an attack between pairs of powers, by the number of the phase."""
Peaces = Mapping[int, Mapping[str, tuple[Agreement, ...]]]
"""The obligations of each power in a movement phase or in retreats, by the number of the phase and the
power."""


def quiet_before(record: GameRecord) -> Quiet:
    """For each movement phase by its number: how many movement phases before it two powers near each other
    had not attacked each other. A phase in which one of the two sent no orders does not count."""
    by_turn: Quiet = {}
    quiet: dict[Pair, int] = {}
    for turn in record.movements():
        by_turn[turn.number] = dict(quiet)
        met, calm = _pairs(turn)
        quiet |= dict.fromkeys(met, 0)
        quiet |= {pair: quiet.get(pair, 0) + 1 for pair in calm}
    return by_turn


def peaces(record: GameRecord) -> dict[int, frozenset[Pair]]:
    """The pairs at peace by their orders, by the number of the movement phase: near each other, and without
    an attack for at least QUIET phases. The attack that ends this time is an attack in peace."""
    pairs_by_turn: dict[int, set[Pair]] = {turn.number: set() for turn in record.movements()}
    spells: dict[Pair, list[int]] = {}

    def over(pair: Pair, *last: int) -> None:
        spell = spells.pop(pair, [])
        if len(spell) >= QUIET:
            for number in (*spell, *last):
                pairs_by_turn[number].add(pair)

    for turn in record.movements():
        met, calm = _pairs(turn)
        for pair in met:
            over(pair, turn.number)
        for pair in calm:
            spells.setdefault(pair, []).append(turn.number)
    for pair in list(spells):
        over(pair)
    return {number: frozenset(pairs) for number, pairs in pairs_by_turn.items()}


def agreed_peace(record: GameRecord, said: TalkSummary) -> Peaces:
    """The agreements that bound the powers in every movement phase and in the retreats after it: those by
    words, and peace by orders between powers without one. The trust in a partner follows from its orders
    until then (`bordeaux.press.diplomat.restraint`), not from its words."""
    by_turn: dict[int, dict[str, tuple[Agreement, ...]]] = {}
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
            whom = {
                party
                for agreement in spoken
                if agreement.kind in ("peace", "alliance")
                for party in agreement.parties
            }
            partners = sorted(other for pair in pairs if power in pair for other in pair - {power} - whom)
            bound[power] = (*spoken, *(_by_deeds(restraint, power, other) for other in partners))
        by_turn[turn.number] = bound
        if kind == "M":
            # Who has just been attacked may retreat to wherever it likes.
            pairs -= _pairs(turn)[0]
        restraint.observe(turn.before, turn.orders)
    return by_turn


class Pacts:
    """The agreements that bound a power in a phase, divided into those that a set of its orders (bytes of
    codes) `kept` and those that it `broke`."""

    def __init__(
        self, position: Position, power: str, agreements: Sequence[Agreement], orders: bytes
    ) -> None:
        self.power = power
        self._bonds = [(agreement, Bond(position, power, agreement, DATC)) for agreement in agreements]
        self.broke = self._broken_by(orders)
        self.kept = tuple(agreement for agreement in agreements if agreement not in self.broke)

    def chosen(self) -> tuple[Agreement, ...]:
        """The agreements after the power's own choice: those that it kept."""
        return (*_binding(self.kept), *self._free(self.broke))

    def otherwise(self) -> tuple[Agreement, ...]:
        """The agreements after the opposite choice: all that it broke, or none if it kept all. Empty if
        nothing bound it."""
        if self.broke:
            return tuple(_binding((*self.kept, *self.broke)))
        return tuple(self._free(self.kept))

    def is_other(self, orders: bytes) -> bool:
        """Whether a set of orders makes the opposite choice: it keeps all if the power broke something, or
        breaks something if the power kept all."""
        return bool(self._broken_by(orders)) != bool(self.broke)

    def victims(self, orders: bytes) -> tuple[str, ...]:
        """The powers with which a set of orders breaks an agreement."""
        broken = (party for agreement in self._broken_by(orders) for party in agreement.parties)
        return tuple(dict.fromkeys(party for party in broken if party != self.power))

    def partners(self) -> tuple[str, ...]:
        """The powers with which the orders kept peace."""
        kept = (
            party
            for agreement in self.kept
            if agreement.kind in ("peace", "alliance")
            for party in agreement.parties
        )
        return tuple(dict.fromkeys(party for party in kept if party != self.power))

    def _broken_by(self, orders: bytes) -> tuple[Agreement, ...]:
        codes = codes_in(orders)
        return tuple(agreement for agreement, bond in self._bonds if any(map(bond.breaks, codes)))

    def _free(self, agreements: Sequence[Agreement]) -> Iterator[Agreement]:
        return (replace(agreement, stabbed_by=(self.power,)) for agreement in agreements)


def _binding(agreements: Sequence[Agreement]) -> Iterator[Agreement]:
    return (replace(agreement, stabbed_by=()) for agreement in agreements)


def _pairs(turn: RecordedPhase) -> tuple[set[Pair], set[Pair]]:
    """The pairs of powers that met in a movement phase: one attacked the other, or they were near each other,
    both sent orders, and neither attacked."""
    met = {frozenset(pair) for pair in conduct(turn.before, turn.orders).attacks}
    beside = {frozenset(pair) for pair in near(turn.before, NEAR)} - met
    return met, {pair for pair in beside if all(turn.orders.get(power) for power in pair)}


def _by_deeds(restraint: Restraint, one: str, other: str) -> Agreement:
    trust = min(restraint.trust(one, other), restraint.trust(other, one))
    return Agreement("peace", (one, other), trust=min(TRUST, max(FIRST, trust)))
