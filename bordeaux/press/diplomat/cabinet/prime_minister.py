"""The prime minister: speaks for the power, and decides on proposals and answers."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.engine import Engine
from bordeaux.press.diplomat.cabinet.appraisal import Appraisal, helped_by
from bordeaux.press.diplomat.cabinet.headquarters import Headquarters
from bordeaux.press.diplomat.cabinet.policy import ForeignPolicy
from bordeaux.press.diplomat.haggling import bargains
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.diplomat.turn import province_of
from bordeaux.press.language import messages as p
from bordeaux.press.language.english.names import Names
from bordeaux.press.language.letter import Letter
from bordeaux.press.language.terms import atoms, equivalent

#: Years for which a refused or unanswered proposal is not repeated.
SULKING = 1
#: The maximum numbers of proposals to one power in a phase, and to all powers.
BEARABLE, IN_ALL = 3, 12
#: Past proposals that are remembered.
REMEMBERED = 600


class Idea(NamedTuple):
    """Something to propose: its points for us, the term, the powers that must agree, and the reason for
    them, in words."""

    worth: float
    term: p.Term
    to: tuple[str, ...]
    reason: str = ""


class ForeignOffice:
    """Past proposals of `me`, and limits on their number: the `offers` to each power in this phase, and the
    powers that have ever sent a message (`speaking`)."""

    def __init__(self, me: str) -> None:
        self.me = me
        self.offers: defaultdict[str, list[p.Term]] = defaultdict(list)
        self.speaking: set[str] = set()
        self._proposed = 0
        self._last: dict[tuple[str, p.Term], int] = {}

    def begin(self) -> None:
        """A phase begins."""
        self._proposed = 0
        self.offers.clear()

    def offered(self, power: str, term: p.Term, phase: Phase) -> None:
        """Record a proposal of ours to a power."""
        self.offers[power].append(term)
        self._last[power, term] = phase.year
        while len(self._last) > REMEMBERED:
            del self._last[next(iter(self._last))]

    def propose(self, ideas: Iterable[Idea], phase: Phase) -> Iterator[Letter]:
        """The letters of the best ideas, best first: not too many, and none that was proposed lately."""
        for idea in sorted(ideas, key=lambda idea: -idea.worth):
            if self._proposed < IN_ALL and all(self._may_offer(power, idea.term, phase) for power in idea.to):
                self._proposed += 1
                for power in idea.to:
                    self.offered(power, idea.term, phase)
                yield Letter(self.me, idea.to, p.Propose(idea.term), idea.reason)

    def _may_offer(self, power: str, term: p.Term, phase: Phase) -> bool:
        last = self._last.get((power, term))
        return len(self.offers[power]) < BEARABLE and (last is None or phase.year - last >= SULKING)


#: The loss in points up to which a demand is accepted, unlike a proposal: refusals cost goodwill.
DEMAND = 20.0
#: Nodes of the search for deals with one partner, deals proposed to it, and partners asked in a phase.
LOOK, DEALS, PARTNERS = 12_000, 2, 2
#: The maximum number of provinces that one proposal demilitarises, and the points for it.
MOST_EMPTY, EMPTY = 2, 20.0
#: Points of a coalition, of an alliance in addition to peace, of a division, of a draw that is due.
COALITION, ALLIED, DIVIDED, DRAWN = 500.0, 30.0, 15.0, 400.0
#: Press levels of deals about single orders, packages, divisions and questions.
ORDERS, PACKAGES, CENTRES, QUESTIONS = 20, 30, 40, 80


@dataclass(eq=False)
class PrimeMinister:
    """Speaks for `me`."""

    me: str
    engine: Engine
    ledger: Ledger
    office: ForeignOffice
    policy: ForeignPolicy
    appraisal: Appraisal
    headquarters: Headquarters

    def __post_init__(self) -> None:
        self.position: Position
        self.level = 0
        self._previous: Mapping[str, Sequence[Order]] = {}
        self._asked = False
        self._last: Phase | None = None
        self._pledged: list[Pledge] = []
        self._exchange: dict[p.Message, tuple[p.Term, ...]] = {}

    def begin(self, position: Position, level: int, previous: Mapping[str, Sequence[Order]]) -> None:
        """Begin a phase with a level of messages."""
        self.position, self.level, self._previous = position, level, previous
        self._asked = False
        self._pledged.clear()
        self._exchange.clear()

    def played(self, phase: Phase) -> None:
        """A phase has been played."""
        self._last = phase

    # What is said unasked.

    def opening(self) -> Iterator[Letter]:
        """The first messages: ended agreements, broken promises, and proposals."""
        yield from self._notices()
        yield from self._complaints()
        if self.position.phase.kind == "M":
            yield from self._proposed(self._ideas(self.position))

    def more(self) -> Iterator[Letter]:
        """The messages when no letter is waiting: deals with powers that are at peace with us."""
        if self.position.phase.kind != "M" or self._asked or self.level < ORDERS:
            return
        self._asked = True
        yield from self._proposed(self._deals())

    def _proposed(self, ideas: Iterable[Idea]) -> Iterator[Letter]:
        """The letters of ideas that can all be kept together, in every case of answers."""
        for idea in sorted(ideas, key=lambda idea: -idea.worth):
            if not self._clashes(idea.term):
                for letter in self.office.propose([idea], self.position.phase):
                    # Others may accept it.
                    self._pledged += self._pledges(idea.term)
                    yield letter

    def _pledges(self, term: p.Term) -> list[Pledge]:
        """Our own obligations in a term that can conflict with another."""
        return [
            atom
            for atom in atoms(term)
            if (isinstance(atom, p.Promise) and atom.power == self.me)
            or (isinstance(atom, p.Demilitarised | p.Peace | p.Alliance) and self.me in atom.powers)
        ]

    def _clashes(self, term: p.Term) -> bool:
        """Whether we could not keep a term, or not together with all obligations of this phase."""
        own = self._pledges(term)
        both = itertools.chain(itertools.product(own, self._pledged), itertools.combinations(own, 2))
        return any(
            _exclude(self.me, self.position, *pair)
            for one, other in both
            for pair in ((one, other), (other, one))
        )

    def _notices(self) -> Iterator[Letter]:
        """An honest diplomat announces the end of a peace before it acts against it."""
        if not self.policy.character.warns:
            return
        for other in self.policy.others:
            if self.ledger.at_peace(self.me, other) and self.policy.friendship(other) < 0:
                yield Letter(self.me, (other,), p.State(p.Not(p.Peace((self.me, other)))))
                terms = {
                    atom
                    for deal in self.ledger.deals(other)
                    for atom in atoms(deal.term)
                    if isinstance(atom, p.Demilitarised | p.Division)
                    and set(deal.parties) == {self.me, other}
                }
                for term in sorted(terms, key=str):
                    yield Letter(self.me, (other,), p.State(p.Not(term)))

    def _complaints(self) -> Iterator[Letter]:
        """A power that has just broken an agreement with us is asked for the reason, and our friends are
        told."""
        for other in self.policy.others:
            for phase, judgement in self.policy.intelligence.broken(other, self._last):
                if self.me not in judgement.deal.parties:
                    continue
                statement = p.State(p.Not(p.Peace((other, self.me))))
                shared = {party for deal in self.ledger.deals(other) for party in deal.parties}
                friends = [
                    friend
                    for friend in self.policy.friends()
                    if friend in self.office.speaking and friend not in shared
                ]
                if friends and judgement.kind in ("peace", "alliance"):
                    yield Letter(self.me, tuple(friends), statement)
                if self.level >= QUESTIONS:
                    said = p.Accept(p.Propose(judgement.deal.term))
                    yield Letter(self.me, (other,), p.Explain(phase, said))

    def _ideas(self, position: Position) -> Iterator[Idea]:
        """What to propose first, and why. Peace is offered to neighbours alone: others gain nothing by it."""
        policy, me = self.policy, self.me
        foe, name = policy.prey, Names(position.map).power
        if policy.leader is not None:
            sizes = len(position.centres.get(policy.leader, ()))
            reason = f"{name(policy.leader)} has {sizes} centres and wins unless we stop it together"
            for other in policy.united():
                if not self._allied(other):
                    yield Idea(COALITION, p.Alliance((me, other), (policy.leader,)), (other,), reason)
        wanted = policy.draw()
        if wanted is not None and policy.others:
            yield Idea(DRAWN, p.Draw(), policy.others, "nobody gains anything any more")
        for friend in policy.friends():
            if friend not in policy.neighbours:
                continue
            common = foe is not None and foe != friend and policy.touch(friend, foe)
            against = policy.grievance(foe) if foe is not None else ""
            if not self.ledger.at_peace(me, friend):
                aim = f"if you leave me alone I go for {policy.aim(foe)}" if foe else "we have other foes"
                reason = f"{aim}, for {against}" if against else aim
                yield Idea(policy.friendship(friend), p.Peace((me, friend)), (friend,), reason)
                continue
            if common and foe is not None and not self._allied(friend):
                yield Idea(
                    ALLIED, p.Alliance((me, friend), (foe,)), (friend,), against or "each of us can reach it"
                )
            if self.level >= ORDERS:
                empty = self._between(position, friend)
                if empty:
                    reason = "neither of us then has to guard against the other"
                    yield Idea(EMPTY, p.Demilitarised((me, friend), empty), (friend,), reason)
            first = position.map.powers.index(me) < position.map.powers.index(friend)
            if self.level >= CENTRES and first and self._allied(friend):
                division = policy.plan.division(position, friend)
                if division is not None:
                    yield Idea(DIVIDED, division, (friend,), "then both of us grow alike")

    def _deals(self) -> Iterator[Idea]:
        """Exchanges of orders with a partner by which both gain."""
        partners = [
            friend
            for friend in self.policy.friends()
            if friend in self.policy.neighbours
            and self.ledger.at_peace(self.me, friend)
            and friend in self.office.speaking
        ]
        for partner in partners[:PARTNERS]:
            found = bargains(
                self.engine,
                self.position,
                self.me,
                partner,
                agreements=self.headquarters.agreements(self.position),
                previous=self._previous,
                nodes=LOOK,
                most=DEALS,
            )
            for bargain in found:
                if len(bargain.terms) > 1 and self.level >= PACKAGES:
                    yield Idea(bargain.gain_ours, p.All(bargain.terms), (partner,), "both of us gain by it")
                    continue
                # One by one, theirs come first: ours are offered for their yes.
                ours = bargain.promised_by(self.me)
                theirs = [term for term in bargain.terms if term not in ours]
                for term in theirs or bargain.terms:
                    yield Idea(bargain.gain_ours, term, (partner,), "both of us gain by it")
                if theirs:
                    self._exchange[p.Propose(theirs[0])] = ours

    def _allied(self, other: str) -> bool:
        return any(
            isinstance(deal.term, p.Alliance) for deal in self.ledger.deals(other) if self.me in deal.parties
        )

    def _between(self, position: Position, friend: str) -> tuple[str, ...]:
        """Empty provinces from which both could threaten each other's home centres, and that we do not want
        to enter ourselves."""
        map = position.map
        goals = {province_of(order.destination) for order in self.appraisal.defence.orders}
        ours, theirs = (_beside(position, power) for power in (self.me, friend))
        empty = [
            province.name
            for province in map.provinces
            if province.name in ours & theirs
            and province.name not in map.centres
            and position.unit_at(province.name) is None
            and province.name not in goals
        ]
        return tuple(empty[:MOST_EMPTY])

    # What is answered.

    def answer(self, letter: Letter) -> Iterator[Letter]:
        """Replies to a letter."""
        to = (letter.sender, *(power for power in letter.to if power not in (self.me, letter.sender)))
        said = letter.message
        match said:
            case p.Propose(term) | p.Suggest(term) | p.Insist(term):
                yield Letter(self.me, to, p.Accept(said) if self._agrees(letter) else p.Refuse(said))
            case p.Accept(offer) if offer in self._exchange:
                for term in self._exchange.pop(offer):
                    if not self._clashes(term):
                        self._pledged += self._pledges(term)
                        yield Letter(self.me, (letter.sender,), p.Propose(term))
            case p.Ask(term):
                yield Letter(self.me, (letter.sender,), self._known(said, term))
            case p.If(condition, then, otherwise):
                holds = self.ledger.known(condition)
                if holds is None:
                    # We may make it hold.
                    holds = self.appraisal.worth(condition, letter.sender) >= 0
                branch = then if holds else otherwise
                if branch is not None:
                    yield from self.answer(Letter(letter.sender, letter.to, branch))
            case p.AskUnit(unit):
                yield Letter(self.me, (letter.sender,), self._advice(said, unit, letter.sender))
            case p.AskAttack(target):
                yield Letter(self.me, (letter.sender,), self._attack(said, target, letter.sender))
            case p.Explain(phase, _):
                broken = self.policy.intelligence.broken(self.me, phase)
                sorry = broken and self.policy.friendship(letter.sender) > 0
                reply = p.Sorry(said) if sorry else p.Decline(said) if broken else p.Unsure(said)
                yield Letter(self.me, (letter.sender,), reply)
            case p.Why(about):
                known = isinstance(about, p.State | p.Think) and self.ledger.believes(about)
                yield Letter(self.me, (letter.sender,), p.OnBoard(said) if known else p.Decline(said))

    def _agrees(self, letter: Letter) -> bool:
        said = letter.message
        assert isinstance(said, p.Propose | p.Suggest | p.Insist)
        if any(equivalent(own, said.term) for own in self.office.offers[letter.sender]):
            return True  # It is our own proposal.
        if self._clashes(said.term):
            return False
        worth = self.appraisal.worth(said.term, letter.sender)
        agrees = worth >= (-DEMAND if isinstance(said, p.Insist) else 0.0)
        if agrees and not isinstance(said, p.Suggest):
            self._pledged += self._pledges(said.term)
        return agrees

    def _known(self, said: p.Ask, term: p.Term) -> p.Message:
        if isinstance(term, p.Promise) and term.power == self.me:
            return p.Decline(said)
        known = self.ledger.known(term)
        if known is None:
            return p.Unsure(said)
        return p.State(said if known else p.Not(said))

    def _advice(self, said: p.AskUnit, unit: p.Station, sender: str) -> p.Message:
        """The planned order of a unit of ours, told to friends only."""
        if unit.power != self.me:
            return p.Unsure(said)
        if not self.ledger.at_peace(self.me, sender):
            return p.Decline(said)
        place = province_of(unit.location)
        planned = [order for order in self.appraisal.defence.orders if province_of(order.location) == place]
        if not planned:
            return p.Unsure(said)
        return p.Propose(p.Promise(self.me, planned[0], helped_by(self.position, planned[0])))

    def _attack(self, said: p.AskAttack, target: str, sender: str) -> p.Message:
        """How to attack a power: together, unless it is we or a friend."""
        if target == self.me:
            return p.Decline(said)
        if target not in self.position.map.powers:
            return p.Unsure(said)
        alliance = p.Alliance((self.me, sender), (target,))
        if target == sender or self.appraisal.worth(alliance, sender) < 0:
            return p.Refuse(said)
        return p.Propose(alliance)


Pledge: TypeAlias = p.Promise | p.Demilitarised | p.Peace | p.Alliance
"""A commitment that can exclude others."""


def _exclude(me: str, position: Position, one: Pledge, other: Pledge) -> bool:
    """Whether a power cannot give a promised order because of another pledge: another order for the unit, a
    demilitarised province, or a peace with whom it hurts."""
    if not isinstance(one, p.Promise) or one.power != me:
        return False
    order, place = one.order, province_of(one.order.destination)
    match other:
        case p.Promise(power, instead):
            same = province_of(order.location) == province_of(instead.location)
            return power == me and same and order != instead
        case p.Demilitarised(powers, provinces):
            return me in powers and (place or province_of(order.location)) in provinces
        case p.Peace(powers) | p.Alliance(powers=powers):
            unit = position.unit_at(place) if place else None
            hurt = {None if unit is None else unit.power, position.owner_of.get(place)}
            return bool(hurt & set(powers) - {me, one.helped})


def _beside(position: Position, power: str) -> set[str]:
    """Provinces adjacent to the home centres of a power, without these."""
    map = position.map
    homes = set(map.homes[power])
    near = {
        province_of(name)
        for home in homes
        for location in map.locations
        if province_of(location.name) == home
        for name in map.adjacent(location.kind, location.name)
    }
    return near - homes
