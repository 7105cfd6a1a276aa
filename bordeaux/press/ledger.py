"""The ledger: what was agreed, told and done, what follows from it, and why.

It hears every letter that its power sends or gets, and sees every turn. Deals, what powers say of others,
and breaches are premises of a truth maintenance system (`bordeaux.press.truth`); which deals bind whom, who
is at peace, and who is expected to be hostile follow from them. A breach voids what the two have agreed
upon, unless a third is owed it too. Sources: paper 002, section 5; LANGUAGE.md, sections 8 and 10.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.press import facts as f
from bordeaux.press import language as p
from bordeaux.press.binding import agreements
from bordeaux.press.conditions import Conditions
from bordeaux.press.hearsay import Hearsay
from bordeaux.press.judging import judge, promised
from bordeaux.press.letter import Letter
from bordeaux.press.offers import Offer, Offers
from bordeaux.press.soundness import is_sound
from bordeaux.press.terms import atoms, conflict, contains, entails, keeps_peace, parts, undone, while_on
from bordeaux.press.timing import last_phase, moment, timed
from bordeaux.press.truth import Reason, Truth
from bordeaux.press.turn import Turn
from bordeaux.search.agreements import Agreement

__all__ = ["Ledger"]

#: Deals between two powers that are remembered, and years for which one that is over is.
MOST_DEALS, YEARS = 30, 2
#: Breaches by one power towards another that are remembered.
MOST_WRONGS = 8
#: Letters of a phase that are remembered, for promises to say something.
MOST_SAID = 200


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
        self._conditions = Conditions()
        self._hearsay = Hearsay(map, power, self._truth)
        self._deals: dict[int, f.Deal] = {}
        self._rests: dict[int, tuple[p.Term, ...]] = {}
        self._wrongs: dict[f.Pair, list[f.Breach | f.Declared]] = {}
        self._said: deque[Letter] = deque(maxlen=MOST_SAID)
        self._ended: dict[int, Phase] = {}
        self._count = 0

    def begin(self, position: Position) -> None:
        """A phase begins: what was for earlier phases has run out, and powers without units and centres are
        out."""
        self.phase = position.phase
        self._said.clear()
        for each in (self._offers, self._conditions, self._hearsay):
            each.begin(position.phase)
        standing = {unit.power for unit in position.units} | {each.unit.power for each in position.dislodged}
        for power in self.map.powers:
            out = power not in standing and power not in position.owners
            (self._truth.add if out else self._truth.retract)(f.Out(power))
        oldest = moment(self.phase._replace(year=self.phase.year - YEARS))
        pinned = {
            wrong.deal for wrongs in self._wrongs.values() for wrong in wrongs if isinstance(wrong, f.Breach)
        }
        for deal in list(self._deals.values()):
            if deal.until is not None and moment(deal.until) < moment(self.phase):
                self._truth.add(f.Over(deal.number))
            if self._bound(deal):
                self._ended.pop(deal.number, None)
            elif (
                moment(self._ended.setdefault(deal.number, self.phase)) < oldest and deal.number not in pinned
            ):
                self._forget(deal)

    def note(self, letter: Letter) -> list[f.Deal]:
        """Take note of a letter, and return the deals that it concludes. What makes no sense is ignored."""
        if not is_sound(letter, self.map):
            return []
        self._said.append(letter)
        concluded: list[f.Deal] = []
        letters = [letter]
        for each in letters:
            concluded += self._note(each)
            said, offers = self._conditions.decided(self._known)
            letters += said
            concluded += [deal for offer in offers for deal in self._conclude(offer)]
        return concluded

    def judge(
        self, before: Position, orders: Mapping[str, Sequence[Order]], after: Position
    ) -> list[f.Judgement]:
        """What the orders of a phase make of all that is in force, in the order of the deals and the map.
        Breaches count from then on; what has been done is over."""
        turn = Turn(before, orders, self._said, self.power)
        bound = {deal.number: pairs for deal in self._deals.values() if (pairs := self._bound(deal))}
        excused: dict[f.Pair, set[tuple[str, Order]]] = {}
        for number, pairs in bound.items():
            for pair in pairs:
                excused.setdefault(pair, set()).update(promised(self._rests[number], pair, turn))
        judged: list[f.Judgement] = []
        breaches: list[f.Breach] = []
        for number, pairs in bound.items():
            found = judge(self._deals[number], self._rests[number], pairs, turn, excused)
            judged += found.judgements
            breaches += found.breaches
            self._rests[number] = found.rests
            if not found.rests:
                self._truth.add(f.Over(number))
        for breach in breaches:
            self._wrong(breach)
        self._hearsay.judge(turn)
        return judged

    def deals(self, partner: str | None = None) -> list[f.Deal]:
        """The deals in force that ask for anything, between any or with a partner, the oldest first."""
        return [
            deal
            for deal in self._deals.values()
            if self._rests[deal.number]
            and (pairs := self._bound(deal))
            and (partner is None or any(partner in pair for pair in pairs))
        ]

    def binding(
        self, position: Position, trust: Callable[[str, str], float], free: Collection[str] = ()
    ) -> list[Agreement]:
        """What is agreed for a position, for a search. `trust` is the probability with which a power keeps
        a kind of promise (`bordeaux.press.terms.kind_of`); powers that are `free` may break what they have
        agreed to."""
        owed = [
            (part, self._bound(deal)) for deal in reversed(self.deals()) for part in self._rests[deal.number]
        ]
        return agreements(position, self.power, owed, trust, free)

    def told(self, source: str | None = None) -> list[f.Told]:
        """What powers, or one, have told of others, the oldest first."""
        return self._hearsay.told(source)

    def proved(self, told: f.Told) -> bool | None:
        """Whether orders have shown what was told to be true, or not to be; None where they show nothing."""
        if self._truth.holds(f.Proved(told)):
            return True
        return False if self._truth.holds(f.Disproved(told)) else None

    def hostile(self, power: str, other: str) -> bool:
        """Whether hostile acts of a power against another are to be expected, by what was said and kept."""
        return self._truth.holds(f.Hostile(power, other))

    def at_peace(self, power: str, other: str) -> bool:
        """Whether two powers are at peace, as far as is known."""
        return self._truth.holds(f.AtPeace(self._pair(power, other)))

    def warned(self) -> frozenset[str]:
        """Powers that have said in this phase that there is no peace between them and the ledger's own."""
        wrongs = [wrong for wrongs in self._wrongs.values() for wrong in wrongs]
        return frozenset(
            wrong.power
            for wrong in wrongs
            if isinstance(wrong, f.Declared) and wrong.other == self.power and wrong.phase == self.phase
        )

    def why(self, fact: Hashable) -> Reason:
        """Why a fact holds. Raises LookupError where it does not."""
        return self._truth.why(fact)

    def facts(self) -> tuple[Hashable, ...]:
        """All that holds, premises and what follows from them."""
        return tuple(self._truth.facts())

    def grounds(self) -> Iterator[tuple[Hashable, tuple[Hashable, ...], tuple[Hashable, ...]]]:
        """The grounds of all facts, as `bordeaux.press.truth.Truth.grounds` gives them."""
        return self._truth.grounds()

    def size(self) -> int:
        """How much is kept: grounds of facts, deals, open proposals."""
        return len(self._truth) + len(self._deals) + len(self._offers) + len(self._conditions)

    def _pair(self, power: str, other: str) -> f.Pair:
        first, second = sorted((power, other), key=self.map.powers.index)
        return first, second

    def _pairs(self, powers: Iterable[str]) -> Iterator[f.Pair]:
        return combinations(sorted(set(powers), key=self.map.powers.index), 2)

    def _bound(self, deal: f.Deal) -> tuple[f.Pair, ...]:
        """The pairs that a deal binds, which may be fewer than have agreed to it."""
        return tuple(
            pair for pair in self._pairs(deal.parties) if self._truth.holds(f.InForce(deal.number, pair))
        )

    def _known(self, term: p.Term) -> bool | None:
        """Whether a term is agreed upon, as far as is known: yes, or no by what was said or done."""
        match term:
            case p.Not(inner) if not isinstance(inner, p.Ask):
                verdict = self._known(inner)  # type: ignore[arg-type]
                return None if verdict is None else not verdict
            case p.All(parts=inside):
                verdicts = [self._known(part) for part in inside]
                return False if False in verdicts else None if None in verdicts else True
            case p.Some(parts=inside):
                verdicts = [self._known(part) for part in inside]
                return True if True in verdicts else None if None in verdicts else False
            case p.Peace(powers):
                pairs = list(self._pairs(powers))
                if any(self.hostile(*pair) or self.hostile(*pair[::-1]) for pair in pairs):
                    return False
                return True if all(self.at_peace(*pair) for pair in pairs) else None
        return True if any(entails(deal.term, term) for deal in self.deals()) else None

    def _note(self, letter: Letter) -> list[f.Deal]:
        agreed = self._offers.note(letter, self.phase)
        match letter.message:
            case p.If():
                self._conditions.note(letter, self.phase)
            case p.Propose(p.Promise(power, order)) if self._commands(letter, power, order):
                # Who is told what to do by those that he lets command has said yes before.
                parties = frozenset((letter.sender, power))
                agreed = [Offer(letter.message, letter.sender, parties, self.phase)]
        concluded = []
        for offer in agreed:
            plain = not isinstance(offer.message, p.If)
            for each in [offer] if plain else self._conditions.agreed(offer, self._known):
                concluded += self._conclude(each)
        for told in self._hearsay.note(letter, self.phase):
            gone = undone(told.term)
            if gone is not None and told.source == told.speaker:
                self._leave(told, gone, letter.to)
        return concluded

    def _commands(self, letter: Letter, power: str, order: Order) -> bool:
        """Whether the sender of a letter may decide upon an order of a power."""
        unit = power, order.location.partition("/")[0]
        return power in letter.to and any(
            isinstance(each, p.Command)
            and each.power == letter.sender
            and unit in {(station.power, station.location.partition("/")[0]) for station in each.units}
            for deal in self.deals(power)
            for part in self._rests[deal.number]
            for each in atoms(while_on(part, self.phase))
        )

    def _conclude(self, offer: Offer) -> list[f.Deal]:
        if not isinstance(offer.message, p.Propose | p.Insist):
            return []
        term = timed(offer.message.term, offer.made)
        until = last_phase(term)
        parties = tuple(power for power in self.map.powers if power in offer.parties)
        past = until is not None and moment(until) < moment(self.phase)
        known = any(deal.parties == parties and timed(deal.term, deal.made) == term for deal in self.deals())
        if past or known:
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

    def _leave(self, told: f.Told, gone: p.Term, to: Collection[str]) -> None:
        """A power drops what it has agreed to, by saying so; who drops a peace is at war."""
        for deal in self.deals(told.source):
            if contains(deal.term, gone):
                self._truth.add(f.Left(deal.number, told.source))
        for other in to:
            if isinstance(told.term, p.Not) and keeps_peace(gone, told.source, other):
                pair = self._pair(told.source, other)
                war = f.Declared(told.source, other, self.phase)
                self._truth.add(war)
                self._truth.add(f.Hostile(told.source, other), [war], [f.Forgiven(war, pair)])
                self._remember(pair, war)

    def _wrong(self, breach: f.Breach) -> None:
        """A power has broken its word: what it has agreed upon with those it has wronged is void, but for
        what it owes to others as well."""
        self._truth.add(breach, [self._deals[breach.deal]])
        for partner in breach.partners:
            pair = self._pair(breach.power, partner)
            self._truth.add(f.Void(breach.deal, pair), [breach])
            for deal in self._between(pair):
                thirds = [power for power in deal.parties if power not in pair]
                owed = [f.InForce(deal.number, self._pair(breach.power, third)) for third in thirds]
                self._truth.add(f.Void(deal.number, pair), [breach], owed)
            self._truth.add(f.Hostile(breach.power, partner), [breach], [f.Forgiven(breach, pair)])
            self._remember(pair, breach)

    def _remember(self, pair: f.Pair, wrong: f.Breach | f.Declared) -> None:
        wrongs = self._wrongs.setdefault(pair, [])
        if wrong in wrongs:
            return
        wrongs.append(wrong)
        for old in wrongs[:-MOST_WRONGS]:
            wrongs.remove(old)
            if not any(old in others for others in self._wrongs.values()):
                self._truth.forget(old)

    def _forget(self, deal: f.Deal) -> None:
        number, pairs = deal.number, list(self._pairs(deal.parties))
        self._truth.forget(deal)
        self._truth.forget(f.Over(number))
        for power in deal.parties:
            self._truth.forget(f.Left(number, power))
        for pair in pairs:
            self._truth.forget(f.Void(number, pair))
            self._truth.forget(f.Overridden(number, pair))
        del self._deals[deal.number], self._rests[deal.number]
        self._ended.pop(deal.number, None)


def _asks(term: p.Term) -> bool:
    """Whether the opposite of something forbids anything."""
    return isinstance(term, p.Not) and any(
        isinstance(each, p.Promise)
        for each in atoms(term.term)  # type: ignore[arg-type]
    )
