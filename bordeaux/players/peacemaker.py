"""Peace negotiations for players that have friends: offers, answers, and a record of agreements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator

from bordeaux.board.position import Position
from bordeaux.players.base import Chair, Seat
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from bordeaux.rules.outcome import survivors


class Peacemaker(Chair, ABC):
    """A player that offers peace to all (Webb and others 2008, 2.3.3 and 5.3.1). Its `friends` are the powers
    that accept, or that offer peace and are welcome.

    The first offer goes to all, "to first establish which players are capable of negotiation". After that
    every movement phase brings an offer to each power that has ever sent a message, is no friend and is
    welcome. Peace between several makes friends of them all as soon as this player agrees. A power that
    denies a peace, or withdraws its acceptance, is a friend no longer. `agrees` answers other proposals.
    """

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.friends: set[str] = set()
        self._able: set[str] | None = None

    @abstractmethod
    def welcomes(self, power: str) -> bool:
        """Whether another power, by its full name, may be a friend now."""

    def agrees(self, term: p.Term) -> bool:
        """Whether to accept a proposal that is not of peace; this one accepts none."""
        return False

    def make_peace(self, power: str) -> bool:
        """Make a power, by its full name, a friend if it is welcome; returns whether it is one."""
        if power == self.seat.power or not self.welcomes(power):
            return False
        self.friends.add(power)
        return True

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """Offers of peace, in movement phases."""
        if position.phase.kind != "M":
            return []
        others = [power for power in survivors(position) if power != self.seat.power]
        able, self._able = (set(others), set()) if self._able is None else (self._able, self._able)
        return [
            self._write([power], p.Propose(p.Peace((self.seat.power, power))))
            for power in others
            if power in able and power not in self.friends and self.welcomes(power)
        ]

    def hear(self, letter: Letter) -> Iterable[Letter]:
        """The answer to a proposal, to all its recipients."""
        me, sender = self.seat.power, letter.sender
        if self._able is not None:
            self._able.add(sender)
        match letter.message:
            case p.Propose(p.Peace(powers)) | p.Insist(p.Peace(powers)) if {me, sender} <= set(powers):
                others = [power for power in powers if power != me]
                agreed = all(map(self.welcomes, others)) and all(map(self.make_peace, others))
                yield from self._answer(letter, agreed)
            case p.Propose(term) | p.Insist(term):
                yield from self._answer(letter, self.agrees(term))
            case p.Accept(p.Propose(p.Peace((first, second)))) if (first, second) == (me, sender):
                self.make_peace(sender)
            case p.State(p.Not(p.Peace(powers)) | p.NoDeal(p.Peace(powers))) | p.Cancel(
                p.Accept(p.Propose(p.Peace(powers)) | p.Insist(p.Peace(powers)))
            ) if {me, sender} <= set(powers):
                self.friends.discard(sender)

    def quiet(self) -> Iterable[Letter]:
        """Nothing more."""
        return ()

    def draw(self) -> tuple[str, ...] | None:
        """No draw."""
        return None

    def _answer(self, letter: Letter, agreed: bool) -> Iterator[Letter]:
        everybody = [letter.sender, *(power for power in letter.to if power != self.seat.power)]
        yield self._write(everybody, (p.Accept if agreed else p.Refuse)(letter.message))

    def _write(self, to: Iterable[str], message: p.Message) -> Letter:
        return Letter(self.seat.power, tuple(to), message)
