"""The foreign office: a desk for each other power, with the proposals made to it and their results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bordeaux.board.phase import Phase
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter

__all__ = ["Desk", "ForeignOffice", "Idea"]

#: Years for which a refused or unanswered proposal is not repeated.
SULKING = 1
#: The maximum numbers of proposals to one power in a phase, and to all powers.
BEARABLE, IN_ALL = 3, 12
#: The number of entries of each kind that a desk remembers.
REMEMBERED = 100


class Idea(NamedTuple):
    """Something to propose: its points for us, the term, and the powers that must agree."""

    worth: float
    term: p.Term
    to: tuple[str, ...]


class Desk:
    """The messages to one power; `speaks` tells whether it has ever sent us a message."""

    def __init__(self, power: str) -> None:
        self.power = power
        self.said = 0
        self.speaks = False
        self._offered: dict[p.Term, int] = {}

    def begin(self) -> None:
        """A phase begins."""
        self.said = 0

    def may_offer(self, idea: Idea, phase: Phase) -> bool:
        """Whether the power can receive a proposal: not too many, and not a known one."""
        last = self._offered.get(idea.term)
        return self.said < BEARABLE and (last is None or phase.year - last >= SULKING)

    def offered(self, term: p.Term, phase: Phase) -> None:
        """Record a proposal of ours."""
        self.said += 1
        self._offered[term] = phase.year
        while len(self._offered) > REMEMBERED:
            del self._offered[next(iter(self._offered))]


class ForeignOffice:
    """All desks, and the remaining proposals of this phase."""

    def __init__(self, me: str, powers: Iterable[str]) -> None:
        self.me = me
        self.desks = {power: Desk(power) for power in powers if power != me}
        self._proposed = 0

    def begin(self) -> None:
        """A phase begins."""
        self._proposed = 0
        for desk in self.desks.values():
            desk.begin()

    def heard(self, letter: Letter) -> None:
        """Record the powers that send messages."""
        if letter.sender in self.desks:
            self.desks[letter.sender].speaks = True

    def propose(self, ideas: Iterable[Idea], phase: Phase) -> Iterator[Letter]:
        """The letters of the best ideas, best first, within the limits."""
        for idea in sorted(ideas, key=lambda idea: -idea.worth):
            desks = [self.desks[power] for power in idea.to]
            if self._proposed >= IN_ALL:
                return
            if desks and all(desk.may_offer(idea, phase) for desk in desks):
                self._proposed += 1
                for desk in desks:
                    desk.offered(idea.term, phase)
                yield Letter(self.me, idea.to, p.Propose(idea.term))
