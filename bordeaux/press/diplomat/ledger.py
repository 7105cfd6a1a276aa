"""The ledger: agreements, statements and actions, and their consequences.

It receives every letter that its power sends or gets, and every turn. Open proposals, conditional messages
and the book of deals each have a module of their own. Sources: Hall and Loeb (1995), section 5; LANGUAGE.md,
sections 8 and 10.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeAlias

from bordeaux.board.map import Map
from bordeaux.board.order import HELPS, Order, OrderKind
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.press.diplomat.book import DealBook
from bordeaux.press.diplomat.deeds import Deal, Judgement, Pair
from bordeaux.press.diplomat.offers import Conditions, Offer, Offers
from bordeaux.press.diplomat.turn import ObservedTurn, can_give, province_of
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter, is_sound
from bordeaux.press.language.terms import entails, keeps_peace, undone, while_on
from bordeaux.rules.adjudication import legal_codes
from bordeaux.search.agreements import Agreement

Trust: TypeAlias = Callable[[str, str], float]
"""Trust in a power, from 0 to 1, to keep a kind of promise."""


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

    def trusted(duty: Agreement) -> float:
        others = [party for party in duty.parties if party != power] or [power]
        kind = "promise" if duty.kind == "forbid" else duty.kind
        if duty.kind == "promise" and _order(duty).kind in HELPS:
            kind = "support"
        return min(1.0, max(0.0, min(trust(party, kind) for party in others)))

    return [
        replace(
            duty,
            trust=trusted(duty),
            stabbed_by=tuple(party for party in duty.parties if party in free),
        )
        for duty in _consistent(duties)
    ]


def _order(duty: Agreement) -> Order:
    """The order that a duty promises or forbids."""
    (order,) = duty.orders
    assert isinstance(order, Order)
    return order


def _consistent(duties: list[Agreement]) -> Iterator[Agreement]:
    """Duties that can all be kept: of promises for a unit the first, and nothing from which a promise
    exempts."""
    promised: dict[tuple[str, str], Agreement] = {}
    for duty in duties:
        if duty.kind == "promise":
            # A waived build has no place, and is promised by each power for itself.
            order = _order(duty)
            whose = duty.parties[0] if order.kind == OrderKind.WAIVE else ""
            promised.setdefault((whose, province_of(order.location)), duty)
    kept = {_order(duty) for duty in promised.values()}
    goals = {
        (duty.parties, province_of(_order(duty).destination or _order(duty).location))
        for duty in duties
        if duty.kind == "promise" and _order(duty) in kept
    }
    allied = {duty.parties for duty in duties if duty.kind == "alliance"}
    for duty in duties:
        if duty.kind == "demilitarised":
            left = tuple(province for province in duty.provinces if (duty.parties, province) not in goals)
            if left:
                yield replace(duty, provinces=left)
        elif duty.orders:
            if (_order(duty) in kept) == (duty.kind == "promise"):
                yield duty
        elif duty.kind == "alliance" or duty.parties not in allied:
            yield duty


def _duties(term: p.Term, pairs: Collection[Pair], position: Position) -> Iterator[Agreement]:
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
            for some in islice(_possible(inside, pairs, position), least):
                yield from some
        case p.Peace(powers) | p.Alliance(powers=powers) as peace:
            kind = type(peace).__name__.lower()
            yield from (Agreement(kind, pair) for pair in pairs if set(pair) <= set(powers))
        case p.Demilitarised(powers, provinces):
            for party in parties:
                if party in powers:
                    yield Agreement("demilitarised", (party,), provinces=provinces)
                    yield from _leaving(position, party, provinces)
        case p.Division(shares):
            due = {centre: share.owner for share in shares for centre in share.centres}
            for party in parties:
                yield from _sharing(position, party, due)
        case p.Promise(party, order) if party in parties and can_give(position, party, order):
            yield Agreement("promise", (party,), (order,))
        case p.Not(p.Promise(party, order)) if party in parties and can_give(position, party, order):
            yield _forbidden(party, order)


def _forbidden(power: str, order: Order) -> Agreement:
    return Agreement("forbid", (power,), (order,))


def _possible(
    parts: Iterable[p.Term], pairs: Collection[Pair], position: Position
) -> Iterator[list[Agreement]]:
    """The duties of the possible terms that have any."""
    return filter(None, (list(_duties(part, pairs, position)) for part in parts))


def _leaving(position: Position, power: str, provinces: tuple[str, ...]) -> Iterator[Agreement]:
    """Units in provinces that are to be demilitarised do not stay."""
    for unit in position.units_of(power) if position.phase.kind == "M" else ():
        if unit.province in provinces:
            yield _forbidden(power, Order(OrderKind.HOLD, unit.kind, unit.location))


def _sharing(position: Position, power: str, due: Mapping[str, str]) -> Iterator[Agreement]:
    """In Autumn units do not enter the centres that are assigned to others, or to nobody."""
    if position.phase.season != "F":
        return
    for codes in legal_codes(position).get(power, {}).values():
        for code in codes:
            order = decode(position.map, code)
            goes = order.kind in (OrderKind.MOVE, OrderKind.RETREAT)
            if goes and due.get(province_of(order.destination), power) != power:
                yield _forbidden(power, order)


class Ledger:
    """One power's knowledge of the deals of a game on a map.

    In each phase `begin` comes first, then `note` for every letter in the order common to all, and `judge`
    when the orders are known.
    """

    def __init__(self, map: Map, power: str) -> None:
        self.map = map
        self.power = power
        self.phase: Phase = map.start_phase
        self._offers = Offers()
        self._conditions = Conditions()
        self._book = DealBook(map)

    def begin(self, position: Position) -> None:
        """Begin a phase: terms of earlier phases end, and old entries are dropped."""
        self.phase = position.phase
        self._book.begin(position)
        for memory in (self._offers, self._conditions):
            memory.begin(position.phase)

    def note(self, letter: Letter) -> list[Deal]:
        """Record a letter, and return the deals that it concludes. Invalid letters are ignored."""
        concluded: list[Deal] = []
        letters = [letter] if is_sound(letter, self.map) else []
        for received in letters:
            concluded += self._note(received)
            letters += self._conditions.decided(self.known)
        return concluded

    def judge(self, before: Position, orders: Mapping[str, Sequence[Order]]) -> list[Judgement]:
        """The judgements of the orders of a phase on all deals in force, in the order of the deals and the
        map. Breaches count from then on; completed terms end."""
        return self._book.judge(ObservedTurn(before, orders))

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
        return self._book.hostile(power, other)

    def at_peace(self, power: str, other: str) -> bool:
        """Whether two powers are at peace, as far as is known."""
        return self._book.at_peace(power, other)

    def warned(self) -> frozenset[str]:
        """Powers that have declared in this phase that there is no peace with the ledger's power."""
        return self._book.warned(self.power)

    def known(self, term: p.Term) -> bool | None:
        """Whether a term is agreed upon, as far as is known; None if unknown."""
        match term:
            case p.Not(inner) if not isinstance(inner, p.Ask):
                verdict = self.known(inner)  # type: ignore[arg-type]
                return None if verdict is None else not verdict
            case p.All(parts=inside) | p.Some(parts=inside):
                verdicts = [self.known(part) for part in inside]
                decisive = isinstance(term, p.Some)
                return decisive if decisive in verdicts else None if None in verdicts else not decisive
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

    def size(self) -> int:
        """The number of stored items: deals, open proposals and conditional messages."""
        return len(self._book) + len(self._offers) + len(self._conditions)

    def _note(self, letter: Letter) -> list[Deal]:
        agreed = self._offers.note(letter, self.phase)
        concluded = [] if agreed is None else self._conclude(agreed)
        match letter.message:
            case p.If():
                self._conditions.note(letter, self.phase)
            case p.State(p.Not() | p.NoDeal() as term) if (gone := undone(term)) is not None:
                self._book.leave(letter.sender, gone, letter.to)
                for other in letter.to:
                    if isinstance(term, p.Not) and keeps_peace(gone, letter.sender, other):
                        self._book.declare(letter.sender, other)
        return concluded

    def _conclude(self, offer: Offer) -> list[Deal]:
        match offer.message:
            case p.Propose(term) | p.Insist(term):
                binding: p.Term | None = term
            case _:
                binding = self._conditions.agreed(offer, self.known)
        if binding is None:
            return []
        return self._book.conclude(binding, offer.parties, offer.proposer, offer.made)
