"""The foreign office: a desk for each other power, which knows what was offered to it and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bordeaux.board.phase import Phase
from bordeaux.press import language as p
from bordeaux.press.letter import Letter

__all__ = ["Desk", "ForeignOffice", "Idea"]

#: Years for which what was refused or left unanswered is not offered again.
SULKING = 1
#: Proposals that one power can bear in a phase, and all of them together.
BEARABLE, IN_ALL = 3, 12
#: What a desk remembers of each kind.
REMEMBERED = 100


class Idea(NamedTuple):
    """Something to propose: the points that it would bring, the term, and the powers that have to agree.
    `insists`: a refusal costs goodwill."""

    worth: float
    term: p.Term
    to: tuple[str, ...]
    insists: bool = False


class Desk:
    """What was said to and by one power. `open` are our proposals that it has not answered."""

    def __init__(self, power: str) -> None:
        self.power = power
        self.open: dict[p.Message, Phase] = {}
        self.said = 0
        self.speaks = False
        self._offered: dict[p.Term, int] = {}

    def begin(self) -> None:
        """A phase begins: what was said before is answered no more."""
        self.said = 0
        self.open.clear()

    def may_offer(self, idea: Idea, phase: Phase) -> bool:
        """Whether the power can bear a proposal: not too many, and none that it knows."""
        last = self._offered.get(idea.term)
        return self.said < BEARABLE and (last is None or phase.year - last >= SULKING)

    def offered(self, message: p.Propose | p.Insist, phase: Phase) -> None:
        """Note a proposal of ours."""
        self.said += 1
        self.open[message] = phase
        self._offered[message.term] = phase.year
        while len(self._offered) > REMEMBERED:
            del self._offered[next(iter(self._offered))]

    def answered(self, message: p.Message) -> bool:
        """Note that the power has answered a message of ours; whether that was open."""
        self.speaks = True
        return self.open.pop(message, None) is not None


class ForeignOffice:
    """All desks, and what may still be proposed in this phase."""

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
        """Note who talks, and what is answered."""
        desk = self.desks.get(letter.sender)
        if desk is None:
            return
        desk.speaks = True
        match letter.message:
            case p.Accept(said) | p.Refuse(said) | p.Decline(said) | p.Unsure(said):
                desk.answered(said)

    def propose(self, ideas: Iterable[Idea], phase: Phase) -> Iterator[Letter]:
        """The letters of the best ideas, best first, as many as people can bear."""
        for idea in sorted(ideas, key=lambda idea: -idea.worth):
            desks = [self.desks[power] for power in idea.to]
            if self._proposed >= IN_ALL:
                return
            if desks and all(desk.may_offer(idea, phase) for desk in desks):
                message = p.Insist(idea.term) if idea.insists else p.Propose(idea.term)
                self._proposed += 1
                for desk in desks:
                    desk.offered(message, phase)
                yield Letter(self.me, idea.to, message)
