"""Open proposals, and the answers to them.

A proposal binds once every recipient has accepted it to its proposer and to all other recipients. Messages
have no numbers, so a proposal is identified by its content. Source: LANGUAGE.md, section 8.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bordeaux.board.phase import Phase
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from bordeaux.press.language.timing import moment

__all__ = ["Offer", "Offers"]

#: Years for which a proposal stays open, and the maximum number of open proposals of one power.
OPEN_YEARS, MOST_OPEN = 1, 50


@dataclass(slots=True)
class Offer:
    """A proposal, made in a phase, and for each power that has accepted it the powers that it has told so."""

    message: p.Message
    proposer: str
    parties: frozenset[str]
    made: Phase
    heard: dict[str, set[str]] = field(default_factory=dict)

    @property
    def agreed(self) -> bool:
        """Whether all have accepted it to all."""
        others = self.parties - {self.proposer}
        return all(self.heard.get(power, set()) >= self.parties - {power} for power in others)


class Offers:
    """The open proposals of a game, conditional ones with their conditions."""

    def __init__(self) -> None:
        self._open: dict[tuple[p.Message, str, frozenset[str]], Offer] = {}

    def begin(self, phase: Phase) -> None:
        """Begin a phase; old proposals lapse."""
        oldest = moment(phase._replace(year=phase.year - OPEN_YEARS))
        self._open = {key: offer for key, offer in self._open.items() if moment(offer.made) >= oldest}

    def note(self, letter: Letter, phase: Phase) -> list[Offer]:
        """Record a proposal, an answer, or a withdrawal. Returns the proposals, usually one at most, that
        this letter makes binding."""
        match letter.message:
            case p.Propose() | p.Insist() | p.If():
                parties = frozenset((letter.sender, *letter.to))
                self._open[letter.message, letter.sender, parties] = Offer(
                    letter.message, letter.sender, parties, phase
                )
                self._bound(letter.sender)
            case p.Accept(message):
                for offer in self._for(message, letter):
                    offer.heard.setdefault(letter.sender, set()).update(letter.to)
                    if offer.agreed:
                        self._drop(offer)
                        return [offer]
            case p.Refuse(message):
                for offer in self._for(message, letter):
                    self._drop(offer)
            case p.Cancel(p.Accept(message)):
                for offer in self._for(message, letter):
                    offer.heard.pop(letter.sender, None)
            case p.Cancel(message):
                for offer in list(self._open.values()):
                    if offer.message == message and offer.proposer == letter.sender:
                        self._drop(offer)
        return []

    def __len__(self) -> int:
        """The number of open proposals."""
        return len(self._open)

    def _for(self, message: p.Message, letter: Letter) -> list[Offer]:
        """The proposals that an answer concerns: those that its sender has received from a recipient of the
        answer, now or earlier."""
        return [
            offer
            for offer in self._open.values()
            if offer.message == message
            and letter.sender in offer.parties
            and offer.proposer != letter.sender
            and (offer.proposer in letter.to or letter.sender in offer.heard)
        ]

    def _bound(self, proposer: str) -> None:
        theirs = [offer for offer in self._open.values() if offer.proposer == proposer]
        for offer in theirs[:-MOST_OPEN]:
            self._drop(offer)

    def _drop(self, offer: Offer) -> None:
        self._open.pop((offer.message, offer.proposer, offer.parties), None)
