"""The ledger: what was agreed, told and done, what follows from it, and why.

It hears every letter that its power sends or gets, and sees every turn. Deals, what powers say of others,
and breaches are premises of a truth maintenance system (`bordeaux.press.truth`); which deals bind whom, who
is at peace, and who is expected to be hostile follow from them. A breach voids what the two have agreed
upon, unless a third is owed it too. Sources: paper 002, section 5; LANGUAGE.md, sections 8 and 10.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.press import facts as f
from bordeaux.press import language as p
from bordeaux.press.binding import agreements
from bordeaux.press.deeds import Turn, follow, queasels, tempted
from bordeaux.press.hearsay import Hearsay
from bordeaux.press.letter import Letter
from bordeaux.press.offers import Offer, Offers
from bordeaux.press.soundness import is_sound
from bordeaux.press.terms import atoms, conflict, contains, keeps_peace, kind_of, parts, undone
from bordeaux.press.timing import last_phase, moment, timed
from bordeaux.press.truth import Reason, Truth
from bordeaux.search.agreements import Agreement

__all__ = ["Ledger"]

#: Deals between two powers that are remembered, and years for which one that is over is.
MOST_DEALS, YEARS = 60, 2
#: Breaches by one power towards another that are remembered.
MOST_BREACHES = 8


class Ledger:
    """What one power knows of the deals and words of a game on a map.

    In each phase `begin` comes first, then `note` for every letter in the order common to all, and `judge`
    when the orders are known.
    """

    def __init__(self, map: Map, power: str) -> None:
        self.map = map
        self.power = power
        self.phase: Phase = map.start_phase
        self._truth = Truth()
        self._offers = Offers()
        self._hearsay = Hearsay(map, power, self._truth)
        self._deals: dict[int, f.Deal] = {}
        self._rests: dict[int, tuple[p.Term, ...]] = {}
        self._wrongs: dict[f.Pair, list[f.Breach | f.Declared]] = {}
        self._count = 0

    def begin(self, position: Position) -> None:
        """A phase begins: what was for earlier phases has run out, and powers without units and centres are
        out."""
        self.phase = position.phase
        self._offers.begin(position.phase)
        self._hearsay.begin(position.phase)
        standing = {unit.power for unit in position.units} | {each.unit.power for each in position.dislodged}
        for power in self.map.powers:
            out = power not in standing and power not in position.owners
            (self._truth.add if out else self._truth.retract)(f.Out(power))
        oldest = moment(self.phase._replace(year=self.phase.year - YEARS))
        for deal in list(self._deals.values()):
            if deal.until is not None and moment(deal.until) < moment(self.phase):
                self._truth.add(f.Over(deal.number))
            if moment(deal.until or deal.made) < oldest and not self._parties(deal):
                self._forget(deal)

    def note(self, letter: Letter) -> list[f.Deal]:
        """Take note of a letter, and return the deals that it concludes. What makes no sense is ignored."""
        if not is_sound(letter, self.map):
            return []
        concluded = [
            deal for offer in self._offers.note(letter, self.phase) for deal in self._conclude(offer)
        ]
        for told in self._hearsay.note(letter, self.phase):
            gone = undone(told.term)
            if gone is not None and told.source == told.speaker:
                self._leave(told, gone)
        return concluded

    def judge(
        self, before: Position, orders: Mapping[str, Sequence[Order]], after: Position
    ) -> list[f.Judgement]:
        """What the orders of a phase make of all that is in force, in the order of the deals and the map.
        Breaches count from then on; what has been done is over."""
        judged: list[f.Judgement] = []
        turn = Turn(before, orders)
        for deal in list(self._deals.values()):
            bound = self._parties(deal)
            if bound:
                judged += self._judge(deal, bound, turn, orders)
        for each in judged:
            if not each.kept:
                self._wrong(f.Breach(each.deal.number, each.power, before.phase, each.orders), each.deal)
        self._hearsay.judge(turn)
        return judged

    def deals(self, partner: str | None = None) -> list[f.Deal]:
        """The deals in force that ask for anything, between any or with a partner, the oldest first."""
        return [
            deal
            for deal in self._deals.values()
            if self._rests[deal.number] and (bound := self._parties(deal)) and partner in (None, *bound)
        ]

    def binding(
        self, position: Position, trust: Callable[[str, str], float], free: Collection[str] = ()
    ) -> list[Agreement]:
        """What is agreed for a position, for a search. `trust` is the probability with which a power keeps
        a kind of promise (`bordeaux.press.terms.kind_of`); powers that are `free` may break what they have
        agreed to."""
        owed = [
            (part, self._parties(deal))
            for deal in reversed(self.deals())
            for part in self._rests[deal.number]
        ]
        return agreements(position, self.power, owed, trust, free)

    def told(self, source: str | None = None) -> list[f.Told]:
        """What powers, or one, have told of others, the oldest first."""
        return self._hearsay.told(source)

    def hostile(self, power: str, other: str) -> bool:
        """Whether hostile acts of a power against another are to be expected, by what was said and kept."""
        return self._truth.holds(f.Hostile(power, other))

    def at_peace(self, power: str, other: str) -> bool:
        """Whether two powers are at peace, as far as is known."""
        return self._truth.holds(f.AtPeace(self._pair(power, other)))

    def why(self, fact: Hashable) -> Reason:
        """Why a fact holds. Raises LookupError where it does not."""
        return self._truth.why(fact)

    def facts(self) -> tuple[Hashable, ...]:
        """All that holds, premises and what follows from them."""
        return tuple(self._truth.facts())

    def size(self) -> int:
        """How much is kept: grounds of facts, deals, open proposals."""
        return len(self._truth) + len(self._deals) + len(self._offers)

    def _pair(self, power: str, other: str) -> f.Pair:
        first, second = sorted((power, other), key=self.map.powers.index)
        return first, second

    def _pairs(self, powers: Iterable[str]) -> Iterator[f.Pair]:
        return combinations(sorted(set(powers), key=self.map.powers.index), 2)

    def _parties(self, deal: f.Deal) -> tuple[str, ...]:
        """Those whom a deal binds, which may be fewer than have agreed to it."""
        bound = [
            pair for pair in self._pairs(deal.parties) if self._truth.holds(f.InForce(deal.number, pair))
        ]
        return tuple(power for power in deal.parties if any(power in pair for pair in bound))

    def _conclude(self, offer: Offer) -> list[f.Deal]:
        if not isinstance(offer.message, p.Propose | p.Insist):
            return []
        term = timed(offer.message.term, offer.made)
        until = last_phase(term)
        parties = tuple(power for power in self.map.powers if power in offer.parties)
        past = until is not None and moment(until) < moment(self.phase)
        if past or any(
            deal.parties == parties and timed(deal.term, deal.made) == term for deal in self.deals()
        ):
            return []
        self._count += 1
        deal = f.Deal(self._count, offer.message.term, parties, offer.proposer, offer.made, until)
        self._enter(deal, term)
        return [deal]

    def _enter(self, deal: f.Deal, term: p.Term) -> None:
        """Put a deal in force, with what follows from it."""
        truth, number = self._truth, deal.number
        truth.add(deal)
        for pair in self._pairs(deal.parties):
            for old in self._between(pair):
                if conflict(timed(old.term, old.made), term):
                    truth.add(f.Overridden(old.number, pair), [f.InForce(number, pair)])
            defeats = [f.Left(number, power) for power in pair] + [f.Out(power) for power in pair]
            truth.add(
                f.InForce(number, pair),
                [deal],
                [f.Over(number), f.Void(number, pair), f.Overridden(number, pair), *defeats],
            )
            if keeps_peace(term, *pair):
                self._make_peace(pair, f.InForce(number, pair))
            for part in parts(term):
                if isinstance(part, p.Alliance):
                    for power in set(pair) & set(part.powers):
                        for foe in set(part.against) - {power}:
                            truth.add(f.Hostile(power, foe), [f.InForce(number, pair)])
        self._deals[number] = deal
        self._rests[number] = tuple(part for part in parts(term) if undone(part) is None or _asks(part))
        for pair in self._pairs(deal.parties):
            for old in self._between(pair)[:-MOST_DEALS]:
                self._forget(old)

    def _make_peace(self, pair: f.Pair, ground: Hashable) -> None:
        first, second = pair
        self._truth.add(f.Treaty(pair), [ground])
        self._truth.add(
            f.AtPeace(pair), [f.Treaty(pair)], [f.Hostile(first, second), f.Hostile(second, first)]
        )
        for wrong in self._wrongs.get(pair, ()):
            self._truth.add(f.Forgiven(wrong, pair), [ground])

    def _between(self, pair: f.Pair) -> list[f.Deal]:
        return [deal for deal in self._deals.values() if set(pair) <= set(deal.parties)]

    def _leave(self, told: f.Told, gone: p.Term) -> None:
        """A power drops what it has agreed to, by saying so."""
        dropped = [deal for deal in self.deals(told.source) if contains(deal.term, gone)]
        for deal in dropped:
            self._truth.add(f.Left(deal.number, told.source), [told])

    def _judge(
        self,
        deal: f.Deal,
        bound: tuple[str, ...],
        turn: Turn,
        orders: Mapping[str, Sequence[Order]],
    ) -> Iterator[f.Judgement]:
        rests = []
        for part in self._rests[deal.number]:
            outcome = follow(part, turn)
            if outcome.rest is not None:
                rests.append(outcome.rest)
            for power in bound:
                done = tuple(order for who, order in outcome.deeds if who == power)
                if done or (outcome.kept is not True and tempted(part, power, turn.before)):
                    kept = outcome.kept is not False or not done
                    sly = queasels(part, power, turn.before, orders) if kept else ()
                    yield f.Judgement(deal, power, kind_of(part), kept, done or sly, bool(sly))
        self._rests[deal.number] = tuple(rests)
        if not rests:
            self._truth.add(f.Over(deal.number))

    def _wrong(self, breach: f.Breach, deal: f.Deal) -> None:
        """A power has broken its word to the others in a deal."""
        self._truth.add(breach)
        for partner in deal.parties:
            if partner == breach.power:
                continue
            pair = self._pair(breach.power, partner)
            self._truth.add(f.Void(deal.number, pair), [breach])
            for other in self._between(pair):
                owed = [power for power in other.parties if power not in pair]
                self._truth.add(
                    f.Void(other.number, pair),
                    [breach],
                    [f.InForce(other.number, self._pair(breach.power, third)) for third in owed],
                )
            self._truth.add(f.Hostile(breach.power, partner), [breach], [f.Forgiven(breach, pair)])
            self._remember(pair, breach)

    def _remember(self, pair: f.Pair, wrong: f.Breach | f.Declared) -> None:
        wrongs = self._wrongs.setdefault(pair, [])
        wrongs.append(wrong)
        for old in wrongs[: -2 * MOST_BREACHES]:
            self._truth.forget(old)
            wrongs.remove(old)

    def _forget(self, deal: f.Deal) -> None:
        self._truth.forget(deal)
        del self._deals[deal.number], self._rests[deal.number]


def _asks(term: p.Term) -> bool:
    """Whether the opposite of something forbids anything."""
    return isinstance(term, p.Not) and any(
        isinstance(each, p.Promise)
        for each in atoms(term.term)  # type: ignore[arg-type]
    )
