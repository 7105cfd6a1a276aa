"""Open proposals and the answers to them; conditional statements, kept until their condition is decided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bordeaux.board.phase import Phase, order_of_play
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter

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
        oldest = order_of_play(phase._replace(year=phase.year - OPEN_YEARS))
        self._open = {key: offer for key, offer in self._open.items() if order_of_play(offer.made) >= oldest}

    def note(self, letter: Letter, phase: Phase) -> Offer | None:
        """Record a proposal, an answer, or a withdrawal. Returns the proposal that this letter makes binding,
        if any."""
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
                        return offer
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
        return None

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


# When a condition is known to hold or not to hold, the dependent part counts as said. Source: LANGUAGE.md,
# section 10, level 100.

#: Conditional messages of one power that are remembered, and the years for which they are.
MOST_WAITING, YEARS = 20, 1

#: Whether a term holds, as far as is known.
Known = Callable[[p.Term], bool | None]


class Conditions:
    """Conditional messages without a decision, each with the phase in which it was said."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Letter, Phase]] = []

    def begin(self, phase: Phase) -> None:
        """Begin a phase; old messages are dropped."""
        oldest = order_of_play(phase._replace(year=phase.year - YEARS))
        self._waiting = [(letter, said) for letter, said in self._waiting if order_of_play(said) >= oldest]

    def note(self, letter: Letter, phase: Phase) -> None:
        """Record a conditional message."""
        self._waiting.append((letter, phase))
        theirs = [earlier for earlier in self._waiting if earlier[0].sender == letter.sender]
        for old in theirs[:-MOST_WAITING]:
            self._waiting.remove(old)

    def agreed(self, offer: Offer, known: Known) -> p.Term | None:
        """What binds after a conditional proposal has been accepted: the branch whose condition is known to
        hold, else both as mutually exclusive terms."""
        message = offer.message
        assert isinstance(message, p.If)
        self._waiting = [waiting for waiting in self._waiting if waiting[0].message != message]
        condition, verdict = message.condition, known(message.condition)
        then, otherwise = _proposed(message.then), _proposed(message.otherwise)
        if verdict is not None:
            return then if verdict else otherwise
        exclusive = []
        if then is not None:
            exclusive.append(p.Some((p.Not(condition), then)))
        if otherwise is not None:
            exclusive.append(p.Some((p.Not(p.Not(condition)), otherwise)))
        return p.All(tuple(exclusive)) if len(exclusive) > 1 else next(iter(exclusive), None)

    def decided(self, known: Known) -> list[Letter]:
        """The statements whose condition has been decided since the last call."""
        letters = []
        for waiting in list(self._waiting):
            letter, message = waiting[0], waiting[0].message
            assert isinstance(message, p.If)
            verdict = known(message.condition)
            if verdict is not None:
                self._waiting.remove(waiting)
                if (branch := message.then if verdict else message.otherwise) is not None:
                    letters.append(letter._replace(message=branch))
        return letters

    def __len__(self) -> int:
        """The number of waiting messages."""
        return len(self._waiting)


def _proposed(message: p.Message | None) -> p.Term | None:
    return message.term if isinstance(message, p.Propose | p.Insist) else None
