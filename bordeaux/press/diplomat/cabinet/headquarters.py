"""Headquarters: the constraints on the search for orders, and the choice of stabs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from bordeaux.board.position import Position
from bordeaux.engine import Engine
from bordeaux.press.diplomat.cabinet.intelligence import Intelligence
from bordeaux.press.diplomat.cabinet.policy import ForeignPolicy
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.diplomat.payoffs import Character, decide, opportunities, payoffs
from bordeaux.press.language import messages as p
from bordeaux.press.language.terms import atoms
from bordeaux.search.agreements import Agreement

#: Nodes of the estimate of a stab's value, and the number of partners for whom it is made in a phase.
LOOK, PARTNERS = 2000, 2


class Briefing(NamedTuple):
    """The input of the search: `agreements` (we are free to break those with partners whom we stab), and sets
    of orders to start from that stab them (`seeds`)."""

    agreements: tuple[Agreement, ...]
    seeds: tuple[tuple[str, ...], ...] = ()


@dataclass(eq=False)
class Headquarters:
    """Gives the orders of `me`."""

    me: str
    engine: Engine
    ledger: Ledger
    intelligence: Intelligence
    policy: ForeignPolicy
    character: Character

    def agreements(self, position: Position, free: Sequence[str] = ()) -> tuple[Agreement, ...]:
        """All known agreements that bind powers in a position, with trust; we are free to break those with
        the named powers."""
        return tuple(
            replace(agreement, stabbed_by=(self.me,)) if self._owed(agreement, free) else agreement
            for agreement in self.ledger.binding(position, self.intelligence.trust)
        )

    def _owed(self, agreement: Agreement, partners: Collection[str]) -> bool:
        """Whether we owe an agreement to one of some partners."""
        if self.me not in agreement.parties:
            return False
        if set(agreement.parties) & set(partners):
            return True
        terms = [
            atom for partner in partners for deal in self.ledger.deals(partner) for atom in atoms(deal.term)
        ]
        return any(_asks(term, agreement) for term in terms)

    def briefing(self, position: Position) -> Briefing:
        """The input of the search in a phase."""
        if position.phase.kind != "M":
            return Briefing(self.agreements(position))
        stabs = dict(self._stabs(position))
        return Briefing(self.agreements(position, tuple(stabs)), tuple(stabs.values()))

    def _stabs(self, position: Position) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The partners that we stab in this phase, with the orders; a power without units is not stabbed."""
        if not position.units_of(self.me):
            return
        partners = [
            other
            for other in self.policy.others
            if other in self.policy.neighbours
            and position.units_of(other)
            and self.ledger.at_peace(self.me, other)
        ]
        agreements = self.agreements(position)
        partners.sort(key=lambda other: (self.policy.friendship(other), other))
        for partner in partners[:PARTNERS]:
            payoff = payoffs(self.engine, position, self.me, partner, agreements, nodes=LOOK)
            # Opportunities are counted by years, and phases of movement come twice in one.
            since = self.intelligence.since_stab(partner)
            if decide(
                payoff,
                self.character.shadow,
                self.intelligence.trust(partner, "peace"),
                opportunities=opportunities(position, self.me, partner),
                since_stab=None if since is None else (since + 1) // 2,
                greed=self.character.greed,
                grudge=self.character.answers,
            ):
                yield partner, payoff.stab


def _asks(term: p.Term, agreement: Agreement) -> bool:
    """Whether a term contains an agreement of a single power."""
    match term:
        case p.Promise():
            return term.order in agreement.orders
        case p.Demilitarised():
            return bool(agreement.provinces) and set(agreement.provinces) <= set(term.provinces)
        case p.Division() | p.Not():
            return agreement.kind == "forbid"
    return False
