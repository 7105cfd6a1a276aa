"""The book of deals: which are in force between two powers, who is at peace, and who is hostile.

A breach voids what the two have agreed upon, unless a third is owed it too (Hall and Loeb 1995, section 5). A
later deal overrides one that it conflicts with (LANGUAGE.md, section 8). A peace forgives what was before it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

from bordeaux.board.map import Map
from bordeaux.board.phase import Phase, order_of_play
from bordeaux.board.position import Position
from bordeaux.press.diplomat.deeds import Deal, Judgement, Pair, judge, promised
from bordeaux.press.diplomat.turn import Deed, ObservedTurn
from bordeaux.press.language import messages as p
from bordeaux.press.language.terms import (
    atoms,
    conflict,
    contains,
    keeps_peace,
    last_phase,
    parts,
    timed,
    undone,
    while_on,
)
from bordeaux.rules.outcome import survivors

#: Deals between two powers that are remembered, and the years for which ended ones are.
MOST_DEALS, YEARS = 30, 2
#: Breaches and wars between two powers that are remembered.
MOST_WRONGS = 8


@dataclass(slots=True)
class _Entry:
    """A deal, its timed term, the terms that are still owed (none if it is over), the parties that have left
    it, the numbers of the deals that override it between two, and the phase since which it binds nobody."""

    deal: Deal
    due: p.Term
    rests: tuple[p.Term, ...]
    over: bool = False
    left: set[str] = field(default_factory=set)
    overridden: dict[Pair, list[int]] = field(default_factory=dict)
    ended: Phase | None = None


@dataclass(frozen=True, slots=True)
class _Wrong:
    """A hostile act of a power against another in a phase, after so many deals: the number of the deal that
    it broke, 0 for a war that it declared."""

    power: str
    other: str
    phase: Phase
    after: int
    broken: int = 0


class DealBook:
    """The deals of one game."""

    def __init__(self, map: Map) -> None:
        self._map = map
        self._phase = map.start_phase
        self._count = 0
        self._entries: dict[int, _Entry] = {}
        self._wrongs: dict[Pair, deque[_Wrong]] = {}
        self._out: frozenset[str] = frozenset()

    def begin(self, position: Position) -> None:
        """Begin a phase: terms of earlier phases end, and powers without units and centres are out."""
        self._phase = position.phase
        self._out = frozenset(self._map.powers) - frozenset(survivors(position))
        oldest = order_of_play(self._phase._replace(year=self._phase.year - YEARS))
        for number, entry in list(self._entries.items()):
            entry.over = entry.over or self._is_past(entry.deal.until)
            if self.bound(entry.deal):
                entry.ended = None
            elif entry.ended is None:
                entry.ended = self._phase
            elif order_of_play(entry.ended) < oldest:
                del self._entries[number]

    def conclude(self, term: p.Term, parties: Collection[str], proposer: str, made: Phase) -> list[Deal]:
        """Put a deal in force that was proposed in a phase, unless it is for past phases, or in force
        already."""
        due = timed(term, made)
        until = last_phase(due)
        listed = tuple(power for power in self._map.powers if power in parties)
        known = any(deal.parties == listed and self._entries[deal.number].due == due for deal in self.deals())
        if self._is_past(until) or known:
            return []
        self._count += 1
        deal = Deal(self._count, term, listed, proposer, made, until)
        for pair in self.pairs(listed):
            between = self._between(pair)
            for old in between:
                if self._binds(old, pair) and conflict(old.due, due):
                    old.overridden.setdefault(pair, []).append(deal.number)
            for old in between[: 1 - MOST_DEALS]:
                del self._entries[old.deal.number]
        rests = tuple(part for part in parts(due) if undone(part) is None or _asks(part))
        self._entries[deal.number] = _Entry(deal, due, rests)
        return [deal]

    def deals(self, partner: str | None = None) -> list[Deal]:
        """The deals in force with duties, all or those of a partner, the oldest first."""
        return [entry.deal for entry in self._entries.values() if self._in_force(entry, partner)]

    def bound(self, deal: Deal) -> tuple[Pair, ...]:
        """The pairs that a deal binds; they may be fewer than its parties."""
        entry = self._entries[deal.number]
        return tuple(pair for pair in self.pairs(deal.parties) if self._binds(entry, pair))

    def owed(self, partner: str | None = None) -> list[tuple[p.Term, tuple[Pair, ...]]]:
        """The rest of the deals in force, timed terms with the pairs that each binds, the latest first."""
        deals = reversed(self.deals(partner))
        return [(part, self.bound(deal)) for deal in deals for part in self._entries[deal.number].rests]

    def at_peace(self, power: str, other: str) -> bool:
        """Whether a deal in force makes peace between two, and neither is hostile to the other."""
        hostile = self.hostile(power, other) or self.hostile(other, power)
        return not hostile and self._made_peace(self.pair(power, other), 0)

    def hostile(self, power: str, other: str) -> bool:
        """Whether a power has broken a deal with another, declared war, or allied against it, and the two
        have made no peace since."""
        pair = self.pair(power, other)
        since = [wrong.after for wrong in self._wrongs.get(pair, ()) if wrong.power == power]
        since += [
            entry.deal.number
            for entry in self._entries.values()
            if any(_allied(part, power, other) for part in parts(while_on(entry.due, self._phase)))
            and self._in_force(entry, power)
        ]
        return any(not self._made_peace(pair, after) for after in since)

    def warned(self, power: str) -> frozenset[str]:
        """The powers that have declared in this phase that they are not at peace with another."""
        return frozenset(
            wrong.power
            for wrongs in self._wrongs.values()
            for wrong in wrongs
            if not wrong.broken and wrong.other == power and wrong.phase == self._phase
        )

    def judge(self, turn: ObservedTurn) -> list[Judgement]:
        """The judgements of a turn on all deals in force, in the order of the deals and of the map. Breaches
        count from then on; completed terms end."""
        bound = {
            number: pairs for number, entry in self._entries.items() if (pairs := self.bound(entry.deal))
        }
        excused: dict[Pair, set[Deed]] = {}
        for number, pairs in bound.items():
            for pair in pairs:
                excused.setdefault(pair, set()).update(promised(self._entries[number].rests, pair, turn))
        judged: list[Judgement] = []
        wrongs = []
        for number, pairs in bound.items():
            entry = self._entries[number]
            judgements, wronged, entry.rests = judge(entry.deal, entry.rests, pairs, turn, excused)
            judged += judgements
            wrongs += [_Wrong(*both, self._phase, self._count, number) for both in wronged]
            entry.over = not entry.rests
        for wrong in wrongs:
            self._remember(wrong)
        return judged

    def leave(self, power: str, dropped: p.Term, to: Collection[str]) -> None:
        """A power tells others that it drops a term: its agreement with them ends."""
        for deal in self.deals(power):
            if contains(deal.term, dropped) and not set(to).isdisjoint(deal.parties):
                self._entries[deal.number].left.add(power)

    def declare(self, power: str, other: str) -> None:
        """A power declares to another that there is no peace."""
        self._remember(_Wrong(power, other, self._phase, self._count))

    def pair(self, power: str, other: str) -> Pair:
        """Two powers as a pair."""
        first, second = sorted((power, other), key=self._map.powers.index)
        return first, second

    def pairs(self, powers: Iterable[str]) -> Iterator[Pair]:
        """All pairs of some powers."""
        return combinations(sorted(set(powers), key=self._map.powers.index), 2)

    def __len__(self) -> int:
        """The number of remembered deals."""
        return len(self._entries)

    def _is_past(self, until: Phase | None) -> bool:
        return until is not None and order_of_play(until) < order_of_play(self._phase)

    def _in_force(self, entry: _Entry, partner: str | None) -> bool:
        """Whether a deal has duties in force, for a partner if one is named."""
        pairs = self.bound(entry.deal) if entry.rests else ()
        return any(partner is None or partner in pair for pair in pairs)

    def _between(self, pair: Pair) -> list[_Entry]:
        return [entry for entry in self._entries.values() if set(pair) <= set(entry.deal.parties)]

    def _binds(self, entry: _Entry, pair: Pair) -> bool:
        """Whether a deal is in force between two of its parties."""
        if entry.over or not self._out.isdisjoint(pair) or not entry.left.isdisjoint(pair):
            return False
        later = [self._entries.get(number) for number in entry.overridden.get(pair, ())]
        overridden = any(other is not None and self._binds(other, pair) for other in later)
        return not overridden and not self._is_void(entry, *pair) and not self._is_void(entry, *pair[::-1])

    def _is_void(self, entry: _Entry, breaker: str, other: str) -> bool:
        """Whether a power has freed another from a deal: it broke that, or another and owes this to no third
        power."""
        broken = self._broken(entry.deal, breaker, other)
        thirds = {*entry.deal.parties} - {breaker, other} - entry.left - self._out
        return entry.deal.number in broken or (
            bool(broken) and all(self._broken(entry.deal, breaker, third) for third in thirds)
        )

    def _broken(self, deal: Deal, power: str, other: str) -> set[int]:
        """The deals that a power has broken to another since it concluded a deal."""
        return {
            wrong.broken
            for wrong in self._wrongs.get(self.pair(power, other), ())
            if wrong.broken and wrong.power == power and wrong.after >= deal.number
        }

    def _made_peace(self, pair: Pair, after: int) -> bool:
        """Whether a deal in force with a higher number keeps two at peace."""
        return any(
            entry.deal.number > after
            and self._binds(entry, pair)
            and keeps_peace(while_on(entry.due, self._phase), *pair)
            for entry in self._between(pair)
        )

    def _remember(self, wrong: _Wrong) -> None:
        pair = self.pair(wrong.power, wrong.other)
        wrongs = self._wrongs.setdefault(pair, deque(maxlen=MOST_WRONGS))
        if wrong not in wrongs:
            wrongs.append(wrong)


def _allied(term: p.Term, power: str, foe: str) -> bool:
    return isinstance(term, p.Alliance) and power in term.powers and foe in term.against


def _asks(term: p.Term) -> bool:
    """Whether the negation of a term forbids anything."""
    return isinstance(term, p.Not) and any(
        isinstance(atom, p.Promise)
        for atom in atoms(term.term)  # type: ignore[arg-type]
    )
