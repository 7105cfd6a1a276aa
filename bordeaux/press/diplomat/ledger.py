"""The ledger: agreements, statements and actions, their consequences, and the reasons.

It receives every letter that its power sends or gets, and every turn. Open proposals, conditional messages
and the book of deals each have a module of their own. One truth maintenance system keeps all
consequences. Sources: Hall and Loeb (1995), section 5; LANGUAGE.md, sections 8 and 10.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.submission import decode, submit
from bordeaux.press.diplomat import facts as f
from bordeaux.press.diplomat.book import DealBook
from bordeaux.press.diplomat.facts import Deal, Judgement, Pair
from bordeaux.press.diplomat.offers import Conditions, Offer, Offers
from bordeaux.press.diplomat.truth import Reason, Truth
from bordeaux.press.diplomat.turn import ObservedTurn, province_of, suits
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter, is_sound
from bordeaux.press.language.terms import atoms, entails, keeps_peace, kind_of, undone, while_on
from bordeaux.rules.adjudication import legal_codes
from bordeaux.search.agreements import Agreement

Trust: TypeAlias = Callable[[str, str], float]
"""Trust in a power, from 0 to 1, to keep a kind of promise."""


class _Duty(NamedTuple):
    """The content of one agreement of the search."""

    kind: str
    parties: tuple[str, ...]
    order: Order | None = None
    provinces: tuple[str, ...] = ()


def agreements(
    position: Position,
    power: str,
    owed: Iterable[tuple[p.Term, Collection[Pair]]],
    trust: Trust,
    free: Collection[str] = (),
) -> list[Agreement]:
    """The agreements that bind in a position, free of contradictions.

    `owed` are timed terms, the latest first, with the pairs that each binds. If two promise different orders
    for a unit, the later counts; a promise has precedence over the agreement to which it is an exception. Of
    terms with a choice the first possible part is used: it suffices to keep the term. `power` is the power
    whose trust is used: the trust in a pair is that in the other party, or the smaller of two. Parties in
    `free` may break their agreements.
    """
    duties = list(dict.fromkeys(duty for term, pairs in owed for duty in _duties(term, pairs, position)))
    listed = []
    for duty in _consistent(duties):
        others = [party for party in duty.parties if party != power] or [power]
        kind = duty.kind
        if duty.order is not None:
            kind = kind_of(p.Promise(duty.parties[0], duty.order)) if kind == "promise" else "promise"
        listed.append(
            Agreement(
                duty.kind,
                duty.parties,
                () if duty.order is None else (duty.order,),
                duty.provinces,
                trust=min(1.0, max(0.0, min(trust(party, kind) for party in others))),
                stabbed_by=tuple(party for party in duty.parties if party in free),
            )
        )
    return listed


def _consistent(duties: list[_Duty]) -> Iterator[_Duty]:
    """Duties that can all be kept: of promises for a unit the first, and nothing from which a promise
    exempts."""
    promised: dict[tuple[str, str], Order] = {}
    for duty in duties:
        if duty.kind == "promise" and duty.order is not None:
            # A waived build has no place, and is promised by each power for itself.
            whose = duty.parties[0] if duty.order.kind == OrderKind.WAIVE else ""
            promised.setdefault((whose, province_of(duty.order.location)), duty.order)
    kept = set(promised.values())
    goals = {
        (duty.parties, province_of(duty.order.destination or duty.order.location))
        for duty in duties
        if duty.order in kept and duty.order is not None and duty.kind == "promise"
    }
    allied = {duty.parties for duty in duties if duty.kind == "alliance"}
    for duty in duties:
        left = tuple(province for province in duty.provinces if (duty.parties, province) not in goals)
        if duty.kind == "demilitarised" and left:
            yield duty._replace(provinces=left)
        elif (
            (duty.kind == "promise" and duty.order in kept)
            or (duty.kind == "forbid" and duty.order not in kept)
            or duty.kind == "alliance"
            or (duty.kind == "peace" and duty.parties not in allied)
        ):
            yield duty


def _duties(term: p.Term, pairs: Collection[Pair], position: Position) -> Iterator[_Duty]:
    """The duties of the parties of a term in a position, as far as the search can express them."""
    parties = tuple(dict.fromkeys(power for pair in pairs for power in pair))
    match while_on(term, position.phase):
        case p.All(parts=inside):
            for part in inside:
                yield from _duties(part, pairs, position)
        case p.Some(parts=inside):
            # A NOT is a condition. A deal that depends on it is kept as if the condition held.
            listed = sorted(inside, key=lambda part: isinstance(part, p.Not))
            yield from next(_possible(listed, pairs, position), ())
        case p.Choice(least, _, inside):
            for some, _ in zip(_possible(inside, pairs, position), range(least), strict=False):
                yield from some
        case p.Peace(powers):
            yield from (_Duty("peace", pair) for pair in pairs if set(pair) <= set(powers))
        case p.Alliance(powers):
            yield from (_Duty("alliance", pair) for pair in pairs if set(pair) <= set(powers))
        case p.Demilitarised(powers, provinces):
            for party in parties:
                if party in powers:
                    yield _Duty("demilitarised", (party,), provinces=provinces)
                    yield from _leaving(position, party, provinces)
        case p.Division(shares):
            due = {centre: share.owner for share in shares for centre in share.centres}
            for party in parties:
                yield from _sharing(position, party, due)
        case p.Promise(party, order) if party in parties and _legal(position, party, order):
            yield _Duty("promise", (party,), order)
        case p.Not(p.Promise(party, order)) if party in parties and _legal(position, party, order):
            yield _Duty("forbid", (party,), order)


def _possible(parts: Iterable[p.Term], pairs: Collection[Pair], position: Position) -> Iterator[list[_Duty]]:
    """The duties of the possible terms that have any."""
    return filter(None, (list(_duties(part, pairs, position)) for part in parts))


def _leaving(position: Position, power: str, provinces: tuple[str, ...]) -> Iterator[_Duty]:
    """Units in provinces that are to be demilitarised do not stay."""
    for unit in position.units_of(power) if position.phase.kind == "M" else ():
        if unit.province in provinces:
            yield _Duty("forbid", (power,), Order(OrderKind.HOLD, unit.kind, unit.location))


def _sharing(position: Position, power: str, due: Mapping[str, str]) -> Iterator[_Duty]:
    """In Autumn units do not enter the centres that are assigned to others, or to nobody."""
    if position.phase.season != "F":
        return
    for codes in legal_codes(position).get(power, {}).values():
        for code in codes:
            order = decode(position.map, code)
            goes = order.kind in (OrderKind.MOVE, OrderKind.RETREAT)
            if goes and due.get(province_of(order.destination), power) != power:
                yield _Duty("forbid", (power,), order)


def _legal(position: Position, power: str, order: Order) -> bool:
    return suits(order, position) and not submit(position, {power: [order]}).orders[0].fault


#: Letters of a phase that are remembered, for promises to say something.
MOST_SAID = 200


class Ledger:
    """One power's knowledge of the deals of a game on a map.

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
        self._book = DealBook(map, self._truth)
        self._said: deque[Letter] = deque(maxlen=MOST_SAID)

    def begin(self, position: Position) -> None:
        """Begin a phase: terms of earlier phases end, and old entries are dropped."""
        self.phase = position.phase
        self._said.clear()
        self._book.begin(position)
        for memory in (self._offers, self._conditions):
            memory.begin(position.phase)

    def note(self, letter: Letter) -> list[Deal]:
        """Record a letter, and return the deals that it concludes. Invalid letters are ignored."""
        if not is_sound(letter, self.map):
            return []
        self._said.append(letter)
        concluded: list[Deal] = []
        letters = [letter]
        for received in letters:
            concluded += self._note(received)
            said, offers = self._conditions.decided(self.known)
            letters += said
            concluded += [deal for offer in offers for deal in self._conclude(offer)]
        return concluded

    def judge(
        self, before: Position, orders: Mapping[str, Sequence[Order]], after: Position
    ) -> list[Judgement]:
        """The judgements of the orders of a phase on all deals in force, in the order of the deals and the
        map. Breaches count from then on; completed terms end."""
        turn = ObservedTurn(before, orders, self._said, self.power)
        return self._book.judge(turn)

    def deals(self, partner: str | None = None) -> list[Deal]:
        """The deals in force with duties, all or those of a partner, the oldest first."""
        return self._book.deals(partner)

    def binding(self, position: Position, trust: Trust, free: Collection[str] = ()) -> list[Agreement]:
        """The agreements for a position, for a search. `trust` is the probability that a power keeps a kind
        of promise (`bordeaux.press.language.terms.kind_of`); powers that are `free` may break their
        agreements."""
        return agreements(position, self.power, self._book.owed(), trust, free)

    def hostile(self, power: str, other: str) -> bool:
        """Whether hostile acts of a power against another are expected, by wars, breaches and alliances."""
        return self._truth.holds(f.Hostile(power, other))

    def at_peace(self, power: str, other: str) -> bool:
        """Whether two powers are at peace, as far as is known."""
        return self._truth.holds(f.AtPeace(self._book.pair(power, other)))

    def warned(self) -> frozenset[str]:
        """Powers that have declared in this phase that there is no peace with the ledger's power."""
        return frozenset(
            wrong.power
            for wrong in self._book.wrongs()
            if isinstance(wrong, f.Declared) and wrong.other == self.power and wrong.phase == self.phase
        )

    def known(self, term: p.Term) -> bool | None:
        """Whether a term is agreed upon, as far as is known; None if unknown."""
        match term:
            case p.Not(inner) if not isinstance(inner, p.Ask):
                verdict = self.known(inner)  # type: ignore[arg-type]
                return None if verdict is None else not verdict
            case p.All(parts=inside):
                verdicts = [self.known(part) for part in inside]
                return False if False in verdicts else None if None in verdicts else True
            case p.Some(parts=inside):
                verdicts = [self.known(part) for part in inside]
                return True if True in verdicts else None if None in verdicts else False
            case p.Peace(powers):
                pairs = list(self._book.pairs(powers))
                if any(self.hostile(*pair) or self.hostile(*pair[::-1]) for pair in pairs):
                    return False
                return True if all(self.at_peace(*pair) for pair in pairs) else None
        return True if any(entails(deal.term, term) for deal in self.deals()) else None

    def believes(self, message: p.Message) -> bool:
        """Whether a message's statement is true, as far as is known; only statements are believed."""
        match message:
            case p.State(p.Ask(term)) | p.Think(p.Ask(term)):
                return self.known(term) is True
            case p.State(p.Not(p.Ask(term))) | p.Think(p.Not(p.Ask(term))):
                return self.known(term) is False
            case p.State(term) | p.Think(term):
                return self.known(term) is True  # type: ignore[arg-type]
        return False

    def why(self, fact: Hashable) -> Reason:
        """The reason for a fact. Raises LookupError if it does not hold."""
        return self._truth.why(fact)

    def facts(self) -> tuple[Hashable, ...]:
        """All facts that hold, premises and consequences."""
        return tuple(self._truth.facts())

    def grounds(self) -> Iterator[tuple[Hashable, tuple[Hashable, ...], tuple[Hashable, ...]]]:
        """The grounds of all facts, as `bordeaux.press.diplomat.truth.Truth.grounds` gives them."""
        return self._truth.grounds()

    def size(self) -> int:
        """The number of stored items: grounds of facts, deals, open proposals."""
        return len(self._truth) + len(self._book) + len(self._offers) + len(self._conditions)

    def _note(self, letter: Letter) -> list[Deal]:
        agreed = self._offers.note(letter, self.phase)
        match letter.message:
            case p.If():
                self._conditions.note(letter, self.phase)
            case p.Propose(p.Promise(power, order)) if self._commands(letter, power, order):
                # A power that lets another command has agreed beforehand to its demands.
                parties = frozenset((letter.sender, power))
                agreed = [Offer(letter.message, letter.sender, parties, self.phase)]
        concluded = []
        for offer in agreed:
            plain = not isinstance(offer.message, p.If)
            for accepted in [offer] if plain else self._conditions.agreed(offer, self.known):
                concluded += self._conclude(accepted)
        match letter.message:
            case p.State(p.Not() | p.NoDeal() as term) if (gone := undone(term)) is not None:
                self._book.leave(letter.sender, gone, letter.to)
                for other in letter.to:
                    if isinstance(term, p.Not) and keeps_peace(gone, letter.sender, other):
                        self._book.declare(letter.sender, other)
        return concluded

    def _commands(self, letter: Letter, power: str, order: Order) -> bool:
        """Whether the sender of a letter may decide on an order of a power."""
        unit = power, order.location.partition("/")[0]
        return power in letter.to and any(
            isinstance(atom, p.Command)
            and atom.power == letter.sender
            and unit in {(station.power, station.location.partition("/")[0]) for station in atom.units}
            for part, _ in self._book.owed(power)
            for atom in atoms(while_on(part, self.phase))
        )

    def _conclude(self, offer: Offer) -> list[Deal]:
        match offer.message:
            case p.Propose(term) | p.Insist(term):
                return self._book.conclude(term, offer.parties, offer.proposer, offer.made)
        return []
