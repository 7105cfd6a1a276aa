"""Headquarters: what the search is to keep to when it looks for the orders, and whom we stab."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.position import Position
from bordeaux.engine import Engine
from bordeaux.press.cabinet.intelligence import Intelligence
from bordeaux.press.cabinet.policy import ForeignPolicy
from bordeaux.press.character import Character
from bordeaux.press.ledger import Ledger
from bordeaux.press.payoffs import decide, opportunities, payoffs
from bordeaux.search.agreements import Agreement

__all__ = ["Briefing", "Headquarters"]

#: Nodes of the look at what a stab would bring, and partners that it is asked of in a phase.
LOOK, PARTNERS = 2000, 2


class Briefing(NamedTuple):
    """What the search is given: agreements, those that we break on purpose with `stabs` free for us, and for
    each stab the reason in words."""

    agreements: tuple[Agreement, ...]
    stabs: Mapping[str, str]


class Headquarters:
    """Gives the orders of `me`."""

    def __init__(
        self,
        me: str,
        engine: Engine,
        ledger: Ledger,
        intelligence: Intelligence,
        policy: ForeignPolicy,
        character: Character,
        *,
        tacit: bool = True,
    ) -> None:
        self.me = me
        self.engine = engine
        self.ledger = ledger
        self.intelligence = intelligence
        self.policy = policy
        self.character = character
        self.tacit = tacit

    def agreements(self, position: Position, free: Sequence[str] = ()) -> tuple[Agreement, ...]:
        """All that binds powers in a position as far as we know, with how far it is trusted; we are free to
        break what we have agreed with the powers named."""
        spoken = self.ledger.binding(position, self.intelligence.trust, free)
        tacit = self.intelligence.tacit.agreements(self.me, position) if self.tacit else ()
        bound = {frozenset(each.parties) for each in spoken if each.kind in ("peace", "alliance")}
        silent = [each for each in tacit if frozenset(each.parties) not in bound]
        return (*spoken, *silent)

    def briefing(self, position: Position) -> Briefing:
        """What the search is given in a phase."""
        stabs = self._stabs(position) if position.phase.kind == "M" else {}
        return Briefing(self.agreements(position, tuple(stabs)), stabs)

    def _stabs(self, position: Position) -> dict[str, str]:
        """Partners whose trust we break in this phase, with the reasons. An honest diplomat breaks it for a
        solo alone."""
        found: dict[str, str] = {}
        partners = [
            other
            for other in self.policy.others
            if other in self.policy.neighbours and self.ledger.at_peace(self.me, other)
        ]
        agreements = self.agreements(position)
        partners.sort(key=lambda other: (self.policy.friendship(other), other))
        for partner in partners[:PARTNERS]:
            told = payoffs(self.engine, position, self.me, partner, agreements, nodes=LOOK)
            verdict = decide(
                told,
                self.character.shadow,
                self.intelligence.trust(partner, "peace"),
                opportunities=opportunities(position, self.me, partner),
                since_stab=self.intelligence.since_stab(partner),
                greed=self.character.greed,
                grudge=self.character.answers,
            )
            if verdict.stab:
                found[partner] = verdict.why
        return found
