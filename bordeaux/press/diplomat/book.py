"""The book of deals: the deals in force between powers, and the consequences of deals, breaches and wars.

Deals, breaches and declarations are premises of a truth maintenance system (`bordeaux.press.diplomat.truth`).
A breach voids what the two have agreed upon, unless a third is owed it too (Hall and Loeb 1995, section 5). A
later deal overrides one that it conflicts with (LANGUAGE.md, section 8).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import combinations

from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase, order_of_play
from bordeaux.board.position import Position
from bordeaux.press.diplomat import facts as f
from bordeaux.press.diplomat.deeds import judge, promised
from bordeaux.press.diplomat.truth import Truth
from bordeaux.press.diplomat.turn import ObservedTurn
from bordeaux.press.language import messages as p
from bordeaux.press.language.terms import (
    atoms,
    conflict,
    contains,
    first_phases,
    keeps_peace,
    last_phase,
    parts,
    timed,
    undone,
    while_on,
)

#: Deals between two powers that are remembered, and the years for which ended ones are.
MOST_DEALS, YEARS = 30, 2
#: Breaches and wars between two powers that are remembered; their deals are kept for as long.
MOST_WRONGS = 8


class DealBook:
    """The deals of one game, in a truth maintenance system that may hold other facts as well."""

    def __init__(self, map: Map, truth: Truth) -> None:
        self._map = map
        self._truth = truth
        self._phase = map.start_phase
        self._count = 0
        self._deals: dict[int, f.Deal] = {}
        self._rests: dict[int, tuple[p.Term, ...]] = {}
        self._ended: dict[int, Phase] = {}
        self._coming: dict[int, p.Term] = {}
        self._wrongs: dict[f.Pair, list[f.Wrong]] = {}

    def begin(self, position: Position) -> None:
        """Begin a phase: terms of earlier phases end, terms of this one begin, and powers without units and
        centres are out."""
        self._phase = position.phase
        standing = {unit.power for unit in position.units} | {
            dislodged.unit.power for dislodged in position.dislodged
        }
        for power in self._map.powers:
            out = power not in standing and power not in position.owners
            (self._truth.add if out else self._truth.retract)(f.Out(power))
        oldest = order_of_play(self._phase._replace(year=self._phase.year - YEARS))
        pinned = self._pinned()
        for number, deal in list(self._deals.items()):
            if deal.until is not None and order_of_play(deal.until) < order_of_play(self._phase):
                self._truth.add(f.Over(number))
            if self.bound(deal):
                self._ended.pop(number, None)
                if number in self._coming:
                    self._follow(deal, self._coming[number])
            elif order_of_play(self._ended.setdefault(number, self._phase)) < oldest and number not in pinned:
                self._forget(deal)

    def conclude(self, term: p.Term, parties: Collection[str], proposer: str, made: Phase) -> list[f.Deal]:
        """Put a deal in force that was proposed in a phase, unless it is for past phases, or in force
        already."""
        due = timed(term, made)
        until = last_phase(due)
        listed = tuple(power for power in self._map.powers if power in parties)
        past = until is not None and order_of_play(until) < order_of_play(self._phase)
        if past or any(
            deal.parties == listed and timed(deal.term, deal.made) == due for deal in self.deals()
        ):
            return []
        self._count += 1
        deal = f.Deal(self._count, term, listed, proposer, made, until)
        self._enter(deal, due)
        return [deal]

    def deals(self, partner: str | None = None) -> list[f.Deal]:
        """The deals in force with duties, all or those of a partner, the oldest first."""
        return [
            deal
            for number, deal in self._deals.items()
            if self._rests[number]
            and (pairs := self.bound(deal))
            and (partner is None or any(partner in pair for pair in pairs))
        ]

    def bound(self, deal: f.Deal) -> tuple[f.Pair, ...]:
        """The pairs that a deal binds; they may be fewer than its parties."""
        pairs = self.pairs(deal.parties)
        return tuple(pair for pair in pairs if self._truth.holds(f.InForce(deal.number, pair)))

    def owed(self, partner: str | None = None) -> list[tuple[p.Term, tuple[f.Pair, ...]]]:
        """The rest of the deals in force, timed terms with the pairs that each binds, the latest first."""
        deals = reversed(self.deals(partner))
        return [(part, self.bound(deal)) for deal in deals for part in self._rests[deal.number]]

    def wrongs(self) -> Iterator[f.Wrong]:
        """The remembered breaches, wars and alliances against others."""
        return (wrong for wrongs in self._wrongs.values() for wrong in wrongs)

    def judge(self, turn: ObservedTurn) -> list[f.Judgement]:
        """The judgements of a turn on all deals in force, in the order of the deals and of the map. Breaches
        count from then on; completed terms end."""
        bound = {number: pairs for number, deal in self._deals.items() if (pairs := self.bound(deal))}
        excused: dict[f.Pair, set[tuple[str, Order]]] = {}
        for number, pairs in bound.items():
            for pair in pairs:
                excused.setdefault(pair, set()).update(promised(self._rests[number], pair, turn))
        judged: list[f.Judgement] = []
        breaches: list[f.Breach] = []
        for number, pairs in bound.items():
            verdict = judge(self._deals[number], self._rests[number], pairs, turn, excused)
            judged += verdict.judgements
            breaches += verdict.breaches
            self._rests[number] = verdict.rests
            if not verdict.rests:
                self._truth.add(f.Over(number))
        for breach in breaches:
            self._wrong(breach)
        return judged

    def leave(self, power: str, dropped: p.Term, to: Collection[str]) -> None:
        """A power tells others that it drops a term: its agreement with them ends."""
        for deal in self.deals(power):
            if contains(deal.term, dropped) and not set(to).isdisjoint(deal.parties):
                self._truth.add(f.Left(deal.number, power))

    def declare(self, power: str, other: str) -> None:
        """A power declares to another that there is no peace."""
        pair = self.pair(power, other)
        war = f.Declared(power, other, self._phase)
        self._truth.add(war)
        self._truth.add(f.Hostile(power, other), [war], [f.Forgiven(war, pair)])
        self._remember(pair, war)

    def pair(self, power: str, other: str) -> f.Pair:
        """Two powers as a pair."""
        first, second = sorted((power, other), key=self._map.powers.index)
        return first, second

    def pairs(self, powers: Iterable[str]) -> Iterator[f.Pair]:
        """All pairs of some powers."""
        return combinations(sorted(set(powers), key=self._map.powers.index), 2)

    def __len__(self) -> int:
        """The number of remembered deals."""
        return len(self._deals)

    def _enter(self, deal: f.Deal, term: p.Term) -> None:
        """Put a deal in force, with its consequences."""
        truth, number = self._truth, deal.number
        truth.add(deal)
        for pair in self.pairs(deal.parties):
            for old in self._between(pair):
                stands = truth.holds(f.InForce(old.number, pair))
                if stands and conflict(timed(old.term, old.made), term):
                    truth.add(f.Overridden(old.number, pair), [f.InForce(number, pair)])
            defeats = [f.Left(number, power) for power in pair] + [f.Out(power) for power in pair]
            truth.add(
                f.InForce(number, pair),
                [deal],
                [f.Over(number), f.Void(number, pair), f.Overridden(number, pair), *defeats],
            )
        self._deals[number] = deal
        self._rests[number] = tuple(part for part in parts(term) if undone(part) is None or _asks(part))
        self._follow(deal, term)
        pinned = self._pinned()
        for pair in self.pairs(deal.parties):
            for old in self._between(pair)[:-MOST_DEALS]:
                if old.number not in pinned:
                    self._forget(old)

    def _follow(self, deal: f.Deal, term: p.Term) -> None:
        """The consequences of a deal in this phase; its terms for later phases wait."""
        now = while_on(term, self._phase)
        for pair in self.pairs(deal.parties):
            ground = f.InForce(deal.number, pair)
            if keeps_peace(now, *pair):
                self._make_peace(pair, ground)
            for part in parts(now):
                if isinstance(part, p.Alliance):
                    for power in [power for power in pair if power in part.powers]:
                        self._oppose(power, part.against, ground)
        if any(order_of_play(first) > order_of_play(self._phase) for first in first_phases(term)):
            self._coming[deal.number] = term
        else:
            self._coming.pop(deal.number, None)

    def _make_peace(self, pair: f.Pair, ground: f.InForce) -> None:
        first, second = pair
        self._truth.add(f.Treaty(pair), [ground])
        self._truth.add(
            f.AtPeace(pair), [f.Treaty(pair)], [f.Hostile(first, second), f.Hostile(second, first)]
        )
        for wrong in self._wrongs.get(pair, ()):
            self._truth.add(f.Forgiven(wrong, pair), [ground])

    def _oppose(self, power: str, foes: Iterable[str], ground: f.InForce) -> None:
        """A power is hostile to those against whom it is allied, until they make peace."""
        for foe in foes:
            if foe != power:
                pair = self.pair(power, foe)
                self._truth.add(f.Hostile(power, foe), [ground], [f.Forgiven(ground, pair)])
                self._remember(pair, ground)

    def _between(self, pair: f.Pair) -> list[f.Deal]:
        return [deal for deal in self._deals.values() if set(pair) <= set(deal.parties)]

    def _wrong(self, breach: f.Breach) -> None:
        """A power has broken an agreement: its agreements with the wronged powers are void, except what it
        also owes to others."""
        self._truth.add(breach, [self._deals[breach.deal]])
        for partner in breach.partners:
            pair = self.pair(breach.power, partner)
            self._truth.add(f.Void(breach.deal, pair), [breach])
            for deal in self._between(pair):
                thirds = [power for power in deal.parties if power not in pair]
                owed = [f.InForce(deal.number, self.pair(breach.power, third)) for third in thirds]
                self._truth.add(f.Void(deal.number, pair), [breach], owed)
            self._truth.add(f.Hostile(breach.power, partner), [breach], [f.Forgiven(breach, pair)])
            self._remember(pair, breach)

    def _remember(self, pair: f.Pair, wrong: f.Wrong) -> None:
        wrongs = self._wrongs.setdefault(pair, [])
        if wrong in wrongs:
            return
        wrongs.append(wrong)
        # Alliances go with their deals.
        for old in [wrong for wrong in wrongs if not isinstance(wrong, f.InForce)][:-MOST_WRONGS]:
            wrongs.remove(old)
            if old not in self.wrongs():
                self._truth.forget(old)

    def _pinned(self) -> set[int]:
        """Deals that are remembered because of their breaches."""
        return {wrong.deal for wrong in self.wrongs() if isinstance(wrong, f.Breach)}

    def _forget(self, deal: f.Deal) -> None:
        number, pairs = deal.number, list(self.pairs(deal.parties))
        forces = {f.InForce(number, pair) for pair in pairs}
        for pair, wrongs in self._wrongs.items():
            self._wrongs[pair] = [wrong for wrong in wrongs if wrong not in forces]
        for fact in (deal, f.Over(number), *(f.Left(number, power) for power in deal.parties)):
            self._truth.forget(fact)
        for pair in pairs:
            self._truth.forget(f.Void(number, pair))
            self._truth.forget(f.Overridden(number, pair))
        for index in (self._deals, self._rests, self._ended, self._coming):
            index.pop(number, None)


def _asks(term: p.Term) -> bool:
    """Whether the negation of a term forbids anything."""
    return isinstance(term, p.Not) and any(
        isinstance(atom, p.Promise)
        for atom in atoms(term.term)  # type: ignore[arg-type]
    )
